package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Set;

/** Products with a triangular matrix, and its inverse. */
final class TriangleRules<C> extends TileRules<C> implements Family<C> {
    /** Order of the triangles that one launch multiplies. */
    static final int BLOCK = 64;

    /** Order of the largest triangle that is inverted in shared memory, and columns of its inverse that a warp makes at once. */
    private static final int SMALL = 64;

    private static final int COLUMNS = 4;

    private static final KernelFunction[] TRMM = KernelFunction.floating("trmm");
    private static final KernelFunction[] TRTRI = KernelFunction.floating("trtri");
    private static final KernelFunction[] TRMM_APART = KernelFunction.floating("trmm_apart");

    private static final KernelFunction[] FEW_TRMM = KernelFunction.floating("few_trmm");
    private static final KernelFunction[] FEW_APART = KernelFunction.floating("few_trmm_apart");
    private static final KernelFunction[] SLICED_TRMM = KernelFunction.floating("sliced_trmm");
    private static final KernelFunction[] SLICED_APART = KernelFunction.floating("sliced_trmm_apart");

    /** Apart from the result by tiles of gemm: [side][op(A) transposed]. */
    private static final KernelFunction[][] SIMT_S = KernelFunction.four("simt_trmm_", "lr", "nt", "", 's');

    private static final KernelFunction[][] SIMT_C = KernelFunction.four("simt_trmm_", "lr", "nt", "", 'c');

    private static final KernelFunction[][] TENSOR_128_D = KernelFunction.four("tensor_trmm_", "lr", "nt", "_128", 'd');
    private static final KernelFunction[][] TENSOR_64_D = KernelFunction.four("tensor_trmm_", "lr", "nt", "_64", 'd');
    private static final KernelFunction[][] TENSOR_64_Z = KernelFunction.four("tensor_trmm_", "lr", "nt", "_64", 'z');

    TriangleRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.TRMM, Kernel.TRMM_APART, Kernel.TRTRI);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case TRMM -> trmm(t, l, at, channel);
            case TRMM_APART -> trmmApart(t, l, at, channel);
            case TRTRI -> trtri(t, l, at, channel);
            default -> throw new IllegalArgumentException("triangles do not run " + l.kernel);
        }
    }

    /** C := alpha·op(A)·B or alpha·B·op(A). Where addresses in tables may turn out to be the same, a second launch does those in place. */
    private void trmmApart(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        apart(t, l, at, channel);
        boolean tables = l.b.pointers || l.c.pointers;
        if (l.b.present() && (tables || l.b.base + l.b.offset == l.c.base + l.c.offset)) {
            Arguments.parameters(at, 1, 0, 0);
            trmm(t, l, at, channel);
        }
    }

    /** The problems whose C is apart from B; the grid's y is the side of the triangle. */
    private void apart(int t, Launch l, long at, C channel) {
        long order = l.side == Side.LEFT ? l.m : l.n;
        if (few(l, up(l.m, SLICED) * up(l.n, SLICED), order, most(l.type))) {
            launch(FEW_APART[t], up(l.m, SLICED), up(l.n, SLICED), l.count, at, channel);
            return;
        }
        if (slices(l, l.m, l.n)) {
            KernelFunction f = SLICED_APART[t];
            sliced(f, null, up(l.m, f.tile()), up(l.n, f.tile()), order, l, at, channel);
            return;
        }
        KernelFunction[][] byTiles = byTiles(l);
        if (byTiles == null) {
            tiles(TRMM_APART[t], l.m, l.n, l.count, at, channel);
            return;
        }
        boolean left = l.side == Side.LEFT;
        KernelFunction f = byTiles[left ? 0 : 1][l.opA == Op.NONE ? 0 : 1];
        tiles(f, left ? l.n : l.m, left ? l.m : l.n, l.count, at, channel);
    }

    private KernelFunction[][] byTiles(Launch l) {
        if (l.type == ElementType.F32 && l.m > 64 && l.n > 64) {
            return SIMT_S;
        }
        if (l.type == ElementType.C32 && l.m > 32 && l.n > 32) {
            return SIMT_C;
        }
        if (tensorCores && l.type == ElementType.F64) {
            return largeTiles(l.m, l.n, l.count, 1) ? TENSOR_128_D : TENSOR_64_D;
        }
        return tensorCores && l.type == ElementType.C64 ? TENSOR_64_Z : null;
    }

    private void trmm(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        long order = l.side == Side.LEFT ? l.m : l.n;
        long lines = l.side == Side.LEFT ? l.n : l.m;
        if (l.extent == 0 && order <= (l.type == ElementType.F32 ? FEW : SLICED)
                && up(lines, SLICED) * l.count <= 2L * multiprocessors) {
            launch(FEW_TRMM[t], up(lines, SLICED), 1, l.count, at, channel);
        } else if (l.extent == 0 && order <= BLOCK) {
            launch(SLICED_TRMM[t], up(lines, SLICED_TRMM[t].tile()), 1, l.count, at, channel);
        } else {
            launch(TRMM[t], up(lines, 32), 1, l.count, at, channel);
        }
    }

    private void trtri(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        boolean small = l.n <= SMALL;
        Arguments.parameters(at, small ? 1 : 0, 0, 0);
        int threads = small ? powerOfTwo(up(l.n, COLUMNS) * WARP, TRTRI[t].threads()) : 4 * WARP;
        int shared = small ? (int) (l.n * l.n * l.type.bytes()) : 0;
        launch(TRTRI[t], 1, 1, l.count, threads, shared, at, channel);
    }
}
