package dev.basalt.bench;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Binds workloads to Basalt's public API, as a user would call it. */
public final class BasaltCalls {
    private final Handle handle;
    private final Workload w;
    private final Operands.Copy o;
    private final MatrixView a;
    private final MatrixView b;
    private final MatrixView c;
    private final VectorView x;
    private final VectorView y;
    private final boolean complex;
    private final double alpha;
    private final double beta;
    private final Complex zAlpha;
    private final Complex zBeta;

    private BasaltCalls(Handle handle, Workload w, Operands.Copy o) {
        this.handle = handle;
        this.w = w;
        this.o = o;
        a = o.matrix(Slot.Name.A);
        b = o.matrix(Slot.Name.B);
        c = o.matrix(Slot.Name.C);
        x = o.vector(Slot.Name.X);
        y = o.vector(Slot.Name.Y);
        complex = w.type.isComplex();
        alpha = w.alpha.re();
        beta = w.beta.re();
        zAlpha = w.alpha;
        zBeta = w.beta;
    }

    /**
     * One call for each copy of the operands.
     *
     * @param handle handle
     * @param workload routine and arguments
     * @param operands operands of the workload
     * @return calls
     */
    public static Call[] bind(Handle handle, Workload workload, Operands operands) {
        Call[] calls = new Call[operands.count()];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new BasaltCalls(handle, workload, operands.copy(i)).call(operands.resultsOnDevice());
        }
        return calls;
    }

    private Call call(boolean onDevice) {
        return switch (w.routine) {
            case ASUM, DOT, DOTC, IAMAX, IAMIN, NRM2 -> w.form == Form.SINGLE && !onDevice ? reduction() : reductions();
            case AXPY, COPY, ROT, SCAL, SWAP -> elementwise();
            case GEMV, GER, GERC, SYMV, HEMV, TRMV, TRSV -> matrixVector();
            case GEMM, SYMM, HEMM, SYRK, HERK, TRMM, TRSM, TRTRI -> matrixMatrix();
            case GETRF, GETRS, GESV, POTRF, POTRS, POSV -> system();
        };
    }

    private Call reduction() {
        return switch (w.routine) {
            case ASUM -> () -> Blas.asum(handle, x);
            case NRM2 -> () -> Blas.nrm2(handle, x);
            case IAMAX -> () -> Blas.iamax(handle, x);
            case IAMIN -> () -> Blas.iamin(handle, x);
            case DOTC -> () -> Blas.dotc(handle, x, y).re();
            default -> complex ? () -> Blas.dotu(handle, x, y).re() : () -> Blas.dot(handle, x, y);
        };
    }

    private Call reductions() {
        VectorView results = o.results;
        return switch (w.routine) {
            case ASUM -> () -> Blas.asum(handle, x, results).ordinal();
            case NRM2 -> () -> Blas.nrm2(handle, x, results).ordinal();
            case IAMAX -> () -> Blas.iamax(handle, x, results).ordinal();
            case IAMIN -> () -> Blas.iamin(handle, x, results).ordinal();
            case DOTC -> () -> Blas.dotc(handle, x, y, results).ordinal();
            default -> complex
                    ? () -> Blas.dotu(handle, x, y, results).ordinal()
                    : () -> Blas.dot(handle, x, y, results).ordinal();
        };
    }

    private Call elementwise() {
        return switch (w.routine) {
            case COPY -> () -> Blas.copy(handle, x, y).ordinal();
            case SWAP -> () -> Blas.swap(handle, x, y).ordinal();
            case ROT -> rotation();
            case SCAL ->
                complex ? () -> Blas.scal(handle, zAlpha, x).ordinal() : () -> Blas.scal(handle, alpha, x).ordinal();
            default -> complex
                    ? () -> Blas.axpy(handle, zAlpha, x, y).ordinal()
                    : () -> Blas.axpy(handle, alpha, x, y).ordinal();
        };
    }

    private Call rotation() {
        double cosine = w.cosine.re();
        double sine = w.sine.re();
        Complex zSine = w.sine;
        return complex
                ? () -> Blas.rot(handle, x, y, cosine, zSine).ordinal()
                : () -> Blas.rot(handle, x, y, cosine, sine).ordinal();
    }

    private Call matrixVector() {
        Op op = w.transA;
        Uplo uplo = w.uplo;
        Diag diag = w.diag;
        return switch (w.routine) {
            case GEMV -> complex
                    ? () -> Blas.gemv(handle, op, zAlpha, a, x, zBeta, y).ordinal()
                    : () -> Blas.gemv(handle, op, alpha, a, x, beta, y).ordinal();
            case GER -> complex
                    ? () -> Blas.geru(handle, zAlpha, x, y, a).ordinal()
                    : () -> Blas.ger(handle, alpha, x, y, a).ordinal();
            case GERC -> () -> Blas.gerc(handle, zAlpha, x, y, a).ordinal();
            case SYMV -> complex
                    ? () -> Blas.symv(handle, uplo, zAlpha, a, x, zBeta, y).ordinal()
                    : () -> Blas.symv(handle, uplo, alpha, a, x, beta, y).ordinal();
            case HEMV -> () -> Blas.hemv(handle, uplo, zAlpha, a, x, zBeta, y).ordinal();
            case TRMV -> () -> Blas.trmv(handle, uplo, op, diag, a, x).ordinal();
            default -> () -> Blas.trsv(handle, uplo, op, diag, a, x).ordinal();
        };
    }

    private Call matrixMatrix() {
        Op op = w.transA;
        Op opB = w.transB;
        Side side = w.side;
        Uplo uplo = w.uplo;
        Diag diag = w.diag;
        return switch (w.routine) {
            case GEMM -> complex
                    ? () -> Blas.gemm(handle, op, opB, zAlpha, a, b, zBeta, c).ordinal()
                    : () -> Blas.gemm(handle, op, opB, alpha, a, b, beta, c).ordinal();
            case SYMM -> complex
                    ? () -> Blas.symm(handle, side, uplo, zAlpha, a, b, zBeta, c).ordinal()
                    : () -> Blas.symm(handle, side, uplo, alpha, a, b, beta, c).ordinal();
            case HEMM -> () -> Blas.hemm(handle, side, uplo, zAlpha, a, b, zBeta, c).ordinal();
            case SYRK -> complex
                    ? () -> Blas.syrk(handle, uplo, op, zAlpha, a, zBeta, c).ordinal()
                    : () -> Blas.syrk(handle, uplo, op, alpha, a, beta, c).ordinal();
            case HERK -> () -> Blas.herk(handle, uplo, op, alpha, a, beta, c).ordinal();
            case TRMM -> complex
                    ? () -> Blas.trmm(handle, side, uplo, op, diag, zAlpha, a, b, b).ordinal()
                    : () -> Blas.trmm(handle, side, uplo, op, diag, alpha, a, b, b).ordinal();
            case TRSM -> complex
                    ? () -> Blas.trsm(handle, side, uplo, op, diag, zAlpha, a, b).ordinal()
                    : () -> Blas.trsm(handle, side, uplo, op, diag, alpha, a, b).ordinal();
            default -> () -> Blas.trtri(handle, uplo, diag, a, a).ordinal();
        };
    }

    private Call system() {
        Op op = w.transA;
        Uplo uplo = w.uplo;
        VectorView pivots = o.pivots;
        VectorView info = o.info;
        return switch (w.routine) {
            case GETRF -> () -> Lapack.getrf(handle, a, pivots, info).ordinal();
            case GETRS -> () -> Lapack.getrs(handle, op, a, pivots, b).ordinal();
            case GESV -> () -> Lapack.gesv(handle, a, pivots, b, info).ordinal();
            case POTRF -> () -> Lapack.potrf(handle, uplo, a, info).ordinal();
            case POTRS -> () -> Lapack.potrs(handle, uplo, a, b).ordinal();
            default -> () -> Lapack.posv(handle, uplo, a, b, info).ordinal();
        };
    }
}
