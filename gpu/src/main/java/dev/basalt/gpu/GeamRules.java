package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Semiring;
import dev.basalt.type.ElementType;
import java.util.Set;

/** Sums of matrices, times a diagonal, and over semirings. */
final class GeamRules<C> extends TileRules<C> implements Family<C> {
    /** Columns of a thread of DGMM, and what it has where more blocks would be than multiprocessors hold at once. */
    private static final int FEW = 4;

    private static final int MANY = 8;
    private static final long RESIDENT = 4;

    private static final KernelFunction[] DGMM = KernelFunction.floating("dgmm");
    private static final KernelFunction[] GEAM = KernelFunction.floating("geam");
    private static final KernelFunction[] MIN_PLUS = KernelFunction.floating("min_plus");
    private static final KernelFunction[] PLUS_MIN = KernelFunction.floating("plus_min");

    GeamRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.DGMM, Kernel.GEAM, Kernel.GEAM_EX);
    }

    /** Complex numbers have no order. */
    @Override
    public boolean takes(Launch l) {
        return Family.super.takes(l) && !(l.kernel == Kernel.GEAM_EX && l.type.isComplex());
    }

    /** Runs a launch of this family, all problems; of semirings those of real types. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.m <= 0 || l.n <= 0) {
            return;
        }
        if (l.kernel == Kernel.DGMM) {
            int rows = powerOfTwo(l.m, DGMM[t].threads());
            Arguments.parameters(at, rows, 0, 0);
            long columns = DGMM[t].threads() / rows;
            long blocks = up(l.m, rows) * up(l.n, FEW * columns) * l.count;
            long each = l.type != ElementType.C64 && blocks > RESIDENT * multiprocessors ? MANY : FEW;
            launch(DGMM[t], up(l.m, rows), Math.min(up(l.n, each * columns), MOST_Z), l.count, at, channel);
        } else if (l.kernel == Kernel.GEAM) {
            KernelFunction f = GEAM[t];
            launch(f, up(l.m, f.tile()), Math.min(up(l.n, f.tile()), MOST_Z), l.count, at, channel);
        } else {
            tiles((l.semiring == Semiring.MIN_PLUS ? MIN_PLUS : PLUS_MIN)[t], l.m, l.n, l.count, at, channel);
        }
    }
}
