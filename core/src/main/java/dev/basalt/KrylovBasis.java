package dev.basalt;

import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Region;

/**
 * Orthonormal vectors of a Krylov space in lent memory. Each new vector is made orthogonal to all others twice, by the classical Gram-Schmidt
 * process: two products with a matrix, and as accurate as need be (Giraud, Langou, Rozložník, van den Eshof 2005).
 */
final class KrylovBasis {
    /** Rows of vectors that are rotated at a time where workspace is short. */
    static final long FEW_ROWS = 256;

    /** Numbers of a random vector that the heap holds at a time. */
    private static final int CHUNK = 1 << 14;

    /** A random vector that lies in the space already is replaced so many times. */
    private static final int TRIES = 5;

    private final Handle handle;
    private final MatrixView vectors;
    private final VectorView projection;
    private final VectorView again;
    private final MatrixView product;
    private final Op adjoint;
    private int seed;

    /**
     * A basis in the slots of a lease that {@link #slots} has asked for.
     *
     * @param handle whose calls make it
     * @param lease what was lent
     * @param name the basis's, among those of a call
     * @param type elements of the vectors
     * @param n their length
     * @param columns the most vectors
     */
    KrylovBasis(Handle handle, Lease lease, String name, ElementType type, long n, int columns) {
        this.handle = handle;
        vectors = MatrixView.of(type, lease.slot(name).pointer(), n, columns, n);
        projection = VectorView.of(type, lease.slot(name + " projected").pointer(), columns, 1);
        again = VectorView.of(type, lease.slot(name + " again").pointer(), columns, 1);
        DeviceMemory rotated = lease.slot("rotated");
        long rows = rotated.byteSize() / type.real().bytes() / columns;
        product = MatrixView.of(type.real(), rotated.pointer(), rows, columns, rows);
        adjoint = adjoint(type);
    }

    private static Op adjoint(ElementType type) {
        return type.isComplex() ? Op.CONJ_TRANS : Op.TRANS;
    }

    /** Adds the slots of a basis to a tier. */
    static void slots(Layout layout, String name, ElementType type, long n, int columns) {
        layout.slot(name, Shapes.bytes("Lanczos", type, Shapes.product("Lanczos", n, columns)))
                .slot(name + " projected", Shapes.bytes("Lanczos", type, columns))
                .slot(name + " again", Shapes.bytes("Lanczos", type, columns));
    }

    /**
     * Adds the slot to a tier in which vectors are rotated; bases share it.
     *
     * @param rows real numbers of a column that are rotated at a time
     */
    static void rotated(Layout layout, ElementType type, long rows, int columns) {
        layout.slot("rotated", Shapes.bytes("Lanczos", type.real(), Shapes.product("Lanczos", rows, columns)));
    }

    /** The calls that a basis makes, on shapes. */
    static void plan(Handle handle, Op op, ElementType type, long n, int columns, long rows) {
        VectorView x = VectorView.shape(type, n);
        VectorView h = VectorView.shape(type, columns);
        MatrixView v = MatrixView.shape(type, n, columns);
        Blas.nrm2(handle, x);
        Blas.gemv(handle, adjoint(type), 1, v, x, 0, h);
        Blas.gemv(handle, Op.NONE, -1, v, h, 1, x);
        MatrixView s = MatrixView.shape(type.real(), columns, columns);
        MatrixView all = MatrixView.shape(type.real(), rows, columns);
        Blas.gemm(handle, Op.NONE, op, 1, all, s, 0, all);
    }

    VectorView vector(long j) {
        return vectors.column(j);
    }

    double norm(long j) {
        return Blas.nrm2(handle, vector(j));
    }

    /**
     * Makes a vector orthogonal to those before it.
     *
     * @param j its column
     * @return its norm then
     */
    double orthogonalise(long j) {
        if (j > 0) {
            take(j, projection);
            take(j, again);
        }
        return norm(j);
    }

    private void take(long j, VectorView coefficients) {
        MatrixView before = vectors.block(0, 0, vectors.rows(), j);
        VectorView h = coefficients.slice(0, j);
        Blas.gemv(handle, adjoint, 1, before, vector(j), 0, h);
        Blas.gemv(handle, Op.NONE, -1, before, h, 1, vector(j));
    }

    /**
     * What the last vector that was made orthogonal had in the direction of another, its real part.
     *
     * @param i the other's column
     * @param result one real number
     */
    void share(long i, VectorView result) {
        Blas.copy(handle, real(projection, i), result);
        Blas.axpy(handle, 1, real(again, i), result);
    }

    private static VectorView real(VectorView numbers, long i) {
        return VectorView.of(numbers.type().real(), numbers.pointer().plus(numbers.type(), i), 1, 1);
    }

    /** Divides a vector by its norm. */
    void normalise(long j, double norm) {
        if (norm >= smallest()) {
            Blas.scal(handle, 1 / norm, vector(j));
        } else {
            // The reciprocal of a subnormal norm is infinite.
            Blas.scal(handle, 1 / smallest(), vector(j));
            Blas.scal(handle, 1 / norm(j), vector(j));
        }
    }

    private double smallest() {
        return vectors.type().real() == ElementType.F32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
    }

    /**
     * Fills a column with a vector that is orthogonal to those before it. Each number depends on its place alone, so it is the same on every
     * device.
     *
     * @param j the column; less than the vectors' length
     */
    void random(long j) {
        double norm = 0;
        for (int attempt = 0; attempt < TRIES && !(norm > 1e-8); attempt++) {
            fill(j);
            normalise(j, norm(j));
            norm = orthogonalise(j);
        }
        normalise(j, norm);
        normalise(j, orthogonalise(j));
    }

    private void fill(long j) {
        ElementType type = vectors.type();
        VectorView all = VectorView.of(type.real(), vector(j).pointer(), vectors.rows() * parts(type), 1);
        int step = (int) Math.min(CHUNK, all.size());
        seed++;
        for (long first = 0; first < all.size(); first += step) {
            int size = (int) Math.min(step, all.size() - first);
            double[] numbers = new double[size];
            for (int i = 0; i < size; i++) {
                numbers[i] = number(first + i);
            }
            Numbers.upload(all.slice(first, size), numbers);
        }
    }

    /** A number between -1 and 1 by its place; the mixing is that of Steele, Lea and Flood's SplitMix (2014). */
    private double number(long place) {
        long x = (place + ((long) seed << 48)) * 0x9E3779B97F4A7C15L + 0x5851F42D4C957F2DL;
        x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
        x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
        return ((x ^ x >>> 31) >> 10) * 0x1p-53;
    }

    /**
     * Replaces the first vectors by combinations of all. Coefficients are real, so complex vectors are real ones of twice the rows.
     *
     * @param op how the coefficients are stored
     * @param coefficients a column (a row if transposed) for each new vector
     * @param count new vectors
     */
    void rotate(Op op, MatrixView coefficients, long count) {
        MatrixView all = real(vectors);
        long used = op == Op.NONE ? coefficients.rows() : coefficients.cols();
        for (long row = 0; row < all.rows(); row += product.rows()) {
            long rows = Math.min(product.rows(), all.rows() - row);
            MatrixView part = product.block(0, 0, rows, count);
            Blas.gemm(handle, Op.NONE, op, 1, all.block(row, 0, rows, used), coefficients, 0, part);
            Lapack.lacpy(handle, Region.GENERAL, part, all.block(row, 0, rows, count));
        }
    }

    /** Combinations of all vectors, elsewhere. */
    void combine(Op op, MatrixView coefficients, MatrixView result) {
        long used = op == Op.NONE ? coefficients.rows() : coefficients.cols();
        MatrixView all = real(vectors);
        Blas.gemm(handle, Op.NONE, op, 1, all.block(0, 0, all.rows(), used), coefficients, 0, real(result));
    }

    private static MatrixView real(MatrixView a) {
        long parts = parts(a.type());
        return MatrixView.of(a.type().real(), a.pointer(), parts * a.rows(), a.cols(), parts * a.ld());
    }

    /** The real numbers of an element. */
    static long parts(ElementType type) {
        return type.isComplex() ? 2 : 1;
    }
}
