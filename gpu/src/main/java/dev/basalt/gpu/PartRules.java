package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Set;

/** Triangles of products of two matrices: a block for each tile of the triangle. */
final class PartRules<C> extends TileRules<C> implements Family<C> {
    private static final KernelFunction[] PART = KernelFunction.floating("part");
    private static final KernelFunction[] BOTH = KernelFunction.floating("both");

    private static final KernelFunction[] OUTER_PART = KernelFunction.floating("outer_part");
    private static final KernelFunction[] OUTER_BOTH = KernelFunction.floating("outer_both");
    private static final KernelFunction[] FEW_PART = KernelFunction.floating("few_part");
    private static final KernelFunction[] FEW_BOTH = KernelFunction.floating("few_both");
    private static final KernelFunction[] SLICED_PART = KernelFunction.floating("sliced_part");
    private static final KernelFunction[] SLICED_BOTH = KernelFunction.floating("sliced_both");
    private static final KernelFunction[] SLICED_DEEP_PART = KernelFunction.floating("sliced_deep_part");
    private static final KernelFunction[] SLICED_DEEP_BOTH = KernelFunction.floating("sliced_deep_both");

    /** One product: [op(A) transposed][op(B) transposed]. */
    private static final KernelFunction[][] SIMT_S = KernelFunction.four("simt_part_", "nt", "nt", "", 's');

    private static final KernelFunction[][] SIMT_C = KernelFunction.four("simt_part_", "nt", "nt", "", 'c');

    private static final KernelFunction[][] TENSOR_128_D = KernelFunction.four("tensor_part_", "nt", "nt", "_128", 'd');
    private static final KernelFunction[][] TENSOR_64_D = KernelFunction.four("tensor_part_", "nt", "nt", "_64", 'd');
    private static final KernelFunction[][] TENSOR_HALF_D =
            KernelFunction.four("tensor_part_", "nt", "nt", "_half", 'd');
    private static final KernelFunction[][] TENSOR_64_Z = KernelFunction.four("tensor_part_", "nt", "nt", "_64", 'z');

    /** Both products: [op(A) transposed]. */
    private static final KernelFunction[] SIMT_BOTH_S = two("simt_both_", "", 's');

    private static final KernelFunction[] SIMT_BOTH_C = two("simt_both_", "", 'c');

    private static final KernelFunction[] BOTH_128_D = two("tensor_both_", "_128", 'd');
    private static final KernelFunction[] BOTH_64_D = two("tensor_both_", "_64", 'd');
    private static final KernelFunction[] BOTH_HALF_D = two("tensor_both_", "_half", 'd');
    private static final KernelFunction[] BOTH_64_Z = two("tensor_both_", "_64", 'z');

    PartRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.SYR2K, Kernel.GEMMT);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        int ta = l.opA == Op.NONE ? 0 : 1;
        int tb = l.opB == Op.NONE ? 0 : 1;
        boolean both = l.kernel == Kernel.SYR2K;
        if (few(l, triangle(l.n, SLICED))) {
            launch((both ? FEW_BOTH : FEW_PART)[t], triangle(l.n, SLICED), 1, l.count, at, channel);
            return;
        }
        if (outer(l, l.n, l.n)) {
            KernelFunction f = (both ? OUTER_BOTH : OUTER_PART)[t];
            launch(f, triangle(l.n, f.tile()), 1, l.count, f.threads(), f.shared(), at, channel);
            return;
        }
        if (slices(l, l.n)) {
            KernelFunction f = (both ? SLICED_BOTH : SLICED_PART)[t];
            KernelFunction deep = (both ? SLICED_DEEP_BOTH : SLICED_DEEP_PART)[t];
            sliced(f, deep, triangle(l.n, f.tile()), 1, l.k, l, at, channel);
            return;
        }
        KernelFunction f = (both ? BOTH : PART)[t];
        if (bySimt(l.type, l.n, l.count)) {
            boolean real = l.type == ElementType.F32;
            f = both ? (real ? SIMT_BOTH_S : SIMT_BOTH_C)[ta] : (real ? SIMT_S : SIMT_C)[ta][tb];
        } else if (tensorCores && l.type == ElementType.F64) {
            // A short inner dimension leaves much to write for little to multiply, which more blocks a multiprocessor do sooner.
            boolean half = l.k <= 64 || halfTriangles(l.n, l.count);
            boolean large = largeTriangles(l.n, l.count);
            f = both
                    ? (half ? BOTH_HALF_D : large ? BOTH_128_D : BOTH_64_D)[ta]
                    : (half ? TENSOR_HALF_D : large ? TENSOR_128_D : TENSOR_64_D)[ta][tb];
            if (half) {
                launch(f, 2 * triangle(l.n, f.tile()), 1, l.count, f.threads(), f.shared(), at, channel);
                return;
            }
        } else if (tensorCores && l.type == ElementType.C64) {
            f = both ? BOTH_64_Z[ta] : TENSOR_64_Z[ta][tb];
        }
        launch(f, triangle(l.n, f.tile()), 1, l.count, f.threads(), f.shared(), at, channel);
    }

    /** Whether all half tiles run at once, three a multiprocessor: sooner than a few multiprocessors are done with two whole ones. */
    private boolean halfTriangles(long n, long count) {
        return 2 * triangle(n, 64) * count <= 3L * multiprocessors;
    }

    /** As {@link #largeTiles}. */
    private boolean largeTriangles(long n, long count) {
        long large = 40 * up(triangle(n, 128) * count, multiprocessors);
        long small = 22 * up(triangle(n, 64) * count, 2L * multiprocessors);
        return large <= small;
    }
}
