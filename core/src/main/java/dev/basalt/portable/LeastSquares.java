package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Launch;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** {@link dev.basalt.spi.Kernel#GELS}: norms, factors, solutions and their scales of one small problem, by the kernels of its type. */
final class LeastSquares {
    private LeastSquares() {}

    static void solve(NormLeaf norms, Launch l, long problem) {
        Leaf leaf = norms.leaf();
        boolean rows = l.opB != Op.NONE;
        long a = l.a.at(problem);
        long lda = l.a.ld;
        long tau = l.d.at(problem);
        long m = rows ? l.n : l.m;
        long n = rows ? l.m : l.n;
        int above = NormKernels.power(l.type, largest(norms, l.type, m, n, a, lda));
        scale(leaf, l.type, m, n, above, a, lda);
        leaf.geqr2(rows, false, l.m, l.n, a, lda, tau, 0, 0);
        long zero = leaf.zeroDiagonal(l.n, a, lda);
        i32(l.e.at(problem), (int) zero);
        if (zero == 0 && l.k > 0) {
            sides(norms, l, problem, above);
        }
        for (long j = 0; j < l.n && above != 0; j++) {
            long first = rows ? j : 0;
            long x = a + (first + j * lda) * l.type.bytes();
            NormKernels.scale(leaf, l.type, rows ? l.n - j : j + 1, -above, x);
        }
    }

    /** Solves with the factors of a matrix that was scaled. */
    private static void sides(NormLeaf norms, Launch l, long problem, int scaled) {
        Leaf leaf = norms.leaf();
        boolean rows = l.opB != Op.NONE;
        boolean least = l.opA == Op.NONE;
        long a = l.a.at(problem);
        long tau = l.d.at(problem);
        long c = l.c.at(problem);
        long known = least ? l.m : l.n;
        int own = NormKernels.power(l.type, largest(norms, l.type, known, l.k, c, l.c.ld));
        scale(leaf, l.type, known, l.k, own, c, l.c.ld);
        Uplo uplo = rows ? Uplo.LOWER : Uplo.UPPER;
        Op op = least == rows ? Op.CONJ_TRANS : Op.NONE;
        long behind = c + l.n * l.type.bytes();
        if (least) {
            leaf.orm2r(Side.LEFT, true, rows, false, l.m, l.k, l.n, a, l.a.ld, tau, c, l.c.ld);
            leaf.trsm(Side.LEFT, uplo, op, Diag.NON_UNIT, l.n, l.k, 1, 0, a, l.a.ld, c, l.c.ld);
            scale(leaf, l.type, l.m - l.n, l.k, -own, behind, l.c.ld);
        } else {
            leaf.trsm(Side.LEFT, uplo, op, Diag.NON_UNIT, l.n, l.k, 1, 0, a, l.a.ld, c, l.c.ld);
            leaf.scalMatrix(l.m - l.n, l.k, 0, 0, behind, l.c.ld);
            leaf.orm2r(Side.LEFT, false, rows, false, l.m, l.k, l.n, a, l.a.ld, tau, c, l.c.ld);
        }
        scale(leaf, l.type, least ? l.n : l.m, l.k, scaled - own, c, l.c.ld);
    }

    private static double largest(NormLeaf norms, ElementType type, long m, long n, long x, long ldx) {
        double largest = 0;
        for (long j = 0; j < n; j++) {
            largest = Math.max(largest, norms.largest(m, x + j * ldx * type.bytes(), 1));
        }
        return type.real() == ElementType.F32 ? (float) largest : largest;
    }

    private static void scale(Leaf leaf, ElementType type, long m, long n, int power, long x, long ldx) {
        for (long j = 0; j < n && power != 0; j++) {
            NormKernels.scale(leaf, type, m, power, x + j * ldx * type.bytes());
        }
    }
}
