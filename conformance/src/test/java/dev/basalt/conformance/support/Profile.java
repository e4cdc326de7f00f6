package dev.basalt.conformance.support;

/** What the trials of a test are after. */
public enum Profile {
    /** Every combination of options on many small and some middling shapes, with all the workspace there could be. */
    SHAPES,
    /** Shapes that need workspace, with too little of it. */
    TIERS,
    /** A few large shapes. */
    LARGE
}
