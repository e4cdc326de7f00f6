package dev.basalt.benchmarks;

import dev.basalt.bench.Call;
import dev.basalt.bench.Form;
import dev.basalt.bench.Operands;
import dev.basalt.bench.Peer;
import dev.basalt.bench.Routine;
import dev.basalt.bench.Workload;
import dev.basalt.type.ElementType;
import dev.ludovic.netlib.blas.BLAS;
import dev.ludovic.netlib.blas.JavaBLAS;
import java.util.List;
import java.util.Random;
import org.ejml.data.DMatrixRMaj;
import org.ejml.dense.row.CommonOps_DDRM;
import org.ejml.dense.row.factory.DecompositionFactory_DDRM;
import org.ejml.interfaces.decomposition.CholeskyDecomposition_F64;
import org.ejml.interfaces.decomposition.LUDecomposition_F64;
import org.ojalgo.matrix.decomposition.Cholesky;
import org.ojalgo.matrix.decomposition.LU;
import org.ojalgo.matrix.store.R064Store;

/**
 * A library in Java without native code: netlib's VectorBLAS, EJML, ojAlgo, each on arrays of its own, in double, with what it has
 * of the square cases of the table. Factorisations that overwrite their input copy it first, inside the timing.
 */
final class JvmPeer implements Peer {
    /** The names of those that are known. */
    static final List<String> NAMES = List.of("vectorblas", "ejml", "ojalgo");

    private static final long SEED = 42;

    private final String name;

    JvmPeer(String name) {
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String description() {
        return switch (name) {
            case "vectorblas" -> "netlib " + JavaBLAS.getInstance().getClass().getSimpleName();
            case "ejml" -> "EJML, one thread";
            default -> "ojAlgo";
        };
    }

    @Override
    public Call[] bind(Workload w, Operands operands) {
        if (w.type != ElementType.F64 || w.form != Form.SINGLE) {
            return null;
        }
        Call call = switch (name) {
            case "vectorblas" -> vectorBlas(w);
            case "ejml" -> ejml(w);
            default -> ojAlgo(w);
        };
        return call == null ? null : new Call[] {call};
    }

    private static Call vectorBlas(Workload w) {
        BLAS blas = JavaBLAS.getInstance();
        int n = (int) w.n;
        boolean vectors = w.routine.ordinal() < Routine.GEMV.ordinal();
        double[] a = numbers(vectors ? 1 : n * n);
        double[] b = numbers(w.routine.ordinal() < Routine.GEMM.ordinal() ? n : n * n);
        double[] c = numbers(b.length);
        boolean positive = w.routine == Routine.TRSM || w.routine == Routine.TRSV;
        for (int i = 0; positive && i < n; i++) {
            for (int j = 0; j < n; j++) {
                a[i + j * n] = i == j ? 1 : a[i + j * n] / n;
            }
        }
        return switch (w.routine) {
            case DOT -> () -> blas.ddot(n, b, 1, c, 1);
            case NRM2 -> () -> blas.dnrm2(n, b, 1);
            case ASUM -> () -> blas.dasum(n, b, 1);
            case AXPY -> run(() -> blas.daxpy(n, 1, b, 1, c, 1));
            case ROT -> run(() -> blas.drot(n, b, 1, c, 1, 0.6, 0.8));
            case GEMM -> run(() -> blas.dgemm("N", "N", n, n, n, 1, a, n, b, n, 0, c, n));
            case SYMM -> run(() -> blas.dsymm("L", "L", n, n, 1, a, n, b, n, 0, c, n));
            case SYRK -> run(() -> blas.dsyrk("L", "N", n, n, 1, a, n, 0, c, n));
            case TRMM -> run(() -> blas.dtrmm("L", "L", "N", "U", n, n, 1, a, n, b, n));
            case TRSM -> run(() -> blas.dtrsm("L", "L", "N", "N", n, n, 1, a, n, b, n));
            default -> null;
        };
    }

    private static Call ejml(Workload w) {
        int n = (int) w.n;
        DMatrixRMaj a = new DMatrixRMaj(n, n);
        DMatrixRMaj b = new DMatrixRMaj(n, n);
        DMatrixRMaj c = new DMatrixRMaj(n, n);
        a.setData(matrix(w));
        b.setData(numbers(n * n));
        LUDecomposition_F64<DMatrixRMaj> lu = DecompositionFactory_DDRM.lu(n, n);
        CholeskyDecomposition_F64<DMatrixRMaj> cholesky = DecompositionFactory_DDRM.chol(n, true);
        return switch (w.routine) {
            case GEMM -> run(() -> CommonOps_DDRM.mult(a, b, c));
            case GETRF -> () -> {
                c.setTo(a);
                return lu.decompose(c) ? 1 : 0;
            };
            case POTRF -> () -> {
                c.setTo(a);
                return cholesky.decompose(c) ? 1 : 0;
            };
            default -> null;
        };
    }

    private static Call ojAlgo(Workload w) {
        int n = (int) w.n;
        R064Store a = R064Store.FACTORY.make(n, n);
        R064Store b = R064Store.FACTORY.make(n, n);
        R064Store c = R064Store.FACTORY.make(n, n);
        double[] values = matrix(w);
        double[] others = numbers(n * n);
        for (int i = 0; i < n * n; i++) {
            a.set(i, values[i]);
            b.set(i, others[i]);
        }
        LU<Double> lu = LU.R064.make(n, n);
        Cholesky<Double> cholesky = Cholesky.R064.make(n, n);
        return switch (w.routine) {
            case GEMM -> run(() -> c.fillByMultiplying(a, b));
            case GETRF -> () -> lu.decompose(a) ? 1 : 0;
            case POTRF -> () -> cholesky.decompose(a) ? 1 : 0;
            default -> null;
        };
    }

    private static Call run(Runnable call) {
        return () -> {
            call.run();
            return 0;
        };
    }

    /** Symmetric and positive definite for potrf. */
    private static double[] matrix(Workload w) {
        int n = (int) w.n;
        double[] values = numbers(n * n);
        for (int i = 0; w.routine == Routine.POTRF && i < n; i++) {
            for (int j = 0; j < i; j++) {
                values[i + j * n] = values[j + i * n];
            }
            values[i + i * n] += 2 * n;
        }
        return values;
    }

    private static double[] numbers(int count) {
        return new Random(SEED).doubles(count, -1, 1).toArray();
    }
}
