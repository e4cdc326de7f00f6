package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Side;
import java.util.Set;

/** Householder reflectors: panels, and what is done with them one by one. */
final class ReflectorRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] GEQR2 = KernelFunction.floating("geqr2");
    private static final KernelFunction[] ORM2R = KernelFunction.floating("orm2r");
    private static final KernelFunction[] HELD_8 = KernelFunction.floating("orm2r_held_8");
    private static final KernelFunction[] HELD_16 = KernelFunction.floating("orm2r_held_16");
    private static final KernelFunction[] HELD_32 = KernelFunction.floating("orm2r_held_32");
    private static final KernelFunction[] ORG2R = KernelFunction.floating("org2r");
    private static final KernelFunction[] LARFT = KernelFunction.floating("larft");
    private static final KernelFunction[] LARFT_ROWS = KernelFunction.floating("larft_rows");

    private static final KernelFunction[] ZERO_DIAGONAL = KernelFunction.floating("zero_diagonal");

    private static final KernelFunction[] GELS_ANY = KernelFunction.floating("gels_any");

    /** Elements of a line that a lane holds, and of the longest line that a warp does. */
    private static final int HELD_BY_LANE = 8;

    static final int HELD = HELD_BY_LANE * WARP;

    private final QrLanesRules<C> lanes;
    private final QrSmallRules<C> small;
    private final QrPanelRules<C> panels;

    ReflectorRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
        lanes = new QrLanesRules<>(functions, chip);
        small = new QrSmallRules<>(functions, chip);
        panels = new QrPanelRules<>(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.GEQR2, Kernel.ORM2R, Kernel.ORG2R, Kernel.LARFT, Kernel.ZERO_DIAGONAL, Kernel.GELS);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        if (l.kernel == Kernel.ZERO_DIAGONAL) {
            abreast(ZERO_DIAGONAL[t], 1, 1, l, 0, powerOfTwo(l.n, WARP), at, channel);
            return;
        }
        if (l.kernel == Kernel.GELS) {
            // Few problems have multiprocessors to themselves.
            boolean few = l.count <= multiprocessors && (l.k > 1 || l.n > 8) && small.solve(t, l, at, channel);
            if (!few && !lanes.solve(t, l, at, channel) && !small.solve(t, l, at, channel)) {
                launch(GELS_ANY[t], 1, 1, l.count, at, channel);
            }
            return;
        }
        // What T is made of may be 0 rows of V.
        if (l.kernel == Kernel.LARFT) {
            larft(t, l, at, channel);
            return;
        }
        if (l.m <= 0) {
            return;
        }
        switch (l.kernel) {
            case GEQR2 -> geqr2(t, l, at, channel);
            case ORG2R -> block(ORG2R[t], l.m, l, at, channel);
            case ORM2R -> orm2r(t, l, at, channel);
            default -> throw new IllegalArgumentException("reflectors do not run " + l.kernel);
        }
    }

    private void geqr2(int t, Launch l, long at, C channel) {
        if (lanes.run(t, l, at, channel)) {
            return;
        }
        // A warp whose registers hold a strip is faster than threads that share columns, where there are many.
        boolean strips = l.m > 2 * WARP && l.n > WARP && l.n <= QrPanelRules.PANEL;
        boolean done = !strips && QrSmallRules.takes(l.type, l.m, l.n) && small.run(t, l, at, channel);
        if (!done && !panels.run(t, l, at, channel)) {
            block(GEQR2[t], l.m, l, at, channel);
        }
    }

    /** A warp a row of T, and for the products of two reflectors that are not there. */
    private void larft(int t, Launch l, long at, C channel) {
        if (l.n <= QrPanelRules.PANEL && l.m < Integer.MAX_VALUE / 2) {
            int threads = WARP * (int) Math.min(l.a.base == 0 ? l.n : l.n * l.n, WARP);
            launch(LARFT_ROWS[t], 1, 1, l.count, threads, Layouts.larft(l.type, l.n), at, channel);
        } else {
            block(LARFT[t], Math.max(l.m, 1), l, at, channel);
        }
    }

    /** One block a problem: a thread for two rows, as far as that goes. */
    private void block(KernelFunction f, long rows, Launch l, long at, C channel) {
        int threads = Math.max(WARP, powerOfTwo(up(rows, 2), f.threads()));
        launch(f, 1, 1, l.count, threads, 0, at, channel);
    }

    /** A warp for each column of C, or row, which it holds where it can. */
    private void orm2r(int t, Launch l, long at, C channel) {
        if (l.k <= 0) {
            return;
        }
        long order = l.side == Side.LEFT ? l.m : l.n;
        long lines = l.side == Side.LEFT ? l.n : l.m;
        if (order <= HELD && l.extent == 0) {
            int lanes = Math.max(WARP / 4, powerOfTwo(up(order, HELD_BY_LANE), WARP));
            KernelFunction f = (lanes == WARP ? HELD_32 : lanes == WARP / 2 ? HELD_16 : HELD_8)[t];
            // Few lines are shared out among many multiprocessors.
            int threads = lines * l.count * lanes <= 2L * WARP * multiprocessors ? WARP : f.threads() / 2;
            launch(f, up(lines, threads / lanes), 1, l.count, threads, 0, at, channel);
            return;
        }
        KernelFunction f = ORM2R[t];
        int warps = powerOfTwo(lines, f.threads() / WARP);
        long blocks = up(lines, warps);
        launch(f, Math.min(blocks, 4L * multiprocessors), 1, l.count, warps * WARP, 0, at, channel);
    }
}
