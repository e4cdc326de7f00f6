package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Pivoting;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/** Batches of the kernels of LDLᵀ: factorisations, solves and inverses of symmetric and Hermitian matrices, dense or packed. */
final class IndefiniteKernels {
    private final AasenLeaf s;
    private final AasenLeaf d;
    private final AasenLeaf c;
    private final AasenLeaf z;

    IndefiniteKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        this.s = new SBunchKaufman(s);
        this.d = new DBunchKaufman(d);
        this.c = new CBunchKaufman(c);
        this.z = new ZBunchKaufman(z);
    }

    private AasenLeaf of(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            default -> z;
        };
    }

    /** Runs some problems. */
    void run(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (!BatchedKernels.skips(l, i)) {
                run(l, i);
            }
        }
    }

    private void run(Launch l, long i) {
        AasenLeaf k = of(l.type);
        boolean upper = l.uplo == Uplo.UPPER;
        boolean solves = l.kernel == Kernel.SYTRS || l.kernel == Kernel.D22SOLVE;
        Operand matrix = solves ? l.a : l.c;
        long n = solves ? l.m : l.n;
        boolean rook = l.pivoting == Pivoting.ROOK;
        boolean packed = matrix.storage == Storage.PACKED;
        long step = packed ? n - 1 : matrix.ld;
        long growth = packed ? -1 : 0;
        long a = k.first(upper, n, matrix.at(i), step, growth);
        long ipiv = l.d.at(i);
        long c = l.c.at(i);
        switch (l.kernel) {
            case SYTF2 -> report(l, i, k.sytf2(upper, l.hermitian, rook, n, a, step, growth, ipiv));
            case LASYF -> report(l, i, k.lasyf(upper, l.hermitian, rook, n, l.p, l.q, a, step, l.a.at(i), l.b.at(i),
                    l.b.ld, ipiv, l.f.at(i)));
            case AASEN -> k.aasen(upper, l.hermitian, n, l.p, l.q, c, l.c.ld, l.a.present() ? l.a.at(i) : 0, l.b.at(i),
                    l.b.ld, ipiv);
            case SYCONV -> k.syconv(upper, rook, n, l.a.at(i), l.a.ld, ipiv, c, l.c.ld, l.f.at(i));
            case SYTRI -> inverse(k, l, i,
                    k.sytri(upper, l.hermitian, rook, n, a, step, growth, ipiv, l.q == 0 ? l.b.at(i) : 0), packed);
            case SYTRS ->
                solution(l, i, k.sytrs(upper, l.hermitian, rook, n, l.n, a, step, growth, ipiv, c, l.c.ld), k.leaf);
            default ->
                solution(l, i, k.blocks(upper, l.hermitian, rook, n, l.n, a, step, growth, ipiv, c, l.c.ld), k.leaf);
        }
    }

    private static void report(Launch l, long i, long info) {
        if (info != 0 && i32(l.e.at(i)) == 0) {
            i32(l.e.at(i), (int) info);
        }
    }

    /** Where pivots are wrong, half a solution would be a wrong answer in silence. */
    private static void solution(Launch l, long i, boolean right, Leaf leaf) {
        if (!right) {
            leaf.scalMatrix(l.m, l.n, Double.NaN, Double.NaN, l.c.at(i), l.c.ld);
        }
    }

    private static void inverse(SymmetricSolves k, Launch l, long i, long info, boolean packed) {
        boolean wrong = info == Long.MIN_VALUE;
        if (wrong && packed) {
            k.leaf.fill(l.n * (l.n + 1) / 2, Double.NaN, Double.NaN, l.c.at(i), 1);
        } else if (wrong) {
            k.leaf.scalTriangle(l.uplo, false, l.n, Double.NaN, Double.NaN, l.c.at(i), l.c.ld);
        }
        report(l, i, wrong ? packed ? Kernel.WRONG_PACKED : Kernel.WRONG_FACTORS : info);
    }
}
