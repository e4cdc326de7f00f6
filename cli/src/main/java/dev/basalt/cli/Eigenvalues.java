package dev.basalt.cli;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Uplo;

/** The eigenvalues of one symmetric or Hermitian matrix on a device. */
final class Eigenvalues {
    private final MatrixInput input;
    private final Workbench bench;
    private final Progress progress;
    private final boolean vectors;
    private final MatrixView a;
    private final MatrixView d;
    private final VectorView e;
    private final VectorView info;

    private Workbench.Run run;
    private double[] values;

    /**
     * Puts a matrix on a device.
     *
     * @param input a symmetric or Hermitian matrix
     * @param vectors whether vectors are wanted
     * @param bench device memory
     * @param progress is told what goes on
     */
    Eigenvalues(MatrixInput input, boolean vectors, Workbench bench, Progress progress) {
        this.input = input;
        this.bench = bench;
        this.progress = progress;
        this.vectors = vectors;
        DeviceArena arena = bench.arena();
        this.a = arena.matrix(input.type(), input.n(), input.n());
        this.d = arena.matrix(input.type().real(), input.n(), 1);
        this.e = arena.vector(input.type().real(), input.n());
        this.info = arena.vector(ElementType.I32, 1);
    }

    private void decompose(Handle handle) {
        Evect wanted = vectors ? Evect.ORIGINAL : Evect.NONE;
        if (input.type().isComplex()) {
            Lapack.heevd(handle, wanted, Uplo.LOWER, a, d.column(0), e, info);
        } else {
            Lapack.syevd(handle, wanted, Uplo.LOWER, a, d.column(0), e, info);
        }
    }

    /** The routine that runs. */
    String routine() {
        return input.type().isComplex() ? "heevd" : "syevd";
    }

    /** Computes values, and vectors if they are wanted. */
    void run() {
        Handle handle = bench.handle();
        progress.phase("copying to " + handle.device().name());
        new DeviceColumns(a).upload(input.a(), progress);
        progress.call("decomposing", handle, (double) input.n() * input.n(),
                Flops.symmetric(vectors, input.type().isComplex(), input.n()));
        run = bench.run(this::decompose);
        int[] outcome = new int[1];
        info.download(outcome);
        if (outcome[0] != 0) {
            throw new Failure(input.name() + ": the eigenvalues have not converged (info " + outcome[0] + ")");
        }
        values = new DeviceColumns(d).download().column(0);
    }

    /** The values, least first. */
    double[] values() {
        return values;
    }

    /** The vectors as columns, in the order of the values. */
    DenseMatrix vectors() {
        return new DeviceColumns(a).download();
    }

    /** What the call planned, used and took. */
    Workbench.Run outcome() {
        return run;
    }
}
