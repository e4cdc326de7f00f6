package dev.basalt.type;

/** Which elements of a matrix a routine means; the others are neither read nor written. */
public enum Region {
    /** All of them. */
    GENERAL,
    /** Those on the main diagonal and above it. */
    UPPER,
    /** Those on the main diagonal and below it. */
    LOWER
}
