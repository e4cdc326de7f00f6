package dev.basalt.spi;

/** Which Q is made of few reflectors as one product of these and of their block, on devices that do not work in waves: its columns are written once, and the block lies in a kernel's scratch. */
public final class FewReflectors {
    /** Elements of scratch. */
    public static final long SCRATCH = 1 << 14;

    private static final long MOST = 16;

    /** Elements up to which one reflector is sooner multiplied with by element. */
    private static final long SHORT = 8;

    private FewReflectors() {}

    /**
     * Whether reflectors are so few.
     *
     * @param m elements of a reflector
     * @param n columns of Q
     * @param k reflectors
     * @return whether they and their block fit in scratch
     */
    public static boolean block(long m, long n, long k) {
        return k > 0 && m > (k == 1 ? SHORT : 1) && k <= MOST && (m + n + k + 1) * k + n <= SCRATCH;
    }
}
