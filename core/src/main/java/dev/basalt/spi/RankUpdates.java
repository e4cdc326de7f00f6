package dev.basalt.spi;

/** Which updates of a triangle by two factors are updates by two vectors at a time, on devices that do not work in waves: those of few columns, where a launch costs little. */
public final class RankUpdates {
    /** Columns of any. */
    public static final long FEW = 4;

    /** Order up to which both products of a complex update are one square. */
    public static final long SQUARE = 31;

    /** Columns of complex ones beyond that order. */
    private static final long MORE = 8;

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
        return complex && !turned && n > SQUARE ? MORE : FEW;
    }
}
