package dev.basalt.sim;

import dev.basalt.sim.SimAllocation.Kind;
import dev.basalt.spi.DriverException.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The captures under way and the graphs made of them. The rules are CUDA's for captures of the global mode. */
final class Captures {
    private static final long FIRST_GRAPH = 3_000_000;

    private final Streams streams;
    private final DeviceMemory memory;
    private final TouchResolver resolver;
    private final Hazards hazards;
    private final Set<Capture> active = new LinkedHashSet<>();
    private final Map<Long, Graph> graphs = new HashMap<>();
    private long nextGraph = FIRST_GRAPH;

    Captures(Streams streams, DeviceMemory memory, TouchResolver resolver, Hazards hazards) {
        this.streams = streams;
        this.memory = memory;
        this.resolver = resolver;
        this.hazards = hazards;
    }

    /** Refuses a call that must not be made while any stream captures, and spoils the captures, as CUDA does. */
    void forbid(String call) {
        if (!active.isEmpty()) {
            String reason = call + " was called while stream " + active.iterator().next().origin.number + " captures";
            active.forEach(capture -> capture.invalidate(reason));
            throw Failures.of(Code.CAPTURE, reason);
        }
    }

    void begin(SimStream stream) {
        Failures.require(stream.number != 0, "stream 0 cannot capture");
        if (stream.capture != null) {
            throw Failures.of(Code.CAPTURE, "stream " + stream.number + " captures already");
        }
        active.add(new Capture(stream, resolver, hazards));
    }

    long end(SimStream stream) {
        Capture capture = stream.capture;
        if (capture == null || capture.origin != stream) {
            throw Failures.of(Code.CAPTURE, "no capture was begun on stream " + stream.number);
        }
        active.remove(capture);
        try {
            capture.end();
        } catch (RuntimeException e) {
            capture.blocks.forEach(memory::abandon);
            throw e;
        }
        graphs.put(nextGraph, new Graph(capture.nodes, capture.blocks));
        return nextGraph++;
    }

    /** A stream that captures cannot be destroyed without spoiling the capture. */
    void forbidDestroying(SimStream stream) {
        if (stream.capture != null) {
            String reason = "stream " + stream.number + " was to be destroyed while it captures";
            stream.capture.invalidate(reason);
            throw Failures.of(Code.CAPTURE, reason);
        }
    }

    /** Makes a stream wait, where the stream or the event takes part in a capture. */
    void await(SimStream stream, Recording recording) {
        Capture from = recording.capture;
        if (from != null && from.ended) {
            throw Failures.of(Code.CAPTURE, "the event was last recorded in a capture that is over");
        }
        if (from == null) {
            stream.capture.invalidate("stream " + stream.number + " waited for an event recorded outside the capture");
            stream.capture.requireValid();
        } else if (stream.capture == null) {
            Failures.require(stream.number != 0, "stream 0 cannot join a capture");
            from.requireValid();
            from.join(stream);
        } else if (stream.capture != from) {
            String reason = "stream " + stream.number + " waited for an event of another capture";
            stream.capture.invalidate(reason);
            from.invalidate(reason);
        }
        from.await(stream, recording);
    }

    /** Memory that belongs to the graph: at the same address in every replay. */
    Block allocate(long bytes, SimStream stream) {
        Capture capture = stream.capture;
        capture.requireValid();
        Block block = memory.obtain(Kind.GRAPH, bytes, null);
        block.bytes = bytes;
        block.live = true;
        capture.blocks.add(block);
        streams.submit(new AllocateOp(block, bytes), stream);
        return block;
    }

    void free(Block block, SimStream stream) {
        Capture capture = stream.capture;
        capture.requireValid();
        Failures.require(capture.blocks.contains(block),
                "a capture can free only what it allocated itself: " + block.describe());
        streams.submit(new FreeOp(memory, block), stream);
        block.live = false;
    }

    void launch(long number, SimStream stream) {
        Graph graph = graph(number);
        for (Block block : graph.blocks()) {
            Failures.require(!block.live, "the last replay's " + block.describe() + " was not freed");
        }
        Failures.require(stream.capture == null || graph.blocks().isEmpty(),
                "a graph that allocates cannot be launched into a capture");
        for (Op node : graph.nodes()) {
            Op op = node.again();
            op.recorded = node instanceof AllocateOp ? null : node.recorded;
            streams.submit(op, stream);
        }
    }

    /** Replays that run are copies and go on; the graph's memory goes back behind them. */
    void destroy(long number) {
        Graph graph = graph(number);
        graphs.remove(number);
        graph.blocks().forEach(memory::abandon);
    }

    Graph graph(long number) {
        Graph graph = graphs.get(number);
        if (graph == null) {
            throw Failures.of(Code.INVALID_HANDLE, "no graph " + number + ", or it was destroyed");
        }
        return graph;
    }

    List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        graphs.keySet().forEach(number -> leaks.add("graph " + number));
        active.forEach(capture -> leaks.add("capture on stream " + capture.origin.number));
        return leaks;
    }
}
