package dev.basalt.type;

/** Which eigenvalues are computed. */
public enum Erange {
    /** All. */
    ALL,
    /** Those that are larger than vl and at most vu. */
    VALUE,
    /** Those from number il to number iu, counted from 1 and from the smallest on. */
    INDEX;

    /**
     * How many there may be.
     *
     * @param range which are asked for; null for all
     * @param n order of the matrix
     * @param il the first with {@link #INDEX}
     * @param iu the last with {@link #INDEX}
     * @return n, or with {@link #INDEX} as many as there are from il to iu
     */
    public static long most(Erange range, long n, long il, long iu) {
        return range == INDEX ? Math.max(0, Math.min(n, iu) - Math.max(1, il) + 1) : n;
    }
}
