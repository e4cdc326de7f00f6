package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A dimension.
 *
 * @param name one of {@link #NAMES}
 */
record ClassicDimension(String name) implements ClassicArgument {
    /** All there are. nrhs and p are k of the frame; l, k1, ilo, ifst and nblocks are its p, nb, k2, ihi, ilst, niters and kd its q. */
    static final Set<String> NAMES =
            Set.of("m", "n", "k", "nrhs", "p", "nblocks", "l", "k1", "nb", "k2", "kd", "kl", "ku", "ilo", "ihi", "ifst",
                    "ilst", "ncvt", "nru", "ncc", "maxSweeps", "niters", "il", "iu", ClassicDimension.INVERSES);

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
        if (!new Shapes(method.family()).tells(name)) {
            method.view("long");
        }
    }

    /** The field of a launch that holds it. */
    String field() {
        return switch (name) {
            case "nrhs", "p", "ncc", INVERSES -> "k";
            case "ncvt" -> "m";
            case "l", "k1", "ilo", "ifst", "nblocks", "nru", "il" -> "p";
            case "nb", "k2", "ihi", "ilst", "kd", "maxSweeps", "niters", "iu" -> "q";
            default -> name;
        };
    }

    /** Its name for people, beside its value. */
    String shown() {
        return inOperand() || field().equals("m") || field().equals("p") || field().equals("q") ? name : field();
    }

    /** Its value in Java where an operand holds it. */
    String value(ClassicFamily family, String prefix) {
        ClassicOperand band = family.operands().stream().filter(ClassicOperand::band).findFirst().orElseThrow();
        return value(band, prefix + band.field() + ".");
    }

    /** Its value in Java where a band at a place holds it. */
    String value(ClassicOperand band, String place) {
        // Above the diagonals of a matrix there may be room for those of its factor.
        return name.equals("ku") && "kl+ku".equals(band.above()) ? place + "ku - " + place + "kl" : place + name;
    }

    /** Whether its operand holds it, and the launch does not. */
    boolean inOperand() {
        return name.equals("kl") || name.equals("ku");
    }

    /** What the dimension counts, such as {@code rows of op(A) and C}. */
    String roles(ClassicFamily family) {
        Map<String, List<String>> roles = new LinkedHashMap<>();
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicOperand operand && operand.role(name) != null) {
                roles.computeIfAbsent(operand.role(name), role -> new ArrayList<>()).add(operand.read());
            }
        }
        List<String> words = new ArrayList<>();
        roles.forEach((role, operands) -> words.add(role + " of " + String.join(" and ", operands)));
        return words.isEmpty() ? alone() : String.join(", ", words);
    }

    /** What it counts where no operand has it for a side. */
    private String alone() {
        return switch (name) {
            case "nblocks" -> "blocks";
            case "nb" -> "columns of a block";
            case "maxSweeps" -> "sweeps at most";
            case "niters" -> "power steps";
            case "k1" -> "the first";
            case "il" -> "the first value with INDEX, counted from 1, else 0";
            case "iu" -> "the last value with INDEX, else 0";
            case "k2" -> "the last";
            case "ilo" -> "the first row, from 1, of the part that is not triangular yet; 0 counts as 1";
            case "ifst" -> "a row, from 1, of the block that moves; 0 counts as 1";
            case "ilst" -> "a row, from 1, of the block whose place it takes; 0 counts as 1";
            case "ihi" -> "the last row of that part";
            default -> "the dimension " + name;
        };
    }
}
