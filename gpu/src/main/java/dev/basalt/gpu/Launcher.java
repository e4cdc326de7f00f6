package dev.basalt.gpu;

import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

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

    /** The kernels that read {@link Launch#extent}: those with rows for capped ones. */
    static final Set<Kernel> CAPPED = Collections.unmodifiableSet(EnumSet.of(Kernel.COPY, Kernel.SWAP, Kernel.ROT,
            Kernel.AXPY, Kernel.SCAL, Kernel.FILL, Kernel.COPY_MATRIX, Kernel.SCAL_MATRIX, Kernel.SCAL_TRIANGLE,
            Kernel.ADD_TRIANGLE, Kernel.COPY_TRIANGLE, Kernel.EXPAND, Kernel.GER, Kernel.GEMM, Kernel.SYRK));

    private final VectorRules<C> vectors;
    private final MatrixRules<C> matrices;
    private final ReductionRules<C> reductions;
    private final MatvecRules<C> matvecs;
    private final BandRules<C> bands;
    private final RankRules<C> ranks;
    private final TriangularVectorRules<C> triangularVectors;
    private final ProductRules<C> products;
    private final TriangleRules<C> triangles;
    private final SolveRules<C> solves;
    private final LuRules<C> lu;
    private final CholeskyRules<C> cholesky;
    private final ReflectorRules<C> reflectors;
    private final GeamRules<C> sums;
    private final RotgRules<C> rotations;
    private final PartRules<C> parts;
    private final MixedRules<C> mixed;

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
        Chip chip = new Chip(multiprocessors, tensorCores, clusters);
        vectors = new VectorRules<>(functions, chip);
        matrices = new MatrixRules<>(functions, chip);
        reductions = new ReductionRules<>(functions, chip);
        matvecs = new MatvecRules<>(functions, chip);
        bands = new BandRules<>(functions, chip);
        ranks = new RankRules<>(functions, chip);
        triangularVectors = new TriangularVectorRules<>(functions, chip, vectors, bands);
        products = new ProductRules<>(functions, chip);
        triangles = new TriangleRules<>(functions, chip);
        solves = new SolveRules<>(functions, chip);
        lu = new LuRules<>(functions, chip);
        cholesky = new CholeskyRules<>(functions, chip);
        reflectors = new ReflectorRules<>(functions, chip);
        sums = new GeamRules<>(functions, chip);
        rotations = new RotgRules<>(functions, chip);
        parts = new PartRules<>(functions, chip);
        mixed = new MixedRules<>(functions, chip);
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
    public static DeviceTraits traits(String deviceClass, long defaultWorkspace, boolean memoryPools,
            boolean virtualMemory, boolean hostAccessible, boolean tensorCores) {
        Reach reach = Reach.ofBlocks(TriangleRules.BLOCK)
                .upTo(Reach.ANY, Kernel.SYRK, Kernel.SYR2K, Kernel.GEMMT, Kernel.TRMM_APART, Kernel.EXPAND, Kernel.TRSV)
                .upTo(SolveRules.SOLVE, Kernel.TRSM)
                .upTo(SolveRules.SOLVE / 2, Kernel.POTF2)
                .inWaves();
        return DeviceTraits.of(deviceClass)
                .memory(256, memoryPools, virtualMemory, hostAccessible)
                .workspace(defaultWorkspace)
                .sums(ReductionRules.BLOCK, MatvecRules.BLOCK)
                .reach(tensorCores ? reach.upTo(CholeskyRules.LARGEST, Kernel.POTF2, ElementType.F64) : reach)
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
        boolean unknown = l.extent != 0 && !(CAPPED.contains(l.kernel) && l.type.isFloating());
        if (unknown || l.type.bytes() < 4 && !l.mixed()) {
            throw refusal(l);
        }
        Arguments.write(arguments, l, sync);
        if (l.mixed()) {
            if (!mixed.run(l, arguments, channel)) {
                throw refusal(l);
            }
            return;
        }
        if (l.a.storage != Storage.DENSE || l.c.storage != Storage.DENSE) {
            stored(l, arguments, channel);
            return;
        }
        if (!l.type.isFloating()) {
            integers(l, arguments, channel);
            return;
        }
        if (l.kernel == Kernel.ROTM && l.type.isComplex()) {
            throw refusal(l);
        }
        int t = Arguments.letter(l.type);
        switch (l.kernel) {
            case COPY, SWAP, ROT, AXPY, SCAL, FILL, ROTM -> vectors.run(t, l, arguments, channel);
            case DOT, ASUM, NRM2, IAMAX, IAMIN -> reductions.run(t, l, arguments, channel);
            case COPY_MATRIX, SCAL_MATRIX, SCAL_TRIANGLE, EXPAND, ADD_TRIANGLE, COPY_TRIANGLE, GER ->
                matrices.run(t, l, arguments, channel);
            case GEMV, SYMV -> matvecs.run(t, l, arguments, channel);
            case TRMV, TRSV -> triangularVectors.run(t, l, arguments, channel);
            case SYR, SYR2 -> ranks.run(t, l, arguments, channel);
            case GEMM, SYMM, SYRK -> products.run(t, l, arguments, channel);
            case TRMM, TRMM_APART, TRTRI -> triangles.run(t, l, arguments, channel);
            case TRSM -> solves.run(t, l, arguments, channel);
            case GETF2, LASWP -> lu.run(t, l, arguments, channel);
            case POTF2 -> cholesky.run(t, l, arguments, channel);
            case GEQR2, ORM2R, ORG2R, LARFT, ZERO_DIAGONAL -> reflectors.run(t, l, arguments, channel);
            case DGMM, GEAM -> sums.run(t, l, arguments, channel);
            case ROTG -> rotations.run(t, l, arguments, channel);
            case SYR2K, GEMMT -> parts.run(t, l, arguments, channel);
            case GEAM_EX, ROTMG -> realOnly(t, l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    private void realOnly(int t, Launch l, long arguments, C channel) {
        if (l.type.isComplex()) {
            throw refusal(l);
        }
        if (l.kernel == Kernel.GEAM_EX) {
            sums.run(t, l, arguments, channel);
        } else {
            rotations.run(t, l, arguments, channel);
        }
    }

    private void integers(Launch l, long arguments, C channel) {
        switch (l.kernel) {
            case COPY, FILL -> vectors.integers(l, arguments, channel);
            case COPY_MATRIX -> matrices.integers(l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    /** Bands and packed triangles. */
    private void stored(Launch l, long arguments, C channel) {
        int t = Arguments.letter(l.type);
        boolean band = l.a.storage == Storage.BAND;
        if (l.c.storage == Storage.BAND || l.kernel == Kernel.GEMV && !band) {
            throw refusal(l);
        }
        switch (l.kernel) {
            case GEMV -> bands.run(t, l, arguments, channel);
            case SYMV -> {
                if (band) {
                    bands.run(t, l, arguments, channel);
                } else {
                    matvecs.run(t, l, arguments, channel);
                }
            }
            case TRMV, TRSV -> triangularVectors.run(t, l, arguments, channel);
            case SYR, SYR2 -> ranks.run(t, l, arguments, channel);
            default -> throw refusal(l);
        }
    }

    private static DriverException refusal(Launch l) {
        String form = " of " + l.type + ", a " + l.a.storage + ", c " + l.c.storage
                + (l.extent == 0 ? "" : ", " + l.extentOf + " known to the device alone");
        return new DriverException(DriverException.Code.NOT_IMPLEMENTED, "GPUs have no kernel for " + l.kernel + form);
    }
}
