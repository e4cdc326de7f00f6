package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.EdgeProbe.NAN;
import static dev.basalt.conformance.numbers.EdgeProbe.pivot;
import static dev.basalt.conformance.numbers.EdgeProbe.value;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.ClassicLevel3;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/** The edge cases of matrices and factorisations; the ids are those of {@code docs/edge-cases.md}. */
enum MatrixEdges implements EdgeCase {
    M01("14", p -> {
        MatrixView c = p.a(1, 1, 7);
        Blas.gemm(p.h, Op.NONE, Op.NONE, 0, p.a(1, 1, NAN), p.a(1, 1, NAN), 2, c);
        return p.text(c);
    }), M02("6", p -> {
        MatrixView c = p.a(1, 1, NAN);
        Blas.gemm(p.h, Op.NONE, Op.NONE, 1, p.a(1, 1, 2), p.a(1, 1, 3), 0, c);
        return p.text(c);
    }), M03("14", p -> {
        MatrixView c = p.a(1, 1, 7);
        Blas.gemm(p.h, Op.NONE, Op.NONE, NAN, p.a(1, 0), p.a(0, 1), 2, c);
        return p.text(c);
    }), M04("14", p -> {
        MatrixView c = p.a(1, 1, 7);
        Blas.gemm(p.h, Op.TRANS, Op.NONE, NAN, p.a(0, 1), p.a(0, 1), 2, c);
        return p.text(c);
    }), M05("NaN", p -> {
        MatrixView c = p.a(1, 1, 7);
        Blas.gemm(p.h, Op.NONE, Op.NONE, 1, p.a(1, 1, NAN), p.a(1, 1, 0), 1, c);
        return p.text(c);
    }), M06("NaN", p -> {
        MatrixView c = p.a(1, 1, NAN);
        Blas.gemm(p.h, Op.NONE, Op.NONE, 0, p.a(1, 1, 1), p.a(1, 1, 1), 1, c);
        return p.text(c);
    }),
    M07("SUCCESS", p -> ld(p, 0, 3, 0, 0)),
    M08("SUCCESS", p -> ld(p, 0, 0, 0, 0)),
    M09("INVALID_SIZE", p -> ld(p, 2, 3, 0, 2)),
    M10("14", p -> {
        MatrixView c = p.a(1, 1, 7);
        Blas.syrk(p.h, Uplo.UPPER, Op.NONE, 0, p.a(1, 1, NAN), 2, c);
        return p.text(c);
    }),
    M11("0", p -> {
        MatrixView c = p.a(1, 1, NAN);
        Blas.syrk(p.h, Uplo.UPPER, Op.NONE, NAN, p.a(1, 0), 0, c);
        return p.text(c);
    }),
    M12("NaN, 9, NaN, 1", p -> {
        MatrixView c = p.a(2, 2, 1, 9, 1, 1);
        Blas.syrk(p.h, Uplo.UPPER, Op.NONE, 1, p.a(2, 1, NAN, 0), 1, c);
        return p.text(c);
    }),
    M13("0, 0", p -> {
        MatrixView b = p.a(2, 1, NAN, NAN);
        Blas.trmm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, 0, p.a(2, 2, NAN, NAN, NAN, NAN), b, b);
        return p.text(b);
    }),
    M14("NaN, 2", p -> {
        MatrixView b = p.a(2, 1, 0, 2);
        Blas.trmm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, 1, p.a(2, 2, NAN, 9, 1, 1), b, b);
        return p.text(b);
    }),
    M15("3, 2", p -> {
        MatrixView b = p.a(2, 1, 1, 2);
        Blas.trmm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.UNIT, 1, p.a(2, 2, NAN, NAN, 1, NAN), b, b);
        return p.text(b);
    }),
    M16("0, 0", p -> {
        MatrixView b = p.a(2, 1, NAN, NAN);
        Blas.trsm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, 0, p.a(2, 2, NAN, NAN, NAN, NAN), b);
        return p.text(b);
    }),
    M17("not finite", p -> {
        MatrixView b = p.a(1, 1, 1);
        Blas.trsm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, 1, p.a(1, 1, 0), b);
        return p.finite(b.column(0));
    }),
    M18("NaN", p -> {
        MatrixView b = p.a(1, 1, 0);
        Blas.trsm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, 1, p.a(1, 1, 0), b);
        return p.text(b);
    }),
    M19("NaN", p -> {
        VectorView x = p.x(0.0);
        Blas.trsv(p.h, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, p.a(1, 1, 0), x);
        return p.text(x);
    }),
    M20("not finite", p -> {
        MatrixView a = p.a(1, 1, 0);
        Blas.trtri(p.h, Uplo.UPPER, Diag.NON_UNIT, a, a);
        return p.finite(a.column(0));
    }),
    M21("7, 9, -2, 8", p -> {
        MatrixView a = p.a(2, 2, 7, 9, 2, 8);
        Blas.trtri(p.h, Uplo.UPPER, Diag.UNIT, a, a);
        return p.text(a);
    }),
    M22("1, 9, -2, 1", p -> {
        MatrixView c = p.a(2, 2, 5, 9, 5, 5);
        Blas.trtri(p.h, Uplo.UPPER, Diag.UNIT, p.a(2, 2, 7, 9, 2, 8), c);
        return p.text(c);
    }),
    M23("pivot 2, info 0", p -> {
        VectorView pivots = p.pivots(1);
        VectorView info = p.info();
        Lapack.getrf(p.h, p.a(3, 1, 1, NAN, 2), pivots, info);
        return pivot(pivots) + ", info " + value(info);
    }),
    M24("info 1: 0, 0, 1, 2", p -> {
        VectorView info = p.info();
        MatrixView a = p.a(2, 2, 0, 0, 1, 2);
        Lapack.getrf(p.h, a, p.pivots(2), info);
        return "info " + value(info) + ": " + p.text(a);
    }),
    M25("info 1: 3, 4", p -> {
        VectorView info = p.info();
        MatrixView b = p.a(2, 1, 3, 4);
        Lapack.gesv(p.h, p.a(2, 2, 0, 0, 1, 2), p.pivots(2), b, info);
        return "info " + value(info) + ": " + p.text(b);
    }),
    M26("info 2", p -> cholesky(p, 1, NAN)),
    M27("info 2", p -> cholesky(p, 1, 0)),
    M28("info 1", p -> cholesky(p, NAN, 1)),
    M29("info 2: 3, 4", p -> {
        VectorView info = p.info();
        MatrixView b = p.a(2, 1, 3, 4);
        Lapack.posv(p.h, Uplo.LOWER, p.a(2, 2, 1, 0, 0, -1), b, info);
        return "info " + value(info) + ": " + p.text(b);
    }),
    M30("info 0", p -> {
        VectorView info = p.info();
        Lapack.potrf(p.h, Uplo.LOWER, p.a(0, 0), info);
        return "info " + value(info);
    }),
    M31("that column", p -> {
        MatrixView b = p.a(5, 2, 1, 1, NAN, 1, 1, 1, 1, 1, 1, 1);
        double[] ones = new double[25];
        Arrays.fill(ones, 1);
        Blas.trmm(p.h, Side.LEFT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, 1, p.a(5, 5, ones), b, b);
        boolean needed = p.text(b.column(0)).startsWith("NaN, NaN, NaN, ");
        return needed && p.text(b.column(1)).equals("5, 4, 3, 2, 1") ? "that column" : p.text(b);
    });

    private final String expected;
    private final EdgeCase.Probe probe;

    MatrixEdges(String expected, EdgeCase.Probe probe) {
        this.expected = expected;
        this.probe = probe;
    }

    @Override
    public String expected() {
        return expected;
    }

    @Override
    public String outcome(EdgeProbe p) {
        return probe.on(p);
    }

    /** C := A·B with m rows, n columns, k = 2 and leading dimensions of A and C; the classic name takes any. */
    private static String ld(EdgeProbe p, long m, long n, long lda, long ldc) {
        try {
            Status status = switch (p.type) {
                case F32 -> ClassicLevel3.sgemm(p.h, Op.NONE, Op.NONE, m, n, 2, 1, p.memory(), lda, p.memory(), 2, 0,
                        p.memory(), ldc);
                case F64 -> ClassicLevel3.dgemm(p.h, Op.NONE, Op.NONE, m, n, 2, 1, p.memory(), lda, p.memory(), 2, 0,
                        p.memory(), ldc);
                case C32 -> ClassicLevel3.cgemm(p.h, Op.NONE, Op.NONE, m, n, 2, p.c(1), p.memory(), lda, p.memory(), 2,
                        p.c(0), p.memory(), ldc);
                default -> ClassicLevel3.zgemm(p.h, Op.NONE, Op.NONE, m, n, 2, p.c(1), p.memory(), lda, p.memory(), 2,
                        p.c(0), p.memory(), ldc);
            };
            return status.toString();
        } catch (BlasException e) {
            return e.status().toString();
        }
    }

    private static String cholesky(EdgeProbe p, double first, double second) {
        VectorView info = p.info();
        Lapack.potrf(p.h, Uplo.LOWER, p.a(2, 2, first, 0, 0, second), info);
        return "info " + value(info);
    }
}
