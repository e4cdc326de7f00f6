package dev.basalt.type;

/** Which eigenvectors are computed. */
public enum Evect {
    /** None. */
    NONE,
    /** Those of the tridiagonal matrix. */
    TRIDIAGONAL,
    /** Those of the matrix that was brought to tridiagonal form. */
    ORIGINAL
}
