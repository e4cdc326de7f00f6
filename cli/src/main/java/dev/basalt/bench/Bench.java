package dev.basalt.bench;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Status;
import java.util.Arrays;

/** Measures workloads on a device, beside a peer if there is one: both take turns, sample by sample. */
public final class Bench {
    private final Device device;
    private final Handle handle;
    private final Peer peer;
    private final Settings settings;
    private final Site site;

    /**
     * A bench.
     *
     * @param device where
     * @param handle on that device; its workspace is used
     * @param peer null for none
     * @param settings how
     * @param site where calls are timed
     */
    public Bench(Device device, Handle handle, Peer peer, Settings settings, Site site) {
        this.device = device;
        this.handle = handle;
        this.peer = peer;
        this.settings = settings;
        this.site = site;
    }

    /**
     * What was measured.
     *
     * @param workload the workload
     * @param basalt Basalt's times
     * @param peer the peer's times, null if there is none or it has no such routine
     * @param bytesUsed workspace of the call
     * @param degraded whether there was too little workspace for the best algorithm
     * @param error Basalt's largest error as a multiple of what rounding may reach; NaN if it was not checked
     * @param peerError the peer's
     * @param cold whether the caches were
     * @param limit what the machine can do of this at most; null if nobody asked
     */
    public record Line(Workload workload, Times basalt, Times peer, long bytesUsed, boolean degraded, double error,
            double peerError, boolean cold, Limit limit) {
        /**
         * Whether anything is wrong.
         *
         * @return true if an error is larger than rounding explains
         */
        public boolean wrong() {
            return error > 1 || peerError > 1;
        }
    }

    /** One side's calls and samples. */
    private final class Side implements Runnable {
        private final Workload w;
        private final Operands operands;
        private final Call[] calls;
        private final double[] samples = new double[settings.iters()];
        private int count = 1;
        private int next;

        Side(Workload w, Operands operands, Call[] calls) {
            this.w = w;
            this.operands = operands;
            this.calls = calls;
        }

        /** Nanoseconds of a call. */
        double sample() {
            if (w.consumes() || w.drifts()) {
                if (next + count > calls.length || !settings.cold()) {
                    operands.restore();
                    next = 0;
                }
            }
            return site.nanos(this) / count;
        }

        @Override
        public void run() {
            double sum = 0;
            int at = next;
            for (int i = 0; i < count; i++) {
                sum += calls[at].run();
                at = at + 1 == calls.length ? 0 : at + 1;
            }
            next = at;
            Sink.last = sum;
        }

        /** As many calls as make a sample that the clock can see; a cold call is a sample of its own. */
        void resize(double nanos) {
            int most = w.consumes() ? calls.length : 1 << 24;
            count = settings.cold() ? 1 : (int) Math.clamp(Math.ceil(site.sampleNanos() / nanos), 1, most);
        }
    }

    /**
     * Measures a workload.
     *
     * @param w the workload
     * @return what was measured
     */
    public Line run(Workload w) {
        int copies = site.isAsynchronous() && !settings.cold() ? 1 : settings.copies(w);
        try (Operands operands = new Operands(device, w, copies, site.isAsynchronous() ? site : null)) {
            Call[] calls = BasaltCalls.bind(handle, w, operands);
            Call[] peerCalls = peer == null ? null : peer.bind(w, operands);
            double error = settings.verify() ? Verification.error(w, operands, done(calls[0]), true) : Double.NaN;
            double peerError = settings.verify() && peerCalls != null
                    ? Verification.error(w, operands, done(peerCalls[0]), false)
                    : Double.NaN;
            operands.restore();
            Side basalt = new Side(w, operands, calls);
            Side other = peerCalls == null ? null : new Side(w, operands, peerCalls);
            warmUp(basalt, other);
            long start = site.clock();
            int taken = 0;
            for (; settings.more(taken, site.clock() - start); taken++) {
                basalt.samples[taken] = basalt.sample();
                if (other != null) {
                    other.samples[taken] = other.sample();
                }
            }
            Times theirs = other == null ? null : Times.of(Arrays.copyOf(other.samples, taken));
            long used = handle.lastCall() == null ? 0 : handle.lastCall().bytesUsed();
            boolean degraded = handle.lastCall() != null && handle.lastCall().status() == Status.PERF_DEGRADED;
            Limit limit = settings.limits() ? site.limit(w) : null;
            return new Line(w, Times.of(Arrays.copyOf(basalt.samples, taken)), theirs, used, degraded, error, peerError,
                    settings.cold(), limit);
        }
    }

    /** A call that is done when it returns. */
    private Call done(Call call) {
        return () -> {
            double value = call.run();
            handle.synchronize();
            return value;
        };
    }

    private void warmUp(Side basalt, Side other) {
        Warmth warmth = settings.warmth(site.clock());
        boolean more = true;
        for (int i = 0; i < settings.coldIters() || more; i++) {
            double nanos = basalt.sample();
            basalt.resize(nanos);
            if (other != null) {
                other.resize(other.sample());
            }
            more = warmth.rises(nanos, site.clock());
        }
    }
}
