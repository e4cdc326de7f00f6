package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.gpu.Launcher;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DriverException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * NVIDIA's libraries where they are too old, or where Java does not let them be called: each says so, and says the same when it is asked
 * again. The C library stands for one that has none of the functions.
 */
class WrongLibraryTest {
    private static final String OTHER = "libc.so.6";

    @TempDir
    private Path folder;

    /** Asks for each library twice. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) {
            for (int i = 0; i < 2; i++) {
                say("PROBE", () -> new CudaProvider().probe().get(0).refusal());
                say("OPEN", () -> new CudaProvider().open("cuda:0"));
                say("DRIVER", () -> Libcuda.call(Libcuda.DEVICE_GET_COUNT, 0L));
                say("CUBLASLT", Engine::ofSetting);
                say("NVRTC", Nvrtc::load);
                say("NVTX", Nvtx::listened);
            }
        }

        private static void say(String what, Supplier<Object> question) {
            try {
                System.out.println(what + " " + question.get());
            } catch (DriverException e) {
                System.out.println(what + " " + e.code() + " " + e.getMessage());
            } catch (RuntimeException | Error e) {
                System.out.println(what + " RAW " + e);
            }
        }
    }

    private List<String> child(String... options) throws IOException, InterruptedException {
        assumeTrue(System.getProperty("os.name", "").startsWith("Linux"), "skipped: there is no " + OTHER + " here");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Dbasalt.gemm=cublaslt"));
        command.addAll(List.of(options));
        for (String property : List.of("libcuda", "cublasLt", "nvrtc", "nvtx")) {
            command.add("-Dbasalt." + property + "=" + OTHER);
        }
        command.addAll(List.of("-cp",
                ChildClasses.of(DeviceProvider.class, Launcher.class, CudaProvider.class, WrongLibraryTest.class),
                Child.class.getName()));
        ProcessBuilder process = new ProcessBuilder(command);
        process.environment().put(Nvtx.LISTENER, "/nowhere");
        List<String> said = ChildOutput.of(folder, process).stream().filter(line -> line.matches("[A-Z]+ .*")).toList();
        assertThat(said).hasSize(12).noneMatch(line -> line.contains(" RAW "));
        assertThat(said.subList(0, 6)).as("at the second time").isEqualTo(said.subList(6, 12));
        return said.subList(0, 6);
    }

    @Test
    void aLibraryWithoutTheFunctionsIsTooOld() throws IOException, InterruptedException {
        List<String> said = child("--enable-native-access=ALL-UNNAMED");
        assertThat(said.get(0)).contains("the driver is too old: it has no cuInit");
        assertThat(said.get(1)).startsWith("OPEN NOT_SUPPORTED").contains("the driver is too old: it has no cuInit");
        assertThat(said.get(2)).startsWith("DRIVER NOT_SUPPORTED").endsWith("it has no cuDeviceGetCount");
        assertThat(said.get(3)).contains("tried this cuBLASLt is too old: it has no cublasLtCreate");
        assertThat(said.get(4)).startsWith("NVRTC NOT_SUPPORTED this NVRTC is too old");
        assertThat(said.get(5)).isEqualTo("NVTX null");
    }

    @Test
    void whatJavaRefusesNamesTheFlag() throws IOException, InterruptedException {
        String flag = "Java refuses native access; start it with --enable-native-access=ALL-UNNAMED";
        List<String> said = child("--illegal-native-access=deny");
        assertThat(said.subList(0, 5)).allMatch(line -> line.contains(flag));
        assertThat(said.get(5)).isEqualTo("NVTX null");
    }
}
