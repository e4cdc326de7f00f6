package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;

/**
 * The product of complex operands that are read where they are, as {@link PlainProduct} does for real ones. Keeps the constants of the
 * last two alphas, since a rank-2 update takes turns with alpha and its conjugate. For one thread at a time.
 */
public final class PlainComplexProduct {
    /** Elements of op(B) for one call of a kernel: of more, it would take long. */
    private static final int CALL = 128 << 10;

    private final ProductTable kernels;
    private final Shape shape;
    private final int size;
    private final int element;
    private final Arena memory = Arena.ofAuto();
    private ComplexConstants constants;
    private ComplexConstants others;

    PlainComplexProduct(ProductTable kernels) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.size = shape.precision().bytes;
        this.element = 2 * size;
        this.constants = new ComplexConstants(shape, memory);
        this.others = new ComplexConstants(shape, memory);
    }

    /** C := alpha·A·op(B) + beta·C; A is conjugated if {@code conjA} says so; op(B) is B, its transpose, or the conjugate of that. Leading dimensions count elements. */
    public void run(boolean plainB, boolean conjA, boolean conjB, int m, int n, int k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        alpha(alphaRe, alphaIm, conjA, conjB);
        long step = plainB ? element : ldb * element;
        long next = plainB ? ldb * element : element;
        // The inner dimension in the same pieces as on every path.
        int kb = Product.depth(k);
        for (int depth = 0; depth < k; depth += kb) {
            constants.beta(depth == 0 ? betaRe : 1, depth == 0 ? betaIm : 0);
            int kc = Math.min(kb, k - depth);
            int nb = Math.max(1, CALL / kc);
            long ak = a + depth * lda * element;
            for (int j = 0; j < n; j += nb) {
                tiles(2 * m, 2 * Math.min(nb, n - j), kc, ak, lda * element, b + depth * step + j * next, step, next,
                        c + j * ldc * element, ldc * element);
            }
        }
    }

    private void alpha(double re, double im, boolean conjA, boolean conjB) {
        if (!constants.has(re, im, conjA, conjB)) {
            ComplexConstants last = constants;
            constants = others;
            others = last;
            constants.alpha(re, im, conjA, conjB);
        }
    }

    /** Rows and columns count real numbers, strides are in bytes. */
    private void tiles(int rows, int columns, int k, long a, long lda, long b, long step, long next, long c, long ldc) {
        int lanes = shape.lanes();
        int nr = shape.columns();
        for (int i = 0; i < rows;) {
            int vectors = shape.vectors(rows - i);
            int count = Math.min(vectors * lanes, rows - i);
            int part = count % lanes;
            if (part != 0) {
                constants.mask(kernels.mask(part));
            }
            long down = (long) i * size;
            // One call for all tiles of full width, one for the rest.
            for (int j = 0; j < columns;) {
                int panels = (columns - j) / nr;
                int width = panels > 0 ? nr : columns - j;
                long across = j / 2;
                NativeCall.direct(kernels.complexDirect(vectors, width, part != 0), k, a + down, lda, b + across * next,
                        step, next, c + down + across * ldc, ldc, constants.address(), Math.max(1, panels), 0, 0);
                j += panels > 0 ? panels * nr : width;
            }
            i += count;
        }
    }
}
