package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.spi.RoundedFactors;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;

/** Products of halves, bfloat16, 8-bit integers and rounded floats by tensor cores. */
final class HalfRules<C> extends TileRules<C> {
    /** By a warp's products: [op(A) transposed][op(B) transposed]. */
    private static final KernelFunction[][] TILE_32 = KernelFunction.four("half_", "nt", "nt", "_32", 's');

    private static final KernelFunction[][] TILE_48 = KernelFunction.four("half_", "nt", "nt", "_48", 's');
    private static final KernelFunction[][] TILE_64 = KernelFunction.four("half_", "nt", "nt", "_64", 's');
    private static final KernelFunction[][] TILE_96 = KernelFunction.four("half_", "nt", "nt", "_96", 's');
    private static final KernelFunction[][] TILE_128 = KernelFunction.four("half_", "nt", "nt", "_128", 's');

    /** Of floats that are rounded to TF32. */
    private static final KernelFunction[][] FLOAT_64 = KernelFunction.four("tf32_", "nt", "nt", "_64", 's');

    private static final KernelFunction[][] FLOAT_128 = KernelFunction.four("tf32_", "nt", "nt", "_128", 's');

    /** By four warps together. */
    private static final KernelFunction[][] FLOAT_GROUP = KernelFunction.four("rounded_", "nt", "nt", "_256", 's');

    /** Of floats that are rounded to halves or bfloat16. */
    private static final KernelFunction[][] SHORT_64 = KernelFunction.four("short_", "nt", "nt", "_64", 's');

    private static final KernelFunction[][] SHORT_128 = KernelFunction.four("short_", "nt", "nt", "_128", 's');

    /** Smaller products of floats are not worth the rounding. */
    private static final long LEAST_OF_FLOATS = 32;

    /** By products of four warps, of 128 columns. */
    private static final KernelFunction[][] GROUP_128 = KernelFunction.four("warpgroup_", "nt", "nt", "_128", 's');

    private static final KernelFunction[][] GROUP_256 = KernelFunction.four("warpgroup_", "nt", "nt", "_256", 's');

    /** Of 8-bit integers, with sums in 32-bit ones. */
    private static final KernelFunction[][] INTEGERS = KernelFunction.four("integers_", "nt", "nt", "_256", 's');

    private static final int COLUMNS = 128;

    /** Four warps multiply rounded floats so many times as fast as one does, so a part of the multiprocessors is enough for them. */
    private static final int BUSY = 6;

    /** Smaller results leave most of a tile of four warps empty. */
    private static final int LEAST_OF_GROUP = 64;

    private final FactorRules<C> factors;

    HalfRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
        factors = new FactorRules<>(functions, chip);
    }

    /** Whether this is a product of two factors of one type that tensor cores take; sums are floats, or integers. */
    boolean takes(Launch l) {
        ElementType a = l.a.type;
        if (a == ElementType.I8) {
            return cores == Cores.WARPGROUPS && Math.min(l.m, l.n) > LEAST_OF_GROUP / 2;
        }
        return cores.halves() && (a == ElementType.F16 || a == ElementType.BF16) && l.b.type == a
                && l.type != ElementType.F64;
    }

    /** Whether this is a product of floats that may be rounded, and is large enough; the parameters are those of floats, zeros. */
    boolean rounds(Launch l) {
        boolean takes = l.math.rounds() || RoundedFactors.splits(l) && factors.takes(l);
        return cores.halves() && takes && l.type == ElementType.F32 && l.plain()
                && Math.min(l.k, Math.min(l.m, l.n)) >= LEAST_OF_FLOATS;
    }

    /** Runs it, a product of floats that are rounded. */
    void rounded(Launch l, long at, C channel) {
        if (factors.takes(l)) {
            factors.run(l, at, channel);
            return;
        }
        Arguments.parameters(at, l.math.ordinal(), 0, 0);
        run(l, at, channel);
    }

    /** Runs it; the parameters are written. */
    void run(Launch l, long at, C channel) {
        int ta = l.opA == Op.NONE ? 0 : 1;
        int tb = l.opB == Op.NONE ? 0 : 1;
        KernelFunction[][] group = group(l);
        if (group != null) {
            KernelFunction f = group[ta][tb];
            launch(f, up(l.m, f.tile()) * up(l.n, COLUMNS), 1, l.count, f.threads(), f.shared(), at, channel);
            return;
        }
        KernelFunction f = (l.a.type == ElementType.F32 ? floats(l) : tile(l))[ta][tb];
        long tiles = up(l.m, f.tile()) * up(l.n, f.tile());
        if (l.extent != 0) {
            launch(f, tiles, 1, l.count, f.threads(), f.shared(), at, channel);
        } else if (stays(f) || tiles * l.count > Integer.MAX_VALUE) {
            // Blocks bring what the next tile is made of while they finish one.
            long resident = (long) f.blocks() * multiprocessors;
            launch(f, Math.min(tiles * l.count, resident), 1, 1, f.threads(), f.shared(), at, channel);
        } else {
            launch(f, tiles * l.count, 1, 1, f.threads(), shared(f, l, ta, tb), at, channel);
        }
    }

    /** Whether blocks that take one tile after another are sooner through than a block a tile. Measured on an H100. */
    private static boolean stays(KernelFunction f) {
        return f.tile() <= 48 || f.tile() == 96;
    }

    /** As many stages as there is to bring. */
    private static int shared(KernelFunction f, Launch l, int ta, int tb) {
        int order = f.tile();
        int depth = 128 / l.a.type.bytes();
        int atoms = (order + depth - 1) / depth * depth;
        int stage = ((ta == 0 ? atoms : order) + (tb == 0 ? order : atoms)) * 128;
        return (int) Math.min(f.shared(), Math.max(1, up(l.k, depth)) * stage);
    }

    /** Null where products of a warp are done sooner. */
    private KernelFunction[][] group(Launch l) {
        if (l.a.type == ElementType.I8) {
            return INTEGERS;
        }
        if (l.a.type == ElementType.F32) {
            boolean group = cores == Cores.WARPGROUPS && l.math == MathMode.TF32;
            return group && BUSY * up(l.m, 256) * up(l.n, COLUMNS) * l.count >= multiprocessors ? FLOAT_GROUP : null;
        }
        boolean several = l.count > 1 && Math.max(l.m, l.n) <= COLUMNS;
        if (cores != Cores.WARPGROUPS || several || Math.min(l.m, l.n) <= LEAST_OF_GROUP) {
            return null;
        }
        return highTiles(l.m, l.n, l.count) ? GROUP_256 : GROUP_128;
    }

    private KernelFunction[][] floats(Launch l) {
        boolean large = largeTiles(l);
        return l.math == MathMode.TF32 ? large ? FLOAT_128 : FLOAT_64 : large ? SHORT_128 : SHORT_64;
    }

    private KernelFunction[][] tile(Launch l) {
        long order = Math.max(l.m, l.n);
        if (order <= 32) {
            return TILE_32;
        }
        if (order <= 48) {
            return TILE_48;
        }
        if (order <= 64 || !largeTiles(l)) {
            return TILE_64;
        }
        return order <= 96 ? TILE_96 : TILE_128;
    }

    private boolean largeTiles(Launch l) {
        return up(l.m, 128) * up(l.n, 128) * l.count >= 2L * multiprocessors;
    }
}
