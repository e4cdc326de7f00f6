package dev.basalt.internal.workspace;

import java.util.concurrent.atomic.AtomicReference;

/** The turns that threads take in a workspace which handles share: a second thread inside is told of the first. */
final class Turns {
    private final AtomicReference<Thread> inside = new AtomicReference<>();
    private int depth;

    /**
     * Comes in; a thread that is inside may come again.
     *
     * @param operation what is called, for the message
     * @throws IllegalStateException if another thread is inside
     */
    void begin(String operation) {
        Thread me = Thread.currentThread();
        Thread other = inside.compareAndExchange(null, me);
        if (other != null && other != me) {
            throw new IllegalStateException("two threads in one shared workspace: \"" + me.getName() + "\" called "
                    + operation + " while \"" + other.getName()
                    + "\" was inside; handles that share a workspace are used by one thread at a time between them");
        }
        depth++;
    }

    /** Leaves, as often as it came. */
    void end() {
        if (--depth == 0) {
            inside.set(null);
        }
    }
}
