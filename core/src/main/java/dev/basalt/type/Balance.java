package dev.basalt.type;

/** What balancing does to a general matrix. */
public enum Balance {
    /** Nothing. */
    NONE,
    /** Rows and columns change places, so that isolated eigenvalues stand first and last. */
    PERMUTE,
    /** Rows and columns are scaled by powers of two, so that both have about the same norm. */
    SCALE,
    /** Both. */
    BOTH
}
