package dev.basalt.sim;

import dev.basalt.spi.DriverException.Code;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A recording of work into a graph, from one stream and from those that joined it through events. */
final class Capture {
    final SimStream origin;
    final Set<SimStream> members = new LinkedHashSet<>();
    final List<Op> nodes = new ArrayList<>();
    /** Allocations that belong to the graph. */
    final List<Block> blocks = new ArrayList<>();
    /** Whether it is over. */
    boolean ended;

    /** The graph's own order: its branches can race with each other whenever it is replayed. */
    private final OrderChecker order;

    private final TouchResolver resolver;
    private String invalid;

    Capture(SimStream origin, TouchResolver resolver, Hazards hazards) {
        this.origin = origin;
        this.resolver = resolver;
        this.order = new OrderChecker(hazards);
        join(origin);
    }

    void join(SimStream stream) {
        members.add(stream);
        stream.capture = this;
    }

    /** Makes the capture worthless, as a call does that must not be made meanwhile. */
    void invalidate(String reason) {
        if (invalid == null) {
            invalid = reason;
        }
    }

    void requireValid() {
        if (invalid != null) {
            throw Failures.of(Code.CAPTURE, "the capture was invalidated: " + invalid);
        }
    }

    /** Takes an operation down instead of queueing it; tables are read when the graph is replayed. */
    void record(Op op, SimStream stream, long sequence) {
        op.stamp = stamp(stream, sequence, op.label);
        op.touches = resolver.resolve(op, op.stamp);
        op.recorded = op.touches;
        order.check(op.touches, op.stamp);
        nodes.add(op);
    }

    /** The place of something in the graph's order. */
    Stamp stamp(SimStream stream, long sequence, String label) {
        requireValid();
        return order.stamp(stream.index, stream.number, sequence, label);
    }

    /** Orders a member behind a recording in the same capture. */
    void await(SimStream stream, Recording recording) {
        requireValid();
        order.wait(stream.index, recording.stamp);
    }

    /** Ends the recording on all streams, whatever became of it. */
    void end() {
        ended = true;
        for (SimStream member : members) {
            member.capture = null;
        }
        for (Block block : blocks) {
            block.live = false;
        }
        requireValid();
        for (SimStream member : members) {
            if (!order.joined(origin.index, member.index)) {
                throw Failures.of(Code.CAPTURE, "stream " + member.number
                        + " joined the capture and was not joined back into stream " + origin.number);
            }
        }
    }
}
