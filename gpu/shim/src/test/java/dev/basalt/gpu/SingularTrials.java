package dev.basalt.gpu;

import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LabrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Random;

/** Launches of bidiagonal reductions and of their iteration. */
final class SingularTrials {
    /** Numbers of one block of an iteration, by the order. */
    private static final long NUMBERS = 6;

    /** Rows up to which lanes take pairs in the order of the portable code. */
    private static final int SAME_ORDER = 16;

    private final Trial t;
    private final Launch l;
    private final ElementType type;
    private final int gap;
    private final boolean pointers;
    private final Random r;

    SingularTrials(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        this.t = t;
        this.l = t.l;
        this.type = type;
        this.gap = gap;
        this.pointers = pointers;
        this.r = r;
    }

    void fill() {
        switch (l.kernel) {
            case GEBD2 -> reduction();
            case LABRD -> {
                t.vector(l.a, type.real(), 1, 1, pointers);
                t.vector(l.b, type, l.n, 1, pointers);
                t.vector(l.c, type, l.n, 1 + r.nextInt(3), pointers);
                t.vector(l.d, type, 1, 1, pointers);
                t.vector(l.g, type, l.n, 1, pointers);
            }
            case LABRD_PANEL -> panel();
            case GESVJ -> jacobi();
            case PSEUDO -> {
                l.alpha.set(r.nextInt(4) == 0 ? -1 : r.nextDouble(), 0);
                t.vector(l.a, type.real(), l.m, 1, pointers);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                t.vector(l.d, ElementType.I64, 1, 1, pointers);
                for (long p = 0; p < l.count; p++) {
                    Trial.set(type.real(), l.a.at(p), 0, 1);
                }
            }
            default -> iteration();
        }
    }

    private void reduction() {
        l.n = Math.min(l.n, 16);
        l.m = Math.min(l.m, 30);
        long m = Math.max(l.m, l.n);
        long n = Math.min(l.m, l.n);
        boolean turned = l.opB != Op.NONE;
        l.m = turned ? n : m;
        l.n = turned ? m : n;
        t.vector(l.a, type.real(), n, 1, pointers);
        t.vector(l.b, type.real(), n, 1, pointers);
        t.matrix(l.c, type, l.m, l.n, gap, pointers);
        t.vector(l.d, type, n, 1, pointers);
        t.vector(l.f, type, n, 1, pointers);
        t.vector(l.g, type, 3 * m, 1, false);
        l.workBytes = r.nextBoolean() ? LabrdWork.whole(m, n) * type.bytes() : 0;
        l.work = t.take(l.workBytes);
    }

    /** A panel that blocks share, some with a column after which all is zero, or numbers whose squares are not. */
    private void panel() {
        boolean tall = r.nextInt(12) == 0;
        l.n = tall ? 1 + r.nextInt(12) : 1 + r.nextInt(50);
        // Of columns that travel through shared memory threads have 8 or 16 rows; longer ones are read from memory.
        l.m = tall ? 600 + r.nextInt(r.nextInt(3) == 0 ? 5000 : 3000) : l.n + r.nextInt(80);
        if (!tall && r.nextInt(4) == 0) {
            // As the rows behind the first of a wide matrix are.
            l.m = 1 + r.nextInt((int) l.n);
        }
        l.count = tall ? 1 : l.count;
        l.k = 1 + r.nextInt((int) Math.min(Math.min(l.m, l.n), 12));
        t.vector(l.a, type.real(), l.k, 1, pointers);
        t.vector(l.b, type.real(), Math.max(1, Math.min(l.k, l.n - 1)), 1, pointers);
        t.matrix(l.c, type, l.m, l.n, gap, pointers);
        t.vector(l.d, type, l.k, 1, pointers);
        t.vector(l.f, type, l.k, 1, pointers);
        t.vector(l.g, type, 2 * l.k * (l.m + l.n), 1, pointers);
        dominate();
        boolean twice = type.real() == ElementType.F64;
        switch (r.nextInt(6)) {
            case 0 -> t.weights(l.c, twice ? 1e-180 : 1e-24);
            // Of large complex numbers one part may be all rounding.
            case 1 -> t.weights(l.c, type.isComplex() ? 1 : twice ? 1e180 : 1e24);
            case 2 -> t.weights(l.c, 0);
            default -> {}
        }
        // Room for some blocks, or for all that have something to do.
        long elements = LabrdWork.elements(l.m, l.n, l.k);
        long one = 2 * l.m + l.n + 4 * l.k + 4;
        l.workBytes = type.bytes() * (r.nextBoolean() ? elements : one + r.nextLong(Math.max(1, elements - one + 1)));
        l.work = t.take(l.workBytes);
    }

    /** Diagonals so large that the rest of the matrix, whose norm is about twice the root of m or n, makes no element of the bidiagonal matrix small: a small one makes all behind it depend on roundings. */
    private void dominate() {
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                for (long i = Math.max(0, j - 1); i <= Math.min(j, l.m - 1); i++) {
                    long at = (i + j * l.c.ld) * parts;
                    Trial.set(type, l.c.at(p), at,
                            Trial.get(type, l.c.at(p), at) + (i == j ? 6 : 3) * (1 + Math.sqrt(Math.max(l.m, l.n))));
                }
            }
        }
    }

    /** Values far from each other, so that rounding decides nothing; or a column of zeros. */
    private void jacobi() {
        l.guarded = false;
        // Rows that a few lanes or the warps of a block have, and some more.
        int kind = r.nextInt(4);
        l.n = kind == 0 ? 1 + r.nextInt(r.nextInt(3) == 0 ? 64 : 32) : Math.min(l.n, 14);
        l.m = l.n + (kind < 2 ? 0 : r.nextInt(kind == 2 ? 12 : 60));
        boolean shared = r.nextInt(3) == 0;
        if (shared) {
            // In another order, so that only the end is the same.
            l.workBytes = JacobiWork.oneSidedWords(l.n) * Long.BYTES * l.count;
            l.work = t.take(l.workBytes);
        }
        l.q = !otherOrder(l) && r.nextInt(6) == 0 ? 1 : 60;
        l.alpha.set(0, 0);
        boolean zeros = r.nextInt(4) == 0;
        t.vector(l.a, type.real(), l.n, 1, pointers);
        t.matrix(l.b, type, l.n, l.n, gap, pointers);
        t.matrix(l.c, type, l.m, l.n, gap, pointers);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        t.vector(l.f, type.real(), 1, 1, pointers);
        t.vector(l.g, ElementType.I64, 1, 1, pointers);
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                for (long i = 0; i < l.m * parts; i++) {
                    long at = j * l.c.ld * parts + i;
                    double x = Trial.get(type, l.c.at(p), at) / l.m;
                    double each = zeros && j == l.n / 2 ? 0 : Math.pow(0.5, (double) j);
                    Trial.set(type, l.c.at(p), at, (i == j * parts ? 2 : x) * each);
                }
            }
        }
    }

    private void iteration() {
        l.n = Math.min(l.n, 30);
        l.guarded = false;
        l.p = r.nextInt(3) == 0 ? 0 : 1 + r.nextInt(40);
        l.k = r.nextInt(3) == 0 ? 1 + r.nextInt(20) : 0;
        l.m = r.nextInt(3) == 0 ? 0 : l.m;
        if (r.nextInt(4) == 0) {
            // Values alone.
            l.m = 0;
            l.p = 0;
            l.k = 0;
        }
        l.q = l.m + l.p + l.k > 0 && r.nextInt(8) == 0 ? 1 : 0;
        boolean turned = l.opA != Op.NONE;
        if (l.m > 0) {
            t.matrix(l.a, type, turned ? l.m : l.n, turned ? l.n : l.m, gap, pointers);
        }
        if (l.p > 0) {
            t.matrix(l.b, type, l.p, l.n, gap, pointers);
        }
        if (l.k > 0) {
            t.matrix(l.c, type, l.n, l.k, gap, pointers);
        }
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        t.vector(l.f, type.real(), 2 * l.n, 1, pointers);
        long numbers = NUMBERS * l.n * (1 + r.nextInt(3));
        t.vector(l.g, type.real(), numbers, 1, pointers);
        for (long p = 0; p < l.count; p++) {
            graded(l.f, p, r.nextInt(5));
        }
    }

    private void graded(Operand o, long problem, int kind) {
        ElementType real = type.real();
        for (long i = 0; i < 2 * l.n; i++) {
            double x = Trial.get(real, o.at(problem), i);
            double y = switch (kind) {
                case 0 -> x * Math.pow(2, -(double) (i % l.n));
                case 1 -> r.nextInt(4) == 0 ? 0 : x;
                case 2 -> i == 3 ? Double.NaN : x;
                default -> x;
            };
            Trial.set(real, o.at(problem), i, y);
        }
    }

    /** What is scratch at the end is not compared: all but the values, and the elements beside the diagonal, of the first block. */
    static void forget(Launch l, long away) {
        if (l.kernel == Kernel.LABRD_PANEL) {
            for (Operand o : new Operand[] {l.a, l.b, l.c, l.g}) {
                for (long p = 0; p < l.count; p++) {
                    shrink(o, o.at(p));
                    shrink(o, o.at(p) + away);
                }
            }
            return;
        }
        if (l.kernel == Kernel.GESVJ) {
            // How small the last cosine is, and whether one sweep more finds nothing, rounding decides.
            for (long p = 0; p < l.count; p++) {
                Memory.copy(l.f.at(p) + away, l.f.at(p), l.f.spanBytes());
                Memory.copy(l.g.at(p) + away, l.g.at(p), l.g.spanBytes());
                if (otherOrder(l) && l.type.isComplex()) {
                    phases(l, p, 0);
                    phases(l, p, away);
                }
            }
            return;
        }
        boolean iteration = l.kernel == Kernel.BDSQR;
        for (long p = 0; p < l.count; p++) {
            long from = iteration ? 2 * l.n * l.g.type.bytes() : 0;
            Memory.copy(l.g.at(p) + from + away, l.g.at(p) + from, l.g.spanBytes() - from);
        }
    }

    /** Whether pairs come in another order than the portable code's. */
    private static boolean otherOrder(Launch l) {
        return l.workBytes > 0 || l.m > SAME_ORDER;
    }

    /** A column and its rotations have a phase together, but where the column is filled up. */
    private static void phases(Launch l, long problem, long away) {
        Phases phases = new Phases(l.type);
        for (long j = 0; j < l.n; j++) {
            phases.of(l.b, l.b.at(problem) + away, j);
            boolean full = Trial.get(l.type.real(), l.a.at(problem) + away, j) > 0;
            if (full) {
                phases.from(l.c, l.c.at(problem) + away, j);
            }
            phases.from(l.b, l.b.at(problem) + away, j);
            if (!full) {
                phases.of(l.c, l.c.at(problem) + away, j).from(l.c, l.c.at(problem) + away, j);
            }
        }
    }

    /** Numbers of a huge matrix become those of an ordinary one, so that small ones among them are compared with what is beside them. */
    private static void shrink(Operand o, long at) {
        boolean twice = o.type.real() == ElementType.F64;
        for (long i = 0; i < o.spanBytes() / o.type.real().bytes(); i++) {
            double x = Trial.get(o.type.real(), at, i);
            if (Math.abs(x) > (twice ? 1e90 : 1e12)) {
                Trial.set(o.type.real(), at, i, x / (twice ? 1e180 : 1e24));
            }
        }
    }
}
