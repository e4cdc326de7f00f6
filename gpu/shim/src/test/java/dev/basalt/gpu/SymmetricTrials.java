package dev.basalt.gpu;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.BandWork;
import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LatrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Random operands of the kernels of symmetric eigenvalues; what earlier steps leave comes from the portable kernels. */
final class SymmetricTrials {
    private static final BatchedKernels PORTABLE =
            new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), ReductionRules.BLOCK);

    /** Orders whose roundings do not run away from each other. */
    private static final int ORDER = 40;

    private static final int FEW = 5;

    /** Up to this order the portable code has the whole matrix in a tile, whose pairs come in an order of their own. */
    private static final int TILE = 64;

    /** An order that two-sided Jacobi has no registers for. */
    private static final int BEYOND = 129;

    /** More rows than the warps of a block have at once. */
    private static final int TALL = 600;

    private SymmetricTrials() {}

    /** Whether a kernel computes with real numbers alone. */
    static boolean real(Kernel kernel) {
        return kernel == Kernel.STEQR || kernel == Kernel.STEDC || kernel == Kernel.STEBZ || kernel == Kernel.STEIN
                || kernel == Kernel.BDSDC;
    }

    static void lay(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        if (l.kernel == Kernel.LATRD) {
            panel(t, type, gap, pointers, r);
            return;
        }
        l.n = Math.min(l.n, ORDER);
        switch (l.kernel) {
            case SB2ST -> chase(t, type, gap, pointers, r);
            case CHASED -> chased(t, type, gap, pointers, r);
            case STEQR -> iterate(t, type, gap, pointers, r);
            case STEDC, BDSDC -> divide(t, type, gap, r);
            case SYEVJ -> jacobi(t, type, gap, pointers, r);
            case STEBZ, STEIN -> bisection(t, type, gap, r);
            case EIGEN_RANGE -> range(t, type, gap, pointers, r);
            default -> reduce(t, type, gap, pointers, r);
        }
    }

    private static void reduce(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.hermitian = type.isComplex();
        // Of a whole reduction later elements hang on all roundings before, so it is small, or falls into small blocks.
        boolean falls = r.nextInt(3) == 0;
        l.n = l.kernel == Kernel.SYTD2 ? falls ? 12 + r.nextInt(30) : Math.min(l.n, FEW) : l.n;
        long n = l.n;
        l.k = 1 + r.nextInt((int) n);
        l.p = l.kernel == Kernel.LATRD_DIAGONALS ? r.nextInt((int) n + 1) : r.nextInt((int) l.k);
        t.matrix(l.c, type, n, n, gap, pointers);
        if (l.kernel == Kernel.SYTD2) {
            if (falls) {
                fall(l, type);
            }
            poison(l, type);
            l.workBytes = r.nextBoolean() ? LatrdWork.whole(type, n) : 0;
            l.work = t.take(l.workBytes);
        }
        if (l.kernel != Kernel.LATRD_ROW) {
            t.vector(l.b, type.real(), Math.max(1, n - 1), 1, pointers);
        }
        if (l.kernel == Kernel.SYTD2 || l.kernel == Kernel.LATRD_DIAGONALS) {
            t.vector(l.a, type.real(), n, 1, pointers);
        }
        if (l.kernel != Kernel.LATRD_DIAGONALS) {
            t.vector(l.d, type, Math.max(1, n - 1), 1, pointers);
        }
        if (l.kernel == Kernel.LATRD_COLUMN || l.kernel == Kernel.LATRD_ROW) {
            t.matrix(l.f, type, n, l.k, r.nextInt(3), pointers);
        }
    }

    /** A dense matrix or a band; of a whole reduction later elements hang on all roundings before, so it is small, or falls into small blocks. */
    private static void chase(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.hermitian = type.isComplex();
        boolean large = r.nextInt(3) == 0;
        l.n = large ? 12 + r.nextInt(12) : Math.min(l.n, 2 * FEW);
        long n = l.n;
        l.k = Math.min(n - 1, r.nextInt(FEW));
        t.vector(l.a, type.real(), n, 1, pointers);
        t.vector(l.b, type.real(), Math.max(1, n - 1), 1, pointers);
        t.matrix(l.c, type, n, n, gap, pointers);
        t.weights(l.c, large ? 1.0 / 16 : 1);
        poison(l, type);
        if (r.nextBoolean()) {
            boolean lower = l.uplo == Uplo.LOWER;
            // A band whose rows are diagonals is the same memory.
            l.c.storage = Storage.BAND;
            l.c.kl = lower ? l.k : 0;
            l.c.ku = lower ? 0 : l.k;
            l.c.ld++;
            l.c.offset -= l.c.ku * type.bytes();
        }
        if (r.nextBoolean()) {
            t.matrix(l.d, type, n, n, r.nextInt(3), pointers);
        }
        long rows = BandWork.rows(l.k);
        l.f.matrix(type, t.take(rows * BandWork.columns(n) * l.count * type.bytes()), rows, BandWork.columns(n), rows,
                rows * BandWork.columns(n));
    }

    /** Reflectors of a chase; short vectors and factors keep the product's size. */
    private static void chased(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.n = r.nextInt(4) == 0 ? l.n : 1 + r.nextInt(10 * FEW);
        l.m = r.nextInt(3) == 0 ? l.m : 1 + r.nextInt(10 * FEW);
        l.k = BandWork.NARROW;
        t.matrix(l.a, type, l.n, l.n, gap, pointers);
        t.weights(l.a, 1.0 / 16);
        t.matrix(l.c, type, l.n, l.m, r.nextInt(3), pointers);
        long passes = r.nextBoolean() ? 1 : 1 + r.nextInt(4);
        long room = passes * BandWork.passes(l.n) / type.bytes() + r.nextInt(9);
        l.f.vector(type, t.take(room * l.count * type.bytes()), room, 1, room);
    }

    /** A panel that blocks share, some with a column after which all is zero, or numbers whose squares are not. */
    private static void panel(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.hermitian = type.isComplex();
        boolean tall = r.nextInt(12) == 0;
        l.n = tall ? TALL + r.nextInt(TALL) : l.n;
        l.count = tall ? 1 : l.count;
        long n = l.n;
        l.k = 1 + r.nextInt((int) Math.min(n, tall ? 2 : FEW));
        t.matrix(l.c, type, n, n, gap, pointers);
        t.vector(l.b, type.real(), Math.max(1, n - 1), 1, pointers);
        t.vector(l.d, type, Math.max(1, n - 1), 1, pointers);
        t.matrix(l.f, type, n, l.k, r.nextInt(3), pointers);
        boolean twice = type.real() == ElementType.F64;
        switch (r.nextInt(6)) {
            case 0 -> t.weights(l.c, twice ? 1e-180 : 1e-24);
            // Of large complex numbers one part may be all rounding.
            case 1 -> t.weights(l.c, type.isComplex() ? 1 : twice ? 1e180 : 1e24);
            case 2 -> t.weights(l.c, 0);
            default -> {}
        }
        poison(l, type);
        // Room for some blocks, or for all that the device has.
        long bytes = LatrdWork.bytes(type, n, l.k);
        l.workBytes = r.nextBoolean() ? bytes : type.bytes() * (4 * n + 2 * l.k + 9 + r.nextInt((int) n));
        l.work = t.take(l.workBytes);
    }

    /** Zeros between blocks of few rows. */
    private static void fall(Launch l, ElementType type) {
        int parts = type.isComplex() ? 2 : 1;
        for (long e = 0; e < l.count * l.n * l.n; e++) {
            long i = e % l.n;
            long j = e / l.n % l.n;
            for (int part = 0; part < parts && i / FEW != j / FEW; part++) {
                Trial.set(type, l.c.at(e / (l.n * l.n)), parts * (i + j * l.c.ld) + part, 0);
            }
        }
    }

    /** NaN in the triangle that nobody may look at. */
    private static void poison(Launch l, ElementType type) {
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                for (long i = 0; i < l.n; i++) {
                    if (i != j && l.uplo == Uplo.LOWER != i > j) {
                        Trial.set(type, l.c.at(p), parts * (i + j * l.c.ld), Double.NaN);
                    }
                }
            }
        }
    }

    private static void iterate(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean guarded = l.guarded;
        boolean vectors = r.nextBoolean();
        if (!vectors && l.count == 1 && r.nextInt(3) == 0) {
            // Beyond what one block takes, and what it has of the matrix at a time.
            l.n = 500 + r.nextInt(100);
        }
        t.vector(l.a, type, l.n, 1, pointers);
        t.vector(l.b, type, Math.max(1, l.n - 1), 1, pointers);
        if (!guarded) {
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
        }
        if (vectors) {
            t.matrix(l.c, type, l.m, l.n, gap, pointers);
            t.vector(l.f, type, 2 * l.n, 1, false);
        }
        if (r.nextInt(5) == 0) {
            Trial.set(type, l.a.at(0), r.nextInt((int) l.n), Double.NaN);
        }
    }

    private static void divide(Trial t, ElementType type, int gap, Random r) {
        Launch l = t.l;
        l.guarded = false;
        l.n = 2 + r.nextInt(90);
        l.k = l.n < 8 ? r.nextInt(2) : 1 + r.nextInt(2);
        long n = l.n;
        t.vector(l.a, type, n, 1, false);
        t.vector(l.b, type, n - 1, 1, false);
        int sides = l.kernel == Kernel.BDSDC ? 2 : 1;
        t.matrix(l.c, type, n, sides * n, gap, false);
        long both = sides * (n * n + n * (n + 1));
        l.d.matrix(type, t.take(both * l.count * type.bytes()), n, n, n, both);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        vector(t, l.f, ElementType.I64, 6 * n + 16);
        vector(t, l.g, type, 8 * n + 16);
        if (r.nextInt(3) == 0) {
            // Much to set aside.
            for (long p = 0; p < l.count; p++) {
                for (long i = 0; i < n; i++) {
                    Trial.set(type, l.a.at(p), i, i % 3);
                }
            }
        }
        for (long p = 0; p < l.count && sides == 2; p++) {
            // The row and the column of zeros.
            Trial.set(type, l.a.at(p), n - 1, 0);
            Trial.set(type, l.b.at(p), n - 2, 0);
        }
        // What is set aside is where halves of different orders differ.
        int target = r.nextInt(3) == 0 ? Kernel.DEFLATE : r.nextInt(Kernel.SORT + 1);
        target = l.k == 0 && target > Kernel.LEAVES ? Kernel.SORT : target;
        long level = target > Kernel.LEAVES && target < Kernel.SORT ? r.nextInt((int) l.k) : l.k;
        run(l, Kernel.SPLIT, 0, target, level);
        run(l, Kernel.LEAVES, 0, target, level);
        for (long q = 0; q < l.k; q++) {
            for (int step = Kernel.DEFLATE; step <= Kernel.JOIN; step++) {
                run(l, step, q, target, level);
            }
        }
        l.p = target;
        l.q = level == l.k ? 0 : level;
    }

    private static void vector(Trial t, Operand o, ElementType type, long n) {
        long at = t.take(n * t.l.count * type.bytes());
        Memory.fill(at, n * t.l.count * type.bytes(), (byte) 0);
        o.vector(type, at, n, 1, n);
    }

    /** An earlier step than the one to be tried. */
    private static void run(Launch l, int step, long level, int target, long last) {
        boolean merge = step > Kernel.LEAVES;
        if (merge ? level < last || level == last && step < target : step < target) {
            l.p = step;
            l.q = level;
            PORTABLE.run(l);
        }
    }

    /** Eigenvalues far from each other, so that roundings do not exchange two of them; graded ones and NaN among them. */
    private static void jacobi(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.guarded = false;
        l.hermitian = type.isComplex();
        // Orders that lanes, warps and blocks have in registers, and one beyond; of that one sweep, since fibers are slow.
        int kind = r.nextInt(12);
        l.n = kind == 0 ? 65 + r.nextInt(5) : kind == 1 ? 33 + r.nextInt(32) : 1 + r.nextInt(kind < 5 ? 32 : 16);
        if (kind == 0 && r.nextInt(3) == 0) {
            l.n = BEYOND + r.nextInt(3);
            l.count = 1;
        }
        // Blocks that share a matrix turn its pairs in another order than the portable code, which takes those of a tile in its own: only the end is the same.
        boolean shared = kind % 4 == 3;
        if (shared) {
            l.n = 1 + r.nextInt(r.nextInt(4) == 0 ? 100 : 40);
            l.workBytes = JacobiWork.twoSidedElements(l.n) * type.bytes() * l.count;
            l.work = t.take(l.workBytes);
        }
        l.q = !otherOrder(l) && (kind == 0 || r.nextInt(6) == 0) ? 1 : 60;
        l.evect = r.nextInt(4) == 0 ? Evect.NONE : Evect.ORIGINAL;
        l.alpha.set(0, 0);
        long n = l.n;
        t.vector(l.a, type.real(), n, 1, pointers);
        t.matrix(l.b, type, n, n, gap, false);
        t.matrix(l.c, type, n, n, gap, pointers);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        t.vector(l.f, type.real(), 1, 1, pointers);
        t.vector(l.g, ElementType.I64, 1, 1, pointers);
        int parts = type.isComplex() ? 2 : 1;
        // Of equal values beyond the first twenty the vectors depend on the order of rotations.
        double each = r.nextInt(3) == 0 && !(otherOrder(l) && n > 20) ? 0.5 : 1;
        double size = r.nextInt(4) == 0 ? type.real() == ElementType.F32 ? 0x1p-100 : 0x1p-900 : 1;
        boolean missing = r.nextInt(8) == 0;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n * parts; i++) {
                    long at = j * l.c.ld * parts + i;
                    double scale = size * Math.pow(each, Math.min(20, j) + Math.min(20.0, (double) (i / parts)));
                    double x = Trial.get(type, l.c.at(p), at) / (4 * n);
                    Trial.set(type, l.c.at(p), at, (i == j * parts ? 1 + (each == 1 ? j : 0) : x) * scale);
                }
            }
            if (missing) {
                Trial.set(type, l.c.at(p), parts * r.nextInt((int) n) * (l.c.ld + 1), Double.NaN);
            }
        }
    }

    /** Eigenvalues about 1 apart; some matrices fall into blocks. */
    private static void bisection(Trial t, ElementType type, int gap, Random r) {
        Launch l = t.l;
        l.guarded = false;
        boolean vectors = l.kernel == Kernel.STEIN;
        long n = l.n = 1 + r.nextInt(24);
        t.vector(l.a, type, n, 1, false);
        t.vector(l.b, type, Math.max(1, n - 1), 1, false);
        double size = r.nextInt(4) == 0 ? type == ElementType.F32 ? 0x1p90 : 0x1p900 : 1;
        boolean falls = r.nextBoolean();
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < n; i++) {
                Trial.set(type, l.a.at(p), i, ((double) i + Trial.get(type, l.a.at(p), i) / 8) * size);
                if (i + 1 < n) {
                    double e = Trial.get(type, l.b.at(p), i) / 4;
                    Trial.set(type, l.b.at(p), i, falls && i % 5 == 3 ? 0 : e * size);
                }
            }
        }
        Operand w = vectors ? l.d : l.c;
        t.vector(w, type, n, 1, false);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        vector(t, l.f, type, 8 * n + 1);
        vector(t, l.g, ElementType.I64, 3 * n + 2);
        l.m = r.nextInt(3);
        l.k = r.nextInt(2);
        l.p = 1 + r.nextInt((int) n);
        l.q = l.p + r.nextInt((int) (n - l.p) + 1);
        l.alpha.set(size * 2.5, 0);
        l.beta.set(size * 9.5, 0);
        if (!vectors) {
            if (r.nextInt(6) == 0) {
                Trial.set(type, l.a.at(0), r.nextInt((int) n), Double.NaN);
            }
            return;
        }
        Launch before = new Launch().set(l);
        before.kernel = Kernel.STEBZ;
        before.c.set(l.d);
        before.d.clear();
        PORTABLE.run(before);
        l.p = 0;
        l.k = n;
        l.m = 1 + r.nextInt(2);
        t.matrix(l.c, type, n * l.m, n, gap, false);
    }

    private static void range(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        long n = l.n;
        boolean rows = l.opB != Op.NONE;
        l.m = r.nextInt(3);
        l.k = r.nextInt(2);
        l.p = r.nextInt((int) n + 1);
        l.q = l.p + r.nextInt((int) (n - l.p) + 1);
        l.alpha.set(-0.25, 0);
        l.beta.set(0.5, 0);
        t.vector(l.a, type.real(), n, 1, pointers);
        t.vector(l.g, ElementType.I64, 1, 1, pointers);
        if (r.nextInt(4) > 0) {
            // Singular vectors have as many elements as the matrix has rows or columns.
            long elements = l.backward ? n + r.nextInt(50) : n;
            long vectors = 1 + r.nextInt((int) n);
            t.matrix(l.b, type, rows ? n : elements, rows ? elements : n, gap, pointers);
            t.matrix(l.c, type, rows ? vectors : elements, rows ? elements : vectors, r.nextInt(3), pointers);
        }
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < n; i++) {
                Trial.set(type.real(), l.a.at(p), i, (l.backward ? -1 : 1) * (2.0 * i - n) / n);
            }
        }
    }

    /** Whether pairs come in another order than the portable code's. */
    private static boolean otherOrder(Launch l) {
        return l.workBytes > 0 || l.n > JacobiWork.SMALL && l.n <= TILE;
    }

    /** What is scratch at the end is not compared; nor is what roundings decide. */
    static void forget(Launch l, long away) {
        for (long p = 0; p < l.count; p++) {
            switch (l.kernel) {
                case SYEVJ -> {
                    copy(l.b, p, 0, away);
                    copy(l.f, p, 0, away);
                    copy(l.g, p, 0, away);
                    if (otherOrder(l) && l.type.isComplex() && l.evect != Evect.NONE) {
                        turn(l, p, away);
                    }
                }
                case STEIN, SB2ST, CHASED -> copy(l.f, p, 0, away);
                case STEQR -> {
                    if (l.c.present()) {
                        copy(l.f, p, 0, away);
                        turn(l, p, away);
                    }
                }
                case STEDC, BDSDC -> divided(l, p, away);
                case STEBZ -> {
                    copy(l.f, p, 0, away);
                    copy(l.g, p, 8 * (2 * l.n + 2), away);
                }
                default -> {
                    return;
                }
            }
        }
    }

    /** The phases of all vectors, here and there. */
    private static void turn(Launch l, long problem, long away) {
        Phases phases = new Phases(l.type);
        for (long j = 0; j < l.n; j++) {
            phases.of(l.c, l.c.at(problem), j).from(l.c, l.c.at(problem), j);
            phases.of(l.c, l.c.at(problem) + away, j).from(l.c, l.c.at(problem) + away, j);
        }
    }

    /** What leaves and merges of divide and conquer leave in words and numbers that the next step does not read. */
    private static void divided(Launch l, long problem, long away) {
        if (l.p == Kernel.LEAVES) {
            copy(l.g, problem, 0, away);
            if (l.kernel == Kernel.STEDC) {
                turn(l, problem, away);
            }
        }
        if (l.p == Kernel.DEFLATE && l.kernel == Kernel.BDSDC) {
            // Cosine and sine.
            long from = l.g.at(problem) + 5 * l.n * l.type.bytes();
            Memory.copy(from + away, from, 2 * l.n * l.type.bytes());
        }
        long words = l.f.at(problem);
        for (long i = 0; l.p == Kernel.DEFLATE && i < 1L << l.k - 1 - l.q; i++) {
            long first = (2 * i << l.q) * l.n >> l.k;
            long end = (2 * i + 2 << l.q) * l.n >> l.k;
            long half = l.n + (1L << l.k - l.q) - 1 >> l.k - l.q;
            long counts = words + 8 * (5 * l.n + i * (3 + 2 * ((2 * half + 255) / 256)));
            long kept = Math.min(Memory.i64(counts), Memory.i64(counts + away));
            for (int word : new int[] {0, 3, 4}) {
                long from = word == 0 ? first : first + kept;
                Memory.copy(words + 8 * (word * l.n + from) + away, words + 8 * (word * l.n + from), 8 * (end - from));
            }
        }
    }

    private static void copy(Operand o, long problem, long from, long away) {
        Memory.copy(o.at(problem) + from + away, o.at(problem) + from, o.spanBytes() - from);
    }
}
