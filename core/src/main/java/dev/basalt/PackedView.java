package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.type.ElementType;

/**
 * One triangle of a symmetric, Hermitian or triangular matrix in device memory, or of a batch of them, without what lies outside of it: the
 * columns of the triangle one after the other, n·(n+1)/2 elements. Which triangle it is the routine is told.
 */
public final class PackedView {
    final VectorView storage;
    final ElementType type;
    final MemoryCore core;
    final long n;
    final long count;
    final ElementType single;
    final long first;

    private PackedView(VectorView storage, long n) {
        Shapes.notNegative("PackedView", "n", n);
        if (storage.inc != 1 || storage.n < elements(n)) {
            throw new BlasException(Status.INVALID_SIZE, "PackedView",
                    "n·(n+1)/2 = " + elements(n) + " elements without gaps are required, but the storage has "
                            + storage.n + " at distances of " + storage.inc);
        }
        this.storage = storage;
        this.type = storage.type;
        this.core = storage.core;
        this.n = n;
        this.count = storage.count;
        this.single = n > 0 ? storage.single : null;
        this.first = storage.first;
    }

    /**
     * How many elements a packed triangle has.
     *
     * @param n order
     * @return n·(n+1)/2
     * @throws BlasException INVALID_SIZE if the number does not fit 64 bits
     */
    public static long elements(long n) {
        return n % 2 == 0 ? Shapes.product("PackedView", n / 2, n + 1) : Shapes.product("PackedView", n, (n + 1) / 2);
    }

    /**
     * The packed triangle, or the batch, whose storage a view is.
     *
     * @param storage at least n·(n+1)/2 elements with increment 1
     * @param n order
     * @return view
     * @throws BlasException INVALID_SIZE if n is negative or the storage is too small or has gaps
     */
    public static PackedView of(VectorView storage, long n) {
        return new PackedView(storage, n);
    }

    /**
     * A shape without memory, for size queries and plans.
     *
     * @param type element type
     * @param n order
     * @return view
     */
    public static PackedView shape(ElementType type, long n) {
        return shape(type, n, 1);
    }

    /**
     * The shape of a batch without memory, for size queries and plans.
     *
     * @param type element type
     * @param n order of each matrix
     * @param count matrices
     * @return view
     */
    public static PackedView shape(ElementType type, long n, long count) {
        Shapes.notNegative("PackedView.shape", "n", n);
        return new PackedView(VectorView.shape(type, elements(n), count), n);
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
     * The order of each matrix.
     *
     * @return n
     */
    public long n() {
        return n;
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
     * @return a vector of n·(n+1)/2 elements
     */
    public VectorView storage() {
        return storage;
    }

    /**
     * One matrix of the batch.
     *
     * @param problem index from 0
     * @return view
     */
    public PackedView problem(long problem) {
        return new PackedView(storage.problem(problem), n);
    }

    @Override
    public String toString() {
        return type.letter() + "[" + n + "x" + n + ", packed]" + (count == 1 ? "" : " x" + count);
    }
}
