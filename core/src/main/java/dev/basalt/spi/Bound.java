package dev.basalt.spi;

/** What a kernel's time goes by. */
public enum Bound {
    /** The bytes it moves, one after another. */
    MEMORY,
    /** The bytes it moves, each in a cache line of its own. */
    SCATTER,
    /** Its arithmetic, at the speed of products of matrices. */
    PRODUCT,
    /** Its arithmetic, in a triangle or with a special matrix, at the speed of products if the device has them for those. */
    SPECIAL,
    /** Its arithmetic, at the speed of small blocks. */
    BLOCK
}
