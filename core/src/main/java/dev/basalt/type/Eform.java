package dev.basalt.type;

/** The generalised symmetric eigenproblems, with a positive definite B. */
public enum Eform {
    /** A·x = λ·B·x; 1 in LAPACK. */
    AX,
    /** A·B·x = λ·x; 2 in LAPACK. */
    ABX,
    /** B·A·x = λ·x; 3 in LAPACK. */
    BAX
}
