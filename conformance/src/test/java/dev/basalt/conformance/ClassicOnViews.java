package dev.basalt.conformance;

import static dev.basalt.conformance.ClassicOptions.K;
import static dev.basalt.conformance.ClassicOptions.M;
import static dev.basalt.conformance.ClassicOptions.N;
import static dev.basalt.conformance.ClassicOptions.NRHS;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.lang.reflect.Method;
import java.util.Arrays;

/** The call on views that a plain classic call stands for. */
final class ClassicOnViews {
    private final Method method;
    private final Handle h;
    private final ClassicMemory memory;
    private final ClassicOptions options;
    private final String family;
    private final boolean plainA;
    private final boolean plainB;
    private final boolean inPlace;

    ClassicOnViews(Method method, Handle handle, ClassicMemory memory, ClassicOptions options) {
        this.method = method;
        this.h = handle;
        this.memory = memory;
        this.options = options;
        this.family = ClassicMethods.family(method);
        this.plainA = options.transA() == Op.NONE;
        this.plainB = options.transB() == Op.NONE;
        this.inPlace =
                Arrays.stream(method.getParameters()).noneMatch(p -> p.getName().equals("c"));
    }

    private VectorView alpha() {
        return memory.scalar("alpha");
    }

    private VectorView beta() {
        return memory.scalar("beta");
    }

    private VectorView x() {
        return memory.vector("x", N);
    }

    private VectorView y() {
        return memory.vector("y", N);
    }

    private VectorView result() {
        return memory.dense("result", 1);
    }

    private VectorView ipiv() {
        return memory.dense("ipiv", Math.min(M, N));
    }

    private VectorView info() {
        return memory.dense("info", 1);
    }

    private MatrixView matrix(String name, long rows, long cols) {
        return memory.matrix(name, rows, cols);
    }

    private MatrixView square() {
        return matrix("a", N, N);
    }

    private MatrixView triangle() {
        long order = options.side() == Side.LEFT ? M : N;
        return matrix("a", order, order);
    }

    private MatrixView factor() {
        return matrix("a", plainA ? N : K, plainA ? K : N);
    }

    private MatrixView b() {
        return matrix("b", M, N);
    }

    private MatrixView c() {
        return matrix("c", M, N);
    }

    private MatrixView right() {
        return matrix("b", N, NRHS);
    }

    /** Runs it: a status, or the value of a reduction. */
    Object run() {
        if (ClassicMethods.returnsValue(method)) {
            return value();
        }
        return switch (family) {
            case "asum" -> Blas.asum(h, x(), result());
            case "nrm2" -> Blas.nrm2(h, x(), result());
            case "amax" -> Blas.iamax(h, x(), result());
            case "amin" -> Blas.iamin(h, x(), result());
            case "dot" -> Blas.dot(h, x(), y(), result());
            case "dotu" -> Blas.dotu(h, x(), y(), result());
            case "dotc" -> Blas.dotc(h, x(), y(), result());
            case "axpy" -> Blas.axpy(h, alpha(), x(), y());
            case "scal" -> Blas.scal(h, alpha(), x());
            case "copy" -> Blas.copy(h, x(), y());
            case "swap" -> Blas.swap(h, x(), y());
            case "rot" -> Blas.rot(h, x(), y(), memory.scalar("c"), memory.scalar("s"));
            case "gemv" ->
                Blas.gemv(
                        h,
                        options.transA(),
                        alpha(),
                        matrix("a", M, N),
                        memory.vector("x", plainA ? N : M),
                        beta(),
                        memory.vector("y", plainA ? M : N));
            case "ger" -> Blas.ger(h, alpha(), memory.vector("x", M), y(), matrix("a", M, N));
            case "geru" -> Blas.geru(h, alpha(), memory.vector("x", M), y(), matrix("a", M, N));
            case "gerc" -> Blas.gerc(h, alpha(), memory.vector("x", M), y(), matrix("a", M, N));
            case "symv" -> Blas.symv(h, options.uplo(), alpha(), square(), x(), beta(), y());
            case "hemv" -> Blas.hemv(h, options.uplo(), alpha(), square(), x(), beta(), y());
            case "trmv" -> Blas.trmv(h, options.uplo(), options.transA(), options.diag(), square(), x());
            case "trsv" -> Blas.trsv(h, options.uplo(), options.transA(), options.diag(), square(), x());
            case "gemm" ->
                Blas.gemm(
                        h,
                        options.transA(),
                        options.transB(),
                        alpha(),
                        matrix("a", plainA ? M : K, plainA ? K : M),
                        matrix("b", plainB ? K : N, plainB ? N : K),
                        beta(),
                        c());
            case "symm" -> Blas.symm(h, options.side(), options.uplo(), alpha(), triangle(), b(), beta(), c());
            case "hemm" -> Blas.hemm(h, options.side(), options.uplo(), alpha(), triangle(), b(), beta(), c());
            case "syrk" -> Blas.syrk(h, options.uplo(), options.transA(), alpha(), factor(), beta(), matrix("c", N, N));
            case "herk" -> Blas.herk(h, options.uplo(), options.transA(), alpha(), factor(), beta(), matrix("c", N, N));
            case "trmm" ->
                Blas.trmm(
                        h,
                        options.side(),
                        options.uplo(),
                        options.transA(),
                        options.diag(),
                        alpha(),
                        triangle(),
                        b(),
                        inPlace ? b() : c());
            case "trsm" ->
                Blas.trsm(
                        h, options.side(), options.uplo(), options.transA(), options.diag(), alpha(), triangle(), b());
            case "trtri" -> Blas.trtri(h, options.uplo(), options.diag(), square(), matrix("invA", N, N));
            case "getrf" -> Lapack.getrf(h, matrix("a", M, N), ipiv(), info());
            case "getrs" -> Lapack.getrs(h, options.transA(), square(), ipiv(), right());
            case "gesv" -> Lapack.gesv(h, square(), ipiv(), right(), info());
            case "potrf" -> Lapack.potrf(h, options.uplo(), square(), info());
            case "potrs" -> Lapack.potrs(h, options.uplo(), square(), right());
            case "posv" -> Lapack.posv(h, options.uplo(), square(), right(), info());
            default -> throw new AssertionError("no call on views for " + method);
        };
    }

    private Object value() {
        return switch (family) {
            case "asum" -> Blas.asum(h, x());
            case "nrm2" -> Blas.nrm2(h, x());
            case "amax" -> Blas.iamax(h, x());
            case "amin" -> Blas.iamin(h, x());
            case "dot" -> Blas.dot(h, x(), y());
            case "dotu" -> Blas.dotu(h, x(), y());
            case "dotc" -> Blas.dotc(h, x(), y());
            default -> throw new AssertionError(family);
        };
    }
}
