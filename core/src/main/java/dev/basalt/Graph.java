package dev.basalt;

import dev.basalt.internal.call.DeviceFailure;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.internal.workspace.Recording;
import dev.basalt.spi.DriverException;

/**
 * Calls recorded by {@link Handle#capture}, ready to run again and again; it keeps the workspace they use alive, even beyond its handle.
 * It is used by one thread at a time together with its handle.
 */
public final class Graph implements AutoCloseable {
    private final HandleCore handle;
    private final long id;
    private final Recording recording;
    private final LeakRegistry.Entry leak;
    private boolean open = true;

    Graph(HandleCore handle, long id, Recording recording) {
        this.handle = handle;
        this.id = id;
        this.recording = recording;
        this.leak = LeakRegistry.open("Graph", handle.driver.name(), this);
    }

    /**
     * Runs the recorded calls in order on a stream. A run is a use of the workspace: it waits, by an event on the device, for the last use on
     * another stream, and the next use waits for it.
     *
     * @param stream where
     * @throws BlasException INVALID_HANDLE if graph or stream is closed, INVALID_POINTER if memory of an operand is, or for null,
     *     INVALID_VALUE for a stream of another device, INTERNAL_ERROR if the stream is being captured
     * @throws IllegalStateException if another thread is inside the handle
     */
    public void launch(Stream stream) {
        final String what = "Graph.launch";
        if (stream == null) {
            throw new BlasException(Status.INVALID_POINTER, what, what + ": the stream is null");
        }
        handle.enterClosed(what);
        try {
            if (!open) {
                throw new BlasException(Status.INVALID_HANDLE, what, what + ": the graph is closed; capture again");
            }
            stream.requireOn(handle.driver, what);
            if (stream.ref.recording != null) {
                throw new BlasException(Status.INTERNAL_ERROR, what,
                        what + ": the stream is being captured; launch after capture()");
            }
            String objection = recording.objection(handle);
            if (objection != null) {
                throw new BlasException(Status.INVALID_POINTER, what,
                        what + ": an operand of a recorded call cannot be used: " + objection);
            }
            handle.workspace.run(recording, stream.ref);
            handle.driver.launchGraph(id, stream.ref.id);
        } catch (DriverException e) {
            throw DeviceFailure.of(what, e);
        } finally {
            handle.leave();
        }
    }

    /**
     * Destroys the graph behind the runs in flight. A second close does nothing.
     *
     * @throws IllegalStateException if another thread is inside the handle; the graph then stays open
     */
    @Override
    public void close() {
        handle.enterClosed("Graph.close");
        try {
            if (!open) {
                return;
            }
            open = false;
            leak.close();
            if (!handle.isDeviceClosed()) {
                handle.driver.destroyGraph(id);
                handle.workspace.unpin(recording);
            }
        } catch (DriverException e) {
            throw DeviceFailure.of("Graph.close", e);
        } finally {
            handle.leave();
        }
    }
}
