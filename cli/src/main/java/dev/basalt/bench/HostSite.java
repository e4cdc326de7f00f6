package dev.basalt.bench;

import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.type.ElementType;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The CPU: the wall's clock, or that of the calling thread's processor time, and the limits of as many cores as a call may use. */
public final class HostSite implements Site {
    private static final double SAMPLE_NANOS = 1e5;
    /** Plans follow the number of threads, so the device's class has it. */
    private static final Pattern WORKERS = Pattern.compile("-t([0-9]{1,6})$");

    private final Handle handle;
    /** Null for the wall's clock. */
    private final ThreadMXBean threads;

    /** Threads at work in a call. */
    private final int workers;

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
        Matcher atWork = WORKERS.matcher(handle.device().deviceClass());
        this.workers = atWork.find() ? Integer.parseInt(atWork.group(1)) : 1;
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
            String cores = workers == 1 ? "a core" : workers + " threads";
            return new Limit("FMA peak of " + cores + " (" + kind + ")",
                    Limits.together(workers, () -> Limits.flops(w.type)));
        }
        boolean copies = Limits.copies(w);
        long share = (long) w.operandBytes() / workers;
        return new Limit(copies ? "copy bandwidth" : "read bandwidth",
                Limits.together(workers, () -> Limits.bandwidth(share, copies)));
    }

    @Override
    public void close() {}
}
