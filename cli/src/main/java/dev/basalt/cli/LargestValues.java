package dev.basalt.cli;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lanczos;
import dev.basalt.Lanczos.Which;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The eigenvalues of largest modulus of a symmetric or Hermitian matrix, or the largest singular values of any, with their vectors, by
 * Lanczos' method. The matrix stays as it was read.
 */
final class LargestValues {
    /** Far more than values take that can be told from each other at all. */
    private static final int RESTARTS = 2000;

    private final MatrixInput input;
    private final int k;
    private final boolean singular;
    private final Workbench bench;
    private final Progress progress;
    private final MatrixView w;
    private final MatrixView left;
    private final MatrixView right;
    private final VectorView info;
    private final SparseProduct product;
    private final SparseProduct adjoint;

    private Workbench.Run run;
    private double[] values;
    private int[] order;

    /**
     * Makes room for values and vectors.
     *
     * @param input matrix; a Hermitian one for eigenvalues
     * @param k how many values
     * @param singular whether singular values are wanted
     * @param bench device memory
     * @param progress is told what goes on
     */
    LargestValues(MatrixInput input, int k, boolean singular, Workbench bench, Progress progress) {
        this.input = input;
        this.k = k;
        this.singular = singular;
        this.bench = bench;
        this.progress = progress;
        DeviceArena arena = bench.arena();
        ElementType type = input.type();
        this.w = arena.matrix(type.real(), k, 1);
        this.right = arena.matrix(type, input.n(), k);
        this.left = singular ? arena.matrix(type, input.m(), k) : null;
        this.info = arena.vector(ElementType.I32, 1);
        this.product = new SparseProduct(input.a(), type, false);
        this.adjoint = new SparseProduct(input.a(), type, true);
    }

    /**
     * How many elements the method holds.
     *
     * @param m rows
     * @param n columns
     * @param k values
     * @param singular whether there are two spaces of vectors
     */
    static double elements(long m, long n, long k, boolean singular) {
        double vectors = Lanczos.vectors(Math.min(m, n), k) + 1.0;
        return (singular ? (double) m + n : n) * (vectors + k) + 4 * vectors * vectors;
    }

    private void decompose(Handle handle) {
        long n = Math.min(input.m(), input.n());
        long vectors = Lanczos.vectors(n, k);
        if (singular) {
            Lanczos.singular(handle, input.type(), Which.LARGEST, input.m(), input.n(), k, vectors, 0, RESTARTS,
                    product, adjoint, w.column(0), left, right, info);
        } else {
            Lanczos.eigen(handle, input.type(), Which.LARGEST_MAGNITUDE, n, k, vectors, 0, RESTARTS, product,
                    w.column(0), right, info);
        }
    }

    /** Computes values and vectors. */
    void run() {
        progress.phase("looking for " + k + (k == 1 ? " value" : " values"));
        run = bench.run(this::decompose);
        int[] outcome = new int[1];
        info.download(outcome);
        if (outcome[0] != 0) {
            throw new Failure(input.name() + ": " + outcome[0] + " of " + k + " values have not converged in "
                    + RESTARTS
                    + " restarts: they are too close to others; ask for more of them by -k, or use --method dense");
        }
        double[] found = new DeviceColumns(w).download().column(0);
        order = IntStream.range(0, k)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -Math.abs(found[i])))
                .mapToInt(i -> i)
                .toArray();
        values = IntStream.of(order).mapToDouble(i -> found[i]).toArray();
    }

    /** What ran, for a report. */
    String method() {
        return "Lanczos, the largest " + k + " of " + Math.min(input.m(), input.n()) + ", "
                + (product.count() + adjoint.count()) + " products with the matrix";
    }

    /** The values, that of largest modulus first. */
    double[] values() {
        return values;
    }

    /** The eigenvectors or right singular vectors as columns, in the order of the values. */
    DenseMatrix right() {
        return new DeviceColumns(right).download().columns(order);
    }

    /** The left singular vectors as columns. */
    DenseMatrix left() {
        return new DeviceColumns(left).download().columns(order);
    }

    /** What the call planned, used and took. */
    Workbench.Run outcome() {
        return run;
    }
}
