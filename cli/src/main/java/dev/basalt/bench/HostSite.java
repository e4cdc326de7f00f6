package dev.basalt.bench;

import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.type.ElementType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The CPU: the wall's clock, or that of the calling thread's processor time, and the limits of one core. */
public final class HostSite implements Site {
    private static final double SAMPLE_NANOS = 1e5;

    private final Handle handle;
    /** Null for the wall's clock. */
    private final ThreadMXBean threads;

    /**
     * A site with the wall's clock.
     *
     * @param handle whose calls are timed
     */
    public HostSite(Handle handle) {
        this(handle, false);
    }

    /**
     * A site.
     *
     * @param handle whose calls are timed
     * @param processorTime whether the time counts that the calling thread has a processor: on a busy machine, with one thread at work
     * @throws IllegalStateException if the JVM cannot tell that
     */
    public HostSite(Handle handle, boolean processorTime) {
        this.handle = handle;
        this.threads = processorTime ? ManagementFactory.getThreadMXBean() : null;
        if (processorTime && !threads.isCurrentThreadCpuTimeSupported()) {
            throw new IllegalStateException("this JVM does not know the processor time of a thread");
        }
    }

    @Override
    public long clock() {
        return threads == null ? System.nanoTime() : threads.getCurrentThreadCpuTime();
    }

    @Override
    public double nanos(Runnable calls) {
        long start = clock();
        calls.run();
        handle.synchronize();
        return Math.max(1, clock() - start);
    }

    @Override
    public double sampleNanos() {
        return SAMPLE_NANOS;
    }

    @Override
    public boolean isAsynchronous() {
        return false;
    }

    @Override
    public void copy(DevicePointer from, DevicePointer to, long bytes) {
        throw new UnsupportedOperationException("the host's operands are put back from the host");
    }

    @Override
    public Limit limit(Workload w) {
        if (w.routine.unit() == Routine.Unit.FLOPS) {
            String kind = w.type.real() == ElementType.F32 ? "single" : "double";
            return new Limit("FMA peak of a core (" + kind + ")", Limits.flops(w.type));
        }
        return new Limit(Limits.copies(w) ? "copy bandwidth" : "read bandwidth", Limits.bandwidth(w));
    }

    @Override
    public void close() {}
}
