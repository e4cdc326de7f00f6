package dev.basalt.cli;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How a system is solved: the calls that factor a matrix, and those that solve with its factors. */
enum Method {
    /** What {@link Choice} finds best. */
    AUTO("auto") {
        @Override
        void solve(Handle h, Op op, Operands o, MatrixView b) {
            throw new IllegalStateException("a method must be chosen");
        }
    },
    /** LU with partial pivoting: getrf and getrs. */
    LU("LU") {
        @Override
        void factor(Handle h, Operands o) {
            Lapack.getrf(h, o.a(), o.ipiv(), o.info());
        }

        @Override
        void solve(Handle h, Op op, Operands o, MatrixView b) {
            Lapack.getrs(h, op, o.a(), o.ipiv(), b);
        }
    },
    /** Cholesky: potrf and potrs; for Hermitian positive definite matrices, at half the cost. */
    CHOLESKY("Cholesky") {
        @Override
        void factor(Handle h, Operands o) {
            Lapack.potrf(h, Uplo.LOWER, o.a(), o.info());
        }

        // The matrix is its own conjugate transpose.
        @Override
        void solve(Handle h, Op op, Operands o, MatrixView b) {
            Lapack.potrs(h, Uplo.LOWER, o.a(), b);
        }
    },
    /** LDLᴴ with the pivots of Bunch and Kaufman: sytrf and sytrs, or hetrf and hetrs; for Hermitian matrices, at half the cost of LU. */
    LDL("LDL") {
        @Override
        void factor(Handle h, Operands o) {
            if (o.a().type().isComplex()) {
                Lapack.hetrf(h, Uplo.LOWER, o.a(), o.ipiv(), o.info());
            } else {
                Lapack.sytrf(h, Uplo.LOWER, o.a(), o.ipiv(), o.info());
            }
        }

        // The matrix is its own conjugate transpose.
        @Override
        void solve(Handle h, Op op, Operands o, MatrixView b) {
            if (o.a().type().isComplex()) {
                Lapack.hetrs(h, Uplo.LOWER, o.a(), o.ipiv(), b);
            } else {
                Lapack.sytrs(h, Uplo.LOWER, o.a(), o.ipiv(), b);
            }
        }
    },
    /** LU of a band: gbtrf and gbtrs. */
    BANDED("banded LU") {
        @Override
        void factor(Handle h, Operands o) {
            Lapack.gbtrf(h, o.band(), o.ipiv(), o.info());
        }

        @Override
        void solve(Handle h, Op op, Operands o, MatrixView b) {
            Lapack.gbtrs(h, op, o.band(), o.ipiv(), b);
        }
    },
    /** Least squares, or the solution of least norm, by QR or LQ: gels. */
    QR("QR") {
        @Override
        void factorAndSolve(Handle h, Operands o) {
            Lapack.gels(h, Op.NONE, o.a(), o.b(), o.info());
        }

        // With the triangle alone: it has the condition number of the matrix in the 2-norm.
        @Override
        void solve(Handle h, Op op, Operands o, MatrixView b) {
            Uplo uplo = o.a().rows() < o.a().cols() ? Uplo.LOWER : Uplo.UPPER;
            Blas.trsm(h, Side.LEFT, uplo, op, Diag.NON_UNIT, 1, o.triangle(), b);
        }
    },
    /** LU in single precision, refined to double precision: dsgesv and zcgesv. */
    MIXED("mixed", Lapack::gesvMixed),
    /** The same with products of TF32, and GMRES: dxgesv and zygesv. */
    MIXED_TF32("mixed, TF32", Lapack::gesvTf32),
    /** The same with products of halves, and GMRES: dhgesv and zkgesv. */
    MIXED_F16("mixed, F16", Lapack::gesvF16),
    /** The same with products of bfloat16, and GMRES: dbgesv and zegesv. */
    MIXED_BF16("mixed, BF16", Lapack::gesvBf16);

    /** A call that refines. */
    private interface Refined {
        Status run(Handle h, MatrixView a, VectorView ipiv, MatrixView b, MatrixView x, VectorView iter,
                VectorView info);
    }

    private final String label;

    // All of them are references to methods, which hold nothing.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Refined refined;

    Method(String label) {
        this(label, null);
    }

    Method(String label, Refined refined) {
        this.label = label;
        this.refined = refined;
    }

    /** Factors the matrix in place. */
    void factor(Handle h, Operands o) {
        throw new IllegalStateException(this + " factors and solves in one call");
    }

    /** Solves for b in place with the factors, or with their conjugate transpose. */
    void solve(Handle h, Op op, Operands o, MatrixView b) {
        throw new IllegalStateException("there are no factors to solve with");
    }

    /** Both in one call, where the method has one; else does nothing. */
    void factorAndSolve(Handle h, Operands o) {
        if (isMixed()) {
            refined.run(h, o.a(), o.ipiv(), o.given(), o.b(), o.iter(), o.info());
        }
    }

    /** Whether it refines solutions from factors of a lower precision. */
    boolean isMixed() {
        return refined != null;
    }

    /** Whether factors and solution come from one call. */
    boolean isOneCall() {
        return this == QR || isMixed();
    }

    /** Whether there are factors when it is done. */
    boolean leavesFactors() {
        return !isMixed();
    }

    /** Whether the matrix must have as many rows as columns. */
    boolean isSquare() {
        return this != QR;
    }

    /** The calls that solve a system, one after another, with those that estimate the condition number. */
    void calls(Handle h, Operands o) {
        if (isOneCall()) {
            factorAndSolve(h, o);
        } else {
            factor(h, o);
            solve(h, Op.NONE, o, o.b());
        }
        if (leavesFactors()) {
            solve(h, Op.NONE, o, o.x());
        }
        if (this == LU || this == BANDED || this == QR) {
            solve(h, Op.CONJ_TRANS, o, o.x());
        }
    }

    /** The names an option takes, but for some. */
    static List<String> names(Method... without) {
        return Arrays.stream(values())
                .filter(method -> !List.of(without).contains(method))
                .map(Method::option)
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** Those as a text. */
    static String accepted(Method... without) {
        List<String> names = names(without);
        String last = names.remove(names.size() - 1);
        return String.join(", ", names) + " and " + last;
    }

    private String option() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public String toString() {
        return label;
    }

    /** Reads a name. */
    static final class Converter implements ITypeConverter<Method>, Iterable<String> {
        Converter() {}

        @Override
        public Method convert(String text) {
            for (Method method : values()) {
                if (method.option().equals(text.toLowerCase(Locale.ROOT))) {
                    return method;
                }
            }
            throw new TypeConversionException("\"" + text + "\" is not a method; accepted are " + accepted());
        }

        /** What a shell completes. */
        @Override
        public Iterator<String> iterator() {
            return names().iterator();
        }
    }
}
