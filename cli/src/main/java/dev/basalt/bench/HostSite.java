package dev.basalt.bench;

import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.type.ElementType;

/** The CPU: the wall's clock, and the limits of one core. */
public final class HostSite implements Site {
    private static final double SAMPLE_NANOS = 1e5;

    private final Handle handle;

    /**
     * A site.
     *
     * @param handle whose calls are timed
     */
    public HostSite(Handle handle) {
        this.handle = handle;
    }

    @Override
    public double nanos(Runnable calls) {
        long start = System.nanoTime();
        calls.run();
        handle.synchronize();
        return System.nanoTime() - start;
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
