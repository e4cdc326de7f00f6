package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * Products with a small symmetric or triangular matrix: it is written out in full, and the product reads its operands where they are. Panels would be mostly
 * padding, and each would be a call. For one thread at a time.
 */
public final class WrittenOut {
    /** The largest symmetric matrix. */
    public static final int SYMMETRIC = 32;

    /** Columns of B that are copied at a time. */
    private static final int COLUMNS = 64;

    private final Shape shape;
    private final PlainProduct plain;
    private final PlainComplexProduct plainComplex;
    private final PanelPack pack;
    private final boolean complex;
    /** Real numbers of an element. */
    private final int unit;
    /** Bytes of a real number. */
    private final int size;

    private final Arena memory = Arena.ofAuto();
    private final long square;
    private final long copy;

    WrittenOut(ProductTable kernels, PlainProduct plain, PlainComplexProduct plainComplex) {
        this.shape = kernels.shape();
        this.plain = plain;
        this.plainComplex = plainComplex;
        this.pack = new PanelPack(kernels);
        this.complex = plainComplex != null;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.square = memory.allocate((long) SYMMETRIC * SYMMETRIC * unit * size, 64).address();
        this.copy = memory.allocate((long) COLUMNS * shape.rows() * size, 64).address();
    }

    /** The order of the largest triangle that {@link #triangular} takes: a column of it is one panel. */
    public static int triangular(Shape shape, boolean complex) {
        return Math.min(SYMMETRIC, shape.rows() / (complex ? 2 : 1));
    }

    /** C := alpha·S·B + beta·C or alpha·B·S + beta·C with a symmetric or Hermitian S, of which a triangle is stored in A; leading dimensions count elements. */
    public void symmetric(boolean left, boolean lower, boolean hermitian, int m, int n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        int order = left ? m : n;
        for (int j = 0; j < order; j++) {
            for (int i = lower ? j : 0; i < (lower ? order : j + 1); i++) {
                long from = a + (i + j * lda) * unit * size;
                put(i, j, order, from, false, hermitian && i == j);
                if (i != j) {
                    put(j, i, order, from, hermitian, false);
                }
            }
        }
        if (left) {
            multiply(m, n, m, alphaRe, alphaIm, square, order, b, ldb, betaRe, betaIm, c, ldc);
        } else {
            multiply(m, n, n, alphaRe, alphaIm, b, ldb, square, order, betaRe, betaIm, c, ldc);
        }
    }

    /** B := alpha·op(A)·B with a triangular A of order m; leading dimensions count elements. */
    public void triangular(boolean lower, Op op, boolean unitDiagonal, int m, int n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb) {
        boolean conj = op == Op.CONJ_TRANS;
        for (int j = 0; j < m; j++) {
            for (int i = 0; i < m; i++) {
                int row = op == Op.NONE ? i : j;
                int column = op == Op.NONE ? j : i;
                if (unitDiagonal && i == j) {
                    set(i, j, m, 1, 0);
                } else if (lower ? row >= column : row <= column) {
                    put(i, j, m, a + (row + column * lda) * unit * size, conj, false);
                } else {
                    set(i, j, m, 0, 0);
                }
            }
        }
        int numbers = m * unit;
        int lanes = shape.lanes();
        int wide = (numbers + lanes - 1) / lanes * lanes;
        for (int j = 0; j < n; j += COLUMNS) {
            int count = Math.min(COLUMNS, n - j);
            long bj = b + j * ldb * unit * size;
            pack.rowsPadded(numbers, count, bj, ldb * unit * size, copy);
            multiply(m, count, m, alphaRe, alphaIm, square, m, copy, wide / unit, 0, 0, bj, ldb);
        }
    }

    private void multiply(int m, int n, int k, double alphaRe, double alphaIm, long a, long lda, long b, long ldb,
            double betaRe, double betaIm, long c, long ldc) {
        if (complex) {
            plainComplex.run(true, false, false, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc);
        } else {
            plain.run(true, m, n, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc);
        }
    }

    private void put(int i, int j, int order, long from, boolean conj, boolean real) {
        double re = size == 8 ? f64(from) : f32(from);
        double im = !complex || real ? 0 : size == 8 ? f64(from + size) : f32(from + size);
        set(i, j, order, re, conj ? -im : im);
    }

    private void set(int i, int j, int order, double re, double im) {
        long to = square + (i + (long) j * order) * unit * size;
        store(to, re);
        if (complex) {
            store(to + size, im);
        }
    }

    private void store(long to, double value) {
        if (size == 8) {
            f64(to, value);
        } else {
            f32(to, (float) value);
        }
    }
}
