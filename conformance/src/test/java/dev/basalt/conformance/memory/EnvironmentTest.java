package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.conformance.support.ChildJvm;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The environment variables and system properties, good and bad, each in a JVM of its own. */
class EnvironmentTest {
    private static final String SIZE = "ROCBLAS_DEVICE_MEMORY_SIZE";
    private static final String ORDER = "ROCBLAS_STREAM_ORDER_ALLOC";

    /** What the child JVM runs: one line that says what the handle is, or why there is none. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            String name = args[0];
            long fixed = args.length > 1 ? Long.parseLong(args[1]) : -1;
            try (Device device = Device.open(name)) {
                try (Handle handle =
                        fixed < 0 ? device.createHandle() : device.handleBuilder().deviceMemorySize(fixed).create()) {
                    System.out.println("RESULT " + handle.workspaceScheme() + " " + handle.getDeviceMemorySize() + " "
                            + handle.isStreamOrdered() + " " + handle.deviceMalloc(256).isSuccess());
                } catch (BlasException e) {
                    System.out.println("RESULT " + e.status() + " " + e.getMessage());
                }
            }
        }
    }

    private static String child(Map<String, String> environment, List<String> properties, String... args) {
        String out = ChildJvm.run(Child.class, environment, properties, args);
        return out.lines()
                .filter(line -> line.startsWith("RESULT "))
                .findFirst()
                .map(line -> line.substring(7))
                .orElse("no result: " + out);
    }

    @ParameterizedTest
    @CsvSource({
            "1000,     PREALLOCATED 1000 false true",
            "0x400,    PREALLOCATED 1024 false true",
            "4k,       PREALLOCATED 4096 false true",
            "' 1M ',   PREALLOCATED 1048576 false true",
            "0,        MANAGED 33554432 false true",
            "'',       MANAGED 33554432 false true",
            "100,      PREALLOCATED 100 false false"})
    void goodSizes(String text, String expected) {
        assertThat(child(Map.of(SIZE, text), List.of(), "sim")).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"junk", "12q", "-5", "1e6", "0x", "9999999999999999999", "10000000g", "'5 m'", "0x-1"})
    void badSizesNameVariableTextAndWhatIsAccepted(String text) {
        assertThat(child(Map.of(SIZE, text), List.of(), "sim")).startsWith("INVALID_VALUE")
                .contains(SIZE)
                .contains("\"" + text + "\"")
                .contains("accepted");
    }

    @Test
    void moreThanTheDeviceHas() {
        assertThat(child(Map.of(SIZE, "5g"), List.of(), "sim")).startsWith("INVALID_VALUE")
                .contains(SIZE)
                .contains("4294967296");
    }

    @Test
    void builderBeatsPropertyBeatsVariable() {
        Map<String, String> variable = Map.of(SIZE, "1024");
        List<String> property = List.of("-Dbasalt.deviceMemorySize=2k");
        assertThat(child(variable, property, "host", "4096")).startsWith("PREALLOCATED 4096");
        assertThat(child(variable, property, "host")).startsWith("PREALLOCATED 2048");
        assertThat(child(variable, List.of(), "host")).startsWith("PREALLOCATED 1024");
        assertThat(child(Map.of(), List.of(), "host")).startsWith("MANAGED 33554432");
        assertThat(child(variable, property, "host", "0")).startsWith("MANAGED 33554432");
    }

    @Test
    void streamOrderAloneAndWithASize() {
        assertThat(child(Map.of(ORDER, "1"), List.of(), "sim")).isEqualTo("MANAGED 0 true true");
        assertThat(child(Map.of(ORDER, "1", SIZE, "4096"), List.of(), "sim")).isEqualTo("PREALLOCATED 4096 true true");
        assertThat(child(Map.of(ORDER, "0"), List.of("-Dbasalt.streamOrderAlloc=true"), "sim"))
                .isEqualTo("MANAGED 0 true true");
        assertThat(child(Map.of(ORDER, "1"), List.of(), "sim:pools=false"))
                .as("falls back where pools are not supported, and says so")
                .isEqualTo("MANAGED 33554432 false true");
        assertThat(child(Map.of(ORDER, "maybe"), List.of(), "sim")).startsWith("INVALID_VALUE")
                .contains(ORDER)
                .contains("maybe");
    }
}
