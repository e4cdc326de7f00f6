package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Set;

/** Systems with a triangular matrix and several right-hand sides. */
final class SolveRules<C> extends Rules<C> implements Family<C> {
    /** Order of the triangles that one launch solves: rows of a block of threads; half of it for complex types. */
    static final int SOLVE = 256;

    /** By right-hand sides of a block: 8, 16, and 32 but for z. */
    private static final KernelFunction[] TRSM_8 = KernelFunction.floating("trsm_8");

    private static final KernelFunction[] TRSM_16 = KernelFunction.floating("trsm_16");
    private static final KernelFunction[] TRSM_32 = KernelFunction.floating("trsm_32");

    /** By products of a warp: of 8, 16, 32 right-hand sides; none for float. */
    private static final KernelFunction[][] PRODUCTS = {
            KernelFunction.floating("trsm_products_8"),
            KernelFunction.floating("trsm_products_16"),
            KernelFunction.floating("trsm_products_32")};

    /** Triangles of up to 8 and 16 rows with few right-hand sides, several problems a warp, and of 32 rows or 32 at a time. */
    private static final KernelFunction[] SOLVE_8 = KernelFunction.floating("solve_8");

    /** Triangles of up to 8 rows with more right-hand sides: a thread has one. */
    private static final KernelFunction[] SOLVE_ACROSS = KernelFunction.floating("solve_across");

    /** The same of more rows, so many at a time. */
    private static final KernelFunction[] SOLVE_ACROSS_16 = KernelFunction.floating("solve_across_16");

    private static final int ROWS = 16;

    /** Complex triangles of more rows than a warp are solved so up to this order, where right-hand sides are many. */
    private static final int MOST = 48;

    private static final KernelFunction[] SOLVE_16 = KernelFunction.floating("solve_16");
    private static final KernelFunction[] SOLVE_32 = KernelFunction.floating("solve_32");
    private static final int FEW = 8;

    /** Problems from which on their blocks of threads no longer run all at once. */
    private static final int MANY = 400;

    /** Right-hand sides of one part of a problem. */
    private static final int PART = 4;

    /** Parts a multiprocessor, up to which each is soonest there by a warp. */
    private static final int BUSY = 8;

    private static final int ACROSS = 8;

    /** Triangles of any order with few right-hand sides: rows of op(A) across the storage, and along it. */
    private static final KernelFunction[] THIN_N = KernelFunction.floating("thin_n");

    private static final KernelFunction[] THIN_T = KernelFunction.floating("thin_t");

    SolveRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.TRSM);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        boolean left = l.side == Side.LEFT;
        long order = left ? l.m : l.n;
        long sides = left ? l.n : l.m;
        if (l.extent != 0) {
            trsm(t, l, order, sides, at, channel);
        } else if (order > most(l.type) && Reach.fewSides(sides, l.count)) {
            // Of chains of blocks none may have nothing to do.
            thin(t, l, order, sides, at, channel);
        } else if (small(l.type, order, sides, l.count)) {
            small(t, l, order, sides, at, channel);
        } else if (order <= ACROSS) {
            KernelFunction f = SOLVE_ACROSS[t];
            int threads = Math.max(WARP, powerOfTwo(sides, f.threads()));
            launch(f, up(sides, threads), 1, l.count, threads, 0, at, channel);
        } else if (across(l.type, order, sides * l.count)) {
            KernelFunction f = SOLVE_ACROSS_16[t];
            int threads = Math.max(2 * WARP, powerOfTwo(sides, f.threads()));
            Arguments.parameters(at, staged(l) ? 1 : 0, 0, 0);
            int shared = Layouts.across(l.type, order, ROWS);
            launch(f, up(sides, threads), 1, l.count, threads, shared, at, channel);
        } else {
            trsm(t, l, order, sides, at, channel);
        }
    }

    private boolean byProducts(ElementType type) {
        return tensorCores && type != ElementType.F32;
    }

    /** The largest triangle that blocks of threads solve each by itself, where right-hand sides are few: by products of a warp all that they can. */
    private int most(ElementType type) {
        return !type.isComplex() ? SOLVE : byProducts(type) ? SOLVE / 2 : 2 * WARP;
    }

    /**
     * Whether lanes have rows: of few right-hand sides. Of complex ones twice as many without tensor cores, and where problems are many: an H200 takes 7 µs
     * for up to 128 problems of order 34 by those and 12 to 15 so, but 28 for 900.
     */
    private boolean small(ElementType type, long order, long sides, long count) {
        boolean many = sides <= FEW && count >= MANY;
        if (type.isComplex() && many && order <= 2 * WARP) {
            return true;
        }
        long rows = type.isComplex() && !byProducts(type) ? 2 * WARP : WARP;
        long busy = type == ElementType.C32 && order > ROWS ? 2 * BUSY : BUSY;
        return order <= WARP && sides <= FEW || order <= rows && up(sides, PART) * count <= busy * multiprocessors;
    }

    /**
     * Whether threads have right-hand sides, so many in all. An H200 solves 6637 of a complex triangle of 9 rows in 5 µs so and in 11 by
     * {@link #trsm}; of one of 34 it takes 21 and 14, and for 79200 of 900 triangles 85 and 147.
     */
    private boolean across(ElementType type, long order, long sides) {
        if (order <= ROWS) {
            return true;
        }
        long many = type == ElementType.C64 ? 40000 : order <= WARP ? 0 : 10000;
        return byProducts(type) && type.isComplex() && order <= MOST && sides >= many;
    }

    /** Whether elements of a row of the triangle follow each other in memory. */
    private static boolean staged(Launch l) {
        return (l.opA != Op.NONE) == (l.side == Side.LEFT);
    }

    private void small(int t, Launch l, long order, long sides, long at, C channel) {
        KernelFunction f = (order <= 8 ? SOLVE_8 : order <= 16 ? SOLVE_16 : SOLVE_32)[t];
        int each = f.threads() / (order <= 8 ? 8 : order <= 16 ? 16 : WARP);
        functions.launch(f, (int) up(l.count * up(sides, PART), each), 1, 1, f.threads(), 0, at, channel);
    }

    private void trsm(int t, Launch l, long order, long sides, long at, C channel) {
        boolean products = byProducts(l.type);
        // Right-hand sides of a block: few where more would leave multiprocessors idle.
        long busy = multiprocessors * 3L / 4;
        int each = 8;
        if (sides > 16 && (products || l.type != ElementType.C64) && up(sides, 32) * l.count >= busy) {
            each = 32;
        } else if (sides > 8 && up(sides, 16) * l.count >= busy) {
            each = 16;
        }
        KernelFunction f =
                products ? PRODUCTS[each / 16][t] : (each == 32 ? TRSM_32 : each == 16 ? TRSM_16 : TRSM_8)[t];
        long rows = products && l.type.isComplex() ? 2 * order : order;
        int warps = (int) Math.min(up(rows, WARP), f.threads() / WARP);
        boolean staged = staged(l);
        Arguments.parameters(at, staged ? 1 : 0, 0, 0);
        int shared = products ? Layouts.trsmProducts(each, warps) : Layouts.trsm(l.type, each, warps, staged);
        launch(f, up(sides, each), 1, l.count, warps * WARP, shared, at, channel);
    }

    /**
     * A triangle beyond what a block of threads solves, with few right-hand sides: chains of blocks, one for every eight sides, which
     * share the triangle's rows out.
     */
    private void thin(int t, Launch l, long order, long sides, long at, C channel) {
        boolean along = staged(l);
        KernelFunction f = (along ? THIN_T : THIN_N)[t];
        int rows = l.type == ElementType.C64 ? 32 : 64;
        int each = f.sides();
        int shared = Layouts.thin(l.type, rows, each, f.threads() / WARP, along);
        launch(f, up(order, rows) * up(sides, each), 1, l.count, f.threads(), shared, at, channel);
    }
}
