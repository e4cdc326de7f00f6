package dev.basalt.type;

/** Which singular vectors of one side are computed, and where they go: LAPACK's jobs A, S, O and N. */
public enum Svect {
    /** All of them, a square matrix. */
    ALL,
    /** Those of the first min(m, n) singular values. */
    SINGULAR,
    /** The same, in the place of A. One side alone can have it. */
    OVERWRITE,
    /** None. */
    NONE;

    /**
     * Whether they have a matrix of their own.
     *
     * @return true for ALL and SINGULAR
     */
    public boolean stored() {
        return this == ALL || this == SINGULAR;
    }

    /**
     * How long the vectors in a matrix of their own are.
     *
     * @param which what is asked for, or null
     * @param own elements of a vector
     * @return 0 if there is no such matrix
     */
    public static long elements(Svect which, long own) {
        return which != null && which.stored() ? own : 0;
    }

    /**
     * How many vectors a matrix of their own has.
     *
     * @param which what is asked for, or null
     * @param own elements of a vector
     * @param other elements of a vector of the other side
     * @return 0 if there is no such matrix
     */
    public static long vectors(Svect which, long own, long other) {
        return which != null && which.stored() ? which.columns(own, other) : 0;
    }

    /**
     * How many vectors there are.
     *
     * @param own elements of a vector
     * @param other elements of a vector of the other side
     * @return 0 if none is asked for
     */
    public long columns(long own, long other) {
        return this == NONE ? 0 : this == ALL ? own : Math.min(own, other);
    }
}
