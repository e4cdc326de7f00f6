package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.ElementType;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.VectorView;
import dev.basalt.kernels.KernelSources;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the driver is asked for, call by call: one that is written here and has every function that is bound, but no GPU, hears another JVM. Skipped
 * where there is no compiler, or no machine code in this build.
 */
class FakeDriverTest {
    /** The functions that do more than succeed. Memory is reserved and never filled; a function's handle is its name. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("cuDriverGetVersion", "*(int *) a0 = number(\"FAKE_DRIVER\");"),
            Map.entry("cuDeviceGetCount", "*(int *) a0 = 1;"),
            Map.entry("cuDeviceGet", "*(int *) a0 = 0;"),
            Map.entry("cuDeviceGetName", "strcpy((char *) a0, \"fake\");"),
            Map.entry("cuDeviceTotalMem", "*(long *) a0 = 80L << 30;"),
            Map.entry(
                    "cuDeviceGetAttribute",
                    "*(int *) a0 = a1 == 16 ? 132 : a1 == 75 ? 9 : a1 == 76 ? 0 : a1 == 11 ? 0x7fffffff : 1;"),
            Map.entry("cuDevicePrimaryCtxRetain", "*(long *) a0 = 77;"),
            Map.entry("cuStreamGetCtx", "*(long *) a1 = 77;"),
            Map.entry("cuMemGetInfo", "*(long *) a0 = *(long *) a1 = 80L << 30;"),
            Map.entry("cuMemAlloc", "*(long *) a0 = reserve(a1);"),
            Map.entry("cuMemHostAlloc", "*(long *) a0 = reserve(a1);"),
            Map.entry("cuMemAllocFromPoolAsync", "*(long *) a0 = reserve(a1);"),
            Map.entry("cuMemAddressReserve", "*(long *) a0 = reserve(a1);"),
            Map.entry("cuMemGetAllocationGranularity", "*(long *) a0 = 2 << 20;"),
            Map.entry("cuMemPoolCreate", "*(long *) a0 = 1;"),
            Map.entry("cuMemCreate", "*(long *) a0 = 1;"),
            Map.entry("cuStreamCreate", "*(long *) a0 = 5000 + ++handles;"),
            Map.entry("cuEventCreate", "*(long *) a0 = ++handles;"),
            Map.entry("cuStreamIsCapturing", "*(int *) a1 = 0;"),
            Map.entry("cuPointerGetAttribute", "*(int *) a0 = a1 == 2 ? 2 : 0;"),
            Map.entry("cuModuleLoadData", "*(long *) a0 = ++handles;"),
            Map.entry(
                    "cuModuleGetFunction",
                    "if (strcmp((char *) a2, \"basalt_waits\") == 0 && !number(\"FAKE_WAITS\")) return 500;"
                            + " *(long *) a0 = (long) strdup((char *) a2);"),
            Map.entry(
                    "cuLaunchKernelEx",
                    "Config *c = (Config *) a0; say(\"overlapping %s %u %u %u, %u %u %u, %u, stream %d, %u attribute %d = %d\","
                            + " (char *) a1, c->x, c->y, c->z, c->threads, c->threadsY, c->threadsZ, c->shared,"
                            + " c->stream > 5000, c->count, c->attributes->id, c->attributes->value);"),
            Map.entry(
                    "cuLaunchKernel",
                    "say(\"ordered %s %d %d %d, %d %d %d, %d, stream %d\", (char *) a0, a1, a2, a3, a4, a5, a6, a7, a8 > 5000);"),
            Map.entry("cuLaunchCooperativeKernel", "say(\"cooperative %s\", (char *) a0);"));

    private static final String HEAD = """
            #include <cstdarg>
            #include <cstdio>
            #include <cstdlib>
            #include <cstring>
            #include <sys/mman.h>
            struct Attribute { int id, unused, value; };
            struct Config { unsigned x, y, z, threads, threadsY, threadsZ, shared; long stream; Attribute *attributes; unsigned count; };
            static long handles;
            static int said;
            static int number(const char *name) { return atoi(getenv(name)); }
            static long reserve(long bytes) {
                return (long) mmap(0, bytes + (4 << 20), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            }
            static void say(const char *format, ...) {
                if (++said > 40) return;
                va_list list;
                va_start(list, format);
                vprintf(format, list);
                va_end(list);
                puts("");
                fflush(stdout);
            }
            """;

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
                Lapack.getrf(
                        handle,
                        arena.matrix(ElementType.F64, 20_000, 40),
                        arena.vector(ElementType.I64, 40),
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
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
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

    private void driver() throws IOException, InterruptedException {
        String functions = Libcuda.signatures().stream()
                .map(s -> {
                    List<Long> widths =
                            s.parameters().stream().map(p -> p.byteSize()).toList();
                    String parameters = IntStream.range(0, widths.size())
                            .mapToObj(
                                    i -> (widths.get(i) == 8 ? "long a" : widths.get(i) == 4 ? "int a" : "char a") + i)
                            .collect(Collectors.joining(", "));
                    String body = BODIES.getOrDefault(s.symbol().replaceFirst("_v[0-9]+$", ""), "");
                    return "extern \"C\" int " + s.symbol() + "(" + parameters + ") { " + body + " return 0; }\n";
                })
                .collect(Collectors.joining());
        Path source = Files.writeString(folder.resolve("driver.cpp"), HEAD + functions);
        try {
            ChildOutput.of(
                    folder,
                    new ProcessBuilder(
                            "g++",
                            "-shared",
                            "-fPIC",
                            "-o",
                            folder.resolve("libcuda.so.1").toString(),
                            source.toString()));
        } catch (IOException e) {
            require(false, "there is no g++");
        }
    }

    private List<String> heard(boolean waits, int version, String... options) throws IOException, InterruptedException {
        require(KernelSources.binary("vector.d", "sm_90.cubin") != null, "this build has no machine code");
        driver();
        List<String> command = Stream.of(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "--enable-native-access=ALL-UNNAMED"),
                        Stream.of(options),
                        Stream.of(
                                "-cp",
                                ChildClasses.of(
                                        Blas.class, KernelSources.class, CudaProvider.class, FakeDriverTest.class),
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
        assertThat(heard(true, 13000))
                .contains(NO_GARBAGE)
                .contains("overlapping basalt_copy_d 1 1 1, 256 1 1, 0, stream 1, 1 attribute 6 = 1")
                .anyMatch(line -> line.startsWith("overlapping basalt_ifill32"))
                .contains("cooperative basalt_lu_slices_d")
                .noneMatch(line -> line.startsWith("ordered"));
    }

    @Test
    void kernelsThatDoNotWaitComeInOrder() throws IOException, InterruptedException {
        assertThat(heard(false, 13000))
                .contains(NO_GARBAGE)
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
        assertThat(heard(true, 13000, "-Dbasalt.overlap=false"))
                .contains(NO_GARBAGE)
                .noneMatch(line -> line.startsWith("overlapping"));
    }

    @Test
    void whatIsNoAnswerIsRefused() throws IOException, InterruptedException {
        assertThat(heard(true, 13000, "-Dbasalt.overlap=perhaps"))
                .anyMatch(line -> line.contains("basalt.overlap = \"perhaps\": accepted are true and false"))
                .noneMatch(line -> line.startsWith("overlapping"));
    }
}
