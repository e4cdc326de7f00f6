package dev.basalt.type;

/** How the vectors of reflectors are stored. */
public enum Storev {
    /** One a column. */
    COLUMNS,
    /** One a row. */
    ROWS
}
