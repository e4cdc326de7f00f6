package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.RoundedFactors;
import dev.basalt.spi.Scalar;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;

/** Products of floats whose factors are rounded and laid into the workspace by a launch before. */
final class FactorRules<C> extends TileRules<C> {
    private static final KernelFunction ROUND = KernelFunction.one("round_factors", 's');

    /** Of floats, by tiles of 128 and of 256 rows. */
    private static final KernelFunction[] FLOATS =
            {KernelFunction.one("rounded_factors_128", 's'), KernelFunction.one("rounded_factors_256", 's')};

    /** Of halves and bfloat16, whose inner indices are contiguous on both sides. */
    private static final KernelFunction[] HALVES =
            {KernelFunction.one("warpgroup_tn_128", 's'), KernelFunction.one("warpgroup_tn_256", 's')};

    /** Rows and columns of C that a block has at most. */
    private static final int ROWS = FLOATS[1].tile();

    private static final int COLUMNS = 128;

    private static final long LEAST = 384;
    private static final long LEAST_DEPTH = 256;

    /** Beside a type: elements become two parts. */
    private static final int SPLIT = 256;

    private static final Scalar ONE = new Scalar();

    static {
        ONE.set(1, 0);
    }

    FactorRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** From which sizes on that is sooner than rounding in registers. Measured on an H100. */
    static RoundedFactors factors() {
        return new RoundedFactors(LEAST, LEAST_DEPTH);
    }

    /** Whether a product, one that may be rounded, has room for as much of its factors as a block of C wants. */
    boolean takes(Launch l) {
        return cores == Cores.WARPGROUPS && l.count == 1
                && lines(l, RoundedFactors.depth(l, l.workBytes)) >= Math.min(l.m, ROWS) + Math.min(l.n, COLUMNS);
    }

    /** Rows of op(A) and columns of op(B) together that there is room for. */
    private static long lines(Launch l, long depth) {
        return l.workBytes / (depth * RoundedFactors.size(l));
    }

    /** Runs it. */
    void run(Launch l, long at, C channel) {
        long depth = RoundedFactors.depth(l, l.workBytes);
        long lines = lines(l, depth);
        long half = lines / 2;
        boolean all = l.m + l.n <= lines;
        long rows = all || l.m <= half ? l.m : Math.min(l.m, down(Math.max(half, lines - l.n), ROWS));
        long columns = all ? l.n : Math.min(l.n, down(lines - rows, COLUMNS));
        for (long j = 0; j < l.n; j += columns) {
            for (long i = 0; i < l.m; i += rows) {
                for (long p = 0; p < l.k; p += depth) {
                    block(l, i, Math.min(rows, l.m - i), j, Math.min(columns, l.n - j), p, depth, at, channel);
                }
            }
        }
    }

    /** The largest multiple that is not above a number, or the multiple of one. */
    private static long down(long value, int multiple) {
        return Math.max(1, value / multiple) * multiple;
    }

    /** Some rows and columns of C, by some of the inner indices. */
    private void block(Launch l, long i, long rows, long j, long columns, long p, long most, long at, C channel) {
        boolean split = RoundedFactors.splits(l);
        boolean floats = l.math == MathMode.TF32 || split;
        int type = (floats ? ElementType.F32 : l.math == MathMode.F16 ? ElementType.F16 : ElementType.BF16).ordinal();
        long depth = Math.min(most, RoundedFactors.whole(l) - p);
        Arguments.sizes(at, rows, columns, l.k);
        long row = l.opA == Op.NONE ? i : i * l.a.ld;
        long column = l.opB == Op.NONE ? j * l.b.ld : j;
        operand(at, l.a, row);
        operand(at + Arguments.OPERAND, l.b, column);
        operand(at + 2 * Arguments.OPERAND, l.c, i + j * l.c.ld);
        Arguments.parameters(at, (int) p, (int) depth, type | (split ? SPLIT : 0));
        long tiles = (up(rows, ROUND.tile()) + up(columns, ROUND.tile())) * up(depth, ROUND.tile());
        launch(ROUND, tiles, 1, 1, at, channel);
        Arguments.sizes(at, rows, columns, depth);
        long length = depth * RoundedFactors.parts(l);
        Arguments.columns(at, l.work, length);
        Arguments.columns(at + Arguments.OPERAND, l.work + rows * depth * RoundedFactors.size(l), length);
        Arguments.scalar(at + Arguments.BETA, p == 0 ? l.beta : ONE);
        if (split) {
            // What sums that are no numbers are formed from once more.
            operand(at + 3 * Arguments.OPERAND, l.a, row + (l.opA == Op.NONE ? p * l.a.ld : p));
            operand(at + Arguments.F, l.b, column + (l.opB == Op.NONE ? p : p * l.b.ld));
            Arguments.parameters(at, 1, (int) Math.min(depth, l.k - p), ElementType.F32.ordinal());
        } else {
            Arguments.parameters(at, 0, floats ? 0 : type | type << 8, ElementType.F32.ordinal());
        }
        KernelFunction f = (floats ? FLOATS : HALVES)[highTiles(rows, columns, 1) ? 1 : 0];
        launch(f, up(rows, f.tile()) * up(columns, COLUMNS), 1, 1, f.threads(), f.shared(), at, channel);
    }

    /** An operand from an element on. */
    private static void operand(long at, Operand o, long element) {
        Arguments.operand(at, o, null);
        Arguments.further(at, element * o.type.bytes());
    }
}
