package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.product.Syrk;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The unitary factor of a square matrix by Halley's iteration with dynamic weights (Nakatsukasa, Bai and Gygi, "Optimizing Halley's iteration for computing the matrix polar decomposition", 2010): X := X·(a + b·XᴴX)·(1 +
 * c·XᴴX)⁻¹, by QR while c is large and by Cholesky afterwards. Weights follow from a lower bound of the singular values, which is fixed here, so that nothing waits for the device. Values below the bound end
 * between 0 and 1 in place of at 1: they are rounding errors beside the largest one.
 */
final class Polar {
    /** From this weight on Cholesky would lose digits. */
    private static final double QR = 100;

    /** More steps than any bound takes. */
    private static final int MOST = 12;

    private static final long EACH = 8;
    private static final long UNIT = 2 * EACH;
    private static final long STATE = 4 * EACH;
    private static final long LINES = 5 * EACH;

    private Polar() {}

    /** Bytes for the norm of a matrix of order n and what it is made of, the number over it, and a state. */
    static long bytes(Call c, long n) {
        long count = c.args.count;
        return Math.addExact(Chunks.times(LINES, count), MatrixNorm.linesBytes(c.traits, n, n, count));
    }

    /** x := the unitary factor of a. The stack has room for two such matrices, and tau for the factors of n reflectors. */
    static void factor(Call c, Block a, Block x, long stack, Operand tau, long numbers) {
        Scope s = c.scope;
        long n = a.cols;
        double unit = c.args.type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        Operand state = s.part().vector(ElementType.I32, numbers + STATE * c.args.count, 1, 1, 2);
        unitNorm(c, a, x, state, numbers);
        double least = unit / Math.sqrt(n);
        for (int step = 0; step < MOST && 1 - least > 5 * unit; step++) {
            double square = least * least;
            double d = Math.cbrt(4 * (1 - square) / (square * square));
            double root = Math.sqrt(1 + d);
            double wa = root + Math.sqrt(8 - 4 * d + 8 * (2 - square) / (square * root)) / 2;
            double wb = (wa - 1) * (wa - 1) / 4;
            double wc = wa + wb - 1;
            int mark = s.mark();
            if (wc > QR) {
                orthogonal(c, x, stack, tau, wa, wb, wc);
            } else {
                definite(c, x, stack, state, wa, wb, wc);
            }
            s.release(mark);
            least = Math.min(1, least * (wa + wb * square) / (1 + wc * square));
        }
    }

    /** x := a over its Frobenius norm, which no singular value exceeds; state := 0 unless that is not finite. */
    private static void unitNorm(Call c, Block a, Block x, Operand state, long numbers) {
        Scope s = c.scope;
        long count = c.args.count;
        ElementType real = c.args.type.real();
        long reals = UNIT / real.bytes();
        Operand norm = s.part().vector(real, numbers, 1, 1, 1);
        long at = numbers + UNIT * count;
        long lines = MatrixNorm.linesBytes(c.traits, a.rows, a.cols, count) == 0 ? 0 : numbers + LINES * count;
        MatrixNorm.of(s, Norm.FRO, Structure.TRIANGULAR, a, a.rows, a.cols, norm, lines);
        Launch one = s.kernel(Kernel.FILL);
        one.n = 1;
        one.alpha.set(Scope.ONE);
        one.c.vector(c.args.type, at, 1, 1, UNIT / c.args.type.bytes());
        s.launch();
        Launch over = s.kernel(Kernel.RCOND);
        over.n = 1;
        over.p = 1;
        over.a.set(norm);
        over.d.vector(real, at, 1, 1, reals);
        over.e.set(state);
        s.launch();
        Launch scale = s.kernel(Kernel.DGMM);
        scale.side = Side.LEFT;
        scale.m = a.rows;
        scale.n = a.cols;
        a.into(scale.a);
        scale.b.vector(c.args.type, at, a.rows, 0, UNIT / c.args.type.bytes());
        x.into(scale.c);
        s.launch();
    }

    /** A step by QR of √c·x on top of the identity. */
    private static void orthogonal(Call c, Block x, long at, Operand tau, double wa, double wb, double wc) {
        Scope s = c.scope;
        long n = x.cols;
        Block stack = s.dense(at, 2 * n, n);
        sum(s, Math.sqrt(wc), x, Op.NONE, 0, x, stack.rows(0, n));
        identity(s, stack.rows(n, n));
        Reflectors.factor(c, stack, tau);
        Reflectors.form(c, stack, tau, n);
        s.gemm((wa - wb / wc) / Math.sqrt(wc), stack.rows(0, n), stack.rows(n, n).h(), wb / wc, x);
    }

    /** A step by Cholesky of 1 + c·xᴴx, which is well conditioned. */
    private static void definite(Call c, Block x, long at, Operand state, double wa, double wb, double wc) {
        Scope s = c.scope;
        long n = x.cols;
        c.args.uplo = Uplo.LOWER;
        Block z = s.dense(at, n, n).triangle(Uplo.LOWER, Diag.NON_UNIT);
        Block y = s.dense(at + Scope.squareBytes(c.args.type, n, c.args.count), n, n);
        Scalar weight = s.scratch();
        weight.set(wc, 0);
        identity(s, z);
        Syrk.update(c, true, 0, weight, x.h(), Scope.ONE, z);
        Potrf.factorInPlace(c, z, state, 0);
        s.guard = null;
        s.copy(x, y);
        Trsm.solve(s, Side.RIGHT, z.h(), y);
        Trsm.solve(s, Side.RIGHT, z, y);
        sum(s, wa - wb / wc, y, Op.NONE, wb / wc, x, x);
    }

    /** c := alpha·op(a) + beta·b. */
    static void sum(Scope s, double alpha, Block a, Op op, double beta, Block b, Block c) {
        Launch l = s.kernel(Kernel.GEAM);
        l.opA = op;
        l.m = c.rows;
        l.n = c.cols;
        l.alpha.set(alpha, 0);
        l.beta.set(beta, 0);
        a.into(l.a);
        b.into(l.b);
        c.into(l.c);
        s.launch();
    }

    private static void identity(Scope s, Block square) {
        Launch l = s.kernel(Kernel.LASET);
        l.m = square.rows;
        l.n = square.cols;
        l.alpha.set(Scope.ZERO);
        l.beta.set(Scope.ONE);
        square.into(l.c);
        s.launch();
    }
}
