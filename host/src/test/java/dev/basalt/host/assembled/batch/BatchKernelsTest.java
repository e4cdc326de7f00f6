package dev.basalt.host.assembled.batch;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Batched kernels against the portable ones, problem by problem: every operand ends at a page without access, what is not part
 * of a result keeps its bits, and a batch that is cut anywhere gives the same bits as a whole one.
 */
class BatchKernelsTest {
    private static final long SEED = 20261121;
    private static final int[] COUNTS = {2, 4, 7, 8, 9, 17, 33};
    private static final long AREA = 1 << 23;
    private static final List<Guarded> MEMORY = new ArrayList<>();

    static Stream<Arguments> kernels() {
        List<Arguments> all = new ArrayList<>();
        for (int bits : new int[] {256, 512}) {
            for (int bytes : new int[] {8, 4}) {
                all.add(Arguments.argumentSet(bits + " bits, " + bytes + " bytes", bits, bytes));
            }
        }
        return all.stream();
    }

    /** Runs launches twice, with the kernels of a type and with the portable ones. */
    static final class Twice {
        final SplittableRandom random = new SplittableRandom(SEED);
        final ElementType type;
        final Leaf leaf;
        final BatchKernels kernels;
        final BatchedKernels portable = new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), 1 << 14);
        final int size;
        final int element;
        final Launch launch = new Launch();
        private final List<Operand> placed = new ArrayList<>();
        private final List<byte[]> originals = new ArrayList<>();
        private final List<long[]> ranges = new ArrayList<>();
        int taken;

        Twice(int bits, int bytes) {
            this(bits, bytes == 8 ? ElementType.F64 : ElementType.F32);
        }

        Twice(int bits, ElementType type) {
            Assumptions.assumeTrue(AssembledKernels.vectorBits() >= bits);
            int bytes = type.real().bytes();
            this.type = type;
            this.leaf = portable.leaf(type);
            this.kernels = new BatchKernels(bits, bytes, type.isComplex(), leaf);
            this.size = bytes;
            this.element = type.bytes();
            while (MEMORY.size() < 10) {
                MEMORY.add(new Guarded(AREA));
            }
        }

        Launch begin(Kernel kernel, long count) {
            placed.clear();
            ranges.clear();
            originals.clear();
            return launch.reset(kernel, type, count);
        }

        private static ElementType real(ElementType t) {
            return t.isFloating() ? t.real() : t;
        }

        double number() {
            return 2 * random.nextDouble() - 1;
        }

        double get(ElementType t, long at) {
            return switch (t) {
                case F64 -> Memory.f64(at);
                case F32 -> Memory.f32(at);
                case I64 -> Memory.i64(at);
                default -> Memory.i32(at);
            };
        }

        void set(ElementType t, long at, double value) {
            switch (t) {
                case F64 -> Memory.f64(at, value);
                case F32 -> Memory.f32(at, (float) value);
                case I64 -> Memory.i64(at, (long) value);
                default -> Memory.i32(at, (int) value);
            }
        }

        /** An element without an imaginary part. */
        void put(long at, double value) {
            set(type.real(), at, value);
            if (type.isComplex()) {
                set(type.real(), at + size, 0);
            }
        }

        /** An operand in memory of its own, with random numbers (zeros if whole ones): form 0 strided, 1 with gaps, 2 pointers in random order. */
        void place(Operand x, ElementType t, long rows, long cols, long ld, boolean vector, int form) {
            if (vector) {
                x.vector(t, 1, rows, ld, 0);
            } else {
                x.matrix(t, 1, rows, cols, ld, 0);
            }
            long span = x.span();
            long stride = span + (form == 1 ? 5 + random.nextInt(300) : form == 2 ? random.nextInt(3) : 0);
            long bytes = ((launch.count - 1) * stride + span) * t.bytes();
            int which = 2 * placed.size();
            long base = MEMORY.get(which).place(bytes);
            ElementType unit = real(t);
            for (long at = base; at < base + bytes; at += unit.bytes()) {
                set(unit, at, t.isFloating() ? number() : 0);
            }
            x.base = base;
            x.stride = stride;
            if (form == 2) {
                long[] order = new long[(int) launch.count];
                for (int i = 0; i < order.length; i++) {
                    int j = random.nextInt(i + 1);
                    order[i] = order[j];
                    order[j] = base + i * stride * t.bytes() - 24;
                }
                long table = MEMORY.get(which + 1).place(8L * order.length);
                for (int i = 0; i < order.length; i++) {
                    Memory.i64(table + 8L * i, order[i]);
                }
                x.base = table;
                x.pointers = true;
                x.offset = 24;
            }
            placed.add(x);
            ranges.add(new long[] {base, bytes});
        }

        private byte[] bytes(long[] range) {
            byte[] copy = new byte[(int) range[1]];
            MemorySegment.copy(Memory.ALL, JAVA_BYTE, range[0], copy, 0, copy.length);
            return copy;
        }

        private void restore(long[] range, byte[] copy) {
            MemorySegment.copy(copy, 0, Memory.ALL, JAVA_BYTE, range[0], copy.length);
        }

        void run(String what, double tolerance) {
            Launch l = launch;
            String name = what + " m=" + l.m + " n=" + l.n + " k=" + l.k + " count=" + l.count + " " + l.side + l.uplo
                    + l.opA + l.opB + l.diag + " ld=" + l.a.ld + "," + l.b.ld + "," + l.c.ld + " seed " + SEED;
            if (!kernels.takes(l)) {
                return;
            }
            taken++;
            for (long[] range : ranges) {
                originals.add(bytes(range));
            }
            kernels.run(l, 0, l.count);
            List<byte[]> found = new ArrayList<>();
            for (int i = 0; i < ranges.size(); i++) {
                assertThat(MEMORY.get(2 * i).intact()).as(name).isTrue();
                found.add(bytes(ranges.get(i)));
                restore(ranges.get(i), originals.get(i));
            }
            long cut = random.nextLong(l.count + 1);
            kernels.run(l, cut, l.count);
            kernels.run(l, 0, cut);
            for (int i = 0; i < ranges.size(); i++) {
                assertThat(bytes(ranges.get(i))).as(name + " cut at " + cut).isEqualTo(found.get(i));
                restore(ranges.get(i), originals.get(i));
            }
            portable.run(l);
            for (int i = 0; i < ranges.size(); i++) {
                compare(name + " operand " + i, placed.get(i), ranges.get(i), originals.get(i), found.get(i),
                        tolerance);
            }
        }

        private void compare(String name, Operand x, long[] range, byte[] original, byte[] found, double tolerance) {
            byte[] expected = bytes(range);
            ElementType type = real(x.type);
            int unit = type.bytes();
            for (int at = 0; at < expected.length; at += unit) {
                boolean untouched = true;
                boolean same = true;
                for (int i = at; i < at + unit; i++) {
                    untouched &= expected[i] == original[i];
                    same &= expected[i] == found[i];
                }
                if (same) {
                    continue;
                }
                double e = number(type, expected, at);
                double f = number(type, found, at);
                boolean near = x.type.isFloating() && (!untouched || factored(x, at))
                        && (Double.isNaN(e)
                                ? Double.isNaN(f)
                                : e == f || Math.abs(e - f) <= tolerance * (1 + Math.abs(e)));
                assertThat(near).as("%s element %d: %s instead of %s (untouched %s)", name, at / unit, f, e, untouched)
                        .isTrue();
            }
        }

        /** Whether all elements of a matrix are results: one that came out as it was may as well differ in its last bit. */
        private boolean factored(Operand x, int at) {
            long place = at / x.type.bytes() % x.stride;
            return (launch.kernel == Kernel.GETF2 || BatchReflectors.knows(launch)) && !x.vector
                    && place % x.ld < x.rows && place / x.ld < x.cols;
        }

        private double number(ElementType t, byte[] bytes, int at) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            return switch (t) {
                case F64 -> buffer.getDouble(at);
                case F32 -> buffer.getFloat(at);
                case I64 -> buffer.getLong(at);
                default -> buffer.getInt(at);
            };
        }

        double tolerance(double steps) {
            return steps * (size == 8 ? 0x1p-52 : 0x1p-23);
        }

        int form() {
            return random.nextInt(3);
        }

        long count() {
            return COUNTS[random.nextInt(COUNTS.length)];
        }

        /** A large diagonal: an element added to each problem's diagonal, by rows that are shuffled for a matrix that needs pivots. */
        void dominate(Operand x, long order, double by, boolean shuffled) {
            for (long i = 0; i < launch.count; i++) {
                long base = x.at(i);
                long shift = shuffled ? random.nextLong(order) : 0;
                for (long j = 0; j < Math.min(order, Math.min(x.rows, x.cols)); j++) {
                    long row = shuffled ? (j + shift) % Math.min(x.rows, x.cols) : j;
                    long at = base + (row + j * x.ld) * element;
                    set(type.real(), at, get(type.real(), at) + by);
                }
            }
        }
    }

    static long gap(SplittableRandom random) {
        return random.nextInt(3) == 0 ? 0 : random.nextInt(5);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void products(int bits, int bytes) {
        Twice t = new Twice(bits, bytes);
        for (int n = 1; n <= 33; n++) {
            for (int r = 0; r < 12; r++) {
                Launch l = t.begin(Kernel.GEMM, t.count());
                l.m = r < 4 ? n : 1 + t.random.nextInt(33);
                l.n = r < 4 || r > 8 ? n : 1 + t.random.nextInt(33);
                l.k = r < 4 ? n : 1 + t.random.nextInt(33);
                l.opA = r % 4 == 3 ? Op.TRANS : r == 6 ? Op.CONJ_TRANS : Op.NONE;
                l.opB = r % 2 == 0 ? Op.NONE : Op.CONJ_TRANS;
                l.alpha.set(r % 3 == 0 ? 1 : t.number(), 0);
                l.beta.set(r % 3 == 1 ? 0 : r % 3 == 2 ? 1 : t.number(), 0);
                boolean ta = l.opA != Op.NONE;
                boolean tb = l.opB != Op.NONE;
                long ra = ta ? l.k : l.m;
                long rb = tb ? l.n : l.k;
                t.place(l.a, t.type, ra, ta ? l.m : l.k, ra + gap(t.random), false, t.form());
                t.place(l.b, t.type, rb, tb ? l.k : l.n, rb + gap(t.random), false, t.form());
                t.place(l.c, t.type, l.m, l.n, l.m + gap(t.random), false, t.form());
                if (l.beta.re() == 0) {
                    t.set(t.type, l.c.at(0), Double.NaN);
                }
                t.run("gemm", t.tolerance(4 * l.k));
            }
        }
        assertThat(t.taken).isGreaterThan(200);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void complexProducts(int bits, int bytes) {
        Twice t = new Twice(bits, bytes == 8 ? ElementType.C64 : ElementType.C32);
        for (int n = 1; n <= 33; n++) {
            for (int r = 0; r < 9; r++) {
                Launch l = t.begin(Kernel.GEMM, t.count());
                l.m = r < 3 ? n : 1 + t.random.nextInt(33);
                l.n = r < 3 || r > 6 ? n : 1 + t.random.nextInt(33);
                l.k = r < 3 ? n : 1 + t.random.nextInt(33);
                l.opA = Op.NONE;
                l.opB = Op.values()[(r + n) % 3];
                l.alpha.set(r % 3 == 0 ? 1 : t.number(), 0);
                l.beta.set(r % 3 == 1 ? 0 : r % 3 == 2 ? 1 : t.number(), 0);
                boolean plain = l.opB == Op.NONE;
                long rb = plain ? l.k : l.n;
                t.place(l.a, t.type, l.m, l.k, l.m + gap(t.random), false, t.form());
                t.place(l.b, t.type, rb, plain ? l.n : l.k, rb + gap(t.random), false, t.form());
                t.place(l.c, t.type, l.m, l.n, l.m + gap(t.random), false, t.form());
                if (l.beta.re() == 0) {
                    t.set(t.type.real(), l.c.at(0), Double.NaN);
                }
                t.run("gemm", t.tolerance(8 * l.k));
            }
        }
        assertThat(t.taken).isGreaterThan(200);
    }

    /** What complex batches leave to the kernels of one problem. */
    @ParameterizedTest
    @MethodSource("kernels")
    void complexProductsWithComplexScalarsAreNotTaken(int bits, int bytes) {
        Twice t = new Twice(bits, bytes == 8 ? ElementType.C64 : ElementType.C32);
        Launch l = t.begin(Kernel.GEMM, 5);
        l.m = 4;
        l.n = 4;
        l.k = 4;
        l.opA = Op.NONE;
        l.opB = Op.NONE;
        l.alpha.set(1, 0);
        l.beta.set(0, 0);
        for (Operand x : List.of(l.a, l.b, l.c)) {
            t.place(x, t.type, 4, 4, 4, false, 0);
        }
        assertThat(t.kernels.takes(l)).isTrue();
        l.alpha.set(1, 0.5);
        assertThat(t.kernels.takes(l)).isFalse();
        l.alpha.set(1, 0);
        l.beta.set(0, 1);
        assertThat(t.kernels.takes(l)).isFalse();
        l.beta.set(0, 0);
        l.opA = Op.CONJ_TRANS;
        assertThat(t.kernels.takes(l)).isFalse();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void dots(int bits, int bytes) {
        Twice t = new Twice(bits, bytes);
        for (int n = 1; n <= 32; n++) {
            for (int count : new int[] {2, 7, 8, 9, 129, 1000}) {
                Launch l = t.begin(Kernel.DOT, count);
                l.n = n;
                t.place(l.a, t.type, n, 1, 1, true, t.form());
                t.place(l.b, t.type, n, 1, 1, true, t.form());
                t.place(l.d, t.type, 1, 1, 1, true, t.form());
                t.run("dot", t.tolerance(2 * n));
            }
        }
        assertThat(t.taken).isEqualTo(32 * 6);
    }

    /** Every triangle of solves, with a singular one in the middle of some batches. */
    @ParameterizedTest
    @MethodSource("kernels")
    void solves(int bits, int bytes) {
        solves(new Twice(bits, bytes));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void complexSolves(int bits, int bytes) {
        solves(new Twice(bits, bytes == 8 ? ElementType.C64 : ElementType.C32));
    }

    private static void solves(Twice t) {
        for (int n = 1; n <= 33; n++) {
            for (int form = 0; form < (t.type.isComplex() ? 32 : 16); form++) {
                Launch l = t.begin(Kernel.TRSM, t.count());
                flags(l, form);
                boolean left = l.side == Side.LEFT;
                long other = 1 + t.random.nextInt(33);
                l.m = left ? n : other;
                l.n = left ? other : n;
                triangle(t, n, form);
                t.place(l.c, t.type, l.m, l.n, l.m + gap(t.random), false, t.form());
                t.run("trsm", t.tolerance(16 * n));
            }
        }
        assertThat(t.taken).isGreaterThan(300);
    }

    private static void flags(Launch l, int form) {
        l.side = (form & 1) == 0 ? Side.LEFT : Side.RIGHT;
        l.uplo = (form & 2) == 0 ? Uplo.LOWER : Uplo.UPPER;
        l.opA = (form & 4) == 0 ? Op.NONE : (form & 16) == 0 ? Op.TRANS : Op.CONJ_TRANS;
        l.diag = (form & 8) == 0 ? Diag.NON_UNIT : Diag.UNIT;
    }

    private static void triangle(Twice t, int n, int form) {
        Launch l = t.launch;
        t.place(l.a, t.type, n, n, n + gap(t.random), false, t.form());
        for (long p = 0; p < l.count; p++) {
            for (long e = 0; e < n * n; e++) {
                long at = l.a.at(p) + (e % n + e / n * l.a.ld) * t.element;
                boolean stored = l.uplo == Uplo.LOWER ? e % n >= e / n : e % n <= e / n;
                // What is not part of the triangle must not count.
                boolean unread = !stored || (l.diag == Diag.UNIT && e % n == e / n);
                for (long end = at + t.element; at < end; at += t.size) {
                    t.set(t.type.real(), at, unread ? Double.NaN : t.get(t.type.real(), at) / n);
                }
            }
        }
        if (l.diag == Diag.NON_UNIT) {
            t.dominate(l.a, n, 2, false);
            if (form % 3 == 0) {
                long at = l.a.at(l.count / 2) + (n / 2) * (l.a.ld + 1) * t.element;
                for (long end = at + t.element; at < end; at += t.size) {
                    t.set(t.type.real(), at, form % 2 == 0 ? 0 : t.size == 8 ? 1e-310 : 1e-42);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void vectorSolves(int bits, int bytes) {
        vectorSolves(new Twice(bits, bytes));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void complexVectorSolves(int bits, int bytes) {
        vectorSolves(new Twice(bits, bytes == 8 ? ElementType.C64 : ElementType.C32));
    }

    private static void vectorSolves(Twice t) {
        for (int n = 1; n <= 33; n++) {
            for (int form = 0; form < (t.type.isComplex() ? 32 : 16); form += 2) {
                for (long inc : new long[] {1, 1, -1, 3, -2}) {
                    Launch l = t.begin(Kernel.TRSV, t.count());
                    flags(l, form);
                    l.n = n;
                    triangle(t, n, form);
                    t.place(l.c, t.type, n, 1, inc, true, t.form());
                    t.run("trsv " + inc, t.tolerance(16 * n));
                }
            }
        }
        assertThat(t.taken).isGreaterThan(400);
    }

    private static void infos(Twice t, boolean some) {
        Launch l = t.launch;
        t.place(l.e, ElementType.I32, 1, 1, 1, true, t.form());
        for (long i = 0; i < l.count && some; i++) {
            Memory.i32(l.e.at(i), t.random.nextInt(3) == 0 ? 77 : 0);
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void cholesky(int bits, int bytes) {
        cholesky(new Twice(bits, bytes));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void complexCholesky(int bits, int bytes) {
        cholesky(new Twice(bits, bytes == 8 ? ElementType.C64 : ElementType.C32));
    }

    private static void cholesky(Twice t) {
        for (int n = 1; n <= 32; n++) {
            for (int r = 0; r < 8; r++) {
                Launch l = t.begin(Kernel.POTF2, r == 0 ? 1000 / n : t.count());
                l.n = n;
                l.p = r % 3;
                l.uplo = r % 2 == 0 ? Uplo.LOWER : Uplo.UPPER;
                t.place(l.c, t.type, n, n, n + gap(t.random), false, t.form());
                t.dominate(l.c, n, n, false);
                infos(t, r >= 4);
                l.guarded = r == 5;
                if (r > 5) {
                    // One problem is not positive definite, one has NaN.
                    ElementType real = t.type.real();
                    t.set(real, l.c.at(l.count / 2) + (n / 2) * (l.c.ld + 1) * t.element, r == 6 ? -1 : 0);
                    t.set(real, l.c.at(0) + (n - 1) * (l.c.ld + 1) * t.element, Double.NaN);
                }
                t.run("potf2", t.tolerance(16 * n));
            }
        }
        assertThat(t.taken).isGreaterThan(150);
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void pivots(int bits, int bytes) {
        pivots(new Twice(bits, bytes));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void complexPivots(int bits, int bytes) {
        pivots(new Twice(bits, bytes == 8 ? ElementType.C64 : ElementType.C32));
    }

    private static void pivots(Twice t) {
        for (int n = 1; n <= 33; n++) {
            for (int r = 0; r < 14; r++) {
                Launch l = t.begin(Kernel.GETF2, r == 0 ? 1000 / n : t.count());
                l.m = r < 9 ? n : 1 + t.random.nextInt(33);
                l.n = r < 9 || r > 11 ? n : 1 + t.random.nextInt(33);
                l.p = r % 3;
                t.place(l.c, t.type, l.m, l.n, l.m + gap(t.random), false, t.form());
                t.dominate(l.c, Math.min(l.m, l.n), 2 * n, true);
                t.place(l.d, ElementType.I64, Math.min(l.m, l.n), 1, 1, true, t.form());
                infos(t, r == 3 || r == 4);
                l.guarded = r == 4;
                special(t, r);
                t.run("getf2 " + r, t.tolerance(200 * n));
            }
        }
        assertThat(t.taken).isGreaterThan(t.type.isComplex() ? 250 : 300);
    }

    /** Zero columns, a singular matrix of ones, whole numbers with ties, NaN. */
    private static void special(Twice t, int r) {
        Launch l = t.launch;
        Consumer<Long> ones = p -> {
            for (long e = 0; e < l.m * l.n; e++) {
                t.put(l.c.at(p) + (e % l.m + e / l.m * l.c.ld) * t.element, 1);
            }
        };
        switch (r) {
            case 5 -> {
                for (long i = 0; i < l.m; i++) {
                    t.put(l.c.at(l.count - 1) + (i + l.n / 2 * l.c.ld) * t.element, 0);
                }
            }
            case 6 -> ones.accept(l.count / 2);
            case 7 -> {
                // Ties: the first of the largest is the pivot. Upper triangle of ones with signs below.
                for (long p = 0; p < l.count; p++) {
                    for (long e = 0; e < l.m * l.n; e++) {
                        long i = e % l.m;
                        long j = e / l.m;
                        double v = i < j ? 1 : (i + p) % 2 == 0 ? 1 : -1;
                        t.put(l.c.at(p) + (i + j * l.c.ld) * t.element, i == j ? 1 : i > j ? 0.5 * v : v);
                    }
                    if (l.m > 1) {
                        t.put(l.c.at(p), 0.5);
                        t.put(l.c.at(p) + (l.m - 1) * t.element, -0.5);
                    }
                }
            }
            case 8 -> t.put(l.c.at(0) + l.m / 2 * t.element, Double.NaN);
            default -> {}
        }
    }
}
