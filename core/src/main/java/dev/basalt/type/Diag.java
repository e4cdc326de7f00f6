package dev.basalt.type;

/** Whether the diagonal of a triangular matrix is stored or taken as ones. */
public enum Diag {
    /** The diagonal is stored. */
    NON_UNIT,
    /** The diagonal is one and is not read. */
    UNIT
}
