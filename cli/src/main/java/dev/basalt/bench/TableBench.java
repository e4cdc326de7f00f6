package dev.basalt.bench;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Measures cases of any routine that the table of routines has, beside a peer if there is one: both take turns, sample by sample,
 * on the same operands. A case that fails has a line that says so, and the next one follows.
 */
public final class TableBench {
    private static final double FACTOR = 8;
    private static final int MOST_CALLS = 1 << 16;

    private final Device device;
    private final Handle handle;
    private final Peer peer;
    private final Settings settings;
    private final Site site;
    private final Map<ElementType, Double> products = new HashMap<>();
    private double copyPerNano;

    /**
     * A bench.
     *
     * @param device where
     * @param handle on that device; its workspace is used
     * @param peer null for none
     * @param settings how
     * @param site where calls are timed
     */
    public TableBench(Device device, Handle handle, Peer peer, Settings settings, Site site) {
        this.device = device;
        this.handle = handle;
        this.peer = peer;
        this.settings = settings;
        this.site = site;
    }

    /** One side's calls and samples. */
    private final class Side implements Runnable {
        private final Runnable call;
        private final TableOperands operands;
        private final double[] samples = new double[settings.iters()];
        /** Of LAPACK one: what is left is no matrix to begin with. */
        private final int most;

        private int count = 1;

        Side(Runnable call, TableOperands operands, int most) {
            this.call = call;
            this.most = most;
            this.operands = operands;
        }

        @Override
        public void run() {
            for (int i = 0; i < count; i++) {
                call.run();
            }
        }

        /** Nanoseconds of a call. */
        double sample() {
            operands.restore();
            return site.nanos(this) / count;
        }

        void resize() {
            count = (int) Math.clamp(Math.ceil(site.sampleNanos() / sample()), 1, most);
        }
    }

    /** What a call left. */
    private record Outcome(Map<Argument.Array, MemorySegment> written, Complex value) {}

    /**
     * Measures a case.
     *
     * @param c the case
     * @return its line; never an exception of the libraries
     */
    public TableLine run(TableCase c) {
        try (TableOperands operands = new TableOperands(device, c, site)) {
            return run(c, operands);
        } catch (BlasException | IllegalStateException | IllegalArgumentException e) {
            return TableLine.failed(c, device.name(), e);
        }
    }

    private TableLine run(TableCase c, TableOperands o) {
        Runnable ours = TableCalls.bind(handle, c, o);
        Call theirs = null;
        String verdict = "no: there is no peer";
        try (Arena arena = Arena.ofShared()) {
            Outcome our = outcome(o, arena, ours, o::outcome);
            try {
                theirs = peer == null ? null : peer.bind(c, o);
                verdict = theirs == null ? verdict : verdict(c, our, outcome(o, arena, theirs));
            } catch (UnsupportedOperationException | IllegalStateException e) {
                theirs = null;
                verdict = "no: " + e.getMessage();
            }
        }
        int most = c.isLapack() ? 1 : MOST_CALLS;
        Side basalt = new Side(ours, o, most);
        Side other = theirs == null ? null : new Side(theirs::run, o, most);
        measure(basalt, other);
        double us = Times.of(basalt.samples).median() / 1e3;
        double peerUs = other == null ? Double.NaN : Times.of(other.samples).median() / 1e3;
        double floor = settings.limits() ? floor(c) / 1e3 : Double.NaN;
        return new TableLine(c, device.name(), us, peerUs, floor, verdict);
    }

    private Outcome outcome(TableOperands o, Arena arena, Call theirs) {
        double[] value = new double[1];
        return outcome(o, arena, () -> value[0] = theirs.run(),
                () -> site.isAsynchronous() ? o.peerOutcome() : Complex.of(value[0]));
    }

    private Outcome outcome(TableOperands o, Arena arena, Runnable call, Supplier<Complex> value) {
        o.restore();
        call.run();
        handle.synchronize();
        return new Outcome(o.written(arena), o.reduces() ? value.get() : Complex.ZERO);
    }

    private void measure(Side basalt, Side other) {
        long end = System.nanoTime() + settings.warmUpNanos();
        for (int i = 0; i < settings.coldIters() || System.nanoTime() < end; i++) {
            basalt.resize();
            if (other != null) {
                other.resize();
            }
        }
        for (int i = 0; i < settings.iters(); i++) {
            basalt.samples[i] = basalt.sample();
            if (other != null) {
                other.samples[i] = other.sample();
            }
        }
    }

    // ---- whether both computed the same

    private static String verdict(TableCase c, Outcome ours, Outcome theirs) {
        double eps = c.type().real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        double bound = FACTOR * eps * (c.terms() + FACTOR);
        double worst = 0;
        for (Map.Entry<Argument.Array, MemorySegment> entry : ours.written.entrySet()) {
            Argument.Array a = entry.getKey();
            worst = Math.max(worst, difference(c, a, entry.getValue(), theirs.written.get(a)));
        }
        double number = Math.hypot(ours.value.re() - theirs.value.re(), ours.value.im() - theirs.value.im());
        worst = Math.max(worst, orInfinite(number / Math.max(1, Math.hypot(theirs.value.re(), theirs.value.im()))));
        return worst <= bound ? "yes" : "WRONG: differs by " + worst + " with a bound of " + bound;
    }

    /** The largest difference over the largest element; elements outside of a triangle must be equal too. */
    private static double difference(TableCase c, Argument.Array a, MemorySegment ours, MemorySegment theirs) {
        ElementType type = c.type(a);
        long numbers = c.problems() * c.elements(a) * (type.isComplex() ? 2 : 1);
        double most = 1;
        double worst = 0;
        for (long i = 0; i < numbers; i++) {
            double their = TableOperands.get(theirs, type, i);
            worst = Math.max(worst, orInfinite(Math.abs(TableOperands.get(ours, type, i) - their)));
            most = Math.max(most, Math.abs(their));
        }
        return worst / most;
    }

    private static double orInfinite(double value) {
        return Double.isNaN(value) ? Double.POSITIVE_INFINITY : value;
    }

    // ---- the least time a call can take

    private double floor(TableCase c) {
        double memory = c.bytes() / copyPerNano();
        return c.flops() == 0 ? memory : Math.max(memory, c.flops() / product(c.type()));
    }

    private double copyPerNano() {
        if (copyPerNano == 0) {
            copyPerNano = limit("function=copy precision=d n=20000000");
        }
        return copyPerNano;
    }

    private double product(ElementType type) {
        return products.computeIfAbsent(type, t -> limit("function=gemm precision=" + t.letter() + " n=2048"));
    }

    private double limit(String workload) {
        return site.limit(Arguments.of(workload).workload()).perNano();
    }
}
