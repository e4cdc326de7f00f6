package dev.basalt.portable;

import dev.basalt.type.Selection;

/** Exchanges of blocks on the diagonal of a Schur form. */
interface ExchangeLeaf {
    /** See {@link dev.basalt.spi.Kernel#TREXC}; false where an exchange could not be made. */
    boolean trexc(long n, long t, long ldt, long rows, long q, long ldq, long from, long to);

    /** See {@link dev.basalt.spi.Kernel#TRSEN}: how many eigenvalues are chosen. */
    long order(Selection select, long n, long t, long ldt, long rows, long q, long ldq, long values, long imaginary);

    /** The eigenvalues of a Schur form. */
    void values(long n, long t, long ldt, long values, long imaginary);

    /** Whether the last call made all of its exchanges. */
    boolean arrived();

    /** Whether a rule chooses an eigenvalue. */
    static boolean chooses(Selection select, double re, double im) {
        return switch (select) {
            case NONE -> false;
            case LEFT_HALF -> re < 0;
            case RIGHT_HALF -> re > 0;
            case INSIDE -> Math.hypot(re, im) < 1;
            case OUTSIDE -> Math.hypot(re, im) > 1;
        };
    }
}
