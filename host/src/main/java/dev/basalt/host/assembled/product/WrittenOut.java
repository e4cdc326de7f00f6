package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Memory;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * Products with a small symmetric or triangular matrix: it is written out in full, and the product reads its operands where they are. Panels would be mostly
 * padding, and each would be a call. For one thread at a time.
 */
public final class WrittenOut {
    /** The largest symmetric matrix. */
    public static final int SYMMETRIC = 32;

    /** Triangles up to this order are written out by element: machine code is called twice for others. */
    private static final int FEW = 3;

    /** Symmetric matrices up to this order are. */
    private static final int MIRRORED = 4;

    private final ProductTable kernels;
    private final Shape shape;
    private final PanelPack pack;
    private final PlainProduct plain;
    private final PlainComplexProduct plainComplex;
    private final SpecialPack special;
    private final boolean complex;
    /** Real numbers of an element. */
    private final int unit;
    /** Bytes of a real number. */
    private final int size;

    private final Arena memory = Arena.ofAuto();
    private final long square;
    /** The square's transpose, or that of the square on a diagonal. */
    private final long turned;
    /** Zeros, ones, zeros, each {@link #zone} bytes long: where masks are cut from. */
    private final long masks;

    private final long zone;

    WrittenOut(ProductTable kernels, PlainProduct plain, PlainComplexProduct plainComplex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.plain = plain;
        this.plainComplex = plainComplex;
        this.complex = plainComplex != null;
        this.pack = new PanelPack(kernels);
        this.special = new SpecialPack(kernels, complex);
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.zone = MergeCode.VECTORS * (long) shape.isa().bytes;
        // Columns without gaps, or of whole vectors, of which a merged square has no more than the zone has.
        long column = Math.max((long) SYMMETRIC * unit * size, zone);
        this.square = memory.allocate(SYMMETRIC * column, 64).address();
        this.turned = memory.allocate(SYMMETRIC * column, 64).address();
        this.masks = memory.allocate(4 * zone, 64).address();
        Memory.fill(masks + zone, zone, (byte) -1);
    }

    /** The order of the largest triangle that is merged from a square: a column of the square has as many vectors as there are kernels for. */
    public static int merged(Shape shape, boolean complex) {
        return Math.min(SYMMETRIC, MergeCode.VECTORS * shape.lanes() / (complex ? 2 : 1));
    }

    /** Where a square may be computed that is then {@link #merge}d. */
    public long square() {
        return square;
    }

    /** Elements between the columns of a square of some order: whole vectors. */
    public int pitch(int n) {
        return vectors(n) * shape.lanes() / unit;
    }

    private int vectors(int n) {
        return (n * unit + shape.lanes() - 1) / shape.lanes();
    }

    /** Triangle of C := that of the square + beta·C, rounded as by a product's tile; the diagonal of a Hermitian C becomes real. */
    public void merge(boolean lower, boolean hermitian, int n, double beta, long c, long ldc) {
        merge(square, lower, hermitian, n, beta, c, ldc);
    }

    /** As {@link #merge}, and then the same of the square's transpose + C: a real product and the one with exchanged factors are sums of the same products, in the same order. */
    public void mergeBoth(Transposition transposition, boolean lower, int n, double beta, long c, long ldc) {
        turnOver(transposition, n);
        merge(square, lower, false, n, beta, c, ldc);
        merge(turned, lower, false, n, 1, c, ldc);
    }

    /** As {@link #merge} of the sum of a complex square and its transpose, or the conjugate of that. */
    public void mergeSum(Transposition transposition, boolean lower, boolean hermitian, int n, double beta, long c,
            long ldc) {
        special.add(hermitian, turned, square, turnOver(transposition, n));
        merge(square, lower, hermitian, n, beta, c, ldc);
    }

    /** Writes the transpose of a square; returns the bytes of it. */
    private long turnOver(Transposition transposition, int n) {
        long column = (long) pitch(n) * unit * size;
        transposition.run(unit * size, n, n, square, column, turned, column);
        return n * column;
    }

    private void merge(long tile, boolean lower, boolean hermitian, int n, double beta, long c, long ldc) {
        int vectors = vectors(n);
        long element = (long) unit * size;
        // Lower: from the column's number on; upper: up to it. The limit leaves out what is behind the last row.
        long steps = masks + (lower ? zone : 2 * zone - element);
        long limit = masks + 2 * zone - n * element;
        NativeCall.tile(kernels.merge(vectors, complex, beta != 0), n, tile, c, ldc * element, steps, limit, beta, 0);
        if (hermitian && complex) {
            for (int i = 0; i < n; i++) {
                store(c + i * (ldc + 1) * element + size, 0);
            }
        }
    }

    /** The order of the largest matrix that is written out as one panel: so large are triangles that {@link #triangular} takes. */
    public static int panel(Shape shape, boolean complex) {
        return Math.min(SYMMETRIC, shape.rows() / (complex ? 2 : 1));
    }

    /** C := alpha·S·B + beta·C or alpha·B·S + beta·C with a symmetric or Hermitian S, of which a triangle is stored in A; leading dimensions count elements. */
    public void symmetric(boolean left, boolean lower, boolean hermitian, int m, int n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        int order = left ? m : n;
        boolean many = order > MIRRORED && order <= merged(shape, complex);
        int pitch = many ? turnOver(lower, hermitian, order, a, lda) : mirror(lower, hermitian, order, a, lda);
        if (left) {
            multiply(m, n, m, alphaRe, alphaIm, square, pitch, b, ldb, betaRe, betaIm, c, ldc);
        } else {
            multiply(m, n, n, alphaRe, alphaIm, b, ldb, square, pitch, betaRe, betaIm, c, ldc);
        }
    }

    /** Writes a matrix out as a copy of A, whose other triangle its transpose then takes; returns the elements between columns. */
    private int turnOver(boolean lower, boolean hermitian, int order, long a, long lda) {
        int pitch = pitch(order);
        long element = (long) unit * size;
        pack.rowsPadded(order * unit, order, a, lda * element, square, pitch * element);
        pack.turnOver(unit * size, order, square, pitch * element, turned, pitch * element);
        int vectors = vectors(order);
        if (vectors <= Shape.VECTORS) {
            // Whole vectors, as the product reads them soon: it would wait for masked stores.
            special.complete(hermitian, lower, order, vectors, square, turned);
            return pitch;
        }
        if (hermitian) {
            special.conjugate(turned, order * pitch * element);
        }
        merge(turned, !lower, hermitian, order, 0, square, pitch);
        return pitch;
    }

    /** The same element by element. */
    private int mirror(boolean lower, boolean hermitian, int order, long a, long lda) {
        for (int j = 0; j < order; j++) {
            int from = lower ? j : 0;
            int to = lower ? order : j + 1;
            mirror(hermitian, to - from, a + (from + j * lda) * unit * size,
                    square + (from + (long) j * order) * unit * size, square + (j + (long) from * order) * unit * size,
                    (long) order * unit * size);
            if (hermitian) {
                store(square + (long) j * (order + 1) * unit * size + size, 0);
            }
        }
        return order;
    }

    /**
     * B := alpha·op(A)·B or alpha·B·op(A) with a triangular A; leading dimensions count elements. A tile of B has all rows on the left, and as many columns as a tile
     * can have on the right, which are taken in the order in which none is read any more. So B is read and written in its place.
     */
    public void triangular(boolean left, boolean lower, Op op, boolean unitDiagonal, int m, int n, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb) {
        int order = left ? m : n;
        boolean conj = op == Op.CONJ_TRANS;
        boolean plainly = op == Op.NONE;
        // On the right elements of op(A) are read one by one, so a real transpose need not be written.
        boolean asStored = plainly || !left && !complex;
        long pitch = spreadOut(lower, asStored, unitDiagonal, order, a, lda);
        if (left && !complex) {
            plain.inColumns(m, n, alphaRe, square, pitch, b, ldb);
            return;
        }
        if (left) {
            plainComplex.run(true, conj, false, m, n, m, alphaRe, alphaIm, square, pitch, b, ldb, 0, 0, b, ldb);
            return;
        }
        long element = (long) unit * size;
        int width = shape.columns() / unit;
        boolean upper = lower != plainly;
        for (int p = 0; p < n; p += width) {
            int first = upper ? (n - 1 - p) / width * width : p;
            int count = Math.min(width, n - first);
            int from = upper ? 0 : first;
            int steps = upper ? first + count : n - first;
            long rows = b + from * ldb * element;
            long to = b + first * ldb * element;
            if (complex) {
                plainComplex.run(true, false, conj, m, count, steps, alphaRe, alphaIm, rows, ldb,
                        square + (from + first * pitch) * element, pitch, 0, 0, to, ldb);
            } else {
                long column = pitch * size;
                long step = plainly ? size : column;
                long next = plainly ? column : size;
                plain.run(m, count, steps, alphaRe, rows, ldb * size, square + from * step + first * next, step, next,
                        0, to, ldb * size);
            }
        }
    }

    /** Writes a triangle of A out; returns the elements between its columns. */
    private long spreadOut(boolean lower, boolean plainly, boolean unitDiagonal, int order, long a, long lda) {
        long pitch = pitch(order);
        long element = (long) unit * size;
        if (order > FEW || a < 0) {
            long columns = pitch * element;
            if (!plainly && PanelPack.isWhole(unit * size, order)) {
                pack.turnOver(unit * size, order, a, lda * element, square, columns);
            } else {
                pack.rowsPadded(order * unit, order, a, lda * element, plainly ? square : turned, columns);
                if (!plainly) {
                    pack.turnOver(unit * size, order, turned, columns, square, columns);
                }
            }
            special.triangle(lower == plainly, unitDiagonal, order, vectors(order), square);
            return pitch;
        }
        Memory.fill(square, order * pitch * element, (byte) 0);
        for (int j = 0; j < order; j++) {
            int from = lower ? j : 0;
            int to = lower ? order : j + 1;
            // A column of A is a column of op(A), or a row of it.
            long start = square + (plainly ? from + j * pitch : j + from * pitch) * element;
            spread(to - from, a + (from + j * lda) * element, start, plainly ? element : pitch * element);
            if (unitDiagonal) {
                one(square + j * (pitch + 1) * element);
            }
        }
        return pitch;
    }

    /** Elements that follow each other also become the row that mirrors them, conjugated or not. */
    private void mirror(boolean conj, int count, long from, long column, long row, long pitch) {
        if (unit * size == 4) {
            for (int i = 0; i < count; i++) {
                int bits = i32(from + 4L * i);
                i32(column + 4L * i, bits);
                i32(row + i * pitch, bits);
            }
        } else if (unit * size == 8) {
            long sign = conj ? Long.MIN_VALUE : 0;
            for (int i = 0; i < count; i++) {
                long bits = i64(from + 8L * i);
                i64(column + 8L * i, bits);
                i64(row + i * pitch, bits ^ sign);
            }
        } else {
            long sign = conj ? Long.MIN_VALUE : 0;
            for (int i = 0; i < count; i++) {
                long re = i64(from + 16L * i);
                long im = i64(from + 16L * i + 8);
                i64(column + 16L * i, re);
                i64(column + 16L * i + 8, im);
                i64(row + i * pitch, re);
                i64(row + i * pitch + 8, im ^ sign);
            }
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

    /** Elements that follow each other are put so many bytes apart. */
    private void spread(int count, long from, long to, long pitch) {
        if (unit * size == 4) {
            for (int i = 0; i < count; i++) {
                i32(to + i * pitch, i32(from + 4L * i));
            }
        } else if (unit * size == 8) {
            for (int i = 0; i < count; i++) {
                i64(to + i * pitch, i64(from + 8L * i));
            }
        } else {
            for (int i = 0; i < count; i++) {
                i64(to + i * pitch, i64(from + 16L * i));
                i64(to + i * pitch + 8, i64(from + 16L * i + 8));
            }
        }
    }

    private void one(long to) {
        store(to, 1);
        if (complex) {
            store(to + size, 0);
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
