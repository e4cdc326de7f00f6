package dev.basalt.host.assembled.product;

/** What is known of a matrix of which one triangle is stored. */
public enum Structure {
    /** The other triangle is zero. */
    TRIANGULAR,
    /** As {@link #TRIANGULAR}, and the diagonal is one and not read. */
    UNIT_TRIANGULAR,
    SYMMETRIC,
    /** The diagonal's imaginary part is not read. */
    HERMITIAN;

    boolean triangular() {
        return this == TRIANGULAR || this == UNIT_TRIANGULAR;
    }
}
