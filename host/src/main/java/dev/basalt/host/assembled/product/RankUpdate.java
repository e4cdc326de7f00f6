package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.stream.Level1;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Memory;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * Triangle of C := alpha·op(A)·op(B) + beta·C, for one where op(B) is op(A)ᵀ (or ᴴ). Tiles beside the diagonal are those of the matrix product; one that the
 * diagonal crosses is computed aside, and its part of the triangle is added. A pair of factors is one product of both beside each other with both in the other order. For one thread at a time.
 */
public final class RankUpdate {
    /** Bytes of a block of rows that is packed at a time: half of an L2 cache of 1 MiB. */
    private static final long BLOCK = 512 << 10;

    private final ProductTable kernels;
    private final Shape shape;
    private final PanelPack pack;
    private final boolean complex;
    private final int unit;
    private final int size;
    private final int element;
    private final int lanes;
    private final int nr;
    private final Arena memory = Arena.ofAuto();
    private final ComplexConstants constants;
    /** Those of a tile that is computed aside, where it does not meet C. */
    private final ComplexConstants constantsAside;
    /** Zeros, ones, zeros, each {@link #zone} numbers long: where masks are cut from. */
    private final long masks;

    private final int zone;
    private long own;
    private long capacity;

    private long packedA;
    private long panel;
    private long aside;
    private boolean lower;
    private boolean hermitian;
    private double alpha;
    private double beta;
    /** What C is scaled with before a tile that the diagonal crosses is added, as the imaginary part of beta is not 0; else null. */
    private Level1 scaling;

    private double betaIm;
    private long c;
    private long ldc;
    private long b;
    private long ldb;
    private boolean plainB;

    RankUpdate(ProductTable kernels, boolean complex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.pack = new PanelPack(kernels);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.element = unit * size;
        this.lanes = shape.lanes();
        this.nr = shape.columns();
        this.constants = new ComplexConstants(shape, memory);
        this.constantsAside = new ComplexConstants(shape, memory);
        this.zone = 2 * shape.rows() + nr;
        this.masks = memory.allocate(3L * zone * size, 64).address();
        Memory.fill(masks + (long) zone * size, (long) zone * size, (byte) -1);
    }

    /** See {@code AssembledKernels.gemmt}. */
    public void run(boolean lower, Op opA, Op opB, boolean hermitian, int n, int k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, long c, long ldc, long work, long workBytes) {
        this.lower = lower;
        this.hermitian = hermitian && complex;
        this.alpha = alphaRe;
        this.scaling = null;
        this.c = c;
        this.ldc = ldc * element;
        this.b = b;
        this.ldb = ldb * element;
        this.plainB = opB == Op.NONE;
        int kb = Product.depth(k);
        reserve(n, kb, work, workBytes);
        if (complex) {
            boolean conjA = opA == Op.CONJ_TRANS;
            boolean conjB = opB == Op.CONJ_TRANS;
            constants.alpha(alphaRe, alphaIm, conjA, conjB);
            constantsAside.alpha(alphaRe, alphaIm, conjA, conjB);
            constantsAside.beta(0, 0);
        }
        for (int depth = 0; depth < k; depth += kb) {
            int kc = Math.min(kb, k - depth);
            beta = depth == 0 ? betaRe : 1;
            if (complex) {
                constants.beta(beta, 0);
            }
            piece(opA == Op.NONE, n * unit, depth, kc, a, lda * element);
        }
    }

    /**
     * Columns p to q - 1 of the triangle of C := alpha·op(A)·op(B)ᵀ + alpha·op(B)·op(A)ᵀ + beta·C, or with ᴴ and conj(alpha): C is read and written once, and twice the inner dimension,
     * which is one piece of it at most, is what kernels do better with.
     */
    public void pair(Level1 vectors, boolean lower, Op op, boolean hermitian, int n, int p, int q, int k,
            double alphaRe, double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c,
            long ldc, long work, long workBytes) {
        this.lower = lower;
        this.hermitian = hermitian && complex;
        // Each factor has its own alpha where one is conjugated.
        boolean apart = this.hermitian && alphaIm != 0;
        this.alpha = apart ? 1 : alphaRe;
        this.beta = betaRe;
        this.betaIm = betaIm;
        this.scaling = complex && betaIm != 0 ? vectors : null;
        this.ldc = ldc * element;
        boolean plain = op == Op.NONE;
        this.plainB = !plain;
        if (complex) {
            boolean conjA = op == Op.CONJ_TRANS;
            boolean conjB = plain && hermitian;
            constants.alpha(alpha, apart ? 0 : alphaIm, conjA, conjB);
            constants.beta(betaRe, betaIm);
            constantsAside.alpha(alpha, apart ? 0 : alphaIm, conjA, conjB);
            constantsAside.beta(0, 0);
        }
        int first = lower ? p : 0;
        long one = plain ? element : lda * element;
        long oneB = plain ? element : ldb * element;
        long left = a + first * one;
        long right = b + first * oneB;
        this.c = c + first * (ldc + 1) * element;
        int rows = ((lower ? n : q) - first) * unit;
        int most = (int) Math.max(1, BLOCK / (2L * k * size * shape.rows())) * shape.rows();
        int block = Product.even(rows, most, shape.rows());
        reserve(block / unit, 2 * k, work, workBytes);
        int start = (p - first) * unit;
        int columns = (q - first) * unit;
        for (int i = 0; i < rows; i += block) {
            int height = Math.min(block, rows - i);
            packPair(plain, height, k, left + i / unit * one, lda * element, right + i / unit * oneB, ldb * element,
                    apart ? vectors : null, alphaRe, plain ? alphaIm : -alphaIm);
            // Columns that have something in these rows.
            int end = lower ? Math.min(columns, i + height) : columns;
            for (int j = lower || i < start ? start : start + (i - start) / nr * nr; j < end; j += nr) {
                int width = Math.min(nr, columns - j);
                packSide(right + j / unit * oneB, ldb * element, width, k, panel);
                packSide(left + j / unit * one, lda * element, width, k, panel + (long) k * nr * size);
                column(i, i + height, j, width, 2 * k);
            }
        }
    }

    /** Rows of both factors beside each other, each times its own alpha if there are vectors to do it. */
    private void packPair(boolean plain, int rows, int k, long a, long lda, long b, long ldb, Level1 vectors,
            double alphaRe, double alphaIm) {
        long to = packedA;
        for (int i = 0; i < rows;) {
            int width = shape.vectors(rows - i) * lanes;
            int count = Math.min(width, rows - i);
            long half = (long) width * k * size;
            if (!plain) {
                pack.clear(count, width, 2 * k, to);
            }
            packRows(plain, i, count, k, a, lda, to, width);
            packRows(plain, i, count, k, b, ldb, to + half, width);
            if (vectors != null) {
                vectors.scal((long) width / 2 * k, alphaRe, alphaIm, to);
                vectors.scal((long) width / 2 * k, alphaRe, -alphaIm, to + half);
            }
            to += 2 * half;
            i += count;
        }
    }

    private void packRows(boolean plain, int row, int count, int k, long a, long lda, long to, int width) {
        if (plain) {
            pack.rowsPadded(count, k, a + (long) row * size, lda, to);
        } else {
            pack.columns(element, count / unit, k, a + row / unit * lda, lda, to, (long) width * size);
        }
    }

    /** Lines of one factor as they stand on the right. */
    private void packSide(long from, long ld, int width, int k, long to) {
        if (plainB) {
            pack.columns(element, width / unit, k, from, ld, to, (long) nr * size);
        } else {
            pack.rows(width, k, from, ld, to, (long) nr * size);
        }
    }

    /** Packed op(A), one panel of its transpose and one tile: in the packing memory if there is enough of it. */
    private void reserve(int n, int kc, long work, long workBytes) {
        long rounded = ((long) n * unit + shape.rows() - 1) / shape.rows() * shape.rows();
        long bytesA = up(rounded * kc * size);
        long bytesPanel = up((long) nr * kc * size);
        long bytes = bytesA + bytesPanel + up((long) shape.rows() * nr * size);
        packedA = work;
        if (bytes > workBytes) {
            if (bytes > capacity) {
                capacity = bytes;
                own = memory.allocate(bytes, 64).address();
            }
            packedA = own;
        }
        panel = packedA + bytesA;
        aside = panel + bytesPanel;
    }

    private static long up(long bytes) {
        return (bytes + 63) & -64;
    }

    private void piece(boolean plain, int rows, int depth, int kc, long a, long lda) {
        long to = packedA;
        for (int i = 0; i < rows;) {
            int vectors = shape.vectors(rows - i);
            int width = vectors * lanes;
            int count = Math.min(width, rows - i);
            if (plain) {
                pack.rowsPadded(count, kc, a + (long) i * size + depth * lda, lda, to);
            } else {
                long from = a + i / unit * lda + (long) depth * element;
                pack.clear(count, width, kc, to);
                pack.columns(element, count / unit, kc, from, lda, to, (long) width * size);
            }
            to += (long) width * kc * size;
            i += count;
        }
        for (int j = 0; j < rows; j += nr) {
            int width = Math.min(nr, rows - j);
            if (plainB) {
                long from = b + j / unit * ldb + (long) depth * element;
                pack.columns(element, width / unit, kc, from, ldb, panel, (long) nr * size);
            } else {
                pack.rows(width, kc, b + (long) j * size + depth * ldb, ldb, panel, (long) nr * size);
            }
            column(0, rows, j, width, kc);
        }
    }

    /** The tiles of some columns, in the rows that are packed. */
    private void column(int first, int rows, int j, int columns, int kc) {
        long from = packedA;
        long to = c + j / unit * ldc;
        for (int i = first; i < rows;) {
            int vectors = shape.vectors(rows - i);
            int count = Math.min(vectors * lanes, rows - i);
            boolean above = i + count <= j;
            boolean below = i >= j + columns;
            if (lower ? below : above) {
                tile(vectors, columns, count % lanes, kc, from, to + (long) i * size);
            } else if (!above && !below) {
                cross(vectors, columns, i, j, count, kc, from, to + (long) i * size);
            }
            from += (long) vectors * lanes * kc * size;
            i += count;
        }
    }

    private void tile(int vectors, int columns, int part, int kc, long from, long to) {
        boolean masked = part != 0;
        if (complex) {
            if (masked) {
                constants.mask(kernels.mask(part));
            }
            NativeCall.tile(kernels.complexTile(vectors, columns, masked), kc, from, panel, to, ldc,
                    constants.address(), 0, 0);
        } else {
            long extra = masked ? kernels.mask(part) : 1;
            NativeCall.tile(kernels.tile(vectors, columns, masked), kc, from, panel, to, ldc, extra, alpha, beta);
        }
    }

    private void tileAside(int vectors, int columns, int kc, long from) {
        long ld = (long) vectors * lanes * size;
        if (complex) {
            NativeCall.tile(kernels.complexTile(vectors, columns, false), kc, from, panel, aside, ld,
                    constantsAside.address(), 0, 0);
        } else {
            NativeCall.tile(kernels.tile(vectors, columns, false), kc, from, panel, aside, ld, 1, alpha, 0);
        }
    }

    /** Columns of a tile times beta, as far as they are in the triangle. */
    private void scale(int i, int j, int count, int columns) {
        for (int d = j; d < j + columns; d += unit) {
            int from = lower ? Math.max(i, d) : i;
            int end = lower ? i + count : Math.min(i + count, d + unit);
            if (from < end) {
                scaling.scal((end - from) / unit, beta, betaIm, c + d / unit * ldc + (long) from * size);
            }
        }
    }

    private void cross(int vectors, int columns, int i, int j, int count, int kc, long from, long to) {
        tileAside(vectors, columns, kc, from);
        // Lower: lanes from the column's number on; upper: lanes up to it.
        int boundary = lower ? zone : 2 * zone - unit;
        long steps = masks + (long) (boundary - (j - i)) * size;
        long limit = masks + (long) (2 * zone - count) * size;
        if (scaling != null) {
            scale(i, j, count, columns);
        }
        double old = scaling != null ? 1 : beta;
        NativeCall.tile(kernels.merge(vectors, complex, old != 0), columns / unit, aside, to, ldc, steps, limit, old,
                0);
        if (hermitian) {
            for (int d = Math.max(i, j); d < Math.min(i + count, j + columns); d += unit) {
                long imaginary = c + d / unit * (ldc + element) + size;
                if (size == 8) {
                    f64(imaginary, 0);
                } else {
                    f32(imaginary, 0);
                }
            }
        }
    }
}
