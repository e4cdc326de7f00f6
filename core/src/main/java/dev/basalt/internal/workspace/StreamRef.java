package dev.basalt.internal.workspace;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream: whether it still exists (a closed one has been waited for, so nothing needs to be ordered behind it), what is recorded on it,
 * and which memory of the JVM its copies still use.
 */
public final class StreamRef {
    /** The driver's number. */
    public final long id;

    /** As many copies may have their memory kept before the host waits for them. */
    private static final int MOST_KEPT = 1024;

    /** What records the work of this stream, null for nothing. */
    public volatile Recording recording;

    private final List<MemorySegment> kept = new ArrayList<>();
    private volatile boolean open = true;

    /**
     * A stream.
     *
     * @param id the driver's number
     */
    public StreamRef(long id) {
        this.id = id;
    }

    /**
     * Whether the stream exists.
     *
     * @return false after {@link #close}
     */
    public boolean isOpen() {
        return open;
    }

    /** Marks the stream as gone. */
    public void close() {
        open = false;
    }

    /**
     * Keeps a segment from being collected while a copy of this stream uses it.
     *
     * @param segment the segment
     * @return whether so many are kept now that the caller must wait for the stream and {@link #reached} its end
     */
    public synchronized boolean keep(MemorySegment segment) {
        kept.add(segment);
        return kept.size() >= MOST_KEPT;
    }

    /** The host has waited for all work of this stream. */
    public synchronized void reached() {
        kept.clear();
    }
}
