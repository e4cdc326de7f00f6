package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {
    private static final String[] PROPERTIES =
            {"basalt.deviceMemorySize", "basalt.streamOrderAlloc", "basalt.threads", "basalt.engine", "basalt.guard"};

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
            "basalt.guard, perhaps"})
    void findsSettingsThatMakeNoSense(String name, String value) {
        System.setProperty(name, value);
        CommandRun run = CommandRun.of("doctor");
        assertThat(run.code()).isEqualTo(Failure.FAILED);
        assertThat(run.out().lines())
                .anyMatch(line -> line.startsWith("  " + name + " ") && line.contains("\"" + value + "\", WRONG: "));
        assertThat(run.out().substring(run.out().indexOf("to do"))).contains(name);
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
