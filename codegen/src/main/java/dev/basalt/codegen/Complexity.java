package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a call of a family costs: its operations by the fact {@code flops}, and the elements that it reads and overwrites by its operands. */
final class Complexity {
    /** Square matrices of which more than a triangle counts where there is one beside them. */
    private static final Set<String> VECTORS = Set.of("Z", "U", "VT");

    private final ClassicFamily family;

    Complexity(ClassicFamily family) {
        this.family = family;
    }

    private String fact() {
        String fact = family.fact("flops");
        if (fact == null) {
            throw new IllegalArgumentException(family.name() + " has no fact flops");
        }
        return fact;
    }

    /** The first formula: all operations, or those of the part that has most of them. */
    Formula first() {
        return Formula.of(bare(fact().split("[ ;]", 2)[0]));
    }

    /** Whether the first formula tells the order only. */
    boolean ordered() {
        return fact().startsWith("~");
    }

    private static String bare(String formula) {
        return formula.startsWith("~") ? formula.substring(1) : formula;
    }

    /** The operations for people. */
    String operations() {
        if (fact().equals("0")) {
            return "none";
        }
        List<String> words = new ArrayList<>();
        for (String word : fact().split(" ", -1)) {
            String end = word.matches(".*[;,]") ? word.substring(word.length() - 1) : "";
            String plain = word.substring(0, word.length() - end.length());
            boolean formula = words.isEmpty() || plain.matches("~.*|.*[*^].*");
            words.add(formula ? words(plain) + end : word);
        }
        return String.join(" ", words);
    }

    private static String words(String formula) {
        return formula.equals("~1")
                ? "a few"
                : (formula.startsWith("~") ? "of the order of " : "") + Formula.of(bare(formula)).words();
    }

    /** The operands that are only read, each with its elements. */
    String read() {
        return list(false);
    }

    /** The operands that are overwritten, each with its elements. */
    String overwritten() {
        return list(true);
    }

    private String list(boolean written) {
        List<String> words = new ArrayList<>();
        for (ClassicOperand operand : family.operands()) {
            if (operand.written() == written) {
                words.add(operand.name() + " " + elements(operand));
            }
        }
        return String.join(", ", words);
    }

    /** The elements of an operand that count, for people. */
    private String elements(ClassicOperand operand) {
        String first = "(" + operand.first().replace(ClassicOperand.LONGEST, "max(m,n)") + ")";
        if (operand.packed()) {
            return Formula.of("1/2*" + first + "^2").words();
        }
        if (operand.band()) {
            String diagonals = operand.halfBand() ? operand.below() : operand.below() + "+" + operand.above();
            return Formula.of(operand.second() + "*(" + diagonals.replace("kl+kl", "2*kl") + "+1)").words();
        }
        if (!operand.matrix()) {
            return vector(operand, first);
        }
        if (operand.square() && family.has(ClassicOption.class, "uplo") && !VECTORS.contains(operand.name())) {
            return Formula.of("1/2*" + first + "^2").words();
        }
        return Expression.words(Formula.of(first + "*(" + operand.second() + ")").words());
    }

    private static String vector(ClassicOperand operand, String first) {
        String words = Expression.words(Formula.of(first).words());
        return operand.option() == null || operand.second() == null ? words : words + " or " + operand.second();
    }
}
