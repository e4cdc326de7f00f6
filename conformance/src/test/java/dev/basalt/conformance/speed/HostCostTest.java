package dev.basalt.conformance.speed;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Stream;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.gpu.Arguments;
import dev.basalt.gpu.Functions;
import dev.basalt.gpu.KernelFunction;
import dev.basalt.gpu.KernelSources;
import dev.basalt.gpu.Launcher;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a call costs the CPU beside the same launch from C++: one kernel with the same parameters on the same stream, in one process,
 * in turns. Beside them what lies between: C++ with the barrier that the JVM has after a foreign call, and the foreign call alone. Not among the suites that verify runs by itself, since it is a measurement:
 * {@code basalt verify --device cuda:0 --tests '.*HostCostTest'} on a quiet machine.
 */
@OnDevice
class HostCostTest {
    private static final int N = 8;
    /** Fewer than the driver's queue holds, so that nobody waits for the GPU. */
    private static final int CALLS = 500;

    private static final String[] WAYS = {
            "launch in a loop of C++",
            "the same, a barrier of memory after each",
            "launch by the foreign function interface alone",
            "the same, after the kernel's arguments are written",
            "Basalt's call"};

    private static final int ROUNDS = 201;
    private static final int WARM_UP = 60;

    private static final String CPP = """
            #include <time.h>
            typedef int (*Launch)(const void *, void *, void **, void **);
            extern "C" double launches(Launch launch, void *config, void *f, void **params, int count, int barrier) {
                timespec from, to;
                clock_gettime(CLOCK_MONOTONIC, &from);
                for (int i = 0; i < count; i++) {
                    if (launch(config, f, params, 0)) return -1;
                    if (barrier) __atomic_thread_fence(__ATOMIC_SEQ_CST);
                }
                clock_gettime(CLOCK_MONOTONIC, &to);
                return (to.tv_sec - from.tv_sec) * 1e9 + (to.tv_nsec - from.tv_nsec);
            }
            """;

    /** The launch from Java with nothing before it, by a handle that the compiler knows. */
    private static final class Bare {
        static final MethodHandle LAUNCH = downcall(library("libcuda.so.1").find("cuLaunchKernelEx").orElseThrow(),
                JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

        static double launches(long config, long function, long params) throws Throwable {
            long start = System.nanoTime();
            int results = 0;
            for (int i = 0; i < CALLS; i++) {
                results |= (int) LAUNCH.invokeExact(config, function, params, 0L);
            }
            return results == 0 ? System.nanoTime() - start : -1;
        }
    }

    /** The same behind the rules that choose grid and arguments. */
    private record Writing(MemorySegment config, long function, long params) implements Functions<Object> {
        @Override
        public void launch(KernelFunction f, int x, int y, int z, int threads, int shared, long arguments,
                Object channel) {
            grid(config, x, y, z, threads, shared);
            int result;
            try {
                result = (int) Bare.LAUNCH.invokeExact(config.address(), function, params, 0L);
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
            if (result != 0) {
                throw new AssertionError("error " + result);
            }
        }

        double launches(Launch l, long arguments) {
            Launcher<Object> launcher = new Launcher<>(this, 132);
            long start = System.nanoTime();
            for (int i = 0; i < CALLS; i++) {
                launcher.run(l, arguments, 0, this);
            }
            return System.nanoTime() - start;
        }
    }

    @TempDir
    private Path folder;

    private final Arena arena = Arena.ofAuto();

    @SuppressWarnings("restricted")
    private static MethodHandle downcall(MemorySegment function, MemoryLayout result, MemoryLayout... parameters) {
        return Linker.nativeLinker().downcallHandle(function, FunctionDescriptor.of(result, parameters));
    }

    @SuppressWarnings("restricted")
    private static SymbolLookup library(String name) {
        return SymbolLookup.libraryLookup(name, Arena.global());
    }

    private static void driver(SymbolLookup library, String symbol, Object... arguments) throws Throwable {
        MemoryLayout[] layouts = new MemoryLayout[arguments.length];
        for (int i = 0; i < layouts.length; i++) {
            layouts[i] = arguments[i] instanceof Integer ? JAVA_INT : JAVA_LONG;
        }
        assertThat(downcall(library.find(symbol).orElseThrow(), JAVA_INT, layouts).invokeWithArguments(arguments))
                .as(symbol)
                .isEqualTo(0);
    }

    /** The grid that the rules give a launch, and its arguments. */
    private static final class Recorded implements Functions<Object> {
        KernelFunction function;
        int blocks;
        int threads;

        @Override
        public void launch(KernelFunction f, int x, int y, int z, int threadsEach, int shared, long arguments,
                Object channel) {
            assertThat(y * z).isEqualTo(1);
            assertThat(shared).isZero();
            function = f;
            blocks = x;
            threads = threadsEach;
        }
    }

    private MethodHandle loop() throws IOException, InterruptedException {
        Path source = Files.writeString(folder.resolve("launches.cpp"), CPP);
        Path made = folder.resolve("launches.so");
        Process compiler;
        try {
            compiler = new ProcessBuilder("g++", "-O2", "-shared", "-fPIC", "-o", made.toString(), source.toString())
                    .inheritIO()
                    .start();
        } catch (IOException e) {
            System.out.println("the host cost is not measured: there is no g++");
            assumeTrue(false, "no g++");
            return null;
        }
        assertThat(compiler.waitFor()).isZero();
        return downcall(library(made.toString()).find("launches").orElseThrow(), JAVA_DOUBLE, JAVA_LONG, JAVA_LONG,
                JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT);
    }

    private static void grid(MemorySegment config, int x, int y, int z, int threads, int shared) {
        config.setAtIndex(JAVA_INT, 0, x);
        config.setAtIndex(JAVA_INT, 1, y);
        config.setAtIndex(JAVA_INT, 2, z);
        config.setAtIndex(JAVA_INT, 3, threads);
        config.setAtIndex(JAVA_INT, 6, shared);
    }

    /** The struct of a launch as Basalt has it: one that may overlap the one before it. */
    private MemorySegment config(Recorded recorded, long stream) {
        MemorySegment attribute = arena.allocate(72, 8);
        attribute.setAtIndex(JAVA_INT, 0, 6);
        attribute.setAtIndex(JAVA_INT, 2, 1);
        MemorySegment config = arena.allocate(56, 8);
        grid(config, recorded.blocks, 1, 1, recorded.threads, 0);
        config.setAtIndex(JAVA_INT, 4, 1);
        config.setAtIndex(JAVA_INT, 5, 1);
        config.setAtIndex(JAVA_LONG, 4, stream);
        config.setAtIndex(JAVA_LONG, 5, attribute.address());
        config.setAtIndex(JAVA_INT, 12, 1);
        return config;
    }

    @Test
    void beside() throws Throwable {
        String name = System.getProperty(Devices.ONLY, "");
        assumeTrue(name.startsWith("cuda"), "not on an NVIDIA GPU");
        MethodHandle loop = loop();
        SymbolLookup cuda = library("libcuda.so.1");
        try (Device device = Devices.open(name);
                Handle handle = device.createHandle();
                DeviceArena memory = device.arena()) {
            VectorView x = memory.vector(ElementType.F64, N);
            VectorView y = memory.vector(ElementType.F64, N);
            x.upload(new double[N]);
            MemorySegment word = arena.allocate(JAVA_LONG);
            driver(cuda, "cuStreamCreate", word.address(), 1);
            long foreign = word.get(JAVA_LONG, 0);
            MemorySegment block = arena.allocate(Arguments.BYTES, 64);
            Recorded recorded = new Recorded();
            Launch l = new Launch().reset(Kernel.COPY, ElementType.F64, 1);
            l.n = N;
            l.a.vector(ElementType.F64, x.pointer().address(), N, 1, 0);
            l.c.vector(ElementType.F64, y.pointer().address(), N, 1, 0);
            new Launcher<>(recorded, 132).run(l, block.address(), 0, this);
            byte[] image = KernelSources.binary(recorded.function.program(), "sm_90.cubin");
            assumeTrue(image != null, "this build has no machine code");
            driver(cuda, "cuModuleLoadData", word.address(), arena.allocateFrom(JAVA_BYTE, image).address());
            driver(cuda, "cuModuleGetFunction", word.address(), word.get(JAVA_LONG, 0),
                    arena.allocateFrom(recorded.function.name()).address());
            long function = word.get(JAVA_LONG, 0);
            long launch = cuda.find("cuLaunchKernelEx").orElseThrow().address();
            long params = arena.allocateFrom(JAVA_LONG, block.address()).address();
            MemorySegment config = config(recorded, foreign);
            Writing writing = new Writing(config, function, params);
            double[][] ns = new double[WAYS.length][ROUNDS];
            try (Stream stream = device.wrapStream(foreign)) {
                handle.setStream(stream);
                for (int r = -WARM_UP; r < ROUNDS; r++) {
                    for (int way = 0; way < WAYS.length; way++) {
                        double taken = switch (way) {
                            case 0, 1 ->
                                (double) loop.invokeExact(launch, config.address(), function, params, CALLS, way);
                            case 2 -> Bare.launches(config.address(), function, params);
                            case 3 -> writing.launches(l, block.address());
                            default -> calls(handle, x, y);
                        };
                        handle.synchronize();
                        assertThat(taken).isPositive();
                        if (r >= 0) {
                            ns[way][r] = taken / CALLS;
                        }
                    }
                }
                handle.setStream(device.defaultStream());
            }
            driver(cuda, "cuStreamDestroy_v2", foreign);
            report(ns);
        }
    }

    private static double calls(Handle handle, VectorView x, VectorView y) {
        long start = System.nanoTime();
        for (int i = 0; i < CALLS; i++) {
            Blas.copy(handle, x, y);
        }
        return System.nanoTime() - start;
    }

    private static void report(double[][] ns) {
        System.out.println(String.format(Locale.ROOT, "host cost of a call (copy, n = %d), %d rounds of %d calls:", N,
                ROUNDS, CALLS));
        for (int way = 0; way < WAYS.length; way++) {
            double[] ratios = new double[ROUNDS];
            double[] mine = ns[way];
            Arrays.setAll(ratios, r -> mine[r] / ns[0][r]);
            Arrays.sort(ratios);
            double[] sorted = mine.clone();
            Arrays.sort(sorted);
            System.out.println(
                    String.format(Locale.ROOT, "  %-52s median %.0f ns, least %.0f; ratio %.3f (median of pairs)",
                            WAYS[way], sorted[ROUNDS / 2], sorted[0], ratios[ROUNDS / 2]));
            assertThat(sorted[0]).isPositive();
        }
    }
}
