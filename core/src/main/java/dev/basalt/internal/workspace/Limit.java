package dev.basalt.internal.workspace;

/** What stood in the way of a lease; a word, since a text for each degraded call would be garbage. */
enum Limit {
    /** Nothing. */
    NONE,
    /** The size that the user or the environment fixed. */
    FIXED_SIZE,
    /** The cap of a managed workspace. */
    CAP,
    /** No growth while calls are recorded. */
    CAPTURE,
    /** The device has no more. */
    DEVICE
}
