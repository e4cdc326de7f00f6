package dev.basalt;

/** Who decides how much workspace a handle holds. */
public enum Scheme {
    /** The library grows the workspace on demand; the default. */
    MANAGED,
    /** A size fixed when the handle was created; it never changes. */
    PREALLOCATED,
    /** A size the user set, and may set again, with {@link Handle#setDeviceMemorySize}. */
    MANUAL,
    /** A block of the user's own, lent with {@link Handle#setWorkspace}; the library never frees it. */
    OWNED
}
