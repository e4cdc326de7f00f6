package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Memory;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * Triangle of C := alpha·op(A)·op(B) + beta·C, for one where op(B) is op(A)ᵀ (or ᴴ). Tiles beside the diagonal are those of the matrix product; one that the
 * diagonal crosses is computed aside, and its part of the triangle is added. For one thread at a time.
 */
public final class RankUpdate {
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
            column(rows, j, width, kc);
        }
    }

    /** The tiles of some columns. */
    private void column(int rows, int j, int columns, int kc) {
        long from = packedA;
        long to = c + j / unit * ldc;
        for (int i = 0; i < rows;) {
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

    private void cross(int vectors, int columns, int i, int j, int count, int kc, long from, long to) {
        tileAside(vectors, columns, kc, from);
        // Lower: lanes from the column's number on; upper: lanes up to it.
        int boundary = lower ? zone : 2 * zone - unit;
        long steps = masks + (long) (boundary - (j - i)) * size;
        long limit = masks + (long) (2 * zone - count) * size;
        NativeCall.tile(kernels.merge(vectors, complex, beta != 0), columns / unit, aside, to, ldc, steps, limit, beta,
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
