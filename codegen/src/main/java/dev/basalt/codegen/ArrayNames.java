package dev.basalt.codegen;

import dev.basalt.codegen.ArrayMethod.Lay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The classes whose methods take arrays of Java, from the table of routines: one method a classic name, and one more without offsets. */
final class ArrayNames implements Generator {
    private static final String FOLDER = "dev/basalt/arrays/";

    private static final List<String> BY_COLUMNS = List.of(
            "<p>Matrices are column-major. Sizes, leading dimensions, increments and offsets are in elements; a complex element"
                    + " is two neighbouring numbers of its array. Pivots and other indices are {@code int} and count from 1. LAPACK's"
                    + " {@code info} is what a method returns; results of reductions are, too.",
            "",
            "<p>Each array must reach as far as its operand does, else a {@link BlasException} says what is missing, and nothing"
                    + " has been touched. An array that the call does not look at may be null. Any number of threads may call at"
                    + " once; {@link ArrayWorkspace} says what each keeps between calls.");

    private static final List<String> BY_ROWS = List.of(
            "<p>Matrices are row-major: in one array, with the distance between their rows where BLAS has the leading dimension, or"
                    + " as an array for each row. All that a call leaves is by rows, too: factors, vectors, solutions."
                    + " The vectors that are columns of a matrix are its columns here, too. All else is as in {@link %s}.",
            "",
            "<p>Where the same routine on the transposed matrices gives the transposed result, the call is turned; no element is"
                    + " transposed. Elsewhere elements are transposed as they are copied. Each method says what it does.",
            "",
            "<p>Rows may be longer than the matrix is wide, and more than it is high. No array may be two rows of what is written.");

    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<ClassicFamily> table = RoutineTable.read().stream().filter(family -> family.has("classic")).toList();
        List<ClassicFamily> blas = table.stream().filter(family -> !Level.LAPACK.has(family)).toList();
        List<ClassicFamily> lapack = table.stream().filter(Level.LAPACK::has).toList();
        write(output, "ArrayBlas", "BLAS on arrays of Java", BY_COLUMNS, blas, List.of(Lay.COLUMNS));
        write(output, "ArrayLapack", "LAPACK on arrays of Java", BY_COLUMNS, lapack, List.of(Lay.COLUMNS));
        List<Lay> rows = List.of(Lay.ROWS, Lay.ARRAYS);
        write(output, "RowMajorBlas", "BLAS on matrices by rows", byRows("ArrayBlas"), blas, rows);
        write(output, "RowMajorLapack", "LAPACK on matrices by rows", byRows("ArrayLapack"), lapack, rows);
    }

    private static List<String> byRows(String other) {
        return BY_ROWS.stream().map(line -> line.replace("%s", other)).toList();
    }

    private static void write(Output output, String name, String title, List<String> text, List<ClassicFamily> families,
            List<Lay> lays) throws IOException {
        TreeSet<String> imports = new TreeSet<>(List.of("BlasException", "spi.Launch", "type.ElementType"));
        Source methods = new Source();
        for (ClassicFamily family : families) {
            for (ClassicType type : family.types()) {
                for (Lay lay : lays) {
                    if (isThere(family, type, lay)) {
                        ArrayMethod method = new ArrayMethod(family, type, lay);
                        imports.addAll(method.imports());
                        method.write(methods);
                    }
                }
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add("package dev.basalt.arrays;");
        lines.add("");
        imports.forEach(imported -> lines.add("import dev.basalt." + imported + ";"));
        lines.add("");
        lines.addAll(head(name, title, text));
        lines.addAll(methods.lines());
        lines.add("}");
        output.write(FOLDER + name + ".java", RoutineTable.NAME, lines);
    }

    private static boolean isThere(ClassicFamily family, ClassicType type, Lay lay) {
        return !type.narrow() && (lay == Lay.COLUMNS || Turns.has(family));
    }

    private static List<String> head(String name, String title, List<String> text) {
        List<String> lines = new ArrayList<>(
                List.of(title + ", under its classic names and with the arguments in their order.", ""));
        lines.addAll(text);
        return new Source().comment("", lines)
                .add("public final class " + name + " {", "    private " + name + "() {}")
                .lines();
    }
}
