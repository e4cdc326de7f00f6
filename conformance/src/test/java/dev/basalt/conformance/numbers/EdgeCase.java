package dev.basalt.conformance.numbers;

/** A case in which libraries differ, and what Basalt does: a line of {@code docs/edge-cases.md}. */
interface EdgeCase {
    /** Runs a case. */
    interface Probe {
        /** The outcome. */
        String on(EdgeProbe p);
    }

    /** Its id on the page. */
    String name();

    /** What the page says of Basalt. */
    String expected();

    /** What comes out. */
    String outcome(EdgeProbe p);
}
