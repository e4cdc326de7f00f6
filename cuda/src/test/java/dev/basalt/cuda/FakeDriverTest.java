package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.VectorView;
import dev.basalt.gpu.KernelSources;
import dev.basalt.type.ElementType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the driver is asked for, call by call: one that is written here and has every function that is bound, but no GPU, hears another JVM. Skipped
 * where there is no compiler, or no machine code in this build.
 */
class FakeDriverTest {
    private static final int CALLS = 20_000;
    private static final int ROUNDS = 200;
    private static final String NO_GARBAGE = "garbage of " + CALLS + " calls: 0 bytes";

    @TempDir
    private Path folder;

    /** What the other JVM does. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws ReflectiveOperationException {
            try {
                run();
            } catch (BlasException e) {
                System.out.println(e.getMessage());
            }
        }

        private static void run() throws ReflectiveOperationException {
            try (Device device = Device.open("cuda:0");
                    Handle handle = device.createHandle();
                    DeviceArena arena = device.arena()) {
                VectorView x = arena.vector(ElementType.F64, 1000);
                VectorView y = arena.vector(ElementType.F64, 1000);
                Blas.copy(handle, x, y);
                Lapack.getrf(handle, arena.matrix(ElementType.F64, 20_000, 40), arena.vector(ElementType.I64, 40),
                        arena.vector(ElementType.I32, 1));
                copies(handle, x, y);
                long least = Long.MAX_VALUE;
                for (int round = 0; round < ROUNDS && least > 0; round++) {
                    long start = allocated();
                    long before = allocated();
                    copies(handle, x, y);
                    // Less what asking takes.
                    least = Math.min(least, allocated() - before - (before - start));
                }
                System.out.println("garbage of " + CALLS + " calls: " + Math.max(0, least) + " bytes");
            }
        }

        /** By reflection, since the module under test reads no management module. */
        private static long allocated() throws ReflectiveOperationException {
            Object bean =
                    Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean").invoke(null);
            return (long) Class.forName("com.sun.management.ThreadMXBean")
                    .getMethod("getCurrentThreadAllocatedBytes")
                    .invoke(bean);
        }

        private static void copies(Handle handle, VectorView x, VectorView y) {
            for (int i = 0; i < CALLS; i++) {
                Blas.copy(handle, x, y);
            }
        }
    }

    private static void require(boolean there, String reason) {
        if (!there) {
            System.out.println("what the driver is asked for is not tested: " + reason);
        }
        assumeTrue(there, reason);
    }

    private List<String> heard(boolean waits, int version, String... options) throws IOException, InterruptedException {
        require(KernelSources.binary("vector.d", "sm_90.cubin") != null, "this build has no machine code");
        require(FakeDriver.into(folder), "there is no g++");
        List<String> command = Stream.of(
                Stream.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED"),
                Stream.of(options),
                Stream.of("-cp",
                        ChildClasses.of(Blas.class, KernelSources.class, CudaProvider.class, FakeDriverTest.class),
                        Child.class.getName()))
                .flatMap(part -> part)
                .toList();
        ProcessBuilder child = new ProcessBuilder(command);
        child.environment().put("LD_LIBRARY_PATH", folder.toString());
        child.environment().put("FAKE_WAITS", waits ? "1" : "0");
        child.environment().put("FAKE_DRIVER", Integer.toString(version));
        return ChildOutput.of(folder, child);
    }

    @Test
    void kernelsThatWaitMayOverlap() throws IOException, InterruptedException {
        assertThat(heard(true, 13000)).contains(NO_GARBAGE)
                .contains("overlapping basalt_copy_d 1 1 1, 256 1 1, 0, stream 1, 1 attribute 6 = 1")
                .anyMatch(line -> line.startsWith("overlapping basalt_ifill32"))
                .contains("cooperative basalt_lu_slices_d")
                .noneMatch(line -> line.startsWith("ordered"));
    }

    @Test
    void kernelsThatDoNotWaitComeInOrder() throws IOException, InterruptedException {
        assertThat(heard(false, 13000)).contains(NO_GARBAGE)
                .contains("ordered basalt_copy_d 1 1 1, 256 1 1, 0, stream 1")
                .contains("cooperative basalt_lu_slices_d")
                .noneMatch(line -> line.startsWith("overlapping"));
    }

    @Test
    void underAnOlderDriverAllComeInOrder() throws IOException, InterruptedException {
        assertThat(heard(true, 12020)).contains(NO_GARBAGE).noneMatch(line -> line.startsWith("overlapping"));
    }

    @Test
    void theUserMayForbidIt() throws IOException, InterruptedException {
        assertThat(heard(true, 13000, "-Dbasalt.overlap=false")).contains(NO_GARBAGE)
                .noneMatch(line -> line.startsWith("overlapping"));
    }

    @Test
    void whatIsNoAnswerIsRefused() throws IOException, InterruptedException {
        assertThat(heard(true, 13000, "-Dbasalt.overlap=perhaps"))
                .anyMatch(line -> line.contains("basalt.overlap = \"perhaps\": accepted are true and false"))
                .noneMatch(line -> line.startsWith("overlapping"));
    }
}
