package dev.basalt.cli;

import dev.basalt.Blas;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;

/** The singular value decomposition of one matrix on a device. */
final class SingularValues {
    private final MatrixInput input;
    private final Workbench bench;
    private final Progress progress;
    private final boolean vectors;
    private final int k;
    private final MatrixView a;
    private final MatrixView s;
    private final MatrixView u;
    private final MatrixView vt;
    private final VectorView e;
    private final VectorView info;

    private Workbench.Run run;
    private double[] values;

    /**
     * Puts a matrix on a device.
     *
     * @param input matrix
     * @param vectors whether vectors are wanted
     * @param bench device memory
     * @param progress is told what goes on
     */
    SingularValues(MatrixInput input, boolean vectors, Workbench bench, Progress progress) {
        this.input = input;
        this.bench = bench;
        this.progress = progress;
        this.vectors = vectors;
        DeviceArena arena = bench.arena();
        ElementType type = input.type();
        this.k = Math.min(input.m(), input.n());
        this.a = arena.matrix(type, input.m(), input.n());
        this.s = arena.matrix(type.real(), k, 1);
        this.u = vectors ? arena.matrix(type, input.m(), k) : null;
        this.vt = vectors ? arena.matrix(type, k, input.n()) : null;
        this.e = arena.vector(type.real(), Math.max(1, k - 1)).slice(0, k - 1);
        this.info = arena.vector(ElementType.I32, 1);
    }

    /** Divide and conquer takes a third of the time where there are vectors, and reports less where there are none. */
    private void decompose(Handle handle) {
        if (vectors) {
            Lapack.gesdd(handle, Svect.SINGULAR, Svect.SINGULAR, a, s.column(0), u, vt, info);
        } else {
            Lapack.gesvd(handle, Svect.NONE, Svect.NONE, a, s.column(0), u, vt, e, info);
        }
    }

    /** The routine that runs. */
    static String routine(boolean vectors) {
        return vectors ? "gesdd" : "gesvd";
    }

    /** Computes values, and vectors if they are wanted. */
    void run() {
        Handle handle = bench.handle();
        progress.phase("copying to " + handle.device().name());
        new DeviceColumns(a).upload(input.a(), progress);
        progress.call("decomposing", handle, (double) input.m() * input.n(),
                Flops.singular(vectors, input.type().isComplex(), input.m(), input.n()));
        run = bench.run(this::decompose);
        int[] outcome = new int[1];
        info.download(outcome);
        if (outcome[0] != 0) {
            throw new Failure(input.name() + ": the singular values have not converged: " + outcome[0] + " of "
                    + (k - 1) + " elements beside the diagonal have not become zero");
        }
        values = new DeviceColumns(s).download().column(0);
    }

    /** The values, largest first. */
    double[] values() {
        return values;
    }

    /** The first left vectors as columns. */
    DenseMatrix left(int count) {
        return new DeviceColumns(u.block(0, 0, input.m(), count)).download();
    }

    /** The conjugates of the first right vectors as rows. */
    DenseMatrix rightTransposed(int count) {
        return new DeviceColumns(vt.block(0, 0, count, input.n())).download();
    }

    /**
     * The pseudo-inverse, V S⁺ Uᴴ.
     *
     * @param rank how many values count as not 0
     */
    DenseMatrix pseudoInverse(int rank) {
        progress.phase("making the pseudo-inverse");
        if (rank == 0) {
            return zeros();
        }
        DenseMatrix scaled = left(rank);
        for (int j = 0; j < rank; j++) {
            double[] column = scaled.column(j);
            for (int i = 0; i < column.length; i++) {
                column[i] /= values[j];
            }
        }
        MatrixView us = u.block(0, 0, input.m(), rank);
        new DeviceColumns(us).upload(scaled, progress);
        MatrixView inverse = bench.arena().matrix(input.type(), input.n(), input.m());
        MatrixView rows = vt.block(0, 0, rank, input.n());
        Blas.gemm(bench.handle(), Op.CONJ_TRANS, Op.CONJ_TRANS, 1, rows, us, 0, inverse);
        return new DeviceColumns(inverse).download();
    }

    private DenseMatrix zeros() {
        int parts = input.type().isComplex() ? 2 : 1;
        return new DenseMatrix(input.n(), parts == 2, new double[input.m()][input.n() * parts]);
    }

    /** What the call planned, used and took. */
    Workbench.Run outcome() {
        return run;
    }
}
