package dev.basalt.spi;

/**
 * A vendor's matrix product that a device may use instead of its own kernels, with workspace that the call lends it. It takes
 * single products (no batches) of a least size; what it cannot take the device's own kernels do.
 *
 * @param name of the engine, as plans show it
 * @param bytes of workspace that it is given
 * @param least m and n of the smallest product that is worth it
 * @param leastDepth k of the smallest product that is worth it
 */
public record GemmEngine(String name, long bytes, long least, long leastDepth) {
    /**
     * Whether this engine is for a product: a single one of at least that size, and none of numbers that {@linkplain RoundedFactors#worth are split}. A question of shape and mode alone, as all
     * that decides about workspace.
     *
     * @param l sizes of a GEMM
     * @return whether it is
     */
    public boolean takes(Launch l) {
        return l.m >= least && l.n >= least && l.k >= leastDepth && l.count == 1 && !RoundedFactors.worth(l);
    }

    /**
     * Whether this engine may do a product that it {@linkplain #takes takes}: not one whose scalars are on the device, since BLAS
     * promises that alpha = 0 reads no A, and a vendor's product does read it; nor a batch of one whose address is on the device.
     *
     * @param l sizes, forms and scalars of a GEMM
     * @return whether it may, given its workspace
     */
    public boolean may(Launch l) {
        return takes(l) && !l.a.pointers && !l.b.pointers && !l.c.pointers && !l.alpha.onDevice() && !l.beta.onDevice()
                && !l.alpha.is(0);
    }
}
