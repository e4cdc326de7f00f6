package dev.basalt.bench;

/** One call of a routine with everything bound, ready to be timed. */
@FunctionalInterface
public interface Call {
    /**
     * Calls.
     *
     * @return the routine's value, or anything: it keeps the call from being optimised away
     */
    double run();
}
