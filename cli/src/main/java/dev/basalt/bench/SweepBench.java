package dev.basalt.bench;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;

/** Measures the cases of a random sweep, one after another, beside a peer. A case that fails has a line that says so. */
public final class SweepBench {
    private final Device device;
    private final Bench bench;
    private final TableBench tableBench;

    /**
     * A bench.
     *
     * @param device where
     * @param handle on that device; its workspace is used
     * @param peer null for none
     * @param settings how; results are always checked
     * @param site where calls are timed
     */
    public SweepBench(Device device, Handle handle, Peer peer, Settings settings, Site site) {
        this.device = device;
        bench = new Bench(device, handle, peer, settings, site);
        tableBench = new TableBench(device, handle, peer, settings, site);
    }

    /**
     * Measures a case.
     *
     * @param c the case
     * @return its line; never an exception of the libraries
     */
    public SweepLine run(SweepCase c) {
        try {
            if (c.tableCase().isPresent()) {
                TableLine line = tableBench.run(c.tableCase().get());
                return new SweepLine(c, line.us(), line.peerUs(), line.verdict());
            }
            Bench.Line line = bench.run(c.arguments().workload());
            double us = line.basalt().median() / 1e3;
            if (line.wrong()) {
                return new SweepLine(c, us, Double.NaN, "WRONG on " + device.name() + ": error of " + line.error()
                        + " bounds beside " + line.peerError());
            }
            return line.peer() == null
                    ? new SweepLine(c, us, Double.NaN, "no: the peer has no such routine")
                    : new SweepLine(c, us, line.peer().median() / 1e3, "yes");
        } catch (BlasException | IllegalStateException | IllegalArgumentException | UnsupportedOperationException e) {
            return new SweepLine(c, Double.NaN, Double.NaN, "FAILED: " + e.getMessage());
        }
    }
}
