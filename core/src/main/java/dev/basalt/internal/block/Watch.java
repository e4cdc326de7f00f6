package dev.basalt.internal.block;

import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.Bound;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Arrays;

/**
 * How far a call is, on a device whose work is done when a launch returns. What a call launches follows from shapes alone. So its launches are
 * counted once without being run, by the time that the device expects of each; then they run, and whoever asks learns their share.
 */
public final class Watch {
    /** Until so much is done nobody knows how fast it goes. */
    private static final double ENOUGH = 0.01;

    /** The same of one kind, which may begin with short launches that the JVM has not compiled. */
    private static final double ENOUGH_OF_KIND = 0.05;

    private static final Bound[] BOUNDS = Bound.values();

    private final DirectDevice device;
    private boolean counting;
    /** Launches are for problems that were not refined, which are few. */
    private boolean spare;

    // By what launches go: the nanoseconds expected of all and of those that are done, and those that the latter took.
    private final double[] all = new double[BOUNDS.length];
    private final double[] done = new double[BOUNDS.length];
    private final double[] took = new double[BOUNDS.length];
    private int kind;
    private double running;
    private long begun;
    private long launched;

    /** Written last and read first, so that whoever asks sees what stands above. */
    private volatile boolean runs;

    /**
     * A watch over calls on a device.
     *
     * @param device the device
     */
    public Watch(DirectDevice device) {
        this.device = device;
    }

    /** From here on launches are counted and not run. */
    public void count() {
        counting = true;
        spare = false;
        Arrays.fill(all, 0);
        Arrays.fill(done, 0);
        Arrays.fill(took, 0);
    }

    /** From here on launches run: those that have been counted. */
    public void run() {
        counting = false;
        spare = false;
        running = 0;
        begun = System.nanoTime();
        launched = begun;
        runs = true;
    }

    /** The call has ended. */
    public void end() {
        counting = false;
        runs = false;
    }

    void launch(DeviceDriver driver, Launch launch, long stream) {
        if (!counting && !runs) {
            // A quick return.
            driver.launch(launch, stream);
            return;
        }
        if (launch.kernel == Kernel.FALL_BACK) {
            spare = launch.p % 2 == 0;
        }
        double nanos = spare ? 0 : device.nanos(launch);
        int bound = launch.kernel.bound().ordinal();
        if (counting) {
            all[bound] += nanos;
            return;
        }
        long now = System.nanoTime();
        kind = bound;
        running = nanos;
        launched = now;
        runs = true;
        driver.launch(launch, stream);
        done[bound] += nanos;
        took[bound] += System.nanoTime() - now;
        running = 0;
        runs = true;
    }

    /**
     * What was counted and has not run.
     *
     * @return of what was counted, from 0 to 1
     */
    public double missing() {
        double missing = 0;
        double whole = 0;
        for (int b = 0; b < all.length; b++) {
            missing += Math.abs(all[b] - done[b]);
            whole += all[b];
        }
        return whole == 0 ? 0 : missing / whole;
    }

    /**
     * The share of the call's time that is over.
     *
     * @return from 0 to 1; below 0 where nothing tells
     */
    public double share() {
        if (!runs) {
            return -1;
        }
        double whole = Arrays.stream(all).sum();
        double known = Arrays.stream(done).sum();
        if (whole == 0 || known < ENOUGH * whole) {
            return -1;
        }
        // What has not come yet of a kind goes as fast as the rest.
        double usual = Arrays.stream(took).sum() / known;
        long now = System.nanoTime();
        double left = 0;
        for (int b = 0; b < all.length; b++) {
            double pace = done[b] > ENOUGH_OF_KIND * all[b] ? took[b] / done[b] : usual;
            left += pace * Math.max(0, all[b] - done[b]);
            if (b == kind) {
                left -= Math.min(pace * running, now - launched);
            }
        }
        double over = now - begun;
        return over / (over + Math.max(0, left));
    }
}
