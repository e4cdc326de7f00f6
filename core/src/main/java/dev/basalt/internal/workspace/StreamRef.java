package dev.basalt.internal.workspace;

/** A stream and whether it still exists; a closed one has been waited for, so nothing needs to be ordered behind it. */
public final class StreamRef {
    /** The driver's number. */
    public final long id;

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
}
