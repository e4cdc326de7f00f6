package dev.basalt.sim;

/** When the simulated device runs what has been submitted. Every mode respects stream order and events. */
public enum Scheduling {
    /** Now and then, on streams picked by the seed: phases in which work runs at once alternate with phases in which it waits. */
    RANDOM,
    /** As late as possible: only when the host waits, and then only the operations it waits for. */
    LAZY,
    /** At once: every operation has run when its submission returns. */
    EAGER
}
