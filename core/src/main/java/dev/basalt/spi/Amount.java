package dev.basalt.spi;

import dev.basalt.type.Side;

/** A number of elements that the dimensions and operands of a launch give, for one problem. */
public enum Amount {
    /** Nothing that grows. */
    NONE,
    /** n. */
    N,
    /** m·n. */
    MN,
    /** n·k. */
    NK,
    /** n². */
    NN,
    /** m·n·k. */
    MNK,
    /** n²·k. */
    NNK,
    /** m·n times the order of the special matrix: m (LEFT) or n (RIGHT). */
    MN_ORDER,
    /** m·n². */
    MNN,
    /** n³. */
    NNN,
    /** n·(q - p)². */
    N_PQ_PQ,
    /** n² for each of the lines that rotations go to, m, k and p of them, and as much as 100 lines take for finding these. */
    NN_LINES,
    /** The elements stored of a, which is m×n. */
    A_MN,
    /** The elements stored of a, which is n×n. */
    A_NN,
    /** The elements stored of c, which is n×n. */
    C_NN,
    /** What is stored of c, n×n, times a third of the elements of a column. */
    C_NN_COLUMN,
    /** What LU multiplies in the band c of n columns, whose ku counts the diagonals for fill. */
    C_BAND_LU,
    /** m times the elements stored of a, which is n×n. */
    A_NN_M,
    /** n elements in each of q - p rows. */
    ROWS_PQ,
    /** m elements in each of the columns from p to q. */
    M_SPAN,
    /** m + n elements in each of the columns from p to q. */
    MN_SPAN,
    /** k·n in each of the columns from p to q. */
    N_SPAN_K;

    /**
     * The number.
     *
     * @param l a launch
     * @return elements of one problem
     */
    public double of(Launch l) {
        double m = l.m;
        double n = l.n;
        return switch (this) {
            case NONE -> 0;
            case N -> n;
            case MN -> m * n;
            case NK -> n * l.k;
            case NN -> n * n;
            case MNK -> m * n * l.k;
            case NNK -> n * n * l.k;
            case MN_ORDER -> m * n * (l.side == Side.LEFT ? m : n);
            case MNN -> m * n * n;
            case NNN -> n * n * n;
            case N_PQ_PQ -> n * (l.q - l.p) * (l.q - l.p);
            case NN_LINES -> n * n * (m + l.k + l.p + 100);
            case A_MN -> l.a.stored(m, n);
            case A_NN -> l.a.stored(n, n);
            case C_NN -> l.c.stored(n, n);
            case C_NN_COLUMN -> l.c.stored(n, n) * (l.c.stored(n, n) / Math.max(n, 1)) * 2 / 3;
            case C_BAND_LU -> n * (l.c.kl + 1.0) * (l.c.ku + 1.0);
            case A_NN_M -> m * l.a.stored(n, n);
            case ROWS_PQ -> (l.q - l.p) * n;
            case M_SPAN -> m * (l.q - l.p + 1);
            case MN_SPAN -> (m + n) * (l.q - l.p + 1);
            case N_SPAN_K -> n * l.k * (l.q - l.p);
        };
    }
}
