package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The classes of the classic names, from the table of routines: hundreds of methods, each of which puts its arguments into the
 * frame of a call and runs it.
 */
final class ClassicNames implements Generator {
    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<ClassicFamily> table = RoutineTable.read().stream().filter(family -> family.has("classic")).toList();
        for (Level level : Level.values()) {
            List<ClassicFamily> families = table.stream().filter(family -> level.has(family)).toList();
            output.write("dev/basalt/" + level.classic() + ".java", RoutineTable.NAME, source(level, families));
        }
    }

    private static List<String> source(Level level, List<ClassicFamily> families) {
        TreeSet<String> imports =
                new TreeSet<>(List.of("internal.call.Call", "spi.Launch", "spi.Semiring", "type.ElementType"));
        for (String type : List.of("Balance", "Complex", "Diag", "Direct", "Eform", "Eorder", "Erange", "Evect", "Fact",
                "Norm", "Op", "Region", "Schur", "Selection", "Sense", "Side", "Sign", "Storev", "Svect", "Uplo")) {
            imports.add("type." + type);
        }
        families.forEach(family -> imports.add("internal." + family.room() + "." + family.routineClass()));
        if (families.stream().anyMatch(family -> family.fact("small") != null)) {
            imports.add("portable.Leaf");
        }
        List<String> lines = new ArrayList<>();
        lines.add("package dev.basalt;");
        lines.add("");
        imports.forEach(name -> lines.add("import dev.basalt." + name + ";"));
        lines.add("");
        lines.addAll(head(level));
        for (ClassicFamily family : families) {
            for (ClassicType type : family.types()) {
                for (ClassicForm form : ClassicForm.values()) {
                    methods(lines, family, type, form);
                }
            }
            for (ClassicForm form : family.isMixed() ? ClassicForm.values() : new ClassicForm[0]) {
                mixed(lines, families, family, form);
            }
        }
        lines.add("}");
        return lines;
    }

    private static List<String> head(Level level) {
        return List.of("/**", " * " + level.title
                + ", under the classic names: the arguments of BLAS and LAPACK in their order after the handle.",
                " * Matrices are column-major; sizes, leading dimensions, increments and strides are in elements. A null",
                " * {@link DevicePointer} is a null pointer: allowed in a query, and wherever the routine would not look at it. A",
                " * {@code Batched} method takes tables in device memory of 64-bit addresses, one a problem; a {@code StridedBatched}",
                " * one takes the first problem's operands and the distances to the next.", " */",
                "public final class " + level.classic() + " {", "    private " + level.classic() + "() {}");
    }

    private static void methods(List<String> lines, ClassicFamily family, ClassicType type, ClassicForm form) {
        if (family.isReduction() && form == ClassicForm.PLAIN) {
            method(lines, new ClassicMethod(family, type, form, false, true, false));
        }
        method(lines, new ClassicMethod(family, type, form, false, false, false));
        if (family.hasScalars()) {
            method(lines, new ClassicMethod(family, type, form, true, false, false));
        }
    }

    /** The methods whose operands' types the caller names; a row of its own has real scalars where others may be complex. */
    private static void mixed(List<String> lines, List<ClassicFamily> families, ClassicFamily family,
            ClassicForm form) {
        boolean complex = family.scalars().stream().anyMatch(scalar -> !scalar.real());
        ClassicFamily real = families.stream()
                .filter(f -> !f.equals(family) && f.view().equals(family.view()) && f.isMixed())
                .findFirst()
                .orElse(null);
        if (!complex || real == null) {
            method(lines, new ClassicMethod(family, null, form, false, false, false));
        }
        if (complex) {
            method(lines, new ClassicMethod(family, null, form, false, false, true));
            ClassicMethod onDevice = new ClassicMethod(family, null, form, true, false, false);
            if (real != null) {
                // What the computation is in tells whether the scalars are real.
                onDevice.runs("Frame.isReal(compute) ? " + real.routine() + " : " + family.routine());
            }
            method(lines, onDevice);
        }
    }

    private static void method(List<String> lines, ClassicMethod method) {
        lines.add("");
        lines.addAll(method.lines());
    }
}
