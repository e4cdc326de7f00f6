package dev.basalt.type;

/** How a matrix operand is read: as stored, transposed, or conjugate-transposed. */
public enum Op {
    /** op(A) = A. */
    NONE,
    /** op(A) = Aᵀ. */
    TRANS,
    /** op(A) = Aᴴ; the same as {@link #TRANS} for real types. */
    CONJ_TRANS
}
