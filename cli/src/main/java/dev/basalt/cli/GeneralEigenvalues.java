package dev.basalt.cli;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import java.util.Comparator;
import java.util.stream.IntStream;

/** The eigenvalues of one general matrix on a device. With vectors it computes the left ones, too: their angles with the right ones are the condition of the values. */
final class GeneralEigenvalues {
    private final MatrixInput input;
    private final Workbench bench;
    private final Progress progress;
    private final MatrixView a;
    private final MatrixView left;
    private final MatrixView right;
    private final MatrixView w;
    private final VectorView info;

    private Workbench.Run run;
    private double[] re;
    private double[] im;
    private int[] order;

    /**
     * Puts a matrix on a device.
     *
     * @param input a square matrix
     * @param vectors whether vectors are wanted
     * @param bench device memory
     * @param progress is told what goes on
     */
    GeneralEigenvalues(MatrixInput input, boolean vectors, Workbench bench, Progress progress) {
        this.input = input;
        this.bench = bench;
        this.progress = progress;
        DeviceArena arena = bench.arena();
        ElementType type = input.type();
        int n = input.n();
        this.a = arena.matrix(type, n, n);
        this.left = vectors ? arena.matrix(type, n, n) : null;
        this.right = vectors ? arena.matrix(type, n, n) : null;
        this.w = arena.matrix(type, n, type.isComplex() ? 1 : 2);
        this.info = arena.vector(ElementType.I32, 1);
    }

    private void decompose(Handle handle) {
        Evect wanted = right != null ? Evect.ORIGINAL : Evect.NONE;
        if (input.type().isComplex()) {
            Lapack.geev(handle, wanted, wanted, a, w.column(0), left, right, info);
        } else {
            Lapack.geev(handle, wanted, wanted, a, w.column(0), w.column(1), left, right, info);
        }
    }

    /** Computes values, and vectors if they are wanted. */
    void run() {
        Handle handle = bench.handle();
        progress.phase("copying to " + handle.device().name());
        new DeviceColumns(a).upload(input.a(), progress);
        progress.call("decomposing", handle, (double) input.n() * input.n(),
                Flops.general(right != null, input.type().isComplex(), input.n()));
        run = bench.run(this::decompose);
        int[] outcome = new int[1];
        info.download(outcome);
        if (outcome[0] != 0) {
            throw new Failure(input.name() + ": the eigenvalues have not converged: only " + (input.n() - outcome[0])
                    + " of " + input.n() + " have (info " + outcome[0] + ")");
        }
        DenseMatrix values = new DeviceColumns(w).download();
        re = new double[input.n()];
        im = new double[input.n()];
        for (int i = 0; i < re.length; i++) {
            re[i] = values.isComplex() ? values.column(0)[2 * i] : values.column(0)[i];
            im[i] = values.isComplex() ? values.column(0)[2 * i + 1] : values.column(1)[i];
        }
        order = IntStream.range(0, re.length)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> re[i]).thenComparingDouble(i -> im[i]))
                .mapToInt(i -> i)
                .toArray();
    }

    /**
     * Which values are wanted.
     *
     * @param k how many
     * @return their places: all by their real and then imaginary parts, least first; of fewer those of largest modulus, largest first
     */
    int[] chosen(int k) {
        if (k == order.length) {
            return order.clone();
        }
        return IntStream.of(order)
                .boxed()
                .sorted(Comparator.<Integer>comparingDouble(i -> -modulus(i)).thenComparingDouble(i -> -im[i]))
                .limit(k)
                .mapToInt(i -> i)
                .toArray();
    }

    double modulus(int i) {
        return Accuracy.modulus(re[i], im[i]);
    }

    /** The real parts, in the order of geev. */
    double[] re() {
        return re;
    }

    /** The imaginary parts, in the order of geev. */
    double[] im() {
        return im;
    }

    /** The right vectors of chosen values, as complex columns of length 1. */
    DenseMatrix right(int... chosen) {
        return vectors(right).columns(chosen);
    }

    /** The left vectors of chosen values. */
    DenseMatrix left(int... chosen) {
        return vectors(left).columns(chosen);
    }

    /** A pair of a real matrix has the parts of its first vector in two columns; the second is its conjugate. */
    private DenseMatrix vectors(MatrixView view) {
        DenseMatrix stored = new DeviceColumns(view).download();
        if (stored.isComplex()) {
            return stored;
        }
        int n = stored.rows();
        double[][] columns = new double[n][2 * n];
        for (int j = 0; j < n; j++) {
            boolean second = im[j] < 0;
            double[] parts = im[j] == 0 ? null : stored.column(second ? j : j + 1);
            double[] own = stored.column(second ? j - 1 : j);
            for (int i = 0; i < n; i++) {
                columns[j][2 * i] = own[i];
                columns[j][2 * i + 1] = parts == null ? 0 : second ? -parts[i] : parts[i];
            }
        }
        return new DenseMatrix(n, true, columns);
    }

    /** What the call planned, used and took. */
    Workbench.Run outcome() {
        return run;
    }
}
