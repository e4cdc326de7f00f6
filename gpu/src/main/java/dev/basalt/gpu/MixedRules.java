package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Semiring;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/** Kernels whose operands have other types than the computation. */
final class MixedRules<C> extends TileRules<C> {
    /** In float, in double. */
    private static final KernelFunction[] AXPY = both("mixed_axpy");

    private static final KernelFunction[] SCAL = both("mixed_scal");
    private static final KernelFunction[] ROT = both("mixed_rot");
    private static final KernelFunction[] GEMV = both("mixed_gemv");
    private static final KernelFunction[] GEMM = both("mixed_gemm");
    private static final KernelFunction DOT = KernelFunction.one("mixed_dot", 's');
    private static final KernelFunction NRM2 = KernelFunction.one("mixed_nrm2", 's');

    /** Products of halves over semirings. */
    private static final KernelFunction MIN_PLUS = KernelFunction.one("half_min_plus", 's');

    private static final KernelFunction PLUS_MIN = KernelFunction.one("half_plus_min", 's');

    /** Products of 8-bit integers. */
    private static final KernelFunction INTEGERS = KernelFunction.one("mixed_igemm", 's');

    private final HalfRules<C> halves;

    MixedRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
        halves = new HalfRules<>(functions, chip);
    }

    private static KernelFunction[] both(String stem) {
        return new KernelFunction[] {KernelFunction.one(stem, 's'), KernelFunction.one(stem, 'd')};
    }

    /** Runs a launch of mixed types, all problems; false if there is no kernel for it. */
    boolean run(Launch l, long at, C channel) {
        boolean integers = l.type == ElementType.I32;
        if (l.a.storage != Storage.DENSE || l.c.storage != Storage.DENSE || !known(l, integers)) {
            return false;
        }
        int wide = l.type == ElementType.F64 ? 1 : 0;
        switch (l.kernel) {
            case AXPY -> vector(AXPY[wide], l, at, channel);
            case SCAL -> vector(SCAL[wide], l, at, channel);
            case ROT -> vector(ROT[wide], l, at, channel);
            case DOT -> reduction(DOT, l, at, channel);
            case NRM2 -> reduction(NRM2, l, at, channel);
            case GEAM_EX -> semiring(l, at, channel);
            case GEMV -> gemv(GEMV[wide], l, at, channel);
            default -> gemm(integers ? INTEGERS : GEMM[wide], l, at, channel);
        }
        return true;
    }

    /** Whether the kernels read and write the types of all operands. */
    private static boolean known(Launch l, boolean integers) {
        for (int i = 0; i < 4; i++) {
            Operand x = l.operand(i);
            boolean used = (l.kernel.operands() >> i & 1) != 0 && x.present();
            boolean factor = l.kernel == Kernel.GEMM && i < 2;
            if (used && l.kernel == Kernel.GEAM_EX && x.type != ElementType.F16) {
                return false;
            }
            if (used && !(integers
                    ? x.type == (i == 2 ? ElementType.I32 : ElementType.I8)
                    : floating(x.type, factor))) {
                return false;
            }
        }
        return true;
    }

    /** Numbers of 8 bits are only read, and only as factors of products. */
    private static boolean floating(ElementType type, boolean factor) {
        return switch (type) {
            case F32, F64, F16, BF16 -> true;
            case F8_E4M3, F8_E5M2 -> factor;
            default -> false;
        };
    }

    private static void parameters(long at, int x, Launch l) {
        int ab = l.a.type.ordinal() | l.b.type.ordinal() << 8;
        Arguments.parameters(at, x, ab, l.c.type.ordinal() | l.d.type.ordinal() << 8);
    }

    private void vector(KernelFunction f, Launch l, long at, C channel) {
        if (l.n > 0) {
            parameters(at, 0, l);
            int threads = Math.max(WARP, powerOfTwo(up(l.n, 8), f.threads()));
            launch(f, Math.min(up(l.n, 8L * threads), 16L * multiprocessors), 1, l.count, threads, 0, at, channel);
        }
    }

    private void reduction(KernelFunction f, Launch l, long at, C channel) {
        int shares = ReductionRules.shares(l.n);
        boolean together = l.workBytes >= l.count * shares * 8 && l.count <= Math.min(COUNTERS, multiprocessors);
        parameters(at, shares, l);
        int threads = shares > 1 ? f.threads() : Math.max(WARP, powerOfTwo(up(l.n, 8), f.threads()));
        launch(f, together ? shares : 1, 1, l.count, threads, 0, at, channel);
    }

    private void gemv(KernelFunction f, Launch l, long at, C channel) {
        long threads = l.opA == Op.NONE ? l.m : l.n * WARP;
        if (threads > 0) {
            parameters(at, 0, l);
            int block = Math.max(WARP, powerOfTwo(threads, f.threads()));
            launch(f, up(threads, block), 1, l.count, block, 0, at, channel);
        }
    }

    private void semiring(Launch l, long at, C channel) {
        if (l.m > 0 && l.n > 0) {
            tiles(l.semiring == Semiring.MIN_PLUS ? MIN_PLUS : PLUS_MIN, l.m, l.n, l.count, at, channel);
        }
    }

    private void gemm(KernelFunction f, Launch l, long at, C channel) {
        if (l.m > 0 && l.n > 0) {
            parameters(at, 0, l);
            if (l.extent == 0 && halves.takes(l)) {
                halves.run(l, at, channel);
            } else {
                tiles(f, l.m, l.n, l.count, at, channel);
            }
        }
    }
}
