package dev.basalt.spi;

/** What takes the places of sum and product in {@link Kernel#GEAM_EX}. */
public enum Semiring {
    /** The minimum of sums. */
    MIN_PLUS,
    /** The sum of minima. */
    PLUS_MIN
}
