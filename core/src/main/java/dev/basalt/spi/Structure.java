package dev.basalt.spi;

/** What a stored triangle stands for: see {@link Kernel#EXPAND}. */
public enum Structure {
    /** A triangular matrix, zero in the other triangle. */
    TRIANGULAR,
    /** A symmetric matrix. */
    SYMMETRIC,
    /** A Hermitian matrix. */
    HERMITIAN
}
