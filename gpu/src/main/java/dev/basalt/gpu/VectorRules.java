package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.util.Set;

/** Vectors element by element. */
final class VectorRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] COPY = KernelFunction.floating("copy");
    private static final KernelFunction[] SWAP = KernelFunction.floating("swap");
    private static final KernelFunction[] ROT = KernelFunction.floating("rot");
    private static final KernelFunction[] AXPY = KernelFunction.floating("axpy");
    private static final KernelFunction[] SCAL = KernelFunction.floating("scal");
    private static final KernelFunction[] FILL = KernelFunction.floating("fill");
    private static final KernelFunction[] ROTM = KernelFunction.floating("rotm");
    private static final KernelFunction COPY_I32 = KernelFunction.one("icopy32", 'd');
    private static final KernelFunction COPY_I64 = KernelFunction.one("icopy64", 'd');
    private static final KernelFunction FILL_I32 = KernelFunction.one("ifill32", 'd');
    private static final KernelFunction FILL_I64 = KernelFunction.one("ifill64", 'd');

    VectorRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.COPY, Kernel.SWAP, Kernel.ROT, Kernel.AXPY, Kernel.SCAL, Kernel.FILL, Kernel.ROTM);
    }

    /** Rotations of a modified kind are of real numbers. */
    @Override
    public boolean takes(Launch l) {
        return Family.super.takes(l) && !(l.kernel == Kernel.ROTM && l.type.isComplex());
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case COPY -> vector(COPY[t], l, at, channel);
            case SWAP -> vector(SWAP[t], l, at, channel);
            case ROT -> rotation(ROT[t], l, at, channel);
            case AXPY -> vector(AXPY[t], l, at, channel);
            case SCAL -> vector(SCAL[t], l, at, channel);
            case FILL -> vector(FILL[t], l, at, channel);
            case ROTM -> rotation(ROTM[t], l, at, channel);
            default -> throw new IllegalArgumentException("vectors do not run " + l.kernel);
        }
    }

    private void vector(KernelFunction f, Launch l, long at, C channel) {
        if (l.n <= 0) {
            return;
        }
        int each = each(l, f, powerOfTwo(l.n, f.threads()));
        abreast(f, Math.min(up(l.n, 4L * each), 16L * multiprocessors), 1, l, 0, each, at, channel);
    }

    /** Blocks for all of two vectors at once: a thread has 16 bytes of each. */
    private void rotation(KernelFunction f, Launch l, long at, C channel) {
        if (l.n > 0) {
            int each = each(l, f, powerOfTwo(l.n, f.threads()));
            abreast(f, up(l.n, 16L / l.type.bytes() * each), 1, l, 0, each, at, channel);
        }
    }

    /** Copies a vector that is operand a to operand c. */
    void copy(int t, Launch l, long at, C channel) {
        vector(COPY[t], l, at, channel);
    }

    /** Vectors of integers, which are copied and filled. */
    void integers(Launch l, long at, C channel) {
        boolean wide = l.type == ElementType.I64;
        boolean copied = l.kernel == Kernel.COPY;
        vector(copied ? wide ? COPY_I64 : COPY_I32 : wide ? FILL_I64 : FILL_I32, l, at, channel);
    }
}
