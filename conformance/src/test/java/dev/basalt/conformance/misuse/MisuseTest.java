package dev.basalt.conformance.misuse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.cuda.FakeDriver;
import dev.basalt.gpu.KernelSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every wrong use of the list ends in its documented error, on each device, in a JVM of its own that lives to say so.
 * These are wrong uses of objects and their lifetimes; {@code EveryMisuseTest} has every argument of every routine of the table.
 */
class MisuseTest {
    /** A hang is a failure too; nothing here takes a hundredth of that. */
    private static final long MINUTES = 10;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"host", "host:engine=scalar,threads=1", "sim captures", "sim:lazy=true captures"})
    void everyWrongUseIsTheDocumentedError(String device) throws IOException, InterruptedException {
        run(device, Map.of());
    }

    /** The NVIDIA device on a driver without a GPU: what is refused is refused before the driver is asked, or by it. */
    @Test
    void onTheNvidiaDeviceToo() throws IOException, InterruptedException {
        boolean there = KernelSources.binary("vector.d", "sm_90.cubin") != null && FakeDriver.into(folder);
        String reason = "this build has no machine code for GPUs, or there is no g++";
        if (!there) {
            System.out.println("misuse of the NVIDIA device is not tested: " + reason);
        }
        assumeTrue(there, reason);
        run("cuda:0", Map.of("LD_LIBRARY_PATH", folder.toString(), "FAKE_DRIVER", "13000", "FAKE_WAITS", "1"));
    }

    private void run(String device, Map<String, String> environment) throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        MisuseChild.class.getName()));
        command.addAll(List.of(device.split(" ")));
        Path out = folder.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().putAll(environment);
        Process child = builder.start();
        boolean ended = child.waitFor(MINUTES, TimeUnit.MINUTES);
        if (!ended) {
            child.destroyForcibly();
        }
        String said = Files.readString(out);
        assertThat(ended).as("it hangs after\n" + said).isTrue();
        assertThat(child.exitValue()).as(said).isZero();
        assertThat(said).containsPattern("1[5-9][0-9] of 1[5-9][0-9] cases as documented");
    }
}
