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

    /** Double by products of a warp: of 8, 16, 32 right-hand sides. */
    private static final KernelFunction[] TRSM_PRODUCTS_D = {
            KernelFunction.one("trsm_products_8", 'd'),
            KernelFunction.one("trsm_products_16", 'd'),
            KernelFunction.one("trsm_products_32", 'd')};

    /** Triangles of up to 8 and 16 rows with few right-hand sides, several problems a warp, and of 32 rows or 32 at a time. */
    private static final KernelFunction[] SOLVE_8 = KernelFunction.floating("solve_8");

    /** Triangles of up to 8 rows with more right-hand sides: a thread has one. */
    private static final KernelFunction[] SOLVE_ACROSS = KernelFunction.floating("solve_across");

    private static final KernelFunction[] SOLVE_16 = KernelFunction.floating("solve_16");
    private static final KernelFunction[] SOLVE_32 = KernelFunction.floating("solve_32");
    private static final int FEW = 8;

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
        boolean complex = l.type.isComplex();
        long solved = complex ? 2 * WARP : WARP;
        // Of chains of blocks none may have nothing to do.
        if (l.extent == 0 && order > (complex ? solved : SOLVE) && Reach.fewSides(sides, l.count)) {
            thin(t, l, order, sides, at, channel);
        } else if (l.extent == 0 && (order <= WARP && sides <= FEW
                || order <= solved && up(sides, PART) * l.count <= (long) BUSY * multiprocessors)) {
            small(t, l, order, sides, at, channel);
        } else if (l.extent == 0 && order <= ACROSS) {
            KernelFunction f = SOLVE_ACROSS[t];
            int threads = Math.max(WARP, powerOfTwo(sides, f.threads()));
            launch(f, up(sides, threads), 1, l.count, threads, 0, at, channel);
        } else {
            trsm(t, l, order, sides, at, channel);
        }
    }

    private void small(int t, Launch l, long order, long sides, long at, C channel) {
        KernelFunction f = (order <= 8 ? SOLVE_8 : order <= 16 ? SOLVE_16 : SOLVE_32)[t];
        int each = f.threads() / (order <= 8 ? 8 : order <= 16 ? 16 : WARP);
        functions.launch(f, (int) up(l.count * up(sides, PART), each), 1, 1, f.threads(), 0, at, channel);
    }

    private void trsm(int t, Launch l, long order, long sides, long at, C channel) {
        // Right-hand sides of a block: few where more would leave multiprocessors idle.
        long busy = multiprocessors * 3L / 4;
        int each = 8;
        if (sides > 16 && l.type != ElementType.C64 && up(sides, 32) * l.count >= busy) {
            each = 32;
        } else if (sides > 8 && up(sides, 16) * l.count >= busy) {
            each = 16;
        }
        boolean products = tensorCores && l.type == ElementType.F64;
        KernelFunction f =
                products ? TRSM_PRODUCTS_D[each / 16] : (each == 32 ? TRSM_32 : each == 16 ? TRSM_16 : TRSM_8)[t];
        int warps = (int) Math.min(up(order, WARP), f.threads() / WARP);
        boolean staged = (l.opA != Op.NONE) == (l.side == Side.LEFT);
        Arguments.parameters(at, staged ? 1 : 0, 0, 0);
        int shared = products ? Layouts.trsmProducts(l.type, each, warps) : Layouts.trsm(l.type, each, warps, staged);
        launch(f, up(sides, each), 1, l.count, warps * WARP, shared, at, channel);
    }

    /**
     * A triangle beyond what a block of threads solves, with few right-hand sides: chains of blocks, one for every eight sides, which
     * share the triangle's rows out.
     */
    private void thin(int t, Launch l, long order, long sides, long at, C channel) {
        boolean along = (l.opA != Op.NONE) == (l.side == Side.LEFT);
        KernelFunction f = (along ? THIN_T : THIN_N)[t];
        int rows = l.type == ElementType.C64 ? 32 : 64;
        int each = f.sides();
        int shared = Layouts.thin(l.type, rows, each, f.threads() / WARP, along);
        launch(f, up(order, rows) * up(sides, each), 1, l.count, f.threads(), shared, at, channel);
    }
}
