package dev.basalt.host.assembled.matvec;

/** Kernels of {@link TurnCode}, by what is transposed. */
public enum TurnKind {
    /** C := α·Aᵀ. */
    ALONE,
    /** C := α·Aᵀ + β·B. */
    FIRST,
    /** C := α·A + β·Bᵀ. */
    SECOND,
    /** C := α·Aᵀ + β·Bᵀ. */
    BOTH
}
