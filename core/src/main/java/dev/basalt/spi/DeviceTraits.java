package dev.basalt.spi;

import dev.basalt.ElementType;

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
 * @param panel columns of a panel of getrf and potrf
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
        int panel,
        GemmBlocking gemmS,
        GemmBlocking gemmD,
        GemmBlocking gemmC,
        GemmBlocking gemmZ) {
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
