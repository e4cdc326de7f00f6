package dev.basalt.gpu;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One launch run twice over the same memory: by the portable kernels in Java, and by the kernels for GPUs. All of the memory
 * is compared, so a write beside an operand shows as well. One trial at a time: they share their memory.
 */
final class Trial {
    private static final BatchedKernels PORTABLE =
            new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), ReductionRules.BLOCK);
    private static final int TURNS = 6;
    static final long ROOM = 96 << 20;
    static final MemorySegment MEMORY = Arena.global().allocate(ROOM, 256);

    final Launch l;
    final Random random;
    private final long start = MEMORY.address();
    private long used;
    private long before;
    /** What was taken of the memory. */
    final List<Region> regions = new ArrayList<>();

    /** A piece of memory. */
    record Region(long address, long bytes) {}

    Trial(Kernel kernel, ElementType type, long count, Random random) {
        this.l = new Launch().reset(kernel, type, count);
        this.random = random;
    }

    /** Bytes of the trial's memory, aligned to 64. */
    long take(long bytes) {
        long at = start + used;
        regions.add(new Region(at, bytes));
        used += (bytes + 63) / 64 * 64 + 64;
        if (used > ROOM) {
            throw new AssertionError("a trial needs more room");
        }
        return at;
    }

    /** Lays out an operand for the whole batch, strided or through pointers, with gaps, filled with numbers from -1 to 1. */
    Operand matrix(Operand o, ElementType type, long rows, long cols, int gap, boolean pointers) {
        long ld = Math.max(1, rows) + gap;
        long each = ld * cols + gap;
        long at = take(each * l.count * type.bytes());
        o.matrix(type, at, rows, cols, ld, each);
        numbers(type, at, each * l.count);
        return pointers ? scatter(o) : o;
    }

    /** A band: what lies in its array beside it is a number as well, which nobody may look at. */
    Operand band(Operand o, ElementType type, long rows, long cols, long kl, long ku, int gap, boolean pointers) {
        matrix(o, type, kl + ku + 1, cols, gap, pointers);
        o.rows = rows;
        o.storage = Storage.BAND;
        o.kl = kl;
        o.ku = ku;
        poison(o, cols);
        return o;
    }

    /** NaN at the places of a band's array that no element has. */
    private void poison(Operand o, long cols) {
        int parts = o.type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < cols; j++) {
                for (long i = j - o.ku; i <= j + o.kl; i++) {
                    for (int q = 0; (i < 0 || i >= o.rows) && q < parts; q++) {
                        set(o.type, o.origin(p), parts * (i + j * (o.ld - 1)) + q, Double.NaN);
                    }
                }
            }
        }
    }

    /** A packed triangle. */
    Operand packed(Operand o, ElementType type, long n, int gap, boolean pointers) {
        matrix(o, type, n * (n + 1) / 2, 1, gap, pointers);
        o.rows = n;
        o.cols = n;
        o.ld = 0;
        o.storage = Storage.PACKED;
        return o;
    }

    Operand vector(Operand o, ElementType type, long n, long inc, boolean pointers) {
        long each = Math.max(1, (n - 1) * Math.abs(inc) + 1) + 3;
        long at = take(each * l.count * type.bytes());
        o.vector(type, at, n, inc, each);
        numbers(type, at, each * l.count);
        return pointers ? scatter(o) : o;
    }

    /** Multiplies all numbers of a matrix. */
    void weights(Operand o, double by) {
        int parts = o.type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < o.ld * o.cols * parts; i++) {
                set(o.type, o.at(p), i, by * get(o.type, o.at(p), i));
            }
        }
    }

    private Operand scatter(Operand o) {
        long table = take(8 * l.count);
        for (long i = 0; i < l.count; i++) {
            Memory.i64(table + 8 * i, o.base + (l.count - 1 - i) * o.stride * o.type.bytes() - 16 * o.type.bytes());
        }
        o.base = table;
        o.offset = 16L * o.type.bytes();
        o.pointers = true;
        return o;
    }

    /** Makes some of c's problems those of another operand of this shape, through tables of their own. */
    void meet(Operand with) {
        long other = take(8 * l.count);
        long table = take(8 * l.count);
        long same = random.nextInt(1 << l.count);
        for (long i = 0; i < l.count; i++) {
            Memory.i64(other + 8 * i, with.at(i));
            Memory.i64(table + 8 * i, (same >> i & 1) != 0 ? with.at(i) : l.c.at(i));
        }
        // The smaller leading dimension has room in both.
        long ld = Math.min(with.ld, l.c.ld);
        for (Operand o : new Operand[] {with, l.c}) {
            o.base = o == with ? other : table;
            o.offset = 0;
            o.pointers = true;
            o.ld = ld;
        }
    }

    /** Leaves some bits of each of an operand's floats. */
    void shorten(Operand o, int bits) {
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < o.span(); i++) {
                Memory.i32(o.at(p) + 4 * i, Memory.i32(o.at(p) + 4 * i) & bits);
            }
        }
    }

    private void numbers(ElementType type, long at, long elements) {
        if (!type.isFloating()) {
            Memory.fill(at, elements * type.bytes(), (byte) 0);
            return;
        }
        long parts = elements * (type.isComplex() ? 2 : 1);
        for (long i = 0; i < parts; i++) {
            set(type, at, i, 2 * random.nextDouble() - 1);
        }
    }

    /** Part {@code i} of what lies at an address, seen as an array of real numbers. */
    static void set(ElementType type, long at, long i, double value) {
        if (type.real() == ElementType.F64) {
            Memory.f64(at + 8 * i, value);
        } else {
            Memory.f32(at + 4 * i, (float) value);
        }
    }

    static double get(ElementType type, long at, long i) {
        return type.real() == ElementType.F64 ? Memory.f64(at + 8 * i) : Memory.f32(at + 4 * i);
    }

    /** Makes the triangle of a matrix operand safe to solve with, and puts NaN where nobody may look. */
    void triangle(Operand o, long n, boolean lower, boolean unit, boolean poison) {
        int parts = o.type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            long at = o.origin(p);
            Uplo uplo = lower ? Uplo.LOWER : Uplo.UPPER;
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n; i++) {
                    long e = parts * (i + j * o.step(uplo) + o.growth(uplo) * (j * (j - 1) / 2));
                    boolean stored = lower ? i > j : i < j;
                    if (o.storage != Storage.DENSE && i != j && !stored || Math.abs(i - j) > o.reach(uplo)) {
                        continue;
                    }
                    for (int q = 0; q < parts; q++) {
                        if (i == j) {
                            set(o.type, at, e + q,
                                    unit ? Double.NaN : q == 0 ? 3 + random.nextDouble() : random.nextDouble());
                        } else if (stored) {
                            set(o.type, at, e + q, get(o.type, at, e + q) / n);
                        } else if (poison) {
                            set(o.type, at, e + q, Double.NaN);
                        }
                    }
                }
            }
        }
    }

    /**
     * Runs both.
     *
     * @return the largest difference in units of the precision times the largest number, or a message
     */
    double run(Launcher<Boolean> launcher, boolean backwards, Arena arena) {
        before = arena.allocate(used, 64).address();
        Memory.copy(start, before, used);
        long expected = portable(arena);
        Memory.copy(before, start, used);
        // What the launch does not set a kernel must not read: it would be what another call has left there.
        MemorySegment arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5);
        MemorySegment sync = arena.allocate(Launcher.SYNC_BYTES, 64);
        launcher.run(l, arguments.address(), sync.address(), backwards);
        for (int i = 0; i < 4096; i++) {
            if (Memory.i32(sync.address() + 4 * i) != 0) {
                throw new AssertionError("counter " + i + " is not zero again");
            }
        }
        return difference(expected);
    }

    /** Runs the portable kernel, and keeps what it left in memory. */
    private long portable(Arena arena) {
        PORTABLE.run(l);
        long result = arena.allocate(used, 64).address();
        Memory.copy(start, result, used);
        return result;
    }

    /**
     * How far the portable kernel's result moves, in the same units, when all numbers of the trial that has run move by one unit in
     * their last place: what rounding may do to any kernel. Numbers of one magnitude move alike, so that ties stay ties.
     *
     * @return infinity if even an integer changes, a pivot's say; at least 1
     */
    double sensitivity(Arena arena) {
        Memory.copy(before, start, used);
        long right = portable(arena);
        long expected = arena.allocate(used, 64).address();
        double worst = 1;
        for (int turn = 1; turn <= TURNS; turn++) {
            Memory.copy(before, start, used);
            jolt(turn);
            PORTABLE.run(l);
            // What need not be the same is written into it.
            Memory.copy(right, expected, used);
            worst = Math.max(worst, difference(expected));
        }
        return worst;
    }

    private void jolt(int turn) {
        double unit = l.type.real() == ElementType.F64 ? 0x1p-52 : 0x1p-23;
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand o = l.operand(i);
            if (!o.present() || o.type.real() != l.type.real()) {
                continue;
            }
            int parts = o.type.isComplex() ? 2 : 1;
            for (long p = 0; p < l.count; p++) {
                for (long e = 0; e < o.span() * parts; e++) {
                    double x = get(o.type, o.at(p), e);
                    int way = Double.hashCode(Math.abs(x)) * (2 * turn + 1) * 0x9E3779B9 >> 30;
                    set(o.type, o.at(p), e, x + way * unit * x);
                }
            }
        }
    }

    private double difference(long expected) {
        if (l.work != 0) {
            Memory.copy(expected + (l.work - start), l.work, l.workBytes);
        }
        if (l.kernel == Kernel.POTF2 || l.kernel == Kernel.GETF2_NPVT) {
            // Behind a minor that is not positive definite, or a pivot that is zero, the matrix may be at any stage; info tells where.
            for (long p = 0; p < l.count; p++) {
                if (Memory.i32(l.e.at(p)) != 0) {
                    Memory.copy(expected + (l.c.at(p) - start), l.c.at(p), l.c.spanBytes());
                }
            }
        }
        PivotingTrials.forget(l, expected - start);
        if (l.kernel == Kernel.POTF2_STORED || l.kernel == Kernel.POSV_STORED) {
            StoredCholeskyTrials.forget(l, expected - start);
        }
        if (l.kernel == Kernel.GEBD2 || l.kernel == Kernel.LABRD_PANEL || l.kernel == Kernel.BDSQR
                || l.kernel == Kernel.GESVJ) {
            SingularTrials.forget(l, expected - start);
        }
        SymmetricTrials.forget(l, expected - start);
        NonsymmetricTrials.forget(l, expected - start);
        if (l.kernel == Kernel.GEQR2 && l.b.present()) {
            otherTriangle(expected);
        }
        return sameIntegers(expected) && sameWide(expected) ? compare(expected) : Double.POSITIVE_INFINITY;
    }

    /** Sums of single numbers that are stored as doubles: as single numbers their halves would be any two. They are compared here, and then taken for equal. */
    private boolean sameWide(long expected) {
        boolean single = l.type.real() == ElementType.F32;
        for (int i = 0; single && i < Launch.OPERANDS; i++) {
            Operand o = l.operand(i);
            if (!l.kernel.writes(i) || !o.present() || o.type != ElementType.F64) {
                continue;
            }
            for (long p = 0; p < l.count; p++) {
                for (long e = 0; e < o.span(); e++) {
                    long at = o.at(p) + 8 * e;
                    double found = Memory.f64(at);
                    double right = Memory.f64(expected + at - start);
                    boolean same = Double.compare(found, right) == 0 || found == right;
                    if (!same && !(Math.abs(found - right) <= 0x1p-17 * Math.abs(right))) {
                        return false;
                    }
                    Memory.f64(expected + at - start, found);
                }
            }
        }
        return true;
    }

    /** Pivots, info and the like: as floating numbers all small integers would be about zero. */
    private boolean sameIntegers(long expected) {
        for (int i = 0; i < Launch.OPERANDS; i++) {
            Operand o = l.operand(i);
            if (!l.kernel.writes(i) || !o.present() || o.type.isFloating()) {
                continue;
            }
            long bytes = o.span() * o.type.bytes();
            for (long p = 0; p < l.count; p++) {
                MemorySegment found = MEMORY.asSlice(o.at(p) - start, bytes);
                MemorySegment right = Memory.ALL.asSlice(expected + o.at(p) - start, bytes);
                if (found.mismatch(right) != -1) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Beside the triangle T of reflectors there may be anything. */
    private void otherTriangle(long expected) {
        long element = l.type.bytes();
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                long first = l.backward ? 0 : j + 1;
                long rows = l.backward ? j : l.n - 1 - j;
                long at = l.b.at(p) + (first + j * l.b.ld) * element;
                Memory.copy(expected + (at - start), at, rows * element);
            }
        }
    }

    private double compare(long expected) {
        double eps = l.type.real() == ElementType.F64 ? 0x1p-52 : 0x1p-23;
        boolean wide = l.type.real() == ElementType.F64;
        double worst = 0;
        for (long i = 0; i < used; i += 8) {
            if (Memory.i64(start + i) == Memory.i64(expected + i)) {
                continue;
            }
            for (int h = 0; h < (wide ? 1 : 2); h++) {
                double x = wide ? Memory.f64(start + i) : Memory.f32(start + i + 4 * h);
                double y = wide ? Memory.f64(expected + i) : Memory.f32(expected + i + 4 * h);
                if (Double.isNaN(x) && Double.isNaN(y) || x == y) {
                    continue;
                }
                double d = Math.abs(x - y) / (Math.max(1, Math.abs(y)) * eps);
                worst = Double.isNaN(d) ? Double.POSITIVE_INFINITY : Math.max(worst, d);
            }
        }
        return worst;
    }
}
