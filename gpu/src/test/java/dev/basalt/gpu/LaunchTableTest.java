package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of launches against the header made from it and against the sources. */
class LaunchTableTest {
    private static final Path SOURCES = Path.of("src/main/resources/dev/basalt/gpu");
    private static final String WRITE = "basalt.launches.write";

    /** What tells how to launch is no number that sources are compiled with. */
    private static final List<String> OF_LAUNCHES = List.of(LaunchRow.COOPERATIVE, LaunchRow.CLUSTER);

    private static final List<String> NAMED_BY_MACROS = List.of("tensor", "tensor_part", "half", "warpgroup");

    private static String header() {
        StringBuilder text = new StringBuilder(
                """
                        // Made from launches.txt by LaunchTableTest: what each kernel is declared with, and the numbers of its row.
                        #ifndef BASALT_LAUNCHES_H
                        #define BASALT_LAUNCHES_H

                        """);
        Map<String, StringBuilder> types = new LinkedHashMap<>();
        Map<String, LaunchRow> rows = new LinkedHashMap<>();
        for (KernelFunction f : KernelFunction.all()) {
            LaunchRow row = f.row();
            text.append("#define BASALT_LAUNCH_").append(f.name()).append(' ');
            if (row.cluster() > 1) {
                text.append("BASALT_CLUSTER(").append(row.cluster()).append(") ");
            }
            text.append("__launch_bounds__(").append(row.threads());
            text.append(row.blocks() == 0 ? "" : ", " + row.blocks()).append(")\n");
            String stem = f.name().substring("basalt_".length(), f.name().length() - 2);
            String key = stem + " " + row;
            types.computeIfAbsent(key, k -> new StringBuilder(stem + "_")).append(f.letter());
            rows.put(key, row);
        }
        text.append("\nnamespace basalt {\nnamespace row {\n\n");
        rows.forEach((key, row) -> {
            Map<String, Integer> numbers = new TreeMap<>(row.attributes());
            numbers.keySet().removeAll(OF_LAUNCHES);
            if (!numbers.isEmpty()) {
                numbers.put("threads", row.threads());
                numbers.put("shared", row.shared());
                text.append("struct ").append(types.get(key)).append(" {\n    enum { ");
                text.append(numbers.entrySet()
                        .stream()
                        .map(e -> e.getKey() + " = " + e.getValue())
                        .collect(Collectors.joining(", ")));
                text.append(" };\n};\n");
            }
        });
        return text.append("\n}  // namespace row\n}  // namespace basalt\n\n#endif\n").toString();
    }

    @Test
    void theHeaderIsThatOfTheTable() throws IOException {
        Path file = SOURCES.resolve("launches.h");
        if (Boolean.getBoolean(WRITE)) {
            Files.writeString(file, header());
        }
        assertThat(Files.readString(file)).as("run this test with -D" + WRITE + "=true").isEqualTo(header());
    }

    /** A compiler that knows no folder is given what the sources include; nothing else lies beside them. */
    @Test
    void everyHeaderIsForTheCompilerOfSomeSource() throws IOException {
        Set<String> there = new TreeSet<>();
        Set<String> given = new TreeSet<>();
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(".h")) {
                    there.add(name);
                } else if (name.endsWith(".cu")) {
                    given.addAll(KernelSources.headers(KernelSources.text(name)).keySet());
                }
            }
        }
        assertThat(given).isEqualTo(there).contains("rounded.h", "basalt.h");
    }

    /** A source declares each kernel of its rows, and no other. */
    @Test
    void everyKernelHasARow() throws IOException {
        Set<String> declared = new TreeSet<>();
        Pattern kernel = Pattern.compile("BASALT_KERNEL\\((basalt_[a-z0-9_]+?)(?:_##t|_[sdcz])\\)");
        try (Stream<Path> files = Files.list(SOURCES)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".cu")).toList()) {
                Matcher found = kernel.matcher(Files.readString(file));
                while (found.find()) {
                    declared.add(found.group(1) + " of " + file.getFileName());
                }
            }
        }
        Set<String> rows = KernelFunction.all()
                .stream()
                // Those have names that macros put together; the compiler misses a row that is not there.
                .filter(f -> !NAMED_BY_MACROS.contains(f.source()))
                .map(f -> f.name().substring(0, f.name().length() - 2) + " of " + f.source() + ".cu")
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(declared).isEqualTo(rows);
    }

    @Test
    void aFunctionIsFoundByItsNumber() {
        List<KernelFunction> all = KernelFunction.all();
        assertThat(all).hasSizeGreaterThan(200);
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).id()).isEqualTo(i);
            assertThat(all.get(i).threads()).isBetween(32, 1024);
        }
        assertThat(all.stream().filter(KernelFunction::cooperative).map(KernelFunction::name))
                .allMatch(name -> name.matches(
                        "basalt_((lu|qr)_slices|(latrd|labrd)_panel|labrd_columns_(8|16)|hseqr_windows|sb2st(_warps_(16|32))?|(syevj|gesvj)_blocks|(sytd2|gebd2)_blocks_[248])_[sdcz]"))
                .hasSize(71);
        assertThat(all.stream().filter(f -> f.cluster() > 1).map(KernelFunction::name)).allMatch(name -> name.matches(
                "basalt_((lu|qr)_cluster_(8|16)_[sdcz]|qr_cluster_tall_[sdcz]|qr_held_(8|16)_[sdcz]|lasyf_16_[sdcz]|deep_[nt][nt]_[dz]|sliced_deep_(gemm|syrk|part|both)_[sdcz]|(dot|asum|nrm2|iam(ax|in))_near_[sdcz])"))
                .hasSize(76);
    }
}
