package dev.basalt.host.assembled.matvec;

/** Kernels of {@link ChainCode}: what they do with the unknowns of a narrow band of complex numbers. */
public enum ChainKind {
    /** Each unknown less its row's products with those found before, times a reciprocal. */
    SOLVE,
    /** Each element times the diagonal, and its row's products with those that come after. */
    MULTIPLY,
    /** The reciprocals of a diagonal. */
    INVERT;

    /** Whether elements are taken from the last to the first. */
    static boolean descends(int variant) {
        return (variant & 1) != 0;
    }

    /** Whether the matrix is conjugated. */
    static boolean conj(int variant) {
        return (variant & 2) != 0;
    }

    /** Whether the diagonal counts as ones. */
    static boolean unit(int variant) {
        return (variant & 4) != 0;
    }

    /** The number of a variant; reciprocals have only {@code conj}. */
    static int variant(boolean descends, boolean conj, boolean unit) {
        return (descends ? 1 : 0) + (conj ? 2 : 0) + (unit ? 4 : 0);
    }

    /** How many variants there are. */
    int variants() {
        return this == INVERT ? 4 : 8;
    }
}
