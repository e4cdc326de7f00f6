package dev.basalt.conformance.memory;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Every routine of the first slice as one call on {@link Operands}, for suites that run over all of them. */
enum Routines {
    DOT((h, o) -> {
        int n = 20 * o.dim();
        VectorView x = o.vector(n);
        VectorView y = o.vector(n);
        VectorView r = o.perProblem(o.type);
        return o.type.isComplex() ? Blas.dotc(h, x, y, r) : Blas.dot(h, x, y, r);
    }),
    ASUM((h, o) -> Blas.asum(h, o.vector(20L * o.dim()), o.perProblem(o.type.real()))),
    NRM2((h, o) -> Blas.nrm2(h, o.vector(20L * o.dim()), o.perProblem(o.type.real()))),
    IAMAX((h, o) -> Blas.iamax(h, o.vector(o.dim()), o.perProblem(ElementType.I64))),
    IAMIN((h, o) -> Blas.iamin(h, o.vector(o.dim()), o.perProblem(ElementType.I64))),
    AXPY((h, o) -> {
        int n = o.dim();
        return Blas.axpy(h, o.scalar(), o.vector(n), o.vector(n));
    }),
    SCAL((h, o) -> Blas.scal(h, o.scalar(), o.vector(o.dim()))),
    COPY((h, o) -> {
        int n = o.dim();
        return Blas.copy(h, o.vector(n), o.vector(n));
    }),
    SWAP((h, o) -> {
        int n = o.dim();
        return Blas.swap(h, o.vector(n), o.vector(n));
    }),
    ROT((h, o) -> {
        int n = o.dim();
        return Blas.rot(h, o.vector(n), o.vector(n), o.scalar(), o.scalar());
    }),
    GEMV((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        Op op = o.op();
        boolean plain = op == Op.NONE;
        return Blas.gemv(
                h, op, o.scalar(), o.matrix(m, n), o.vector(plain ? n : m), o.scalar(), o.vector(plain ? m : n));
    }),
    GER((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        MatrixView a = o.matrix(m, n);
        return Blas.gerc(h, o.scalar(), o.vector(m), o.vector(n), a);
    }),
    SYMV((h, o) -> {
        int n = o.dim();
        return Blas.symv(h, o.uplo(), o.scalar(), o.matrix(n, n), o.vector(n), o.scalar(), o.vector(n));
    }),
    HEMV((h, o) -> {
        int n = o.dim();
        Uplo uplo = o.uplo();
        return o.type.isComplex()
                ? Blas.hemv(h, uplo, o.scalar(), o.matrix(n, n), o.vector(n), o.scalar(), o.vector(n))
                : Blas.symv(h, uplo, o.scalar(), o.matrix(n, n), o.vector(n), o.scalar(), o.vector(n));
    }),
    TRMV((h, o) -> {
        int n = o.dim();
        return Blas.trmv(h, o.uplo(), o.op(), o.diag(), o.dominant(n), o.vector(n));
    }),
    TRSV((h, o) -> {
        int n = o.dim();
        return Blas.trsv(h, o.uplo(), o.op(), Diag.NON_UNIT, o.dominant(n), o.vector(n));
    }),
    GEMM((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        int k = o.dim();
        Op ta = o.op();
        Op tb = o.op();
        MatrixView a = ta == Op.NONE ? o.matrix(m, k) : o.matrix(k, m);
        MatrixView b = tb == Op.NONE ? o.matrix(k, n) : o.matrix(n, k);
        return Blas.gemm(h, ta, tb, o.scalar(), a, b, o.scalar(), o.matrix(m, n));
    }),
    SYMM((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        Side side = o.side();
        int k = side == Side.LEFT ? m : n;
        return Blas.symm(h, side, o.uplo(), o.scalar(), o.matrix(k, k), o.matrix(m, n), o.scalar(), o.matrix(m, n));
    }),
    SYRK((h, o) -> {
        int n = o.dim();
        int k = o.dim();
        boolean plain = o.random.nextBoolean();
        MatrixView a = plain ? o.matrix(n, k) : o.matrix(k, n);
        return Blas.syrk(h, o.uplo(), plain ? Op.NONE : Op.TRANS, o.scalar(), a, o.scalar(), o.matrix(n, n));
    }),
    HERK((h, o) -> {
        int n = o.dim();
        int k = o.dim();
        MatrixView a = o.matrix(n, k);
        MatrixView c = o.matrix(n, n);
        return o.type.isComplex()
                ? Blas.herk(h, o.uplo(), Op.NONE, o.scalar(), a, o.scalar(), c)
                : Blas.syrk(h, o.uplo(), Op.NONE, o.scalar(), a, o.scalar(), c);
    }),
    TRMM((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        Side side = o.side();
        MatrixView a = o.dominant(side == Side.LEFT ? m : n);
        MatrixView b = o.matrix(m, n);
        MatrixView c = o.random.nextBoolean() ? b : o.matrix(m, n);
        return Blas.trmm(h, side, o.uplo(), o.op(), o.diag(), o.scalar(), a, b, c);
    }),
    TRSM((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        Side side = o.side();
        MatrixView a = o.dominant(side == Side.LEFT ? m : n);
        return Blas.trsm(h, side, o.uplo(), o.op(), Diag.NON_UNIT, o.scalar(), a, o.matrix(m, n));
    }),
    TRTRI((h, o) -> {
        int n = o.dim();
        MatrixView a = o.dominant(n);
        MatrixView inverse = o.random.nextBoolean() ? a : o.matrix(n, n);
        return Blas.trtri(h, o.uplo(), Diag.NON_UNIT, a, inverse);
    }),
    GETRF((h, o) -> {
        int m = o.dim();
        int n = o.dim();
        VectorView pivots = o.vector(ElementType.I64, Math.min(m, n));
        return Lapack.getrf(h, o.matrix(m, n), pivots, o.perProblem(ElementType.I32));
    }),
    GETRS((h, o) -> {
        int n = o.dim();
        // Pivots that exchange each row with itself: the factors need not come from getrf.
        VectorView pivots = identity(o.vector(ElementType.I64, n));
        MatrixView a = o.dominant(n);
        MatrixView b = o.matrix(n, o.dim());
        return o.random.nextBoolean()
                ? Lapack.getrs(h, o.op(), a, pivots, b)
                : Lapack.getrs(h, o.op(), a, pivots, b, o.perProblem(ElementType.I32));
    }),
    GESV((h, o) -> {
        int n = o.dim();
        VectorView pivots = o.vector(ElementType.I64, n);
        return Lapack.gesv(h, o.dominant(n), pivots, o.matrix(n, o.dim()), o.perProblem(ElementType.I32));
    }),
    POTRF((h, o) -> Lapack.potrf(h, o.uplo(), o.dominant(o.dim()), o.perProblem(ElementType.I32))),
    POTRS((h, o) -> {
        int n = o.dim();
        return Lapack.potrs(h, o.uplo(), o.dominant(n), o.matrix(n, o.dim()));
    }),
    POSV((h, o) -> {
        int n = o.dim();
        return Lapack.posv(h, o.uplo(), o.dominant(n), o.matrix(n, o.dim()), o.perProblem(ElementType.I32));
    });

    /** A call. */
    @FunctionalInterface
    interface Body {
        Status run(Handle handle, Operands operands);
    }

    private final Body body;

    Routines(Body body) {
        this.body = body;
    }

    Status run(Handle handle, Operands operands) {
        return body.run(handle, operands);
    }

    private static VectorView identity(VectorView pivots) {
        if (pivots.pointer() != null) {
            long[] rows = new long[(int) (pivots.size() * pivots.count())];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = 1 + i % pivots.size();
            }
            pivots.upload(rows);
        }
        return pivots;
    }
}
