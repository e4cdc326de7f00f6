package dev.basalt.spi;

/** The steps of {@link Kernel#FGMRES}, and what is kept of each column between them. */
public final class Gmres {
    /** Scales become powers of two. */
    public static final int BINARY = 0;

    /** The first cycle begins. */
    public static final int FIRST = 1;

    /** A cycle begins, or all is good. */
    public static final int CYCLE = 2;

    /** The same for least squares. */
    public static final int LEAST = 3;

    /** A direction is taken. */
    public static final int ARNOLDI = 4;

    /** A cycle ends. */
    public static final int SOLUTION = 5;

    /** What info is where no column wants another direction in this cycle: no info has this number. */
    public static final int PAUSED = Integer.MIN_VALUE + 1;

    /** How many numbers of a column stand behind its cosines: {@link #TAKEN} and those after it. */
    public static final int NUMBERS = 4;

    /** Directions taken in this cycle. */
    public static final int TAKEN = 0;

    /** The residual at which the cycle may end. */
    public static final int TARGET = 1;

    /** 1 where the column wants no further direction in this cycle. */
    public static final int DONE = 2;

    /** The residual when the cycle began. */
    public static final int BEGAN = 3;

    private Gmres() {}

    /**
     * The elements of a type before the cosines of a column: the Hessenberg matrix, the sines, and the right-hand side.
     *
     * @param directions of a cycle, at most
     * @return elements
     */
    public static long elements(long directions) {
        return (directions + 1) * directions + directions + directions + 1;
    }

    /**
     * The doubles that are kept of a column.
     *
     * @param directions of a cycle, at most
     * @param parts 2 for complex elements, else 1
     * @return doubles
     */
    public static long column(long directions, int parts) {
        return elements(directions) * parts + directions + NUMBERS;
    }

    /**
     * The doubles that are kept of a problem: the directions it has taken in all cycles, and then its columns.
     *
     * @param directions of a cycle, at most
     * @param columns right-hand sides
     * @param parts 2 for complex elements, else 1
     * @return doubles
     */
    public static long words(long directions, long columns, int parts) {
        return 1 + columns * column(directions, parts);
    }
}
