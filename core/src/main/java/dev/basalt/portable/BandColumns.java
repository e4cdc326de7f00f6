package dev.basalt.portable;

import dev.basalt.type.Op;

/** What LU of a band does with each column, over absolute addresses: for one problem of one element type. */
public interface BandColumns {
    /**
     * Chooses the pivot of a column, brings it to the front and divides what is below by it.
     *
     * @param below elements below the first one
     * @param at address of the first one
     * @return how far below the pivot was; -1, and nothing done, if it is exactly zero
     */
    long pivot(long below, long at);

    /**
     * Exchanges two rows right of a column and takes multiples of the first one off those below it.
     *
     * @param below rows below the first one
     * @param p the row that changes places with the first one, 0 for none
     * @param cols columns right of it
     * @param at address of the pivot
     * @param step elements from one column to the next
     */
    void eliminate(long below, long p, long cols, long at, long step);

    /**
     * Takes multiples of a row of right-hand sides off the rows below it.
     *
     * @param below rows below it
     * @param sides right-hand sides
     * @param column address of the multipliers
     * @param row address of the row's first element
     * @param ld elements from one right-hand side to the next
     */
    void below(long below, long sides, long column, long row, long ld);

    /**
     * Takes products of a column, transposed, with the rows below a row of right-hand sides off that.
     *
     * @param op how the column is read, not NONE
     * @param below rows below it
     * @param sides right-hand sides
     * @param column address of the column
     * @param row address of the row's first element
     * @param ld elements from one right-hand side to the next
     */
    void above(Op op, long below, long sides, long column, long row, long ld);
}
