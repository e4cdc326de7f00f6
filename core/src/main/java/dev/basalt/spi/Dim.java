package dev.basalt.spi;

/** A dimension of a {@link Launch}. */
public enum Dim {
    /** Rows. */
    M,
    /** Columns, or elements of a vector. */
    N,
    /** Inner dimension. */
    K
}
