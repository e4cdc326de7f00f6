package dev.basalt.spi;

/** What a kernel does not touch where alpha or beta is zero, as BLAS promises. */
public enum AlphaRule {
    /** Every operand is used, whatever the scalars are. */
    ALWAYS,
    /** alpha = 0 reads neither a nor b. */
    ALPHA_READS_AB,
    /** alpha = 0 reads no a, beta = 0 no b. */
    ALPHA_READS_A_BETA_READS_B,
    /** alpha = 0 reads neither a nor b, beta = 0 no c. */
    ALPHA_READS_AB_BETA_READS_C;

    /**
     * Whether an operand is left alone.
     *
     * @param operand 0 to 6 for a to g
     * @param alphaIsZero whether alpha is known to be 0
     * @param betaIsZero whether beta is known to be 0
     * @return true if it is not read
     */
    boolean skips(int operand, boolean alphaIsZero, boolean betaIsZero) {
        return switch (this) {
            case ALWAYS -> false;
            case ALPHA_READS_AB -> operand < 2 && alphaIsZero;
            case ALPHA_READS_A_BETA_READS_B -> operand == 0 ? alphaIsZero : operand == 1 && betaIsZero;
            case ALPHA_READS_AB_BETA_READS_C -> operand < 2 ? alphaIsZero : operand == 2 && betaIsZero;
        };
    }
}
