package dev.basalt.type;

/** What an expert driver is given. */
public enum Fact {
    /** The factors are given. */
    FACTORED,
    /** The matrix is factored as it is. */
    NOT_FACTORED,
    /** The matrix is scaled first where that pays, then factored. */
    EQUILIBRATE
}
