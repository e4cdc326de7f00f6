package dev.basalt.bench;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.type.ElementType;
import java.util.HashMap;
import java.util.Map;

/**
 * Measures cases of any routine that the table of routines has, beside a peer if there is one: both take turns, sample by sample,
 * on the same operands. Where the peer has several calls for a case, all that compute it take part, and the best one counts. A case that
 * fails has a line that says so, and the next one follows.
 */
public final class TableBench {
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
        int most = c.isLapack() ? 1 : MOST_CALLS;
        Side basalt = new Side(site, settings, "", ours, o::restore, most);
        Rivals rivals = new Rivals(handle, peer, settings, site);
        rivals.find(c, o, ours, most);
        int taken = measure(basalt, rivals);
        double floor = settings.limits() ? floor(c) / 1e3 : Double.NaN;
        return new TableLine(c, device.name(), basalt.median(taken) / 1e3, rivals.nanos(taken) / 1e3, floor,
                rivals.names(taken), rivals.verdict());
    }

    /** How many samples were taken. */
    private int measure(Side basalt, Rivals rivals) {
        Warmth warmth = settings.warmth(site.clock());
        boolean more = true;
        for (int i = 0; i < settings.coldIters() || more; i++) {
            double nanos = basalt.resize();
            rivals.resize();
            more = warmth.rises(nanos, site.clock());
        }
        rivals.choose();
        long start = site.clock();
        int taken = 0;
        for (; settings.more(taken, site.clock() - start); taken++) {
            basalt.sample(taken);
            for (Side side : rivals.sides()) {
                side.sample(taken);
            }
        }
        return taken;
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
