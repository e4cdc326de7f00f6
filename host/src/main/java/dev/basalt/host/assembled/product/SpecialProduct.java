package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * C := alpha·S·B + beta·C or alpha·B·S + beta·C, where S is what a triangle of A stands for. S is packed once ({@link SpecialPack}),
 * a triangle without its zeros; the other operand is packed a micro-panel at a time before the part of C that depends on it is
 * written, so C may be B. For one thread at a time.
 */
public final class SpecialProduct {
    private final ProductTable kernels;
    private final Shape shape;
    private final PanelPack pack;
    private final SpecialPack special;
    private final boolean complex;
    private final int unit;
    private final int size;
    private final int element;
    private final int lanes;
    private final Arena memory = Arena.ofAuto();
    private final ComplexConstants constants;
    private long own;
    private long capacity;

    private long packedS;
    private long panel;
    private int order;
    private double alpha;
    private double beta;

    SpecialProduct(ProductTable kernels, boolean complex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.pack = new PanelPack(kernels);
        this.special = new SpecialPack(kernels, complex);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.element = unit * size;
        this.lanes = shape.lanes();
        this.constants = new ComplexConstants(shape, memory);
    }

    /** See {@code AssembledKernels.trmm} and {@code AssembledKernels.symm}. */
    public void run(Structure structure, boolean left, boolean lower, Op op, int m, int n, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes) {
        order = left ? m : n;
        long square = reserve(work, workBytes);
        // Lanes are rows of S on the left and columns on the right.
        boolean across = (op == Op.NONE) == left;
        special.matrix(structure, across, lower, order, a, lda * element, square);
        alpha = alphaRe;
        beta = betaRe;
        if (complex) {
            boolean conj = structure == Structure.HERMITIAN ? !left : op == Op.CONJ_TRANS;
            constants.alpha(alphaRe, alphaIm, left && conj, !left && conj);
            constants.beta(betaRe, betaIm);
        }
        if (left) {
            left(n * unit, b, ldb * element, c, ldc * element);
        } else {
            right(m * unit, b, ldb * element, c, ldc * element);
        }
    }

    /** Packed S, one panel of the other operand and one square: in the packing memory if there is enough of it. */
    private long reserve(long work, long workBytes) {
        long rounded = ((long) order * unit + shape.rows() - 1) / shape.rows() * shape.rows();
        long bytesS = up(rounded * order * size);
        long bytesPanel = up((long) shape.rows() * order * size);
        long bytes = bytesS + bytesPanel + up(special.squareBytes());
        packedS = work;
        if (bytes > workBytes) {
            if (bytes > capacity) {
                capacity = bytes;
                own = memory.allocate(bytes, 64).address();
            }
            packedS = own;
        }
        panel = packedS + bytesS;
        return panel + bytesPanel;
    }

    private static long up(long bytes) {
        return (bytes + 63) & -64;
    }

    private void left(int columns, long b, long ldb, long c, long ldc) {
        int rows = order * unit;
        long to = packedS;
        for (int i = 0; i < rows;) {
            int vectors = shape.vectors(rows - i);
            int count = Math.min(vectors * lanes, rows - i);
            special.panel(i / unit, count / unit, vectors, to);
            to += (long) special.steps(i / unit, count / unit) * vectors * lanes * size;
            i += count;
        }
        int nr = shape.columns();
        for (int j = 0; j < columns; j += nr) {
            int width = Math.min(nr, columns - j);
            pack.columns(element, width / unit, order, b + j / unit * ldb, ldb, panel, (long) nr * size);
            long from = packedS;
            for (int i = 0; i < rows;) {
                int vectors = shape.vectors(rows - i);
                int count = Math.min(vectors * lanes, rows - i);
                int steps = special.steps(i / unit, count / unit);
                long bj = panel + (long) special.first(i / unit) * nr * size;
                tile(vectors, width, count % lanes, steps, from, bj, c + (long) i * size + j / unit * ldc, ldc);
                from += (long) steps * vectors * lanes * size;
                i += count;
            }
        }
    }

    private void right(int rows, long b, long ldb, long c, long ldc) {
        int columns = order * unit;
        int nr = shape.columns();
        long to = packedS;
        for (int j = 0; j < columns; j += nr) {
            int width = Math.min(nr, columns - j);
            special.panel(j / unit, width / unit, 0, to);
            to += (long) special.steps(j / unit, width / unit) * nr * size;
        }
        for (int i = 0; i < rows;) {
            int vectors = shape.vectors(rows - i);
            int count = Math.min(vectors * lanes, rows - i);
            pack.rowsPadded(count, order, b + (long) i * size, ldb, panel);
            long from = packedS;
            for (int j = 0; j < columns; j += nr) {
                int width = Math.min(nr, columns - j);
                int steps = special.steps(j / unit, width / unit);
                long ai = panel + (long) special.first(j / unit) * vectors * lanes * size;
                tile(vectors, width, count % lanes, steps, ai, from, c + (long) i * size + j / unit * ldc, ldc);
                from += (long) steps * nr * size;
            }
            i += count;
        }
    }

    private void tile(int vectors, int columns, int part, int kc, long from, long bj, long to, long ldc) {
        boolean masked = part != 0;
        if (complex) {
            if (masked) {
                constants.mask(kernels.mask(part));
            }
            NativeCall.tile(kernels.complexTile(vectors, columns, masked), kc, from, bj, to, ldc, constants.address(),
                    0, 0);
        } else {
            long extra = masked ? kernels.mask(part) : 1;
            NativeCall.tile(kernels.tile(vectors, columns, masked), kc, from, bj, to, ldc, extra, alpha, beta);
        }
    }
}
