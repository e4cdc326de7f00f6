package dev.basalt.portable;

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
}
