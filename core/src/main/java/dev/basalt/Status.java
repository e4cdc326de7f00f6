package dev.basalt;

/**
 * The outcome of a call, with rocBLAS's names. The non-error ones ({@link #SUCCESS}, {@link #PERF_DEGRADED},
 * {@link #SIZE_INCREASED}, {@link #SIZE_UNCHANGED}) are returned; every other one arrives in a {@link BlasException}.
 */
public enum Status {
    /** The call did what was asked, by its best algorithm. */
    SUCCESS,
    /** No handle, or a closed one. */
    INVALID_HANDLE,
    /** A combination this version does not offer. */
    NOT_IMPLEMENTED,
    /** A required pointer, view or scalar is missing, closed, too small or of another device. */
    INVALID_POINTER,
    /** A dimension, increment, leading dimension or batch count is out of range, or a product of them overflows. */
    INVALID_SIZE,
    /** Not even the algorithm that needs least memory could be given what it needs. */
    MEMORY_ERROR,
    /** Misuse of the handle (a lease is alive), or a failure in the device's own software. */
    INTERNAL_ERROR,
    /** The result is correct; a slower algorithm ran because workspace was short. */
    PERF_DEGRADED,
    /** Start of a size query while one is active, or stop without one. */
    SIZE_QUERY_MISMATCH,
    /** In a size query: the call needs more than any call before it. */
    SIZE_INCREASED,
    /** In a size query: the call needs no more than the calls before it. */
    SIZE_UNCHANGED,
    /** An option is null, or not allowed for this type or routine. */
    INVALID_VALUE;

    /**
     * Whether this status arrives as an exception.
     *
     * @return false for the four statuses that calls return
     */
    public boolean isError() {
        return this != SUCCESS && this != PERF_DEGRADED && this != SIZE_INCREASED && this != SIZE_UNCHANGED;
    }
}
