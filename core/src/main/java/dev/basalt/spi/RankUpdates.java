package dev.basalt.spi;

/** Which updates of a triangle by two factors are updates by two vectors at a time, on devices that do not work in waves: those of few columns, where a launch costs little. */
public final class RankUpdates {
    /** Columns of any. */
    public static final long FEW = 4;

    /** Order up to which both products of a complex update are one square. */
    public static final long SQUARE = 31;

    /** Columns of complex ones beyond that order. */
    private static final long MORE = 8;

    /** Inner dimension up to which an update by two factors is one product of both beside each other, which reads and writes C once. */
    private static final long BESIDE = 64;

    /** Order from which on a triangle is read from beyond the second cache, so that each update takes as long as all of them. */
    private static final long FAR = 512;

    /** Orders of smaller triangles of real numbers, which two products hardly take longer for, and inner dimensions up to which they do. */
    private static final long LARGE = 256;

    private static final long MIDDLE = 32;

    private static final long LEAST = 100;

    private static final long SHORT = 12;

    private RankUpdates() {}

    /**
     * The most columns.
     *
     * @param complex whether elements are complex
     * @param turned whether columns are conjugated rows
     * @param n order of the triangle
     * @return columns
     */
    public static long most(boolean complex, boolean turned, long n) {
        if (n >= FAR || turned && n >= LARGE) {
            return 1;
        }
        if (complex) {
            return turned || n <= SQUARE ? FEW : MORE;
        }
        return n < LEAST ? FEW : FEW - 1;
    }

    /**
     * Whether an update is one product of twice the inner dimension: both factors beside each other meet both in the other order, so C is read and written once.
     *
     * @param complex whether elements are complex
     * @param turned whether columns are conjugated rows
     * @param n order of the triangle
     * @param k columns
     * @return false where columns are few or many, or the triangle is small
     */
    public static boolean beside(boolean complex, boolean turned, long n, long k) {
        if (k <= most(complex, turned, n) || k > BESIDE) {
            return false;
        }
        if (complex) {
            return n > SQUARE + 1;
        }
        return n >= FAR || n > LARGE && k <= MIDDLE || n >= LEAST && k <= SHORT;
    }
}
