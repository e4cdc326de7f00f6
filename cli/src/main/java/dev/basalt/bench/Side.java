package dev.basalt.bench;

import java.util.Arrays;

/** One library's call for a case, and its samples. */
final class Side implements Runnable {
    private final Site site;
    private final String name;
    private final Runnable call;
    private final Runnable restore;
    private final double[] samples;
    /** Of LAPACK one: what is left is no matrix to begin with. */
    private final int most;

    private int count = 1;
    private double fastest = Double.POSITIVE_INFINITY;

    /**
     * A side.
     *
     * @param site where calls are timed
     * @param settings how many samples
     * @param name for people
     * @param call the call
     * @param restore puts operands back before a sample, outside of what is timed
     * @param most calls of a sample at most
     */
    Side(Site site, Settings settings, String name, Runnable call, Runnable restore, int most) {
        this.site = site;
        this.name = name;
        this.call = call;
        this.restore = restore;
        this.most = most;
        samples = new double[settings.iters()];
    }

    String name() {
        return name;
    }

    @Override
    public void run() {
        for (int i = 0; i < count; i++) {
            call.run();
        }
    }

    /** Nanoseconds of a call. */
    private double time() {
        restore.run();
        return site.nanos(this) / count;
    }

    /** Takes a sample of a warm machine. */
    void sample(int index) {
        samples[index] = time();
    }

    /** Chooses how many calls are a sample. */
    double resize() {
        double nanos = time();
        fastest = Math.min(fastest, nanos);
        count = (int) Math.clamp(Math.ceil(site.sampleNanos() / nanos), 1, most);
        return nanos;
    }

    /** The least nanoseconds of a call while the machine warmed up. */
    double fastest() {
        return fastest;
    }

    /** Nanoseconds of a call, by the first samples. */
    double median(int taken) {
        return Times.of(Arrays.copyOf(samples, taken)).median();
    }
}
