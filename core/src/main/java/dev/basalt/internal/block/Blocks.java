package dev.basalt.internal.block;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Launches on blocks of matrices: the vocabulary in which composite routines are written. An operand and the row and column of a block in it name the block. */
public final class Blocks {
    public static final Scalar ZERO = scalar(0);
    public static final Scalar ONE = scalar(1);
    public static final Scalar MINUS_ONE = scalar(-1);

    private Blocks() {}

    private static Scalar scalar(double value) {
        Scalar s = new Scalar();
        s.set(value, 0);
        return s;
    }

    /** Order of the blocks in which level-3 composites walk over a special matrix: large enough for gemm to run at speed. */
    public static long outer(Call c) {
        return 4L * c.traits.block();
    }

    public static long squareBytes(ElementType type, long order, long count) {
        return Chunks.times(Chunks.times(order, order), type.bytes(), count);
    }

    /** C block := alpha·op(A block)·op(B block) + beta·C block, packing in the call's packing memory. */
    public static void gemm(
            Call c,
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            Scalar alpha,
            Operand a,
            long ai,
            long aj,
            Operand b,
            long bi,
            long bj,
            Scalar beta,
            Operand out,
            long ci,
            long cj) {
        if (m == 0 || n == 0) {
            return;
        }
        Launch l = c.kernel(Kernel.GEMM);
        l.opA = opA;
        l.opB = opB;
        l.m = m;
        l.n = n;
        l.k = k;
        l.alpha.set(alpha);
        l.beta.set(beta);
        l.a.block(a, ai, aj, opA == Op.NONE ? m : k, opA == Op.NONE ? k : m);
        l.b.block(b, bi, bj, opB == Op.NONE ? k : n, opB == Op.NONE ? n : k);
        l.c.block(out, ci, cj, m, n);
        l.work = c.packing;
        l.workBytes = c.packingBytes;
        c.launch();
    }

    /** C block := beta·C block. */
    public static void scale(Call c, Scalar beta, long m, long n, Operand out, long ci, long cj) {
        if (m == 0 || n == 0 || beta.is(1)) {
            return;
        }
        Launch l = c.kernel(Kernel.SCAL_MATRIX);
        l.m = m;
        l.n = n;
        l.beta.set(beta);
        l.c.block(out, ci, cj, m, n);
        c.launch();
    }

    public static void copy(Call c, long m, long n, Operand a, long ai, long aj, Operand out, long ci, long cj) {
        if (m == 0 || n == 0) {
            return;
        }
        Launch l = c.kernel(Kernel.COPY_MATRIX);
        l.m = m;
        l.n = n;
        l.a.block(a, ai, aj, m, n);
        l.c.block(out, ci, cj, m, n);
        c.launch();
    }

    /** Full block in the workspace := the special matrix on the diagonal of A from row and column {@code at}. */
    public static void expand(
            Call c, Uplo uplo, Diag diag, Structure structure, long n, Operand a, long at, Operand out) {
        Launch l = c.kernel(Kernel.EXPAND);
        l.uplo = uplo;
        l.diag = diag;
        l.structure = structure;
        l.n = n;
        l.a.block(a, at, at, n, n);
        l.c.block(out, 0, 0, n, n);
        c.launch();
    }

    /** Triangle of the C block := A + beta·C. */
    public static void addTriangle(
            Call c, Uplo uplo, boolean hermitian, long n, Operand a, long at, Scalar beta, Operand out, long ct) {
        Launch l = c.kernel(Kernel.ADD_TRIANGLE);
        l.uplo = uplo;
        l.hermitian = hermitian;
        l.n = n;
        l.beta.set(beta);
        l.a.block(a, at, at, n, n);
        l.c.block(out, ct, ct, n, n);
        c.launch();
    }

    /** One launch of a small triangular kernel (TRSM or TRMM) with the triangle at (at, at) of A. */
    public static void triangle(
            Call c,
            Kernel kernel,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            Scalar alpha,
            Operand a,
            long at,
            Operand b,
            long bi,
            long bj) {
        if (m == 0 || n == 0) {
            return;
        }
        Launch l = c.kernel(kernel);
        long order = side == Side.LEFT ? m : n;
        l.side = side;
        l.uplo = uplo;
        l.opA = op;
        l.diag = diag;
        l.m = m;
        l.n = n;
        l.alpha.set(alpha);
        l.a.block(a, at, at, order, order);
        l.c.block(b, bi, bj, m, n);
        l.work = c.packing;
        l.workBytes = c.packingBytes;
        c.launch();
    }

    /** The info array := 0. */
    public static void clearInfo(Call c) {
        Launch l = c.kernel(Kernel.FILL);
        l.type = ElementType.I32;
        l.guarded = false;
        l.e.clear();
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.set(c.args.e);
        c.launch();
    }

    /** What a quick return of a factorisation still does: info := 0, which must be there if there are problems. */
    public static void quickInfo(Call c) {
        if (c.args.count > 0) {
            c.requireOperand(4);
            clearInfo(c);
        }
    }

    /** A dense block of the workspace, one a problem. */
    public static Operand dense(Call c, Operand t, long address, long rows, long cols) {
        return t.matrix(c.args.type, address, rows, cols, rows, rows * cols);
    }
}
