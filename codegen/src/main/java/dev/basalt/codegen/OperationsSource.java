package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The operations of every family as Java, from the table of routines: what measures speed takes them from there. */
final class OperationsSource implements Generator {
    @Override
    public void generate(Path sources, Output output) throws IOException {
        Map<String, String> formulas = new LinkedHashMap<>();
        for (ClassicFamily family : RoutineTable.read()) {
            String java = new Complexity(family).first().java();
            String other = formulas.put(family.view(), java);
            if (other != null && !other.equals(java)) {
                throw new IllegalArgumentException("rows of " + family.view() + " differ in their flops");
            }
        }
        output.write("dev/basalt/internal/signature/Operations.java", RoutineTable.NAME, source(formulas));
    }

    private static List<String> source(Map<String, String> formulas) {
        Source out = new Source();
        out.add("package dev.basalt.internal.signature;", "", "import java.util.function.ToDoubleFunction;", "");
        out.comment("", List.of("How many operations each family takes. For commands and tests, not for calls."));
        out.add("public final class Operations {", "    private Operations() {}", "");
        out.comment("    ", List.of(
                "The additions and multiplications of a call on real elements, the terms of highest order; complex elements take up to four times"
                        + " as many. Where an iteration is part of it, those of the larger part, or their order.",
                "", "@param family name without the type letter, as a signature has it",
                "@param size what a dimension is, by its name in BLAS; {@code order} is m or n by the side",
                "@return operations of one problem", "@throws IllegalArgumentException if there is no such family"));
        out.add("    public static double of(String family, ToDoubleFunction<String> size) {",
                "        return switch (family) {");
        formulas.forEach((view, java) -> out.add("            case \"" + view + "\" -> " + java + ";"));
        out.add("            default -> throw new IllegalArgumentException(\"no routine is called \" + family);",
                "        };", "    }", "}");
        return out.lines();
    }
}
