package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** Runs the kernels of single reflectors, of triangles on top of matrices and of column pivoting: one call a problem. */
final class ReflectorKernels {
    private final Leaf[] leaves;
    private final PentagonLeaf[] pentagons;
    private final PivotingLeaf[] pivotings;

    ReflectorKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        leaves = new Leaf[] {s, d, c, z};
        pentagons = new PentagonLeaf[] {new SPentagon(s), new DPentagon(d), new CPentagon(c), new ZPentagon(z)};
        pivotings = new PivotingLeaf[] {new SPivoting(s), new DPivoting(d), new CPivoting(c), new ZPivoting(z)};
    }

    private static int letter(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 2;
            case C64 -> 3;
            default -> throw new IllegalArgumentException("no reflectors of " + type);
        };
    }

    /** Problems from…to-1. */
    void run(Launch l, long from, long to) {
        int t = letter(l.type);
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case CONJUGATE -> pentagons[t].conjugate(l.m(i), l.n(i), l.c.at(i), l.c.ld);
                case LARFG -> leaves[t].larfg(false, l.n(i), l.b.at(i), l.c.first(i), l.c.ld, l.d.at(i));
                case TPQRT2 -> factor(pentagons[t], l, i);
                case TPMQR2 -> apply(t, l, i);
                case PERMUTE_ROWS -> permute(leaves[t], l, i);
                case GEQP3 -> pivoted(leaves[t], pivotings[t], l, i);
                default -> pivoting(pivotings[t], l, i);
            }
        }
    }

    /** A number that only the device knows, kept between 0 and a limit. */
    private static long known(Launch l, long i, long most) {
        return l.f.present() ? Math.min(most, Math.max(0, i64(l.f.at(i)))) : most;
    }

    private static void factor(PentagonLeaf leaf, Launch l, long i) {
        boolean rows = l.opB != Op.NONE;
        long n = known(l, i, l.n(i));
        long m = l.b.present() ? l.m(i) : l.m(i) - n;
        long behind = l.c.at(i) + n * (rows ? l.c.ld : 1) * l.type.bytes();
        leaf.tpqrt2(rows, l.backward, l.conjugated, m, n, l.p, l.c.at(i), l.c.ld, l.b.present() ? l.b.at(i) : behind,
                l.b.present() ? l.b.ld : l.c.ld, l.d.at(i));
    }

    private void apply(int t, Launch l, long i) {
        long m = l.m(i);
        long order = l.side == Side.LEFT ? m : l.n(i);
        long k = known(l, i, l.k(i));
        long length = l.p;
        if (l.f.present()) {
            length = order - k;
            long first = l.c.at(i) + k * l.type.bytes();
            leaves[t].scalMatrix((k == 0 ? l.q : m) - k, l.n(i), 0, 0, first, l.c.ld);
        }
        long v = l.a.at(i) + (order - length) * l.a.ld * l.type.bytes();
        pentagons[t].tpmqr2(l.side, l.opA != Op.NONE, m, l.n(i), k, length, v, l.a.ld, l.d.at(i), l.c.at(i), l.c.ld);
    }

    private static void permute(Leaf leaf, Launch l, long i) {
        for (long r = 0; r < l.m(i); r++) {
            long to = i64(l.d.at(i) + 8 * r);
            if (to >= 1 && to <= l.m(i)) {
                long bytes = l.type.bytes();
                leaf.copy(l.n(i), l.a.at(i) + r * bytes, l.a.ld, l.c.at(i) + (to - 1) * bytes, l.c.ld);
            }
        }
    }

    /** All columns, each a panel of its own. */
    private static void pivoted(Leaf leaf, PivotingLeaf pivots, Launch l, long i) {
        long m = l.m(i);
        long n = l.n(i);
        long lda = l.c.ld;
        long norms = l.a.at(i);
        long f = l.b.at(i);
        long bytes = l.type.bytes();
        pivots.start(m, n, l.c.at(i), lda, l.f.at(i), norms);
        for (long j = 0; j < Math.min(m, n); j++) {
            long own = l.c.at(i) + (j + j * lda) * bytes;
            pivots.column(m, n, j, j, l.c.at(i), lda, f, n, l.d.at(i), l.f.at(i), norms);
            long behind = n - j - 1;
            if (behind > 0) {
                leaf.gemv(Op.CONJ_TRANS, m - j, behind, 1, 0, own + lda * bytes, lda, own, 1, 0, 0, f + bytes, 1);
            }
            pivots.row(m, n, j, j, l.c.at(i), lda, f, n, l.d.at(i), norms);
            leaf.ger(m - j - 1, behind, -1, 0, own + bytes, 1, f + bytes, 1, true, own + (lda + 1) * bytes, lda);
        }
    }

    private static void pivoting(PivotingLeaf leaf, Launch l, long i) {
        long a = l.a.at(i);
        long c = l.c.at(i);
        switch (l.kernel) {
            case GEQP3_START -> leaf.start(l.m(i), l.n(i), c, l.c.ld, l.f.at(i), a);
            case LAQPS_COLUMN ->
                leaf.column(l.m(i), l.n(i), l.p, l.q, c, l.c.ld, l.b.at(i), l.b.ld, l.d.at(i), l.f.at(i), a);
            case LAQPS_ROW -> leaf.row(l.m(i), l.n(i), l.p, l.q, c, l.c.ld, l.b.at(i), l.b.ld, l.d.at(i), a);
            case RANK -> i64(l.d.at(i), leaf.rank(l.n(i), l.alpha.re(), c, l.c.ld, a));
            default -> throw new IllegalArgumentException("column pivoting does not run " + l.kernel);
        }
    }
}
