package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Set;

/** What makes products of 8-bit integers of a product of doubles. */
final class EmulationRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction EXPONENTS = KernelFunction.one("exponents", 'd');
    private static final KernelFunction RESIDUES = KernelFunction.one("residues", 'd');
    private static final KernelFunction MODULO = KernelFunction.one("modulo", 'd');
    private static final KernelFunction FAINT = KernelFunction.one("faint", 'd');
    private static final KernelFunction RECONSTRUCT = KernelFunction.one("reconstruct", 'd');

    /** Neighbours in a column that a thread has. */
    private static final int WORD = 4;

    EmulationRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.EXPONENTS, Kernel.RESIDUES, Kernel.MODULO, Kernel.FAINT, Kernel.RECONSTRUCT);
    }

    @Override
    public boolean takes(Launch l) {
        return Family.super.takes(l) && l.type == ElementType.F64;
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        switch (l.kernel) {
            case EXPONENTS -> launch(EXPONENTS, lines(l, EXPONENTS), 1, l.count, at, channel);
            case RESIDUES -> {
                Arguments.parameters(at, (int) l.c.rows, 0, 0);
                long words = l.opA == Op.NONE ? WARP : RESIDUES.threads() / WARP;
                launch(RESIDUES, lines(l, RESIDUES), Math.min(up(l.c.rows, words * WORD), MOST_Z), l.count, at,
                        channel);
            }
            case MODULO -> elements(MODULO, powers((int) l.p), l, at, channel);
            case FAINT -> elements(FAINT, 0, l, at, channel);
            default -> elements(RECONSTRUCT, 0, l, at, channel);
        }
    }

    /** Blocks for all lines: of columns a warp has one, of rows a lane. */
    private static long lines(Launch l, KernelFunction f) {
        return up(l.n, l.opA == Op.NONE ? f.threads() / WARP : WARP);
    }

    /** The remainders of division of the first powers of 256 by a number, between minus and plus one half of it, a byte each. */
    private static int powers(int number) {
        int powers = 0;
        for (int i = 0, rest = 1; i < Integer.BYTES; i++, rest = rest * 256 % number) {
            powers |= (2 * rest >= number ? rest - number & 255 : rest) << Byte.SIZE * i;
        }
        return powers;
    }

    private void elements(KernelFunction f, int y, Launch l, long at, C channel) {
        if (l.m > 0) {
            int rows = powerOfTwo(up(l.m, WORD), f.threads());
            Arguments.parameters(at, rows, y, 0);
            launch(f, up(l.m, (long) rows * WORD), Math.min(up(l.n, 4L * (f.threads() / rows)), MOST_Z), l.count, at,
                    channel);
        }
    }
}
