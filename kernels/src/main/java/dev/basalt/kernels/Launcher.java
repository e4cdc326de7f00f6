package dev.basalt.kernels;

import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.type.ElementType;

/**
 * Turns a {@link Launch} into launches of compiled kernels: which kernel, how many blocks of how many threads, with which
 * parameters. Grids depend on shapes and on the number of multiprocessors; what decides about bits (how a sum is cut) depends on
 * shapes alone. Without state but for the device's facts, so one serves all streams; nothing here allocates.
 *
 * @param <C> what the device launches on, handed through to {@link Functions}
 */
public final class Launcher<C> {
    /**
     * Bytes of synchronisation memory that every stream and every recorded graph has for itself: counters that are zero before
     * the first kernel and after each, then scratch.
     */
    public static final int SYNC_BYTES = 192 << 10;

    /** Elements of a reduction that are worth a block of their own. */
    static final int REDUCTION_BLOCK = 4096;

    /** Rows of a partial result of gemv, and order of a tile of symv. */
    static final int GEMV_BLOCK = 128;

    private final Rules<C> rules;

    /**
     * A launcher.
     *
     * @param functions the device's way of starting kernels
     * @param multiprocessors how many of them the device has
     * @param tensorCores whether the products of double and complex double go by warps' products: on NVIDIA from compute
     *     capability 9.0
     * @param clusters blocks of the largest cluster that can be launched, 1 where there are none; 8 and 16 are made use of
     */
    public Launcher(Functions<C> functions, int multiprocessors, boolean tensorCores, int clusters) {
        this.rules = new Rules<>(functions, multiprocessors, tensorCores, clusters);
    }

    /**
     * A launcher for a device with clusters if it has tensor cores.
     *
     * @param functions the device's way of starting kernels
     * @param multiprocessors how many of them the device has
     * @param tensorCores whether the products of double and complex double go by warps' products
     */
    public Launcher(Functions<C> functions, int multiprocessors, boolean tensorCores) {
        this(functions, multiprocessors, tensorCores, tensorCores ? 16 : 1);
    }

    /**
     * A launcher that uses no tensor cores.
     *
     * @param functions the device's way of starting kernels
     * @param multiprocessors how many of them the device has
     */
    public Launcher(Functions<C> functions, int multiprocessors) {
        this(functions, multiprocessors, false);
    }

    /**
     * What size formulas may depend on, as these kernels want it.
     *
     * @param deviceClass name of the class of devices
     * @param defaultWorkspace bytes a managed handle starts with
     * @param memoryPools whether memory can be allocated in stream order
     * @param virtualMemory whether address ranges can be filled in place
     * @param hostAccessible whether the CPU can load and store device addresses
     * @param tensorCores as the launcher has it
     * @return traits
     */
    public static DeviceTraits traits(
            String deviceClass,
            long defaultWorkspace,
            boolean memoryPools,
            boolean virtualMemory,
            boolean hostAccessible,
            boolean tensorCores) {
        Reach reach = Reach.ofBlocks(Rules.BLOCK)
                .upTo(Reach.ANY, Kernel.SYRK, Kernel.TRMM_APART, Kernel.EXPAND, Kernel.TRSV)
                .upTo(Rules.SOLVE, Kernel.TRSM)
                .upTo(Rules.SOLVE / 2, Kernel.POTF2)
                .inWaves();
        return DeviceTraits.of(deviceClass)
                .memory(256, memoryPools, virtualMemory, hostAccessible)
                .workspace(defaultWorkspace)
                .sums(REDUCTION_BLOCK, GEMV_BLOCK)
                .reach(tensorCores ? reach.upTo(Rules.LARGEST_CHOLESKY, Kernel.POTF2, ElementType.F64) : reach)
                .build();
    }

    /**
     * Runs all problems of a launch in stream order.
     *
     * @param l what to run
     * @param arguments address of {@link Arguments#BYTES} bytes of host memory for the kernels' arguments; free again when this
     *     returns
     * @param sync device address of the stream's {@link #SYNC_BYTES} of synchronisation memory
     * @param channel what to launch on
     */
    public void run(Launch l, long arguments, long sync, C channel) {
        if (l.count <= 0) {
            return;
        }
        if (!l.plain()) {
            throw refusal(l);
        }
        Arguments.write(arguments, l, sync);
        if (!l.type.isFloating()) {
            rules.integers(l, arguments, channel);
            return;
        }
        int t = letter(l.type);
        switch (l.kernel) {
            case COPY -> rules.vector(Kernels.COPY[t], l, arguments, channel);
            case SWAP -> rules.vector(Kernels.SWAP[t], l, arguments, channel);
            case ROT -> rules.vector(Kernels.ROT[t], l, arguments, channel);
            case AXPY -> rules.vector(Kernels.AXPY[t], l, arguments, channel);
            case SCAL -> rules.vector(Kernels.SCAL[t], l, arguments, channel);
            case FILL -> rules.vector(Kernels.FILL[t], l, arguments, channel);
            case DOT -> rules.reduction(Kernels.DOT[t], l, arguments, channel);
            case ASUM -> rules.reduction(Kernels.ASUM[t], l, arguments, channel);
            case NRM2 -> rules.reduction(Kernels.NRM2[t], l, arguments, channel);
            case IAMAX -> rules.index(Kernels.IAMAX[t], l, arguments, channel);
            case IAMIN -> rules.index(Kernels.IAMIN[t], l, arguments, channel);
            case COPY_MATRIX -> rules.matrix(Kernels.COPY_MATRIX[t], l, l.m, l.n, arguments, channel);
            case SCAL_MATRIX -> rules.matrix(Kernels.SCAL_MATRIX[t], l, l.m, l.n, arguments, channel);
            case SCAL_TRIANGLE -> rules.matrix(Kernels.SCAL_TRIANGLE[t], l, l.n, l.n, arguments, channel);
            case EXPAND -> rules.matrix(Kernels.EXPAND[t], l, l.n, l.n, arguments, channel);
            case ADD_TRIANGLE -> rules.matrix(Kernels.ADD_TRIANGLE[t], l, l.n, l.n, arguments, channel);
            case COPY_TRIANGLE -> rules.matrix(Kernels.COPY_TRIANGLE[t], l, l.n, l.n, arguments, channel);
            case GER -> rules.matrix(Kernels.GER[t], l, l.m, l.n, arguments, channel);
            case GEMV -> rules.gemv(t, l, arguments, channel);
            case SYMV -> rules.symv(t, l, arguments, channel);
            case TRMV -> rules.trmv(t, l, arguments, channel);
            case TRSV -> rules.trsv(t, l, arguments, channel);
            case GEMM -> rules.gemm(t, l, arguments, channel);
            case SYMM -> rules.product(Kernels.SYMM[t], l, l.m, l.n, arguments, channel);
            case SYRK -> rules.syrk(t, l, arguments, channel);
            case TRMM -> rules.trmm(t, l, arguments, channel);
            case TRMM_APART -> rules.trmmApart(t, l, arguments, channel);
            case TRSM -> rules.trsm(t, l, arguments, channel);
            case TRTRI -> rules.trtri(t, l, arguments, channel);
            case GETF2 -> rules.getf2(t, l, arguments, channel);
            case LASWP -> rules.laswp(t, l, arguments, channel);
            case POTF2 -> rules.potf2(t, l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    private static DriverException refusal(Launch l) {
        String form = " of " + l.type + ", a " + l.a.storage + ", c " + l.c.storage;
        return new DriverException(DriverException.Code.NOT_IMPLEMENTED, "GPUs have no kernel for " + l.kernel + form);
    }

    private static int letter(ElementType type) {
        return Arguments.letter(type);
    }
}
