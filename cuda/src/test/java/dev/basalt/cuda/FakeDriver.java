package dev.basalt.cuda;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A driver without a GPU, written for tests and compiled by g++: it has every function that is bound, gives out memory that nothing fills,
 * and says what is launched. Another JVM finds it by its library path.
 */
public final class FakeDriver {
    /** More than there is is refused, as by a GPU: error 2. */
    private static final String OBTAIN = "if (a1 > 80L << 30) return 2; *(long *) a0 = reserve(a1);";

    /** The functions that do more than succeed. Memory is reserved and never filled; a function's handle is its name. */
    private static final Map<String, String> BODIES = Map.ofEntries(
            Map.entry("cuDriverGetVersion", "*(int *) a0 = number(\"FAKE_DRIVER\");"),
            Map.entry("cuDeviceGetCount", "*(int *) a0 = 1;"), Map.entry("cuDeviceGet", "*(int *) a0 = 0;"),
            Map.entry("cuDeviceGetName", "strcpy((char *) a0, \"fake\");"),
            Map.entry("cuDeviceTotalMem", "*(long *) a0 = 80L << 30;"),
            Map.entry("cuDeviceGetAttribute",
                    "*(int *) a0 = a1 == 16 ? 132 : a1 == 75 ? 9 : a1 == 76 ? 0 : a1 == 11 ? 0x7fffffff : 1;"),
            Map.entry("cuDevicePrimaryCtxRetain", "*(long *) a0 = 77;"),
            Map.entry("cuStreamGetCtx", "*(long *) a1 = 77;"),
            Map.entry("cuMemGetInfo", "*(long *) a0 = *(long *) a1 = 80L << 30;"), Map.entry("cuMemAlloc", OBTAIN),
            Map.entry("cuMemHostAlloc", OBTAIN), Map.entry("cuMemAllocFromPoolAsync", OBTAIN),
            Map.entry("cuMemAddressReserve", OBTAIN),
            Map.entry("cuMemGetAllocationGranularity", "*(long *) a0 = 2 << 20;"),
            Map.entry("cuMemPoolCreate", "*(long *) a0 = 1;"),
            Map.entry("cuMemCreate", "if (a1 > 80L << 30) return 2; *(long *) a0 = 1;"),
            Map.entry("cuStreamCreate", "*(long *) a0 = 5000 + ++handles;"),
            Map.entry("cuEventCreate", "*(long *) a0 = ++handles;"),
            Map.entry("cuStreamIsCapturing", "*(int *) a1 = 0;"),
            Map.entry("cuPointerGetAttribute", "*(int *) a0 = a1 == 2 ? 2 : 0;"),
            Map.entry("cuModuleLoadData", "*(long *) a0 = ++handles;"),
            Map.entry("cuModuleGetFunction",
                    "if (strcmp((char *) a2, \"basalt_waits\") == 0 && !number(\"FAKE_WAITS\")) return 500;"
                            + " *(long *) a0 = (long) strdup((char *) a2);"),
            Map.entry("cuLaunchKernelEx",
                    "Config *c = (Config *) a0; say(\"overlapping %s %u %u %u, %u %u %u, %u, stream %d, %u attribute %d = %d\","
                            + " (char *) a1, c->x, c->y, c->z, c->threads, c->threadsY, c->threadsZ, c->shared,"
                            + " c->stream > 5000, c->count, c->attributes->id, c->attributes->value);"),
            Map.entry("cuLaunchKernel",
                    "say(\"ordered %s %d %d %d, %d %d %d, %d, stream %d\", (char *) a0, a1, a2, a3, a4, a5, a6, a7, a8 > 5000);"),
            Map.entry("cuLaunchCooperativeKernel", "say(\"cooperative %s\", (char *) a0);"));

    private static final String HEAD =
            """
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

    private FakeDriver() {}

    /**
     * Compiles the driver.
     *
     * @param folder where the library goes; a child takes it with {@code LD_LIBRARY_PATH}, and {@code FAKE_DRIVER} (a version such as 13000)
     *     and {@code FAKE_WAITS} (0 or 1)
     * @return false if there is no compiler
     * @throws IOException if the folder cannot be written
     * @throws InterruptedException if the wait for the compiler is interrupted
     */
    public static boolean into(Path folder) throws IOException, InterruptedException {
        String functions = Libcuda.signatures().stream().map(s -> {
            List<Long> widths = s.parameters().stream().map(p -> p.byteSize()).toList();
            String parameters = IntStream.range(0, widths.size())
                    .mapToObj(i -> (widths.get(i) == 8 ? "long a" : widths.get(i) == 4 ? "int a" : "char a") + i)
                    .collect(Collectors.joining(", "));
            String body = BODIES.getOrDefault(s.symbol().replaceFirst("_v[0-9]+$", ""), "");
            return "extern \"C\" int " + s.symbol() + "(" + parameters + ") { " + body + " return 0; }\n";
        }).collect(Collectors.joining());
        Path source = Files.writeString(folder.resolve("driver.cpp"), HEAD + functions);
        try {
            ChildOutput.of(folder, new ProcessBuilder("g++", "-shared", "-fPIC", "-o",
                    folder.resolve("libcuda.so.1").toString(), source.toString()));
        } catch (IOException e) {
            return false;
        }
        return true;
    }
}
