package dev.basalt.type;

/** The sign between the products of a matrix equation: LAPACK's isgn of 1 or -1. */
public enum Sign {
    /** op(A)·X + X·op(B). */
    PLUS,
    /** op(A)·X - X·op(B). */
    MINUS
}
