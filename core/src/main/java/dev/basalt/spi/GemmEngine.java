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
     * Whether a single product is worth it: monotone in every dimension.
     *
     * @param m rows
     * @param n columns
     * @param k inner dimension
     * @return whether this engine should do it
     */
    public boolean takes(long m, long n, long k) {
        return m >= least && n >= least && k >= leastDepth;
    }
}
