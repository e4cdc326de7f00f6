package dev.basalt.type;

/** The order of the eigenvalues of a tridiagonal matrix that falls apart into blocks. */
public enum Eorder {
    /** Those of a block side by side, in rising order. */
    BLOCKS,
    /** All in rising order. */
    ENTIRE
}
