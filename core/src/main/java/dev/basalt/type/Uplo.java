package dev.basalt.type;

/** Which triangle of a matrix is stored and referenced; the other is never read and never written. */
public enum Uplo {
    /** The upper triangle. */
    UPPER,
    /** The lower triangle. */
    LOWER
}
