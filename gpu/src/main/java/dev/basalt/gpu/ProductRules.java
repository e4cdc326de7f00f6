package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Set;

/** Matrix times matrix. */
final class ProductRules<C> extends TileRules<C> implements Family<C> {
    private static final KernelFunction[] GEMM = KernelFunction.floating("gemm");
    private static final KernelFunction[] SLICED_GEMM = KernelFunction.floating("sliced_gemm");
    private static final KernelFunction[] SLICED_SYMM = KernelFunction.floating("sliced_symm");
    private static final KernelFunction[] SLICED_SYRK = KernelFunction.floating("sliced_syrk");
    private static final KernelFunction[] SLICED_DEEP_GEMM = KernelFunction.floating("sliced_deep_gemm");
    private static final KernelFunction[] SLICED_DEEP_SYRK = KernelFunction.floating("sliced_deep_syrk");
    private static final KernelFunction[] FEW_GEMM = KernelFunction.floating("few_gemm");
    private static final KernelFunction[] FEW_SYMM = KernelFunction.floating("few_symm");
    private static final KernelFunction[] FEW_SYRK = KernelFunction.floating("few_syrk");
    private static final KernelFunction[] SYMM = KernelFunction.floating("symm");
    private static final KernelFunction[] SYRK = KernelFunction.floating("syrk");

    /** Products of a short inner dimension. */
    private static final KernelFunction[] OUTER_GEMM = KernelFunction.floating("outer_gemm");

    private static final KernelFunction[] OUTER_SYRK = KernelFunction.floating("outer_syrk");

    /** Small products, of which a warp has tiles of order 8, 16 and 24, and of 32 in float. */
    private static final KernelFunction[] SMALL_8 = KernelFunction.floating("small_8");

    private static final KernelFunction[] SMALL_16 = KernelFunction.floating("small_16");
    private static final KernelFunction[] SMALL_24 = KernelFunction.floating("small_24");

    private static final KernelFunction SMALL_32_S = KernelFunction.one("small_32", 's');

    /** Products of float from which one warp for a tile of order 32 is sooner than four. */
    private static final int MANY = 512;

    /** The same by tiles of 8 rows and 32 columns, and of 32 rows and 8 columns. */
    private static final KernelFunction[] SMALL_FLAT = KernelFunction.floating("small_flat");

    private static final KernelFunction[] SMALL_TALL = KernelFunction.floating("small_tall");

    /** Products of float: [op(A) transposed][op(B) transposed]. */
    private static final KernelFunction[][] SIMT_S = KernelFunction.four("simt_", "nt", "nt", "", 's');

    private static final KernelFunction[][] SIMT_C = KernelFunction.four("simt_", "nt", "nt", "", 'c');
    private static final KernelFunction[][] HALF_S = KernelFunction.four("simt_half_", "nt", "nt", "", 's');
    private static final KernelFunction[][] HALF_C = KernelFunction.four("simt_half_", "nt", "nt", "", 'c');

    /** A triangle of op(A)·op(A)ᵀ of float: [op(A) transposed]. */
    private static final KernelFunction[] SIMT_SYRK_S = two("simt_syrk_", "", 's');

    private static final KernelFunction[] SIMT_SYRK_C = two("simt_syrk_", "", 'c');

    /** Products by tensor cores: [op(A) transposed][op(B) transposed]. */
    private static final KernelFunction[][] TENSOR_128_D = KernelFunction.four("tensor_", "nt", "nt", "_128", 'd');

    private static final KernelFunction[][] TENSOR_64_D = KernelFunction.four("tensor_", "nt", "nt", "_64", 'd');
    private static final KernelFunction[][] TENSOR_64_Z = KernelFunction.four("tensor_", "nt", "nt", "_64", 'z');

    /** Products of a long inner dimension by tensor cores, which a cluster shares: [op(A) transposed][op(B) transposed]. */
    private static final KernelFunction[][] DEEP_D = KernelFunction.four("deep_", "nt", "nt", "", 'd');

    private static final KernelFunction[][] DEEP_Z = KernelFunction.four("deep_", "nt", "nt", "", 'z');

    /** Inner dimension from which few tiles of a result are shared by clusters, with so many columns at most. */
    private static final long DEEP = 1024;

    private static final long DEEP_COLUMNS = 4096;

    private static final int CLUSTER = 8;

    /** A triangle of op(A)·op(A)ᵀ by tensor cores: [op(A) transposed]. */
    private static final KernelFunction[] SYRK_128_D = two("tensor_syrk_", "_128", 'd');

    private static final KernelFunction[] SYRK_64_D = two("tensor_syrk_", "_64", 'd');
    private static final KernelFunction[] SYRK_HALF_D = two("tensor_syrk_", "_half", 'd');
    private static final KernelFunction[] SYRK_32_Z = two("tensor_syrk_", "_32", 'z');
    private static final KernelFunction[] SYRK_64_Z = two("tensor_syrk_", "_64", 'z');

    private final HalfRules<C> rounded;

    ProductRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
        rounded = new HalfRules<>(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEMM, Kernel.SYMM, Kernel.SYRK);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        long m = l.kernel == Kernel.SYRK ? l.n : l.m;
        if (m <= 0 || l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case GEMM -> gemm(t, l, at, channel);
            case SYMM -> symm(t, l, at, channel);
            case SYRK -> {
                long tiles = up(l.n, SLICED);
                if (few(l, tiles * tiles)) {
                    launch(FEW_SYRK[t], tiles, tiles, l.count, at, channel);
                } else if (outer(l, l.n, l.n)) {
                    tiles(OUTER_SYRK[t], l.n, l.n, l.count, at, channel);
                } else if (slices(l, l.n)) {
                    KernelFunction f = SLICED_SYRK[t];
                    long side = up(l.n, f.tile());
                    sliced(f, SLICED_DEEP_SYRK[t], side, side, l.k, l, at, channel);
                } else {
                    syrk(t, l, at, channel);
                }
            }
            default -> throw new IllegalArgumentException("products do not run " + l.kernel);
        }
    }

    private void symm(int t, Launch l, long at, C channel) {
        long k = l.side == Side.LEFT ? l.m : l.n;
        if (few(l, up(l.m, SLICED) * up(l.n, SLICED), k, FEW)) {
            launch(FEW_SYMM[t], up(l.m, SLICED), up(l.n, SLICED), l.count, at, channel);
        } else if (slices(l, l.m, l.n)) {
            KernelFunction f = SLICED_SYMM[t];
            sliced(f, null, up(l.m, f.tile()), up(l.n, f.tile()), k, l, at, channel);
        } else {
            tiles(SYMM[t], l.m, l.n, l.count, at, channel);
        }
    }

    private void gemm(int t, Launch l, long at, C channel) {
        if (rounded.rounds(l)) {
            rounded.rounded(l, at, channel);
            return;
        }
        long order = Math.max(l.m, l.n);
        if (l.type.isComplex() && order > 8 && few(l, up(l.m, SLICED) * up(l.n, SLICED), l.k, FEW)) {
            launch(FEW_GEMM[t], up(l.m, SLICED), up(l.n, SLICED), l.count, at, channel);
            return;
        }
        if (small(l, order)) {
            KernelFunction f = smallTiles(t, l, order);
            int warps = f.threads() / WARP;
            long tiles = up(l.m, f.tile()) * up(l.n, f.columns());
            functions.launch(f, (int) up(l.count * tiles, warps), 1, 1, f.threads(), 0, at, channel);
        } else if (l.m > SLICED && outer(l, l.m, l.n)) {
            tiles(OUTER_GEMM[t], l.m, l.n, l.count, at, channel);
        } else if (slicesGemm(l)) {
            KernelFunction f = SLICED_GEMM[t];
            sliced(f, SLICED_DEEP_GEMM[t], up(l.m, f.tile()), up(l.n, f.tile()), l.k, l, at, channel);
        } else if (deep(l)) {
            KernelFunction f =
                    (l.type == ElementType.F64 ? DEEP_D : DEEP_Z)[l.opA == Op.NONE ? 0 : 1][l.opB == Op.NONE ? 0 : 1];
            launch(f, CLUSTER, up(l.n, f.tile()), l.count, f.threads(), f.shared(), at, channel);
        } else {
            tiles(gemm(t, l), l.m, l.n, l.count, at, channel);
        }
    }

    /**
     * Whether a warp has a product, or a tile of it: of orders up to 32 where these are many, of up to 64 where all run at once or other tiles were empty
     * for the most part. An H200 takes 4.9 µs for 1311 products of order 24 in d so, 10.6 by tiles of 32, and for 140 of 40×32 5.7 µs in z where blocks take 9.6.
     */
    private boolean small(Launch l, long order) {
        if (l.extent != 0 || order > 64 || l.k > 64 && (order > WARP || l.count < 256)) {
            return false;
        }
        boolean many = order <= 8 || up(l.m, SLICED) * up(l.n, SLICED) * l.count > 2L * multiprocessors;
        if (order <= WARP || Math.min(l.m, l.n) <= 8) {
            return many;
        }
        boolean atOnce = up(l.m, 24) * up(l.n, 24) * l.count <= 8L * multiprocessors;
        return many && l.type != ElementType.C32 && (atOnce || 3 * l.m * l.n <= 64 * 64);
    }

    private KernelFunction smallTiles(int t, Launch l, long order) {
        if (order <= 8) {
            return SMALL_8[t];
        }
        if (Math.min(l.m, l.n) <= 8) {
            return (l.m <= 8 ? SMALL_FLAT : SMALL_TALL)[t];
        }
        if (l.type == ElementType.F32 && order > 24 && order <= WARP && l.count >= MANY) {
            return SMALL_32_S;
        }
        // Tiles of 24 lose less time on the way for as much of C; those of 16 cover less of what is outside.
        return (3 * covered(l, 16) <= 2 * covered(l, 24) ? SMALL_16 : SMALL_24)[t];
    }

    private static long covered(Launch l, long side) {
        return up(l.m, side) * up(l.n, side) * side * side;
    }

    /** Whether the result is one tile high and its tiles would keep few multiprocessors busy for long. */
    private boolean deep(Launch l) {
        boolean type = l.type == ElementType.F64 || l.type == ElementType.C64;
        return tensorCores && clusters >= CLUSTER && type && l.extent == 0 && l.m <= 64 && l.k >= DEEP
                && l.n <= DEEP_COLUMNS;
    }

    private KernelFunction gemm(int t, Launch l) {
        int ta = l.opA == Op.NONE ? 0 : 1;
        int tb = l.opB == Op.NONE ? 0 : 1;
        if (l.type == ElementType.F32) {
            return (l.m > 64 && l.n > 64 && largeSimt(l.m, l.n, l.count) ? SIMT_S : HALF_S)[ta][tb];
        }
        if (l.type == ElementType.C32) {
            // Half the side where that covers less of what is outside, or keeps more multiprocessors busy.
            long whole = up(l.m, 64) * up(l.n, 64);
            boolean half = 7 * up(l.m, 32) * up(l.n, 32) < 24 * whole || whole * l.count < multiprocessors;
            return (half ? HALF_C : SIMT_C)[ta][tb];
        }
        if (tensorCores && l.type == ElementType.F64) {
            return (l.k > 64 && largeTiles(l.m, l.n, l.count, 1) ? TENSOR_128_D : TENSOR_64_D)[ta][tb];
        }
        return tensorCores && l.type == ElementType.C64 ? TENSOR_64_Z[ta][tb] : GEMM[t];
    }

    private void syrk(int t, Launch l, long at, C channel) {
        int ta = l.opA == Op.NONE ? 0 : 1;
        KernelFunction simt =
                bySimt(l.type, l.n, l.count) ? (l.type == ElementType.F32 ? SIMT_SYRK_S : SIMT_SYRK_C)[ta] : null;
        if (simt == null) {
            KernelFunction f = syrk(t, l, ta);
            launch(f, up(l.n, f.tile()), up(l.n, f.columns()), l.count, f.threads(), f.shared(), at, channel);
        } else {
            launch(simt, triangle(l.n, simt.tile()), 1, l.count, simt.threads(), simt.shared(), at, channel);
        }
    }

    /**
     * Whether smaller tiles are done sooner, because tiles of 64×64 are so few that multiprocessors would wait. An H200 takes 131 µs for a
     * complex triangle of order 900 and an inner dimension of 800 by those, and 79 by tiles of 32×32 with three stages.
     */
    private boolean smaller(Launch l, long each) {
        return triangle(l.n, 64) * l.count <= each * multiprocessors;
    }

    private KernelFunction syrk(int t, Launch l, int ta) {
        if (tensorCores && l.type == ElementType.F64) {
            // Half of the tiles return at once.
            return (smaller(l, 3) ? SYRK_HALF_D : largeTiles(l.n, l.n, l.count, 2) ? SYRK_128_D : SYRK_64_D)[ta];
        }
        return tensorCores && l.type == ElementType.C64 ? (smaller(l, 4) ? SYRK_32_Z : SYRK_64_Z)[ta] : SYRK[t];
    }
}
