package dev.basalt.spi;

/** What of an operand belongs to a range of rows, or of columns, of the result. */
public enum Part {
    /** All of it, for every range. */
    WHOLE,
    /** It is a vector, whose elements are the rows. */
    ROWS,
    /** It is a vector, whose elements are the columns. */
    COLUMNS,
    /** It is a vector, whose elements are whatever is cut. */
    ELEMENTS,
    /** It is m×n as it lies in memory. */
    MATRIX,
    /** op of it is m×n. */
    OP_MATRIX,
    /** op of it has the result's rows, and its columns are summed over; op is opA for b too. */
    OP_ROWS,
    /** op of it has the result's columns, and its rows are summed over. */
    OP_COLUMNS,
    /** It is a diagonal: as long as the result has rows (LEFT) or columns (RIGHT). */
    DIAGONAL
}
