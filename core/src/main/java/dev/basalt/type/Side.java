package dev.basalt.type;

/** The side of the product on which the special (triangular, symmetric) matrix stands. */
public enum Side {
    /** op(A)·B. */
    LEFT,
    /** B·op(A). */
    RIGHT
}
