package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
    private static final String[] PROPERTIES = {
            "basalt.deviceMemorySize",
            "basalt.streamOrderAlloc",
            "basalt.threads",
            "basalt.engine",
            "basalt.guard",
            "basalt.nvrtc",
            "basalt.cache",
            "basalt.thraeds",
            "basalt.nothing"};

    @AfterEach
    void clear() {
        for (String property : PROPERTIES) {
            System.clearProperty(property);
        }
    }

    @Test
    void looksAtEverything() {
        CommandRun run = CommandRun.of("doctor").good();
        assertThat(run.out()).contains("version", "native access", "vectors", "threads", "a new handle", "Java heap",
                "huge pages");
        assertThat(run.out().lines()).anyMatch(line -> line.matches("  host +.*processor.*"));
        assertThat(run.out())
                .contains("ROCBLAS_DEVICE_MEMORY_SIZE", "ROCBLAS_STREAM_ORDER_ALLOC", "basalt.leakDetection",
                        "basalt.vectorBits")
                .contains("all is well");
    }

    @ParameterizedTest
    @CsvSource({
            "basalt.deviceMemorySize, 12x",
            "basalt.streamOrderAlloc, maybe",
            "basalt.threads, 0",
            "basalt.engine, steam",
            "basalt.guard, perhaps",
            "basalt.nvrtc, /no/such/libnvrtc.so",
            "basalt.cache, /no/such/folder"})
    void findsSettingsThatMakeNoSense(String name, String value) {
        System.setProperty(name, value);
        CommandRun run = CommandRun.of("doctor");
        assertThat(run.code()).isEqualTo(Failure.FAILED);
        assertThat(run.out().lines())
                .anyMatch(line -> line.startsWith("  " + name + " ") && line.contains("\"" + value + "\", WRONG: "));
        assertThat(run.out().substring(run.out().indexOf("to do"))).contains(name);
    }

    @Test
    void tellsAllThatABugReportNeeds() {
        CommandRun run = CommandRun.of("doctor", "--report").good();
        assertThat(run.out()).startsWith("**What I did**")
                .contains("```text", "  Basalt ", "  options ", "  system ", "  kernel ", "  libc ", "  locale ",
                        "  model ", "  limits ", "basalt.libcuda")
                .endsWith("```\n");
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonTellsTheSame() {
        System.setProperty("basalt.threads", "1");
        Map<String, Object> json =
                (Map<String, Object>) new JsonText(CommandRun.of("doctor", "--json").good().out()).value();
        assertThat(json).containsOnlyKeys("java", "cpu", "devices", "settings", "memory", "system", "well", "toDo");
        assertThat((List<Object>) json.get("toDo")).isEmpty();
        assertThat((Map<String, Object>) json.get("settings")).containsEntry("basalt.threads", "1")
                .containsEntry("basalt.vectorBits", null);
    }

    @Test
    void findsMisspeltSettings() {
        System.setProperty("basalt.thraeds", "2");
        System.setProperty("basalt.nothing", "2");
        CommandRun run = CommandRun.of("doctor", "--quiet");
        assertThat(run.code()).isEqualTo(Failure.FAILED);
        assertThat(run.out().lines()).containsExactly("to do",
                "  - property basalt.nothing is set, but there is no such setting",
                "  - property basalt.thraeds is set, but there is no such setting; did you mean basalt.threads?");
        assertThat(Setting.unknown(List.of("Basalt.Threads", "baslat.threads", "user.dir", "basalt.processor"),
                List.of("ROCBLAS_LAYER", "ROCBLAS_DEVICE_MEMORY_SIZ", "BASALT_JAVA_OPT", "HOME"))).containsExactly(
                        "property Basalt.Threads is set, but there is no such setting; did you mean basalt.threads?",
                        "property baslat.threads is set, but there is no such setting; did you mean basalt.threads?",
                        "variable BASALT_JAVA_OPT is set, but there is no such setting; did you mean BASALT_JAVA_OPTS?",
                        "variable ROCBLAS_DEVICE_MEMORY_SIZ is set, but there is no such setting; did you mean ROCBLAS_DEVICE_MEMORY_SIZE?");
    }

    /** A property that the sources read and the doctor does not know would be called a typing error. */
    @Test
    void knowsEverySettingOfTheSources() throws IOException {
        Pattern read = Pattern.compile("\"(basalt\\.[a-zA-Z.]+[a-zA-Z]|BASALT_[A-Z_]+|ROCBLAS_[A-Z_]+)\"");
        Set<String> names = new TreeSet<>();
        for (String module : List.of("core", "host", "sim", "cuda", "gpu", "cli")) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src", "main", "java"))) {
                for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
                    read.matcher(Files.readString(file)).results().forEach(found -> names.add(found.group(1)));
                }
            }
        }
        names.remove("basalt.h");
        assertThat(names).hasSizeGreaterThan(15);
        Map<Boolean, List<String>> byKind =
                names.stream().collect(Collectors.partitioningBy(name -> name.startsWith("basalt.")));
        assertThat(Setting.unknown(byKind.get(true), byKind.get(false))).isEmpty();
    }

    @Test
    void saysWhichEngineRuns() {
        assertThat(CommandRun.of("doctor").good().out().lines()).anyMatch(line -> line
                .matches("  engine +(assembled|vector|scalar), .+(, the fastest for this processor|; not .+)"));
        System.setProperty("basalt.engine", "scalar");
        assertThat(CommandRun.of("doctor").good().out().lines())
                .anyMatch(line -> line.matches("  engine +scalar, .+, as asked for"));
    }

    @Test
    void showsWhatASettingDoes() {
        System.setProperty("basalt.deviceMemorySize", "3m");
        CommandRun run = CommandRun.of("doctor").good();
        assertThat(run.out()).contains("\"3m\", ok", "scheme PREALLOCATED, workspace 3 MiB");
    }

    @Test
    void judgesSettings() {
        for (Setting setting : Setting.ALL) {
            assertThat(setting.objection(null)).isNull();
            assertThat(setting.objection(" ")).isNull();
        }
        assertThat(objection("ROCBLAS_STREAM_ORDER_ALLOC", "1")).isNull();
        assertThat(objection("ROCBLAS_STREAM_ORDER_ALLOC", "-1")).isNotNull();
        assertThat(objection("ROCBLAS_DEVICE_MEMORY_SIZE", "0x100")).isNull();
        assertThat(objection("ROCBLAS_DEVICE_MEMORY_SIZE", "-5")).isNotNull();
        assertThat(objection("basalt.threads", "1024")).isNull();
        assertThat(objection("basalt.threads", "1025")).isNotNull();
        assertThat(objection("basalt.leakDetection", "PARANOID")).isNull();
        assertThat(objection("basalt.vectorBits", "77")).isNotNull();
    }

    private static String objection(String name, String value) {
        return Setting.ALL.stream()
                .filter(setting -> setting.name().equals(name))
                .findFirst()
                .orElseThrow()
                .objection(value);
    }
}
