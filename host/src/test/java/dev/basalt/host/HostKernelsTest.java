package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.host.engine.Engine;
import dev.basalt.host.engine.Engines;
import dev.basalt.spi.Dim;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The bits of a result do not depend on the number of threads, nor on whether the helpers were free. */
class HostKernelsTest {
    private static final long MIB = 1L << 20;
    private static final long SIZE = 45 * MIB;
    private static final long B = 8 * MIB;
    private static final long C = 12 * MIB;
    private static final long D = 20 * MIB;
    private static final long E = 22 * MIB;
    /** Operands, which are compared, lie before it. */
    private static final long WORK = 24 * MIB;

    private static final long TABLES = 44 * MIB;
    private static final boolean LONG = Boolean.getBoolean("basalt.test.long");
    private static final int SHARE = 3;
    private static final int[] THREADS = {1, 2, 3, 7};

    /** What is compared and put back is found in pieces of so many bytes. */
    private static final long PIECE = 1 << 16;

    // To make and to clear memory for each test took longer than most tests.
    private static final Map<String, MemorySegment> MASTERS = new HashMap<>();
    private static final MemorySegment EXPECTED = Arena.global().allocate(SIZE, 64);
    private static final MemorySegment ACTUAL = Arena.global().allocate(SIZE, 64);

    private final MemorySegment expected = EXPECTED;
    private final MemorySegment actual = ACTUAL;
    private MemorySegment master;
    /** Whether expected and actual memory begin as the master. */
    private boolean restored;
    /** Of the test so far. */
    private int cases;
    /** Where its draws begin. */
    private int first;
    private final List<Workers> open = new ArrayList<>();

    @AfterEach
    void close() {
        open.forEach(Workers::release);
    }

    static Stream<Arguments> enginesAndTypes() {
        Engine auto = Engines.choose("auto").engine();
        Engine scalar = Engines.choose("scalar").engine();
        return Stream.of(auto, scalar)
                .distinct()
                .flatMap(engine -> Stream.of(ElementType.values())
                        .filter(ElementType::isFloating)
                        .map(type -> Arguments.argumentSet(engine.name() + " " + type, engine, type)));
    }

    /** Describes a launch over memory that begins at an address. */
    private interface Case {
        void describe(Launch launch, long base);
    }

    private Workers workers(int count) {
        Workers workers = new Workers(count);
        open.add(workers);
        return workers;
    }

    private void random(ElementType type, double scale) {
        first = type.ordinal();
        boolean single = type.real() == ElementType.F32;
        master = MASTERS.computeIfAbsent(single + " " + scale, k -> {
            SplittableRandom random = new SplittableRandom(11);
            MemorySegment made = Arena.global().allocate(WORK, 64);
            for (long i = 0; i < WORK; i += single ? 4 : 8) {
                double value = scale * (2 * random.nextDouble() - 1);
                if (single) {
                    Memory.f32(made.address() + i, (float) value);
                } else {
                    Memory.f64(made.address() + i, value);
                }
            }
            return made;
        });
        restored = false;
    }

    /** Where the pieces of the expected memory are that are not as in the master. */
    private List<Long> changed() {
        List<Long> changed = new ArrayList<>();
        long at = 0;
        while (at < WORK) {
            long first = MemorySegment.mismatch(expected, at, WORK, master, at, WORK);
            if (first < 0) {
                break;
            }
            long piece = (at + first) / PIECE * PIECE;
            changed.add(piece);
            at = piece + PIECE;
        }
        return changed;
    }

    private void restore(MemorySegment memory, List<Long> pieces) {
        pieces.forEach(piece -> MemorySegment.copy(master, piece, memory, piece, PIECE));
    }

    /** Of a test's cases a run makes every third, others for each type and engine; the profile long makes all. */
    private boolean drawn(Engine engine) {
        int shift = first + (engine == Engines.choose("scalar").engine() ? 1 : 0);
        return LONG || (cases++ + shift) % SHARE == 0;
    }

    private void same(Engine engine, String name, boolean forks, Case which) {
        if (!drawn(engine)) {
            return;
        }
        if (!restored) {
            MemorySegment.copy(master, 0, expected, 0, WORK);
            MemorySegment.copy(master, 0, actual, 0, WORK);
        }
        restored = false;
        List<Long> changed = List.of();
        for (int threads : THREADS) {
            Workers workers = workers(threads);
            MemorySegment memory = threads == 1 ? expected : actual;
            Launch launch = new Launch();
            which.describe(launch, memory.address());
            new HostKernels(engine, workers).run(launch);
            if (threads > 1) {
                assertThat(MemorySegment.mismatch(expected, 0, WORK, actual, 0, WORK))
                        .as("%s with %d threads", name, threads)
                        .isEqualTo(-1);
                assertThat(workers.forks() > 0).as("%s forks", name).isEqualTo(forks);
                // It is equal to the expected memory, so it differs from the master in the same pieces.
                restore(actual, changed);
            } else {
                changed = changed();
            }
        }
        assertThat(changed).as("%s does something", name).isNotEmpty();
        restore(expected, changed);
        restored = true;
    }

    private static void a(Launch l, long base, long rows, long cols, long stride) {
        l.a.matrix(l.type, base, rows, cols, rows + 3, stride);
    }

    private static void b(Launch l, long base, long rows, long cols, long stride) {
        l.b.matrix(l.type, base + B, rows, cols, rows + 5, stride);
    }

    private static void c(Launch l, long base, long rows, long cols, long stride) {
        l.c.matrix(l.type, base + C, rows, cols, rows + 1, stride);
    }

    private static void gemm(Launch l, long base, Op opA, Op opB, long m, long n, long k, long stride) {
        l.opA = opA;
        l.opB = opB;
        l.m = m;
        l.n = n;
        l.k = k;
        l.alpha.set(0.75, l.type.isComplex() ? -0.5 : 0);
        l.beta.set(0.5, l.type.isComplex() ? 0.25 : 0);
        a(l, base, opA == Op.NONE ? m : k, opA == Op.NONE ? k : m, stride);
        b(l, base, opB == Op.NONE ? k : n, opB == Op.NONE ? n : k, stride);
        c(l, base, m, n, stride);
        l.work = base + WORK;
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void products(Engine engine, ElementType type) {
        random(type, 1);
        GemmBlocking blocking = engine.gemm(type);
        for (Op opA : Op.values()) {
            for (Op opB : Op.values()) {
                // Wide with one block of k, or tall with several.
                boolean wide = opA == opB;
                long m = wide ? 150 : 350;
                long n = wide ? 350 : 150;
                long k = wide ? 101 : 301;
                long one = blocking.bytes(1, m, n, k, type.bytes(), 1);
                long three = blocking.bytes(1, m, n, k, type.bytes(), 3);
                long full = blocking.bytes(0, m, n, k, type.bytes(), 5);
                for (long work : LongStream.of(0, one, three, full).distinct().toArray()) {
                    // With room for one thread to pack and not for two, it is one thread.
                    boolean forks = one == 0 || work != one;
                    same(engine, "gemm " + opA + opB + " work " + work, forks, (l, base) -> {
                        l.reset(Kernel.GEMM, type, 1);
                        gemm(l, base, opA, opB, m, n, k, 0);
                        l.workBytes = work;
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void smallProducts(Engine engine, ElementType type) {
        random(type, 1);
        for (long n : new long[] {64, 65, 97, 128}) {
            same(engine, "gemm " + n, true, (l, base) -> {
                l.reset(Kernel.GEMM, type, 1);
                gemm(l, base, Op.NONE, Op.NONE, n, n, n, 0);
            });
            same(engine, "gemm of transposes " + n, true, (l, base) -> {
                l.reset(Kernel.GEMM, type, 1);
                gemm(l, base, Op.TRANS, Op.CONJ_TRANS, n + 3, n, n, 0);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void thinProducts(Engine engine, ElementType type) {
        random(type, 1);
        for (long n : new long[] {1000, 1017, 3000}) {
            same(engine, "wide gemm " + n, true, (l, base) -> {
                l.reset(Kernel.GEMM, type, 1);
                gemm(l, base, Op.NONE, Op.TRANS, 40, n, 40, 0);
                l.workBytes = 8 * MIB;
            });
            same(engine, "tall gemm " + n, true, (l, base) -> {
                l.reset(Kernel.GEMM, type, 1);
                gemm(l, base, Op.TRANS, Op.NONE, n, 40, 40, 0);
                l.workBytes = 8 * MIB;
            });
        }
    }

    /** Few rows or columns, and parts of others that would have few. */
    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void productsOfFewLines(Engine engine, ElementType type) {
        random(type, 1);
        for (long few : new long[] {5, 8, 12, 20}) {
            long k = few == 8 ? 100 : 333;
            for (Op op : new Op[] {Op.NONE, Op.TRANS}) {
                for (long many : new long[] {300, 523}) {
                    same(engine, few + " rows " + op, true, (l, base) -> {
                        l.reset(Kernel.GEMM, type, 1);
                        gemm(l, base, op, Op.NONE, few, many, k, 0);
                        l.workBytes = 8 * MIB;
                    });
                    same(engine, few + " columns " + op, true, (l, base) -> {
                        l.reset(Kernel.GEMM, type, 1);
                        gemm(l, base, Op.TRANS, op, many, few, k, 0);
                        l.workBytes = 8 * MIB;
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void batchesOfProducts(Engine engine, ElementType type) {
        random(type, 1);
        for (long count : new long[] {3, 100}) {
            long order = count == 3 ? 160 : 40;
            long stride = (order + 7) * order;
            Case strided = (l, base) -> {
                l.reset(Kernel.GEMM, type, count);
                gemm(l, base, Op.NONE, Op.CONJ_TRANS, order, order, order, stride);
                l.workBytes = 8 * MIB;
            };
            same(engine, "batch of " + count, true, strided);
            same(engine, "table of " + count, true, (l, base) -> {
                strided.describe(l, base);
                table(l.a, base + TABLES, count);
                table(l.b, base + TABLES + 1024, count);
                table(l.c, base + TABLES + 2048, count);
            });
            same(engine, "one result for " + count, true, (l, base) -> {
                strided.describe(l, base);
                l.c.stride = 0;
            });
        }
    }

    private static void table(Operand operand, long table, long count) {
        for (long p = 0; p < count; p++) {
            // The last problem first, so that a table read as a stride would show.
            Memory.i64(table + 8 * p, operand.at(count - 1 - p));
        }
        operand.base = table;
        operand.pointers = true;
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void bandsTimesVector(Engine engine, ElementType type) {
        random(type, 1);
        for (Op op : Op.values()) {
            for (long inc : new long[] {1, -2}) {
                same(engine, "gbmv " + op + inc, true, (l, base) -> {
                    l.reset(Kernel.GEMV, type, 1);
                    l.opA = op;
                    l.m = 9001;
                    l.n = 8003;
                    l.alpha.set(0.5, 0);
                    l.beta.set(-0.5, 0);
                    l.a.band(type, base, l.m, l.n, 11, 30, 43, 0);
                    l.b.vector(type, base + B, op == Op.NONE ? l.n : l.m, inc, 0);
                    l.c.vector(type, base + C, op == Op.NONE ? l.m : l.n, inc, 0);
                });
            }
        }
    }

    /** Bands of few diagonals have kernels of their own. */
    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void narrowBandsTimesVector(Engine engine, ElementType type) {
        random(type, 1);
        for (Op op : Op.values()) {
            for (int above = 0; above < 3; above++) {
                int upper = above;
                same(engine, "gbmv " + op + " of " + (2 + above) + " diagonals", true, (l, base) -> {
                    l.reset(Kernel.GEMV, type, 1);
                    l.opA = op;
                    l.m = 120_001;
                    l.n = 120_003;
                    l.alpha.set(0.5, 0);
                    l.beta.set(-0.5, 0);
                    l.a.band(type, base, l.m, l.n, 1, upper, 2 + upper, 0);
                    l.b.vector(type, base + B, op == Op.NONE ? l.n : l.m, 1, 0);
                    l.c.vector(type, base + C, op == Op.NONE ? l.m : l.n, 1, 0);
                });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void mapsOfMatrices(Engine engine, ElementType type) {
        random(type, 1);
        for (long n : new long[] {5, 400}) {
            for (Side side : Side.values()) {
                same(engine, "dgmm " + side + n, true, (l, base) -> {
                    l.reset(Kernel.DGMM, type, 1);
                    l.side = side;
                    l.m = 200_000 / n;
                    l.n = n;
                    a(l, base, l.m, n, 0);
                    l.b.vector(type, base + B, side == Side.LEFT ? l.m : n, -1, 0);
                    c(l, base, l.m, n, 0);
                });
            }
            for (Op op : Op.values()) {
                same(engine, "geam " + op + n, true, (l, base) -> {
                    l.reset(Kernel.GEAM, type, 1);
                    l.opA = op;
                    l.opB = op == Op.TRANS ? Op.NONE : Op.TRANS;
                    // The transposed operand has the longest columns.
                    l.m = 100_000 / n;
                    l.n = n;
                    l.alpha.set(0.5, 0);
                    l.beta.set(2, 0);
                    a(l, base, op == Op.NONE ? l.m : n, op == Op.NONE ? n : l.m, 0);
                    b(l, base, l.opB == Op.NONE ? l.m : n, l.opB == Op.NONE ? n : l.m, 0);
                    c(l, base, l.m, n, 0);
                });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void semirings(Engine engine, ElementType type) {
        random(type, 1);
        if (type.isComplex()) {
            return;
        }
        for (Op op : new Op[] {Op.NONE, Op.TRANS}) {
            for (long n : new long[] {3, 200}) {
                same(engine, "geam_ex " + op + n, true, (l, base) -> {
                    l.reset(Kernel.GEAM_EX, type, 1);
                    gemm(l, base, op, op == Op.NONE ? Op.TRANS : Op.NONE, 1000, n, 30, 0);
                    l.d.matrix(type, base + B + 8 * MIB, l.m, n, l.m, 0);
                });
            }
        }
    }

    /** A dimension that only the device knows is not cut; the problems of a batch are. */
    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void extents(Engine engine, ElementType type) {
        random(type, 1);
        for (long count : new long[] {1, 100}) {
            same(engine, "capped gemm", count > 1, (l, base) -> {
                l.reset(Kernel.GEMM, type, count);
                gemm(l, base, Op.NONE, Op.NONE, 40, 40, 40, 1900);
                l.extent = base + TABLES;
                l.extentOf = Dim.M;
                Memory.i64(l.extent, 17);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void matrixTimesVector(Engine engine, ElementType type) {
        random(type, 1);
        for (Op op : Op.values()) {
            for (int inc : new int[] {1, -2, 3}) {
                same(engine, "gemv " + op + inc, true, (l, base) -> {
                    l.reset(Kernel.GEMV, type, 1);
                    l.opA = op;
                    l.m = 1103;
                    l.n = 301;
                    l.alpha.set(0.5, 0);
                    l.beta.set(-0.5, 0);
                    a(l, base, l.m, l.n, 0);
                    l.b.vector(type, base + B, op == Op.NONE ? l.n : l.m, inc, 0);
                    l.c.vector(type, base + C, op == Op.NONE ? l.m : l.n, inc, 0);
                });
            }
        }
        for (long n : new long[] {5, 400}) {
            same(engine, "ger " + n, true, (l, base) -> {
                l.reset(Kernel.GER, type, 1);
                l.m = 200_000 / n;
                l.n = n;
                l.conjugated = true;
                l.a.vector(type, base, l.m, -1, 0);
                l.b.vector(type, base + B, n, 2, 0);
                c(l, base, l.m, n, 0);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void vectors(Engine engine, ElementType type) {
        random(type, 1);
        for (Kernel kernel : List.of(Kernel.COPY, Kernel.SWAP, Kernel.ROT, Kernel.AXPY, Kernel.SCAL, Kernel.FILL)) {
            for (int inc : new int[] {1, -1, 2}) {
                same(engine, kernel + " " + inc, true, (l, base) -> {
                    l.reset(kernel, type, 1);
                    l.n = 3 * MIB / type.bytes() + 3;
                    l.alpha.set(0.7, 0);
                    l.beta.set(0.6, type.isComplex() ? 0.3 : 0);
                    if (kernel != Kernel.SCAL && kernel != Kernel.FILL) {
                        l.a.vector(type, base, l.n, 1, 0);
                    }
                    l.c.vector(type, base + C, l.n, inc, 0);
                });
            }
        }
    }

    /** Elements that are written and are all the same one: their order counts, and no two threads may share them. */
    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void incrementsOfZeroKeepTheOrder(Engine engine, ElementType type) {
        random(type, 1);
        for (Kernel kernel : List.of(Kernel.COPY, Kernel.SWAP, Kernel.ROT, Kernel.AXPY)) {
            for (int zeros = 1; zeros <= 3; zeros++) {
                int incx = (zeros & 1) == 0 ? 1 : 0;
                int incy = (zeros & 2) == 0 ? 1 : 0;
                boolean forks = incy != 0 && !kernel.writes(0);
                same(engine, kernel + " " + incx + " " + incy, forks, (l, base) -> {
                    l.reset(kernel, type, 1);
                    l.n = MIB / type.bytes() + 3;
                    l.alpha.set(0.6, 0);
                    l.beta.set(0.8, 0);
                    l.a.vector(type, base, l.n, incx, 0);
                    l.c.vector(type, base + C, l.n, incy, 0);
                });
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void reductions(Engine engine, ElementType type) {
        random(type, 1);
        for (Kernel kernel : List.of(Kernel.DOT, Kernel.ASUM, Kernel.NRM2, Kernel.IAMAX, Kernel.IAMIN)) {
            // An index is found by one thread: there is nothing to combine it from.
            boolean combines = kernel != Kernel.IAMAX && kernel != Kernel.IAMIN;
            for (int inc : new int[] {1, -2}) {
                for (long n : new long[] {3 * MIB / type.bytes() + 3, 4 * MIB / type.bytes()}) {
                    same(engine, kernel + " of " + n, combines,
                            (l, base) -> reduction(l, base, kernel, type, 1, n, inc, true));
                    same(engine, kernel + " without work", false,
                            (l, base) -> reduction(l, base, kernel, type, 1, n, inc, false));
                }
                same(engine, kernel + " of 7", true,
                        (l, base) -> reduction(l, base, kernel, type, 7, 50_001, inc, true));
            }
        }
    }

    private static void reduction(Launch l, long base, Kernel kernel, ElementType type, long count, long n, int inc,
            boolean work) {
        l.reset(kernel, type, count);
        l.n = n;
        l.a.vector(type, base, n, inc, n);
        if (kernel == Kernel.DOT) {
            l.b.vector(type, base + B, n, 1, n);
        }
        boolean index = kernel == Kernel.IAMAX || kernel == Kernel.IAMIN;
        ElementType result = index ? ElementType.I64 : kernel == Kernel.DOT ? type : type.real();
        l.d.vector(result, base + D, 1, 1, 1);
        if (work) {
            l.work = base + WORK;
            l.workBytes = 16 * count * (n / HostKernels.REDUCTION_BLOCK + 1);
        }
    }

    @Test
    void aReductionHasTheSameBitsWithAndWithoutWorkspace() {
        random(ElementType.F64, 1);
        HostKernels kernels = new HostKernels(Engines.choose("scalar").engine(), workers(2));
        MemorySegment.copy(master, 0, expected, 0, WORK);
        long base = expected.address();
        for (Kernel kernel : List.of(Kernel.DOT, Kernel.ASUM, Kernel.NRM2)) {
            Launch launch = new Launch();
            reduction(launch, base, kernel, ElementType.F64, 1, 300_001, 1, true);
            kernels.run(launch);
            double with = Memory.f64(launch.d.base);
            reduction(launch, base, kernel, ElementType.F64, 1, 300_001, 1, false);
            kernels.run(launch);
            assertThat(Memory.f64(launch.d.base)).as("%s", kernel).isEqualTo(with);
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void blocksAgainstManyColumnsOrRows(Engine engine, ElementType type) {
        random(type, 0.1);
        for (Kernel kernel : List.of(Kernel.TRSM, Kernel.TRMM, Kernel.SYMM)) {
            for (Side side : Side.values()) {
                for (Op op : kernel == Kernel.SYMM ? new Op[] {Op.NONE} : Op.values()) {
                    same(engine, kernel + " " + side + " " + op, true, (l, base) -> {
                        l.reset(kernel, type, 1);
                        l.side = side;
                        l.uplo = Uplo.LOWER;
                        l.opA = op;
                        l.diag = Diag.UNIT;
                        l.m = side == Side.LEFT ? 64 : 701;
                        l.n = side == Side.LEFT ? 701 : 64;
                        l.beta.set(0.5, 0);
                        a(l, base, 64, 64, 0);
                        b(l, base, l.m, l.n, 0);
                        c(l, base, l.m, l.n, 0);
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void mapsOverMatrices(Engine engine, ElementType type) {
        random(type, 1);
        for (long n : new long[] {4, 500}) {
            for (Kernel kernel : List.of(Kernel.COPY_MATRIX, Kernel.SCAL_MATRIX)) {
                same(engine, kernel + " " + n, true, (l, base) -> {
                    l.reset(kernel, type, 1);
                    l.m = 250_000 / n;
                    l.n = n;
                    l.beta.set(0.3, 0);
                    a(l, base, l.m, n, 0);
                    c(l, base, l.m, n, 0);
                });
            }
        }
        same(engine, "laswp", true, (l, base) -> {
            l.reset(Kernel.LASWP, type, 1);
            l.m = 300;
            l.n = 500;
            l.q = 64;
            c(l, base, l.m, l.n, 0);
            l.d.vector(ElementType.I64, base + D, 64, 1, 0);
            for (int i = 0; i < 64; i++) {
                Memory.i64(l.d.base + 8 * i, 1 + i + (i * 37) % (300 - i));
            }
        });
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void updatesOfTriangles(Engine engine, ElementType type) {
        random(type, 1);
        for (Uplo uplo : Uplo.values()) {
            for (Op op : Op.values()) {
                for (long workBytes : new long[] {0, 8 * MIB}) {
                    // A symmetric update takes no conjugate, a Hermitian one no plain transpose.
                    boolean hermitian = op == Op.CONJ_TRANS;
                    for (double betaIm = 0; betaIm <= (hermitian ? 0 : 0.25); betaIm += 0.25) {
                        double im = betaIm;
                        boolean cut = engine.triangle() > 0 && (im == 0 || !type.isComplex());
                        same(engine, "syrk " + uplo + " " + op + " " + workBytes + " " + im, cut, (l, base) -> {
                            l.reset(Kernel.SYRK, type, 1);
                            l.uplo = uplo;
                            l.opA = op;
                            l.hermitian = hermitian;
                            l.n = 203;
                            l.k = 270;
                            l.alpha.set(0.7, hermitian ? 0 : 0.2);
                            l.beta.set(0.5, im);
                            a(l, base, op == Op.NONE ? l.n : l.k, op == Op.NONE ? l.k : l.n, 0);
                            c(l, base, l.n, l.n, 0);
                            l.work = base + WORK;
                            l.workBytes = workBytes;
                        });
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void productsIntoTriangles(Engine engine, ElementType type) {
        random(type, 1);
        for (Kernel kernel : List.of(Kernel.GEMMT, Kernel.SYR2K)) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (long workBytes : new long[] {0, 7 * MIB, 8 * MIB}) {
                        // Few columns are one product of both factors.
                        long k = workBytes == 7 * MIB ? 12 : 270;
                        boolean hermitian = op == Op.CONJ_TRANS;
                        boolean cut = engine.triangle() > 0;
                        same(engine, kernel + " " + uplo + " " + op + " " + workBytes, cut, (l, base) -> {
                            l.reset(kernel, type, 1);
                            gemm(l, base, op, op == Op.NONE ? Op.TRANS : Op.NONE, 203, 203, k, 0);
                            l.uplo = uplo;
                            l.hermitian = hermitian;
                            l.beta.set(0.5, 0);
                            if (kernel == Kernel.SYR2K) {
                                b(l, base, op == Op.NONE ? l.n : l.k, op == Op.NONE ? l.k : l.n, 0);
                            }
                            l.workBytes = workBytes;
                        });
                    }
                }
            }
        }
    }

    /** Updates of rank 1 and 2, dense and packed, by columns of the triangle. */
    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void updatesByVectors(Engine engine, ElementType type) {
        random(type, 1);
        int n = 333;
        for (Kernel kernel : List.of(Kernel.SYR, Kernel.SYR2)) {
            for (Uplo uplo : Uplo.values()) {
                for (boolean packed : new boolean[] {false, true}) {
                    same(engine, kernel + " " + uplo + " packed " + packed, true, (l, base) -> {
                        l.reset(kernel, type, 1);
                        l.n = n;
                        l.uplo = uplo;
                        l.hermitian = packed && type.isComplex();
                        l.alpha.set(0.75, l.hermitian ? 0 : 0.5);
                        l.a.vector(type, base, n, packed ? 2 : 1, 0);
                        l.b.vector(type, base + B, n, packed ? 1 : -2, 0);
                        if (packed) {
                            l.c.packed(type, base + C, n, 0);
                        } else {
                            c(l, base, n, n, 0);
                        }
                    });
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void batchesOfFactorisations(Engine engine, ElementType type) {
        random(type, 1);
        for (Kernel kernel : List.of(Kernel.GETF2, Kernel.TRTRI, Kernel.TRSV, Kernel.TRMV, Kernel.SYRK)) {
            same(engine, "batch of " + kernel, true, (l, base) -> {
                l.reset(kernel, type, 1000);
                l.m = 20;
                l.n = 20;
                l.k = 20;
                l.diag = Diag.UNIT;
                a(l, base, 20, 20, 500);
                c(l, base, 20, 20, 500);
                if (kernel == Kernel.TRSV || kernel == Kernel.TRMV) {
                    l.c.vector(type, base + C, 20, -1, 20);
                    l.work = base + WORK;
                    l.workBytes = 1000L * 20 * type.bytes();
                }
                if (kernel == Kernel.GETF2) {
                    l.d.vector(ElementType.I64, base + D, 20, 1, 20);
                    l.e.vector(ElementType.I32, base + E, 1, 1, 1);
                    Memory.fill(l.e.base, 4 * 1000, (byte) 0);
                }
            });
        }
    }

    /** Odd counts, so that the last vector of problems is not full, wherever the batch is cut. */
    @ParameterizedTest
    @MethodSource("enginesAndTypes")
    void batchesOfSmallProblems(Engine engine, ElementType type) {
        random(type, 1);
        for (Kernel kernel : List.of(Kernel.GEMM, Kernel.TRSM, Kernel.DOT, Kernel.POTF2)) {
            long count = kernel == Kernel.DOT ? 40_003 : 1003;
            int n = kernel == Kernel.DOT ? 7 : 19;
            same(engine, "batch of small " + kernel, true, (l, base) -> {
                l.reset(kernel, type, count);
                l.m = kernel == Kernel.DOT || kernel == Kernel.POTF2 ? 0 : n;
                l.n = n;
                l.k = kernel == Kernel.GEMM ? n : 0;
                l.diag = Diag.UNIT;
                a(l, base, n, n, 450);
                b(l, base, n, n, 0);
                c(l, base, n, n, 450);
                if (kernel == Kernel.DOT) {
                    l.a.vector(type, base, n, 1, n);
                    l.b.vector(type, base + B, n, 1, n);
                    l.d.vector(type, base + D, 1, 1, 1);
                }
                l.e.vector(ElementType.I32, base + E, 1, 1, 1);
                Memory.fill(l.e.base, 4 * 1003, (byte) 0);
                if (kernel == Kernel.POTF2) {
                    Memory.fill(l.e.base + 400, 200, (byte) 1);
                }
            });
        }
    }

    @Test
    void whileTheHelpersAreTakenTheBitsAreTheSame() {
        random(ElementType.F64, 1);
        Engine engine = Engines.choose("auto").engine();
        Workers workers = workers(2);
        HostKernels kernels = new HostKernels(engine, workers);
        for (int round = 0; round < 2; round++) {
            MemorySegment memory = round == 0 ? expected : actual;
            MemorySegment.copy(master, 0, memory, 0, WORK);
            Launch launch = new Launch().reset(Kernel.GEMM, ElementType.F64, 1);
            gemm(launch, memory.address(), Op.NONE, Op.NONE, 300, 310, 320, 0);
            launch.workBytes = 8 * MIB;
            if (round == 1) {
                assertThat(workers.tryTake()).isTrue();
            }
            kernels.run(launch);
        }
        workers.leave();
        assertThat(workers.forks()).isEqualTo(1);
        assertThat(MemorySegment.mismatch(expected, 0, WORK, actual, 0, WORK)).isEqualTo(-1);
    }

    private void product(HostKernels kernels, long order) {
        Launch launch = new Launch().reset(Kernel.GEMM, ElementType.F64, 1);
        gemm(launch, actual.address(), Op.NONE, Op.NONE, order, order, order, 0);
        launch.workBytes = 8 * MIB;
        kernels.run(launch);
    }

    @Test
    void callersShareTheThreadsThereAre() {
        Workers workers = workers(3);
        Engine engine = Engines.choose("auto").engine();
        for (int others = 0; others < 4; others++) {
            long before = workers.forks();
            // Kernels that have not yet met a busy core.
            product(new HostKernels(engine, workers), 300);
            assertThat(workers.forks() - before).as("%d others", others).isEqualTo(others < 2 ? 1 : 0);
            if (others >= 2) {
                product(new HostKernels(engine, workers), 64);
                assertThat(workers.forks() - before).as("a short call").isZero();
            }
            workers.enter();
        }
        for (int others = 4; others > 0; others--) {
            workers.exit();
        }
        assertThat(workers.callers()).as("a call leaves").isZero();
    }

    @Test
    void callersThatFailLeaveToo() {
        Workers workers = workers(2);
        HostKernels kernels = new HostKernels(Engines.choose("auto").engine(), workers);
        Launch launch = new Launch().reset(Kernel.GEMM, ElementType.F64, 1);
        gemm(launch, actual.address(), Op.NONE, Op.NONE, 200, 200, 200, 0);
        launch.type = ElementType.I64;
        assertThatThrownBy(() -> kernels.run(launch)).isInstanceOf(IllegalArgumentException.class);
        assertThat(workers.callers()).isZero();
        assertThat(workers.tryTake()).as("helpers are free").isTrue();
        workers.leave();
    }

    @Test
    void tooLittleWorkIsNotShared() {
        Workers workers = workers(2);
        HostKernels kernels = new HostKernels(Engines.choose("auto").engine(), workers);
        product(kernels, 24);
        assertThat(workers.forks()).isZero();
        assertThat(kernels.alone(ElementType.F64)).isGreaterThan(24 * 24 * 24);
        assertThat(kernels.alone(ElementType.F64)).isLessThan(64 * 64 * 64);
        assertThat(new HostKernels(Engines.choose("auto").engine(), workers(1)).alone(ElementType.F64)).isInfinite();
    }
}
