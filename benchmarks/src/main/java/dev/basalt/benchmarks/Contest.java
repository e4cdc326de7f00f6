package dev.basalt.benchmarks;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.bench.BasaltCalls;
import dev.basalt.bench.Call;
import dev.basalt.bench.Operands;
import dev.basalt.bench.Peer;
import dev.basalt.bench.Verification;
import dev.basalt.bench.Workload;

/**
 * One workload, done by Basalt and by a peer <em>on the same memory</em>, so that neither side has the luckier pages. Routines that
 * overwrite their input have several copies of small operands, since one call alone would be too short for the clock.
 */
final class Contest implements AutoCloseable {
    private final Workload workload;
    private final Device device;
    private final Handle handle;
    private final Operands operands;
    private final Call[] basalt;
    private final Call[] peer;
    private final boolean inPlace;

    Contest(Workload workload, Peer peer) {
        this.workload = workload;
        device = Device.open("host");
        handle = device.createHandle();
        operands = new Operands(device, workload, Operands.copies(workload));
        basalt = BasaltCalls.bind(handle, workload, operands);
        this.peer = peer == null ? null : peer.bind(workload, operands);
        inPlace = !(peer instanceof JvmPeer);
        verify();
    }

    /** A fast wrong answer is no figure. */
    private void verify() {
        double ours = Verification.error(workload, operands, basalt[0], true);
        // A library in Java has arrays of its own.
        boolean shared = peer != null && inPlace;
        double theirs = !shared ? 0 : Verification.error(workload, operands, peer[0], false);
        operands.restore();
        if (!(Math.max(ours, theirs) <= 1)) {
            throw new IllegalStateException(
                    workload + ": wrong by " + ours + " (Basalt) and " + theirs + " (peer) times the rounding errors");
        }
    }

    /** Whether the peer has that routine. */
    boolean hasPeer() {
        return peer != null;
    }

    Workload workload() {
        return workload;
    }

    String device() {
        return device.description();
    }

    /** The most calls of a sample; more would run on what the ones before left behind. */
    int mostCalls() {
        return workload.consumes() ? operands.count() : Integer.MAX_VALUE;
    }

    /** Puts the input back where calls change it so that the next would be another problem. */
    void restore() {
        if (workload.consumes() || workload.drifts()) {
            operands.restore();
        }
    }

    /** Calls of Basalt's public API; a loop of its own, so that the JIT compiler sees one kind of call in it. */
    double basalt(int calls) {
        double sum = 0;
        for (int i = 0, c = 0; i < calls; i++) {
            sum += basalt[c].run();
            c = c + 1 == basalt.length ? 0 : c + 1;
        }
        return sum;
    }

    /** Calls of the peer. */
    double peer(int calls) {
        double sum = 0;
        for (int i = 0, c = 0; i < calls; i++) {
            sum += peer[c].run();
            c = c + 1 == peer.length ? 0 : c + 1;
        }
        return sum;
    }

    @Override
    public void close() {
        operands.close();
        handle.close();
        device.close();
    }
}
