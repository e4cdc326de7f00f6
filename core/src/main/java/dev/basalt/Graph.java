package dev.basalt;

import dev.basalt.internal.telemetry.LeakRegistry;
import dev.basalt.spi.DeviceDriver;

/** Calls recorded by {@link Handle#capture}, ready to run again and again; it keeps the workspace they use alive. */
public final class Graph implements AutoCloseable {
    private final DeviceDriver driver;
    private final long id;
    private final Runnable unpin;
    private final LeakRegistry.Entry leak;
    private boolean open = true;

    Graph(DeviceDriver driver, long id, Runnable unpin) {
        this.driver = driver;
        this.id = id;
        this.unpin = unpin;
        this.leak = LeakRegistry.open("Graph", driver.name(), this);
    }

    /**
     * Runs the recorded calls in order on a stream. Two runs of graphs that share a workspace must be on one stream.
     *
     * @param stream where
     */
    public void launch(Stream stream) {
        if (!open) {
            throw new BlasException(Status.INVALID_HANDLE, "Graph.launch", "the graph is closed");
        }
        driver.launchGraph(id, stream.ref.id);
    }

    /** Destroys the graph behind the runs in flight. A second close does nothing. */
    @Override
    public void close() {
        if (open) {
            open = false;
            driver.destroyGraph(id);
            unpin.run();
            leak.close();
        }
    }
}
