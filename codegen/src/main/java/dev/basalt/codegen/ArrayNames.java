package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The classes whose methods take arrays of Java, from the table of routines: one method a classic name, and one more without offsets. */
final class ArrayNames implements Generator {
    private static final String FOLDER = "dev/basalt/arrays/";

    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<ClassicFamily> table = RoutineTable.read().stream().filter(family -> family.has("classic")).toList();
        write(output, "ArrayBlas", "BLAS", table.stream().filter(family -> !Level.LAPACK.has(family)).toList());
        write(output, "ArrayLapack", "LAPACK", table.stream().filter(Level.LAPACK::has).toList());
    }

    private static void write(Output output, String name, String title, List<ClassicFamily> families)
            throws IOException {
        TreeSet<String> imports = new TreeSet<>(List.of("BlasException", "spi.Launch", "type.ElementType"));
        Source methods = new Source();
        for (ClassicFamily family : families) {
            for (ClassicType type : family.types()) {
                if (!type.narrow()) {
                    ArrayMethod method = new ArrayMethod(family, type);
                    imports.addAll(method.imports());
                    method.write(methods);
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("package dev.basalt.arrays;");
        lines.add("");
        imports.forEach(imported -> lines.add("import dev.basalt." + imported + ";"));
        lines.add("");
        lines.addAll(head(name, title));
        lines.addAll(methods.lines());
        lines.add("}");
        output.write(FOLDER + name + ".java", RoutineTable.NAME, lines);
    }

    private static List<String> head(String name, String title) {
        return new Source().comment("", List.of(
                title + " on arrays of Java, under its classic names and with the arguments in their order.", "",
                "<p>Matrices are column-major. Sizes, leading dimensions, increments and offsets are in elements; a complex element"
                        + " is two neighbouring numbers of its array. Pivots and other indices are {@code int} and count from 1. LAPACK's"
                        + " {@code info} is what a method returns; results of reductions are, too.",
                "",
                "<p>Each array must reach as far as its operand does, else a {@link BlasException} says what is missing, and nothing"
                        + " has been touched. An array that the call does not look at may be null. Any number of threads may call at"
                        + " once; {@link ArrayWorkspace} says what each keeps between calls."))
                .add("public final class " + name + " {", "    private " + name + "() {}")
                .lines();
    }
}
