package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.x86.Isa;

/** Kernels of {@link ChainCode}, {@link BandRowCode} and {@link RowBlockCode}: what they do with the rows of a narrow band. */
public enum ChainKind {
    /** Each unknown less its row's products with those found before, times a reciprocal. */
    SOLVE,
    /** Each element times the diagonal, and its row's products with those that come after. */
    MULTIPLY,
    /** The reciprocals of a diagonal. */
    INVERT,
    /** Adds the rows of any band times a vector to another. */
    ROWS,
    /** Adds those of a symmetric or Hermitian band, of which one triangle is stored. */
    SYMMETRIC,
    /** Blocks of rows of any band, of real numbers too, times a vector: see {@link RowBlockCode}. With AVX-512 only. */
    BLOCKS;

    /** Whether elements are taken from the last to the first; of a symmetric band, whether its upper triangle is stored. */
    static boolean descends(int variant) {
        return (variant & 1) != 0;
    }

    /** Whether the matrix is conjugated; of a symmetric band, whether it is Hermitian. */
    static boolean conj(int variant) {
        return (variant & 2) != 0;
    }

    /** Whether {@link #BLOCKS} adds its sums to what is there. */
    static boolean adds(int variant) {
        return (variant & 2) != 0;
    }

    /** Whether the diagonal counts as ones. */
    static boolean unit(int variant) {
        return (variant & 4) != 0;
    }

    /** The number of a variant; only chains have all three. */
    static int variant(boolean descends, boolean conj, boolean unit) {
        return (descends ? 1 : 0) + (conj ? 2 : 0) + (unit ? 4 : 0);
    }

    /** Whether one of {@link BandRowCode}. */
    boolean adds() {
        return this == ROWS || this == SYMMETRIC;
    }

    /** How many variants there are. */
    int variants(Isa isa, boolean complex) {
        if (this == BLOCKS) {
            return isa == Isa.AVX512 ? 4 : 0;
        }
        if (!complex) {
            return 0;
        }
        return this == SOLVE || this == MULTIPLY ? 8 : 4;
    }
}
