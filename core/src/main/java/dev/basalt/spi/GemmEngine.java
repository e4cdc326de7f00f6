package dev.basalt.spi;

import dev.basalt.type.ElementType;

/**
 * A vendor's matrix product that a device may use instead of its own kernels, with workspace that the call lends it. It takes
 * single products (no batches) of a least size; what it cannot take the device's own kernels do.
 *
 * @param name of the engine, as plans show it
 * @param bytes of workspace that it is given
 * @param least m and n of the smallest product that is worth it
 * @param leastDepth k of the smallest product that is worth it
 * @param volume m·n·k from which a product of at least {@link #THIN} rows and columns is worth it, too; twice that of at least 16
 */
public record GemmEngine(String name, long bytes, long least, long leastDepth, long volume) {
    /** The least m and n of products that are worth it for their volume. */
    public static final long THIN = 64;

    /**
     * The same of twice the volume: an H200 takes 27 µs for 39×383×4800 in double by kernels of this library, and 16 by the engine, but 4.9 for 16×64×1500 and cuBLAS 30.
     */
    private static final long THINNEST = 16;

    /** The tier without an engine's workspace, for people. */
    public static final String OWN_KERNELS = "own kernels";

    /** Products inside other routines are known by bounds only, and few of them are as large. */
    private static final int BOUND = 16;

    /** Complex numbers in double take longest, so that less of them is worth it. */
    private static final int SLOW = 4;

    /**
     * Whether this engine is for a product: a single one of at least that size, and none of numbers that {@linkplain RoundedFactors#worth are split}. A question of shape and mode alone, as all
     * that decides about workspace.
     *
     * @param l sizes of a GEMM
     * @return whether it is
     */
    public boolean takes(Launch l) {
        boolean large = l.m >= least && l.n >= least && l.k >= leastDepth || thick(l.type, l.m, l.n, l.k, THIN, volume)
                || thick(l.type, l.m, l.n, l.k, THINNEST, 2.0 * volume);
        return large && l.count == 1 && !RoundedFactors.worth(l);
    }

    /**
     * Whether a routine made of products is to lend it workspace. Monotone in m, n and k.
     *
     * @param type element type of the products
     * @param m no product has more rows
     * @param n no product has more columns
     * @param k no product has a longer inner dimension
     * @return whether products of that size are worth it
     */
    public boolean serves(ElementType type, long m, long n, long k) {
        return thick(type, m, n, k, THIN, (double) BOUND * volume);
    }

    private boolean thick(ElementType type, long m, long n, long k, long thin, double from) {
        double slow = type == ElementType.C64 ? SLOW : 1;
        return Math.min(m, n) >= Math.min(thin, least) && k >= leastDepth && slow * m * n * k >= from;
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
