package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A dimension.
 *
 * @param name m, n, k or nrhs
 */
record ClassicDimension(String name) implements ClassicArgument {
    /** How many elements of inverted blocks are given. */
    static final String INVERSES = "sizeInv";

    @Override
    public void write(ClassicMethod method) {
        String rule = !method.family().level().equals("1") ? ", at least 0"
                : method.family().isReduction() ? "; the result is 0 unless n is positive"
                : "; nothing is done unless n is positive";
        method.parameter("long", name, roles(method.family()) + rule);
        if (!inOperand()) {
            method.statement("g." + field() + " = " + name + ";");
        }
    }

    /** The field of a launch that holds it. */
    String field() {
        return name.equals("nrhs") || name.equals(INVERSES) ? "k" : name;
    }

    /** Whether its operand holds it, and the launch does not. */
    boolean inOperand() {
        return name.equals("kl") || name.equals("ku");
    }

    /** What the dimension counts, such as {@code rows of op(A) and C}. */
    private String roles(ClassicFamily family) {
        Map<String, List<String>> roles = new LinkedHashMap<>();
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicOperand operand && operand.role(name) != null) {
                roles.computeIfAbsent(operand.role(name), role -> new ArrayList<>()).add(operand.read());
            }
        }
        List<String> words = new ArrayList<>();
        roles.forEach((role, operands) -> words.add(role + " of " + String.join(" and ", operands)));
        return String.join(", ", words);
    }
}
