package dev.basalt.codegen;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The methods on views, from the table of routines: a class for each level, of which {@code Blas} is the last. */
final class FacadeSource implements Generator {
    @Override
    public void generate(Path sources, Output output) throws IOException {
        List<ClassicFamily> families = RoutineTable.read().stream().filter(family -> family.has("views")).toList();
        for (Level level : Level.values()) {
            List<ClassicFamily> own = families.stream().filter(level::has).toList();
            output.write("dev/basalt/" + level.facade() + ".java", RoutineTable.NAME, source(level, own));
        }
    }

    private static List<String> source(Level level, List<ClassicFamily> families) {
        TreeSet<String> imports = new TreeSet<>(List.of("internal.call.Call", "portable.Leaf", "spi.Launch",
                "spi.Semiring", "type.Balance", "type.Complex", "type.Diag", "type.Direct", "type.Eform", "type.Eorder",
                "type.Erange", "type.Evect", "type.Fact", "type.Norm", "type.Op", "type.Region", "type.Schur",
                "type.Selection", "type.Sense", "type.Side", "type.Sign", "type.Storev", "type.Svect", "type.Uplo"));
        families.forEach(family -> imports.add("internal." + family.room() + "." + family.routineClass()));
        Source out = new Source();
        out.add("package dev.basalt;", "");
        imports.forEach(name -> out.add("import dev.basalt." + name + ";"));
        out.add("");
        head(out, level);
        // Rows of one name differ in what the scalars may be; the one with real scalars has them first.
        Map<String, List<ClassicFamily>> byShape = new LinkedHashMap<>();
        families.forEach(family -> byShape.computeIfAbsent(shape(family), key -> new ArrayList<>()).add(family));
        byShape.values().forEach(rows -> new FacadeMethods(rows).write(out));
        out.add("}");
        return out.lines();
    }

    private static String shape(ClassicFamily family) {
        StringBuilder shape = new StringBuilder(family.view());
        for (ClassicArgument argument : family.arguments()) {
            shape.append(' ').append(argument.name());
        }
        return shape.toString();
    }

    private static void head(Source out, Level level) {
        if (level == Level.LAPACK) {
            out.comment("", List.of(
                    "LAPACK on views. A numerical failure of a problem (a singular matrix, one that is not positive definite) is not an"
                            + " exception: it is in that problem's {@code info}, in device memory, and the other problems of a"
                            + " batch go on."));
            out.add("public final class Lapack {", "    private Lapack() {}");
            return;
        }
        out.comment("", List.of(level.title.substring(0, 1).toUpperCase(java.util.Locale.ROOT)
                + level.title.substring(1) + ". Use through {@link Blas}."));
        String below = level == Level.ONE ? "" : " extends " + Level.values()[level.ordinal() - 1].facade();
        out.add("class " + level.facade() + below + " {", "    " + level.facade() + "() {}");
    }
}
