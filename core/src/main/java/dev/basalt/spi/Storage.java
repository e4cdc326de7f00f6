package dev.basalt.spi;

/** How the elements of a matrix operand lie in memory. */
public enum Storage {
    /** Column by column, {@code ld} elements from one to the next. */
    DENSE,
    /** LAPACK's band storage: element (i, j) lies in row {@code ku + i - j} of column j. */
    BAND,
    /** The elements of one triangle alone, column by column. */
    PACKED
}
