package dev.basalt.internal.workspace;

import dev.basalt.BlasException;
import dev.basalt.Scheme;
import dev.basalt.internal.telemetry.FailureEvent;
import dev.basalt.internal.telemetry.FlightRecording;
import dev.basalt.internal.telemetry.GrowEvent;
import dev.basalt.internal.telemetry.HazardEvent;
import dev.basalt.internal.telemetry.SchemeEvent;
import dev.basalt.internal.telemetry.TrimEvent;

/** What a workspace tells the flight recorder, if anybody records. */
public final class WorkspaceEvents {
    private WorkspaceEvents() {}

    /** Begins to time a growth; null if nobody records. */
    static GrowEvent growing() {
        GrowEvent event = FlightRecording.on() ? new GrowEvent() : null;
        if (event != null) {
            event.begin();
        }
        return event;
    }

    static void grew(GrowEvent event, long handle, long from, long to, String reason, String mechanism) {
        if (event != null) {
            event.end();
            event.handle = handle;
            event.from = from;
            event.to = to;
            event.reason = reason;
            event.mechanism = mechanism;
            event.commit();
        }
    }

    static void trim(long handle, long from, long to, String cause) {
        if (FlightRecording.on()) {
            TrimEvent event = new TrimEvent();
            event.handle = handle;
            event.from = from;
            event.to = to;
            event.cause = cause;
            event.commit();
        }
    }

    static void scheme(long handle, Scheme from, Scheme to, long bytes) {
        if (FlightRecording.on()) {
            SchemeEvent event = new SchemeEvent();
            event.handle = handle;
            event.from = from.name();
            event.to = to.name();
            event.bytes = bytes;
            event.commit();
        }
    }

    /** Stream-ordered allocation was asked for, and the device has no pools. */
    static void fallback(String device) {
        if (FlightRecording.on()) {
            HazardEvent event = new HazardEvent();
            event.kind = "stream order fallback";
            event.detail = device + " has no memory pools: the workspace is an ordinary block";
            event.commit();
        }
    }

    /**
     * Not even the smallest tier could have its workspace.
     *
     * @param handle the handle
     * @param routine what was called
     * @param shape its shape, or nothing
     * @param e the error, with its figures
     */
    public static void failure(long handle, String routine, String shape, BlasException e) {
        if (FlightRecording.on() && e.shortage() != null) {
            FailureEvent event = new FailureEvent();
            event.handle = handle;
            event.routine = routine;
            event.shape = shape;
            event.minimum = e.shortage().minimum();
            event.held = e.shortage().held();
            event.free = e.shortage().free();
            event.limit = e.shortage().limit();
            event.commit();
        }
    }
}
