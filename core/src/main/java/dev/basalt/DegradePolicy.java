package dev.basalt;

/** What a handle does when a call cannot have the workspace of its best algorithm. */
public enum DegradePolicy {
    /** Run a lower tier and return {@link Status#PERF_DEGRADED}; the default. */
    ALLOW,
    /** Throw {@link Status#MEMORY_ERROR} rather than run a slower algorithm. */
    FORBID
}
