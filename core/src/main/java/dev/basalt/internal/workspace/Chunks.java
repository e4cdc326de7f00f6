package dev.basalt.internal.workspace;

/** Exact arithmetic on sizes: every overflow is an {@link ArithmeticException}, which the protocol turns into INVALID_SIZE. */
public final class Chunks {
    /** The granule of every size: one cache line. */
    public static final long CHUNK = 64;

    private Chunks() {}

    /**
     * Rounds up to the chunk.
     *
     * @param bytes not negative
     * @return R(bytes)
     */
    public static long up(long bytes) {
        return Math.addExact(bytes, CHUNK - 1) & -CHUNK;
    }

    /**
     * An exact product.
     *
     * @param a factor
     * @param b factor
     * @return a·b
     */
    public static long times(long a, long b) {
        return Math.multiplyExact(a, b);
    }

    /**
     * An exact product.
     *
     * @param a factor
     * @param b factor
     * @param c factor
     * @return a·b·c
     */
    public static long times(long a, long b, long c) {
        return Math.multiplyExact(Math.multiplyExact(a, b), c);
    }

    /**
     * A quotient rounded up.
     *
     * @param a not negative
     * @param b positive
     * @return ⌈a / b⌉
     */
    public static long ceilDiv(long a, long b) {
        return a / b + (a % b == 0 ? 0 : 1);
    }
}
