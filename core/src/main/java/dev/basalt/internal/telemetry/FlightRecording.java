package dev.basalt.internal.telemetry;

import jdk.jfr.FlightRecorder;

/**
 * Whether anybody records events. The first use of an event class makes the JVM set up its flight recorder, 100 to 250 ms in a
 * fresh one: more than the first call of a routine may cost. So no event class is touched before a recording exists.
 */
public final class FlightRecording {
    private FlightRecording() {}

    /**
     * Whether the flight recorder has been set up, by a recording, a stream of events or a tool.
     *
     * @return true if events may be wanted
     */
    public static boolean on() {
        return FlightRecorder.isInitialized();
    }

    /**
     * Whether a recording wants an event of every lease.
     *
     * @return true if so
     */
    public static boolean leases() {
        return on() && Leases.NEVER_COMMITTED.isEnabled();
    }

    /**
     * Whether a recording wants an event of every degraded call.
     *
     * @return true if so
     */
    public static boolean degraded() {
        return on() && Degraded.NEVER_COMMITTED.isEnabled();
    }

    /** Loaded only while something is recorded. */
    private static final class Degraded {
        static final DegradedEvent NEVER_COMMITTED = new DegradedEvent();
    }

    /** Loaded only while something is recorded. */
    private static final class Leases {
        static final LeaseEvent NEVER_COMMITTED = new LeaseEvent();
    }
}
