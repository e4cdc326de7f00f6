package dev.basalt.gpu;

import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.GemmBlocking;
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

    /** Bytes of a symmetric matrix from which its eigenvalues alone are sooner there by way of a band. Measured on an H100. */
    private static final long TWO_STAGES = 68L << 20;

    private final Families<C> families;
    private final Families<C> capped;

    /**
     * A launcher.
     *
     * @param functions the device's way of starting kernels
     * @param multiprocessors how many of them the device has
     * @param shared bytes of shared memory that a block may have at most
     * @param cores what products its tensor cores form
     * @param clusters blocks of the largest cluster that can be launched, 1 where there are none; 8 and 16 are made use of
     */
    public Launcher(Functions<C> functions, int multiprocessors, int shared, Cores cores, int clusters) {
        Chip chip = new Chip(multiprocessors, shared, cores, clusters);
        families = new Families<>(functions, chip);
        capped = new Families<>((f, x, y, z, threads, bytes, at, channel) -> functions.launch(f.capped(), x, y, z,
                threads, bytes, at, channel), chip);
    }

    /**
     * A launcher for a device with as much shared memory as any kernel asks for.
     *
     * @param functions the device's way of starting kernels
     * @param multiprocessors how many of them the device has
     * @param cores what products its tensor cores form
     * @param clusters blocks of the largest cluster that can be launched, 1 where there are none
     */
    public Launcher(Functions<C> functions, int multiprocessors, Cores cores, int clusters) {
        this(functions, multiprocessors, Integer.MAX_VALUE, cores, clusters);
    }

    /**
     * A launcher for a device with clusters if it has tensor cores.
     *
     * @param functions the device's way of starting kernels
     * @param multiprocessors how many of them the device has
     * @param tensorCores whether products go by tensor cores, all that there may be
     */
    public Launcher(Functions<C> functions, int multiprocessors, boolean tensorCores) {
        this(functions, multiprocessors, tensorCores ? Cores.WARPGROUPS : Cores.NONE, tensorCores ? 16 : 1);
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
     * @param cores what products the launcher's tensor cores form
     * @param multiprocessors how many there are
     * @param shared bytes of shared memory that a block may have at most
     * @return traits
     */
    public static DeviceTraits traits(String deviceClass, long defaultWorkspace, boolean memoryPools,
            boolean virtualMemory, boolean hostAccessible, Cores cores, int multiprocessors, int shared) {
        Reach reach = Reach.ofBlocks(TriangleRules.BLOCK)
                .upTo(Reach.ANY, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM_APART, Kernel.EXPAND, Kernel.TRSV,
                        Kernel.LATRD, Kernel.LABRD_PANEL, Kernel.SYEVJ, Kernel.GESVJ)
                .upTo(SolveRules.SOLVE, Kernel.TRSM)
                .upTo(SolveRules.SOLVE / 2, Kernel.POTF2)
                .upTo(QrSmallRules.SQUARE, Kernel.GEQR2)
                .upTo(QrSmallRules.SQUARE, Kernel.GEQR2, ElementType.C32)
                .without(Kernel.ORG2R)
                .upTo(ReflectorRules.HELD, Kernel.ORM2R)
                .upTo(ReflectorRules.HELD, Kernel.ORM2R, ElementType.C32)
                .upTo(ReflectorRules.HELD, Kernel.ORM2R, ElementType.C64)
                .upTo(SolveRules.SOLVE / 2, Kernel.POTF2_STORED, Kernel.POSV_STORED, Kernel.POTRI_STORED)
                .inWaves();
        boolean tensorCores = cores.doubles();
        for (ElementType type : ElementType.values()) {
            if (type.isFloating()) {
                int t = Arguments.letter(type);
                reach = reach.upTo(SymmetricRules.kept(t, type, multiprocessors, shared), Kernel.SYTD2, type)
                        .upTo(SingularRules.kept(t, type, multiprocessors, shared), Kernel.GEBD2, type);
                reach = reach.upTo(CholeskyRules.block(type, shared), Kernel.POTF2, type);
                if (Layouts.inverseColumns(type, InverseRules.SMALL) > shared) {
                    reach = reach.upTo(Rules.WARP, Kernel.GETRI, type);
                }
            }
        }
        DeviceTraits.Builder traits = DeviceTraits.of(deviceClass);
        if (cores == Cores.WARPGROUPS) {
            GemmBlocking none = GemmBlocking.NONE;
            traits.gemm(none.with(FactorRules.factors()), none, none, none);
        }
        // Tensor cores multiply doubles as fast as other cores multiply singles.
        return (tensorCores ? traits.doublesAsFast() : traits).memory(256, memoryPools, virtualMemory, hostAccessible)
                .workspace(defaultWorkspace)
                .sums(ReductionRules.BLOCK, MatvecRules.BLOCK)
                .mixed(new MixedNeed(null))
                .twoStages(TWO_STAGES)
                .reach(tensorCores
                        ? reach.upTo(CholeskyRules.LARGEST, Kernel.POTF2, ElementType.F64)
                                .upTo(InverseRules.LARGEST, Kernel.GETF2_NPVT, ElementType.F64)
                                .upTo(Reach.ANY, Kernel.CHASED, ElementType.F64)
                        : reach)
                .build();
    }

    /**
     * Whether GPUs have a kernel; what they have not is refused.
     *
     * @param kernel which
     * @return whether a family runs it
     */
    public boolean has(Kernel kernel) {
        return families.has(kernel);
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
        boolean unknown = l.extent != 0 && !(l.kernel.capped() && (l.type.isFloating() || l.mixed()));
        if (unknown || l.type.bytes() < 4 && !l.mixed() && l.kernel != Kernel.COPY_MATRIX) {
            throw Families.refusal(l);
        }
        Arguments.write(arguments, l, sync);
        (l.extent == 0 ? families : capped).run(l, arguments, channel);
    }
}
