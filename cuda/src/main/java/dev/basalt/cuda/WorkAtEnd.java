package dev.basalt.cuda;

import dev.basalt.spi.DriverException;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

/** Work that the end of the process waits for: a library that is unloaded while it works crashes, and the JVM with it. */
final class WorkAtEnd {
    /** Held for reading by who works. */
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

    private boolean ended;

    /**
     * Works, unless the end has come.
     *
     * @throws DriverException NOT_SUPPORTED after the end
     */
    <T> T run(Supplier<T> work) {
        lock.readLock().lock();
        try {
            if (ended) {
                throw new DriverException(DriverException.Code.NOT_SUPPORTED,
                        "the JVM is shutting down, so no kernels are compiled any more");
            }
            return work.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    /** Waits for who works; nobody begins after that. */
    void end() {
        lock.writeLock().lock();
        try {
            ended = true;
        } finally {
            lock.writeLock().unlock();
        }
    }
}
