package dev.basalt.portable;

import dev.basalt.type.Selection;

/** The order of eigenvalues in the Schur form of one pair of matrices, and their values. */
interface PairExchangeLeaf {
    /**
     * See {@link dev.basalt.spi.Kernel#TGSEN}: how many eigenvalues are chosen.
     *
     * @param power of two that the pair's eigenvalues times are those that the rule is for
     */
    long order(Selection select, int power, long n, long a, long lda, long b, long ldb, long left, long ldLeft,
            long right, long ldRight);

    /** Whether the last call made all of its exchanges. */
    boolean arrived();

    /**
     * See {@link dev.basalt.spi.Kernel#PAIR_VALUES}.
     *
     * @param from the first eigenvalue, from 0
     * @param imaginary the imaginary parts of those of real matrices
     */
    void values(long from, long n, long s, long lds, long p, long ldp, long alphas, long imaginary, long betas);

    /** Whether a rule chooses an eigenvalue times a power of two; it is infinite where beta is 0. */
    static boolean chooses(Selection select, int power, double re, double im, double beta) {
        // What overflows is larger than all else, and zero stays zero.
        double size = Math.scalb(Math.hypot(re, im), Math.max(0, power));
        double unit = Math.scalb(beta, Math.max(0, -power));
        return switch (select) {
            case NONE -> false;
            case LEFT_HALF -> re < 0 && beta > 0;
            case RIGHT_HALF -> re > 0 && beta > 0;
            case INSIDE -> size < unit;
            case OUTSIDE -> size > unit;
        };
    }
}
