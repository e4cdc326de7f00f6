package dev.basalt.spi;

import dev.basalt.type.ElementType;

/**
 * The facts about a device that size formulas and algorithms may depend on. Two devices with equal traits are of one
 * device class: their plans are equal to the byte.
 *
 * @param deviceClass name of the class, such as {@code host-avx512}
 * @param alignment alignment of every allocation in bytes: 64 on the host, 256 on a GPU
 * @param workers threads that one call may use on the host; 1 elsewhere
 * @param defaultWorkspace bytes a managed handle starts with
 * @param memoryPools whether memory can be allocated and freed in stream order
 * @param virtualMemory whether an address range can be reserved and filled with pages later
 * @param hostAccessible whether the CPU can load and store device addresses directly
 * @param reductionBlock elements of one partial sum in a reduction
 * @param gemvBlock rows of one partial result of a transposed matrix-vector product
 * @param block order of the diagonal blocks of triangular algorithms (trsm, trmm, trtri, symm, syrk)
 * @param triangle order of the largest triangle or symmetric block that one launch (TRSM, TRMM, SYMM) takes at full speed, half of it
 *     for complex types; {@code block} where larger products should do the work
 * @param panel columns of a panel of getrf and potrf
 * @param wholeUpdates whether one launch of SYRK or TRMM_APART takes any order at the speed of GEMM, so that nothing need cut it
 * @param solve order of the largest triangle that one launch of TRSM solves at full speed, half of it for complex types; POTF2
 *     factors half of that
 * @param factor order of the largest matrix of double that one launch of POTF2 factors, 0 where that is as for the other types
 * @param gemmS packing blocks of s
 * @param gemmD packing blocks of d
 * @param gemmC packing blocks of c
 * @param gemmZ packing blocks of z
 */
public record DeviceTraits(
        String deviceClass,
        int alignment,
        int workers,
        long defaultWorkspace,
        boolean memoryPools,
        boolean virtualMemory,
        boolean hostAccessible,
        int reductionBlock,
        int gemvBlock,
        int block,
        int triangle,
        int panel,
        boolean wholeUpdates,
        int solve,
        int factor,
        GemmBlocking gemmS,
        GemmBlocking gemmD,
        GemmBlocking gemmC,
        GemmBlocking gemmZ) {
    private static final int CHAINS = 32;

    /**
     * A device whose launches take triangles of no more than the block order at a time.
     *
     * @param deviceClass name of the class
     * @param alignment alignment of every allocation in bytes
     * @param workers threads that one call may use
     * @param defaultWorkspace bytes a managed handle starts with
     * @param memoryPools whether memory can be allocated and freed in stream order
     * @param virtualMemory whether an address range can be reserved and filled with pages later
     * @param hostAccessible whether the CPU can load and store device addresses directly
     * @param reductionBlock elements of one partial sum in a reduction
     * @param gemvBlock rows of one partial result of a transposed matrix-vector product
     * @param block order of the diagonal blocks of triangular algorithms
     * @param panel columns of a panel of getrf and potrf
     * @param gemmS packing blocks of s
     * @param gemmD packing blocks of d
     * @param gemmC packing blocks of c
     * @param gemmZ packing blocks of z
     */
    public DeviceTraits(
            String deviceClass,
            int alignment,
            int workers,
            long defaultWorkspace,
            boolean memoryPools,
            boolean virtualMemory,
            boolean hostAccessible,
            int reductionBlock,
            int gemvBlock,
            int block,
            int panel,
            GemmBlocking gemmS,
            GemmBlocking gemmD,
            GemmBlocking gemmC,
            GemmBlocking gemmZ) {
        this(
                deviceClass,
                alignment,
                workers,
                defaultWorkspace,
                memoryPools,
                virtualMemory,
                hostAccessible,
                reductionBlock,
                gemvBlock,
                block,
                block,
                panel,
                false,
                0,
                0,
                gemmS,
                gemmD,
                gemmC,
                gemmZ);
    }

    /**
     * A device whose updates of rank k are cut into blocks.
     *
     * @param deviceClass name of the class
     * @param alignment alignment of every allocation in bytes
     * @param workers threads that one call may use
     * @param defaultWorkspace bytes a managed handle starts with
     * @param memoryPools whether memory can be allocated and freed in stream order
     * @param virtualMemory whether an address range can be reserved and filled with pages later
     * @param hostAccessible whether the CPU can load and store device addresses directly
     * @param reductionBlock elements of one partial sum in a reduction
     * @param gemvBlock rows of one partial result of a transposed matrix-vector product
     * @param block order of the diagonal blocks of triangular algorithms
     * @param triangle order of the largest triangle that one launch takes
     * @param panel columns of a panel of getrf and potrf
     * @param gemmS packing blocks of s
     * @param gemmD packing blocks of d
     * @param gemmC packing blocks of c
     * @param gemmZ packing blocks of z
     */
    public DeviceTraits(
            String deviceClass,
            int alignment,
            int workers,
            long defaultWorkspace,
            boolean memoryPools,
            boolean virtualMemory,
            boolean hostAccessible,
            int reductionBlock,
            int gemvBlock,
            int block,
            int triangle,
            int panel,
            GemmBlocking gemmS,
            GemmBlocking gemmD,
            GemmBlocking gemmC,
            GemmBlocking gemmZ) {
        this(
                deviceClass,
                alignment,
                workers,
                defaultWorkspace,
                memoryPools,
                virtualMemory,
                hostAccessible,
                reductionBlock,
                gemvBlock,
                block,
                triangle,
                panel,
                false,
                0,
                0,
                gemmS,
                gemmD,
                gemmC,
                gemmZ);
    }

    /**
     * The same device where one launch of SYRK takes any order, and launches of TRSM and POTF2 triangles that are larger than
     * those of other kernels.
     *
     * @param order of the largest triangle that TRSM takes
     * @return traits with {@link #wholeUpdates} and {@link #solve}
     */
    public DeviceTraits withWholeUpdates(int order) {
        return with(true, order, factor);
    }

    /**
     * The same device where one launch of POTF2 in double takes more than those of other types do.
     *
     * @param order of the largest matrix that it factors
     * @return traits with {@link #factor}
     */
    public DeviceTraits withFactors(int order) {
        return with(wholeUpdates, solve, order);
    }

    private DeviceTraits with(boolean whole, int triangles, int factors) {
        return new DeviceTraits(
                deviceClass,
                alignment,
                workers,
                defaultWorkspace,
                memoryPools,
                virtualMemory,
                hostAccessible,
                reductionBlock,
                gemvBlock,
                block,
                triangle,
                panel,
                whole,
                triangles,
                factors,
                gemmS,
                gemmD,
                gemmC,
                gemmZ);
    }

    /**
     * The same device with a vendor's matrix product for all types.
     *
     * @param engine the engine
     * @return traits of a device class of its own, since plans differ
     */
    public DeviceTraits withEngine(GemmEngine engine) {
        return new DeviceTraits(
                deviceClass + "-" + engine.name(),
                alignment,
                workers,
                defaultWorkspace,
                memoryPools,
                virtualMemory,
                hostAccessible,
                reductionBlock,
                gemvBlock,
                block,
                triangle,
                panel,
                wholeUpdates,
                solve,
                factor,
                gemmS.with(engine),
                gemmD.with(engine),
                gemmC.with(engine),
                gemmZ.with(engine));
    }

    /**
     * The order of the largest triangle or symmetric block that one launch takes at full speed.
     *
     * @param type a floating type
     * @return order, at least that of a block
     */
    public int triangle(ElementType type) {
        return Math.max(block, type.isComplex() ? triangle / 2 : triangle);
    }

    /**
     * The order of the largest triangle that one launch of TRSM solves at full speed.
     *
     * @param type a floating type
     * @return order, at least that of {@link #triangle(ElementType)}
     */
    public int solve(ElementType type) {
        return Math.max(triangle(type), type.isComplex() ? solve / 2 : solve);
    }

    /**
     * The order of the largest triangle that one launch of POTF2 factors at full speed.
     *
     * @param type a floating type
     * @return order, at least that of {@link #triangle(ElementType)}
     */
    public int factor(ElementType type) {
        return Math.max(type == ElementType.F64 ? factor : 0, Math.max(triangle(type), solve(type) / 2));
    }

    /**
     * Whether one launch of TRSM solves a triangle of any order at full speed, as there are few right-hand sides.
     *
     * @param sides right-hand sides of a problem
     * @param count problems
     * @return false where the triangle's order decides alone
     */
    public boolean thin(long sides, long count) {
        return wholeUpdates && fewSides(sides, count);
    }

    /**
     * Whether products between triangles would not be worth their launches: up to {@value #CHAINS} times eight right-hand sides.
     *
     * @param sides right-hand sides of a problem
     * @param count problems
     * @return whether they are few
     */
    public static boolean fewSides(long sides, long count) {
        return count <= CHAINS && (sides + 7) / 8 * count <= CHAINS;
    }

    /**
     * Whether the device has kernels that pack triangles and symmetric blocks themselves.
     *
     * @return whether a launch may be larger than a block
     */
    public boolean packsTriangles() {
        return triangle > block;
    }

    /**
     * The packing blocks of a type.
     *
     * @param type a floating type
     * @return its blocks
     */
    public GemmBlocking gemm(ElementType type) {
        return switch (type) {
            case F32 -> gemmS;
            case F64 -> gemmD;
            case C32 -> gemmC;
            default -> gemmZ;
        };
    }
}
