package dev.basalt.bench;

import dev.basalt.Handle;
import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** All of a peer's calls for a case. Those that leave what Basalt leaves are timed, and the fastest of them is the peer. */
final class Rivals {
    /** A call that takes so many times as long as the best one while the machine warms up is not measured to the end. */
    private static final double FAR = 2;

    /** The same at the end of that. */
    private static final double NEAR = 1.25;

    private final Handle handle;
    private final Peer peer;
    private final Settings settings;
    private final Site site;
    private final List<String> notes = new ArrayList<>();
    private List<Side> sides = new ArrayList<>();
    private String wrong;
    private String refusal;

    /**
     * None yet.
     *
     * @param handle Basalt's
     * @param peer null for none
     * @param settings how samples are taken
     * @param site where
     */
    Rivals(Handle handle, Peer peer, Settings settings, Site site) {
        this.handle = handle;
        this.peer = peer;
        this.settings = settings;
        this.site = site;
    }

    /**
     * Tries all of the peer's calls.
     *
     * @param c case
     * @param o operands
     * @param ours Basalt's call
     * @param most calls of a sample at most
     */
    void find(TableCase c, TableOperands o, Runnable ours, int most) {
        if (peer == null) {
            refusal = "there is no peer";
            return;
        }
        try (Arena arena = Arena.ofShared()) {
            Agreement.Outcome our = outcome(o, arena, ours, o::restore, o::outcome, Map.of());
            for (PeerCall theirs : calls(c, o)) {
                find(c, o, theirs, our, most);
            }
        }
    }

    private List<PeerCall> calls(TableCase c, TableOperands o) {
        try {
            return peer.calls(c, o);
        } catch (UnsupportedOperationException | IllegalStateException e) {
            refusal = e.getMessage();
            return List.of();
        }
    }

    private void find(TableCase c, TableOperands o, PeerCall theirs, Agreement.Outcome our, int most) {
        if (theirs.refusal() != null) {
            refuse(theirs.name(), theirs.refusal());
            return;
        }
        Runnable restore = () -> {
            o.restore();
            theirs.prepare().run();
        };
        double[] value = new double[1];
        o.forget();
        try (Arena arena = Arena.ofShared()) {
            Agreement.Outcome their = outcome(o, arena, () -> value[0] = theirs.call().run(), restore,
                    () -> site.isAsynchronous() ? o.peerOutcome() : Complex.of(value[0]), theirs.elsewhere());
            judge(theirs, new Agreement(c, theirs).verdict(our, their), restore, most);
        } catch (IllegalStateException e) {
            refuse(theirs.name(), e.getMessage());
        }
    }

    private Agreement.Outcome outcome(TableOperands o, Arena arena, Runnable call, Runnable restore,
            Supplier<Complex> value, Map<Argument.Array, VectorView> elsewhere) {
        restore.run();
        call.run();
        handle.synchronize();
        return new Agreement.Outcome(o.written(arena, elsewhere), o.reduces() ? value.get() : Complex.ZERO);
    }

    private void judge(PeerCall theirs, String verdict, Runnable restore, int most) {
        if (verdict.equals("yes")) {
            sides.add(new Side(site, settings, theirs.name(), theirs.call()::run, restore, most));
            return;
        }
        wrong = wrong == null ? verdict : wrong;
        notes.add(theirs.name() + " " + verdict);
    }

    private void refuse(String name, String reason) {
        refusal = refusal == null ? reason : refusal + "; " + reason;
        notes.add(name + ": " + reason);
    }

    /** Those that are measured. */
    List<Side> sides() {
        return sides;
    }

    /** Takes a sample of each while the machine warms up, and leaves out what is far from the best. */
    void resize() {
        sides.forEach(Side::resize);
        keep(FAR);
    }

    /** Leaves out what is not near the best, before samples count. */
    void choose() {
        keep(NEAR);
    }

    private void keep(double factor) {
        double best = sides.stream().mapToDouble(Side::fastest).min().orElse(0);
        List<Side> kept = new ArrayList<>();
        for (Side side : sides) {
            if (side.fastest() <= factor * best) {
                kept.add(side);
            } else {
                notes.add(side.name() + " " + TableLine.number(side.fastest() / 1e3) + " us");
            }
        }
        sides = kept;
    }

    private Comparator<Side> byTime(int taken) {
        return Comparator.comparingDouble(side -> side.median(taken));
    }

    /** Nanoseconds of the best one's call; NaN if there is none. */
    double nanos(int taken) {
        return sides.stream().min(byTime(taken)).map(side -> side.median(taken)).orElse(Double.NaN);
    }

    /** The best one's name, then how others did. */
    String names(int taken) {
        List<String> all = new ArrayList<>();
        for (Side side : sides.stream().sorted(byTime(taken)).toList()) {
            all.add(all.isEmpty()
                    ? side.name()
                    : side.name() + " " + TableLine.number(side.median(taken) / 1e3) + " us");
        }
        all.addAll(notes);
        return String.join("; ", all);
    }

    /** yes, by how much results differ, or why there is no call. */
    String verdict() {
        return !sides.isEmpty() ? "yes" : wrong != null ? wrong : "no: " + refusal;
    }
}
