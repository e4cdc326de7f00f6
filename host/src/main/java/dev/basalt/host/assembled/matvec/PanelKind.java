package dev.basalt.host.assembled.matvec;

/** Kernels of {@link PanelCode}. */
enum PanelKind {
    /** y := alpha·A·x + y. */
    GEMV,
    /** y := alpha·A·x. */
    GEMV_SET,
    /** A := alpha·x·yᵀ + A. */
    GER,
    /** A := alpha·x·yᴴ + A. */
    GERC,
    /** y := alpha·Aᵀ·x + y. */
    GEMV_T,
    /** y := alpha·Aᵀ·x. */
    GEMV_T_SET,
    /** y := alpha·Aᴴ·x + y. */
    GEMV_C,
    /** y := alpha·Aᴴ·x. */
    GEMV_C_SET;

    /** Whether the result is overwritten. */
    boolean sets() {
        return this == GEMV_SET || this == GEMV_T_SET || this == GEMV_C_SET;
    }

    /** Whether the matrix is transposed. */
    boolean transposes() {
        return this == GEMV_T || this == GEMV_T_SET || this == GEMV_C || this == GEMV_C_SET;
    }

    /** Whether the matrix or vector that may be conjugated is. */
    boolean conjugates() {
        return this == GEMV_C || this == GEMV_C_SET || this == GERC;
    }
}
