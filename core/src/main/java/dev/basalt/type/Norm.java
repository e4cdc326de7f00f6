package dev.basalt.type;

/** A norm of a matrix. */
public enum Norm {
    /** The largest absolute value of an element; no norm in the strict sense. */
    MAX,
    /** The largest sum of absolute values of a column. */
    ONE,
    /** The largest sum of absolute values of a row. */
    INF,
    /** The square root of the sum of squares: the Frobenius norm. */
    FRO
}
