package dev.basalt.spi;

/**
 * What parts of one problem are independent of each other, so that they may run at the same time. The {@link Part} of each
 * operand says what of it a part needs.
 */
public enum Axis {
    /** Nothing: a problem is one piece. */
    NONE,
    /** Ranges of the elements of vectors. */
    ELEMENTS,
    /** Blocks of a reduction, whose partial results are combined in order. */
    BLOCKS,
    /** Ranges of columns. */
    COLUMNS,
    /** Ranges of rows. */
    ROWS,
    /** Ranges of rows or of columns, whichever there are enough of. */
    MATRIX,
    /** Ranges of the result of op(A)·x: rows of A, or columns if A is transposed. */
    RESULT,
    /** Ranges of what the special matrix does not mix: columns if it stands left, rows if it stands right. */
    SIDE,
    /** Ranges of rows or of columns of a product of matrices. */
    PRODUCT,
    /** Columns of a triangle, each with the rectangle beside it. */
    TRIANGLE,
    /** Columns of a triangle of one vector or two, which the launch counts from p to q: its operands stay whole. */
    SPAN
}
