package dev.basalt.spi;

/** How LDLᵀ chooses its pivots. */
public enum Pivoting {
    /** One column is compared with one row (Bunch and Kaufman, 1977). Both numbers of a 2×2 block name the row that its second one changes places with. */
    BUNCH_KAUFMAN,
    /**
     * Columns and rows are compared until one is the largest of both, so that no element of L is large (Ashcraft, Grimes and Lewis, 1998). The two numbers of a 2×2 block name
     * two rows.
     */
    ROOK
}
