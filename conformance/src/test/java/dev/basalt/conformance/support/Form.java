package dev.basalt.conformance.support;

/** How the problems of a call lie in memory. */
public enum Form {
    /** One problem. */
    PLAIN,
    /** A batch at equal distances. */
    STRIDED,
    /** A batch as an array of pointers. */
    POINTERS
}
