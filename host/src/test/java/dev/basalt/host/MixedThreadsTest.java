package dev.basalt.host;

import static dev.basalt.type.ElementType.BF16;
import static dev.basalt.type.ElementType.F16;
import static dev.basalt.type.ElementType.F32;
import static dev.basalt.type.ElementType.F8_E4M3;
import static dev.basalt.type.ElementType.I32;
import static dev.basalt.type.ElementType.I8;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.mixed.MixedKernels;
import dev.basalt.host.engine.Engine;
import dev.basalt.host.engine.Engines;
import dev.basalt.spi.Conversion;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bits of a launch of mixed types depend neither on the number of threads nor on the workspace. */
class MixedThreadsTest {
    private static final long BYTES = 2 << 20;
    private static final long[] WORK = {0, 1 << 20, BYTES};
    private static final int[] THREADS = {1, 2, 3};

    private long forks;
    private final Arena arena = Arena.ofConfined();
    private final Map<ElementType, MemorySegment> masters = new EnumMap<>(ElementType.class);
    private final MemorySegment a = arena.allocate(BYTES, 64);
    private final MemorySegment b = arena.allocate(BYTES, 64);
    private final MemorySegment c = arena.allocate(BYTES, 64);
    private final MemorySegment work = arena.allocate(BYTES, 64);

    @AfterEach
    void close() {
        arena.close();
    }

    static Stream<Engine> engines() {
        return Stream.of("auto", "assembled-avx2").map(name -> Engines.choose(name).engine()).distinct();
    }

    /** Numbers of a type, the same at every call. */
    private void fill(MemorySegment memory, ElementType type) {
        MemorySegment numbers = masters.computeIfAbsent(type, t -> {
            SplittableRandom random = new SplittableRandom(1);
            MemorySegment made = arena.allocate(BYTES, 64);
            for (long at = 0; at < BYTES; at += t.bytes()) {
                double value = t == I8 || t == I32 ? random.nextInt(256) - 128 : 2 * random.nextDouble() - 1;
                Conversion.store(t, made.address() + at, value);
            }
            return made;
        });
        memory.copyFrom(numbers);
    }

    private void same(Engine engine, String name, ElementType in, ElementType out, Consumer<Launch> launch) {
        byte[] first = null;
        byte[] firstA = null;
        for (int threads : THREADS) {
            Workers workers = new Workers(threads);
            try {
                for (long bytes : WORK) {
                    fill(a, in);
                    fill(b, in);
                    fill(c, out);
                    Launch l = new Launch();
                    launch.accept(l);
                    l.work = work.address();
                    l.workBytes = bytes;
                    // Twice, so that helpers are awake; the second run goes on where the first one ended.
                    HostKernels kernels = new HostKernels(engine, workers);
                    kernels.run(l);
                    kernels.run(l);
                    byte[] found = c.toArray(JAVA_BYTE);
                    byte[] foundA = a.toArray(JAVA_BYTE);
                    if (first == null) {
                        first = found;
                        firstA = foundA;
                    }
                    // The portable kernels sum up otherwise where there is no room to convert in.
                    if (engine.mixed() != null) {
                        assertThat(Arrays.equals(found, first))
                                .as("%s with %d threads and %d bytes", name, threads, bytes)
                                .isTrue();
                        assertThat(Arrays.equals(foundA, firstA)).as(name).isTrue();
                    }
                }
                forks += workers.forks();
            } finally {
                workers.release();
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void products(Engine engine) {
        ElementType[][] types = {{BF16, BF16, F32}, {F16, F32, F16}, {F8_E4M3, BF16, F32}, {I8, I32, I32}};
        long[][] sizes = {{150, 350, 301}, {401, 60, 520}};
        for (ElementType[] type : types) {
            for (long[] size : sizes) {
                for (Op op : new Op[] {Op.NONE, Op.TRANS}) {
                    same(engine, "gemm " + type[0] + " " + type[1] + " " + op, type[0], type[1], l -> {
                        l.reset(Kernel.GEMM, type[2], 1);
                        l.m = size[0];
                        l.n = size[1];
                        l.k = size[2];
                        l.opA = op;
                        l.opB = op == Op.NONE ? Op.TRANS : Op.NONE;
                        l.alpha.set(2, 0);
                        l.beta.set(-1, 0);
                        boolean plain = op == Op.NONE;
                        l.a.matrix(type[0], a.address(), plain ? l.m : l.k, plain ? l.k : l.m, (plain ? l.m : l.k) + 1,
                                0);
                        l.b.matrix(type[0], b.address(), plain ? l.n : l.k, plain ? l.k : l.n, (plain ? l.n : l.k) + 3,
                                0);
                        l.c.matrix(type[1], c.address(), l.m, l.n, l.m + 2, 0);
                    });
                }
            }
        }
    }

    @AfterEach
    void somethingWasCut() {
        assertThat(forks > 0 || engines().allMatch(engine -> engine.mixed() == null)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("engines")
    void vectors(Engine engine) {
        // Sums are cut where those of other types are.
        assertThat(MixedKernels.block()).isEqualTo(HostKernels.REDUCTION_BLOCK);
        for (ElementType type : new ElementType[] {F16, BF16}) {
            for (long inc : new long[] {1, -2}) {
                for (Kernel kernel : new Kernel[] {Kernel.AXPY, Kernel.SCAL, Kernel.ROT, Kernel.DOT, Kernel.NRM2}) {
                    same(engine, kernel + " " + type + " " + inc, type, type, l -> {
                        l.reset(kernel, F32, 1);
                        l.n = 100_003;
                        l.real = true;
                        l.alpha.set(0.75, 0);
                        l.beta.set(-0.5, 0);
                        l.a.vector(type, a.address(), l.n, inc, 0);
                        l.b.vector(type, b.address(), l.n, 1, 0);
                        if (kernel.reads(2)) {
                            l.c.vector(type, c.address(), l.n, inc, 0);
                        }
                        l.d.vector(F32, c.address() + BYTES - 64, 1, 1, 0);
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("engines")
    void matrixTimesVector(Engine engine) {
        for (ElementType type : new ElementType[] {F16, BF16}) {
            for (Op op : Op.values()) {
                same(engine, "gemv " + type + " " + op, type, type, l -> {
                    l.reset(Kernel.GEMV, F32, 1);
                    l.m = 1201;
                    l.n = 703;
                    l.opA = op;
                    l.alpha.set(0.5, 0);
                    l.beta.set(2, 0);
                    l.a.matrix(type, a.address(), l.m, l.n, l.m + 1, 0);
                    l.b.vector(type, b.address(), op == Op.NONE ? l.n : l.m, 1, 0);
                    l.c.vector(type, c.address(), op == Op.NONE ? l.m : l.n, -1, 0);
                });
            }
        }
    }

}
