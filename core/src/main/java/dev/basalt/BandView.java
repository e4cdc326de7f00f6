package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.type.ElementType;

/**
 * A band matrix in device memory, or a batch of them, in LAPACK's band storage: a matrix of {@code kl + ku + 1} rows, in whose column j
 * element (i, j) is in row {@code ku + i - j}. What lies outside of the matrix in the corners of the storage is neither read nor written.
 *
 * <p>A symmetric, Hermitian or triangular band of k diagonals beside the main one stores one triangle: {@code kl = 0} and {@code ku = k} for
 * {@link dev.basalt.type.Uplo#UPPER}, {@code kl = k} and {@code ku = 0} for {@link dev.basalt.type.Uplo#LOWER}.
 */
public final class BandView {
    final MatrixView storage;
    final ElementType type;
    final MemoryCore core;
    final long rows;
    final long cols;
    final long kl;
    final long ku;
    final long ld;
    final long count;
    final ElementType single;
    final long first;

    private BandView(MatrixView storage, long rows, long kl, long ku) {
        Shapes.notNegative("BandView", "rows", rows);
        Shapes.notNegative("BandView", "kl", kl);
        Shapes.notNegative("BandView", "ku", ku);
        if (storage.rows < kl + ku + 1) {
            throw new BlasException(Status.INVALID_SIZE, "BandView",
                    "kl + ku + 1 = " + (kl + ku + 1) + " rows are stored, but the storage has " + storage.rows);
        }
        this.storage = storage;
        this.type = storage.type;
        this.core = storage.core;
        this.rows = rows;
        this.cols = storage.cols;
        this.kl = kl;
        this.ku = ku;
        this.ld = storage.ld;
        this.count = storage.count;
        this.single = rows > 0 ? storage.single : null;
        this.first = storage.first;
    }

    /**
     * The band matrix, or the batch, whose storage a view is.
     *
     * @param storage at least {@code kl + ku + 1} rows, and as many columns as the matrix
     * @param rows rows of the matrix
     * @param kl diagonals below the main one, at least 0
     * @param ku diagonals above the main one, at least 0
     * @return view
     * @throws BlasException INVALID_SIZE if a size is negative or the storage has too few rows
     */
    public static BandView of(MatrixView storage, long rows, long kl, long ku) {
        return new BandView(storage, rows, kl, ku);
    }

    /**
     * A shape without memory, for size queries and plans.
     *
     * @param type element type
     * @param rows rows
     * @param cols columns
     * @param kl diagonals below the main one
     * @param ku diagonals above the main one
     * @return view
     */
    public static BandView shape(ElementType type, long rows, long cols, long kl, long ku) {
        return shape(type, rows, cols, kl, ku, 1);
    }

    /**
     * The shape of a batch without memory, for size queries and plans.
     *
     * @param type element type
     * @param rows rows of each matrix
     * @param cols columns of each matrix
     * @param kl diagonals below the main one
     * @param ku diagonals above the main one
     * @param count matrices
     * @return view
     */
    public static BandView shape(ElementType type, long rows, long cols, long kl, long ku, long count) {
        Shapes.notNegative("BandView.shape", "kl", kl);
        Shapes.notNegative("BandView.shape", "ku", ku);
        return new BandView(MatrixView.shape(type, kl + ku + 1, cols, count), rows, kl, ku);
    }

    /**
     * The element type.
     *
     * @return type
     */
    public ElementType type() {
        return type;
    }

    /**
     * Rows of each matrix.
     *
     * @return rows
     */
    public long rows() {
        return rows;
    }

    /**
     * Columns of each matrix.
     *
     * @return columns
     */
    public long cols() {
        return cols;
    }

    /**
     * Diagonals below the main one.
     *
     * @return kl
     */
    public long kl() {
        return kl;
    }

    /**
     * Diagonals above the main one.
     *
     * @return ku
     */
    public long ku() {
        return ku;
    }

    /**
     * Matrices in the batch.
     *
     * @return 1 for a single matrix
     */
    public long count() {
        return count;
    }

    /**
     * The storage, to upload and download it.
     *
     * @return a matrix with a row for each diagonal
     */
    public MatrixView storage() {
        return storage;
    }

    /**
     * One matrix of the batch.
     *
     * @param problem index from 0
     * @return view
     */
    public BandView problem(long problem) {
        return new BandView(storage.problem(problem), rows, kl, ku);
    }

    @Override
    public String toString() {
        return type.letter() + "[" + rows + "x" + cols + ", band " + kl + "+1+" + ku + "]"
                + (count == 1 ? "" : " x" + count);
    }
}
