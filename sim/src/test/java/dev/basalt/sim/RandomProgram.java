package dev.basalt.sim;

import dev.basalt.spi.Launch;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A random program over four streams and three blocks of memory, with an oracle that knows its races: it keeps, for every
 * operation, the set of all bytes touched and the set of all operations before it, without clocks or ranges.
 */
final class RandomProgram {
    private static final int BLOCK = (int) Rig.BLOCK;
    private static final int STREAMS = 4;
    private static final int EVENTS = 8;

    record Race(long first, long second) implements Comparable<Race> {
        @Override
        public int compareTo(Race other) {
            return first != other.first ? Long.compare(first, other.first) : Long.compare(second, other.second);
        }
    }

    private static final class Node {
        final int stream;
        final long sequence;
        final BitSet reads = new BitSet();
        final BitSet writes = new BitSet();

        Node(int stream, long sequence) {
            this.stream = stream;
            this.sequence = sequence;
        }
    }

    final Set<Race> races = new TreeSet<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<Consumer<Rig>> steps = new ArrayList<>();
    private final List<String> text = new ArrayList<>();
    private final SplittableRandom random;
    private final BitSet[] known = new BitSet[STREAMS];
    private final BitSet[] events = new BitSet[EVENTS];
    private final BitSet host = new BitSet();
    private long sequence;

    private RandomProgram(long seed) {
        random = new SplittableRandom(seed);
        for (int i = 0; i < STREAMS; i++) {
            known[i] = new BitSet();
        }
    }

    /** A program in which every conflict is ordered, somehow. */
    static RandomProgram wellOrdered(long seed, int length) {
        RandomProgram program = new RandomProgram(seed);
        for (int i = 0; i < length; i++) {
            program.operation(true);
            if (program.random.nextInt(8) == 0) {
                program.synchronisation();
            }
        }
        return program;
    }

    /** A program that orders things at random. */
    static RandomProgram wild(long seed, int length) {
        RandomProgram program = new RandomProgram(seed);
        for (int i = 0; i < length; i++) {
            program.operation(false);
            if (program.random.nextInt(3) > 0) {
                program.synchronisation();
            }
        }
        return program;
    }

    void run(Rig rig) {
        steps.forEach(step -> step.accept(rig));
    }

    /** Which stream an operation is on, by its number. */
    int streamOf(long number) {
        return nodes.stream().filter(node -> node.sequence == number).findFirst().orElseThrow().stream;
    }

    @Override
    public String toString() {
        return String.join("\n", text);
    }

    private void step(String what, Consumer<Rig> action) {
        text.add(what);
        steps.add(action);
    }

    private void operation(boolean repair) {
        int s = random.nextInt(STREAMS);
        Node node = new Node(s, 0);
        Consumer<Rig> action = action(s, node);
        if (repair) {
            for (Node other = racing(node); other != null; other = racing(node)) {
                order(other.stream, s);
            }
        }
        Node placed = new Node(s, sequence++);
        placed.reads.or(node.reads);
        placed.writes.or(node.writes);
        for (int j = 0; j < nodes.size(); j++) {
            if (!known[s].get(j) && !host.get(j) && conflict(nodes.get(j), placed)) {
                races.add(new Race(nodes.get(j).sequence, placed.sequence));
            }
        }
        known[s].or(host);
        known[s].set(nodes.size());
        nodes.add(placed);
        step("#" + placed.sequence + " operation on stream " + s, action);
    }

    private Node racing(Node node) {
        for (int j = 0; j < nodes.size(); j++) {
            if (!known[node.stream].get(j) && !host.get(j) && conflict(nodes.get(j), node)) {
                return nodes.get(j);
            }
        }
        return null;
    }

    private static boolean conflict(Node a, Node b) {
        return a.writes.intersects(b.writes) || a.writes.intersects(b.reads) || a.reads.intersects(b.writes);
    }

    private Consumer<Rig> action(int s, Node node) {
        int n = 1 + random.nextInt(random.nextBoolean() ? 8 : 100);
        switch (random.nextInt(7)) {
            case 0: {
                int to = device(n);
                byte value = (byte) (1 + random.nextInt(100));
                node.writes.set(to, to + n);
                return rig -> rig.sim.fill(at(rig, to), n, value, rig.stream[s]);
            }
            case 1: {
                int from = 2 * BLOCK + random.nextInt(BLOCK - n);
                int to = device(n);
                node.reads.set(from, from + n);
                node.writes.set(to, to + n);
                return rig -> rig.upload(s, at(rig, from), at(rig, to), n);
            }
            case 2: {
                int from = device(n);
                int to = 2 * BLOCK + random.nextInt(BLOCK - n);
                node.reads.set(from, from + n);
                node.writes.set(to, to + n);
                return rig -> rig.download(s, at(rig, from), at(rig, to), n);
            }
            case 3, 4: {
                int count = 1 + n / 10;
                int incA = inc();
                int incC = inc();
                int span = 8 * ((count - 1) * 3 + 1);
                int from = device(span);
                int to = device(span);
                boolean axpy = random.nextBoolean();
                vector(node.reads, from, count, incA);
                vector(node.writes, to, count, incC);
                return rig -> {
                    Launch launch = axpy
                            ? Rig.axpy(count, 2, at(rig, from), at(rig, to))
                            : Rig.copy(count, at(rig, from), at(rig, to));
                    launch.a.ld = incA;
                    launch.c.ld = incC;
                    rig.launch(s, launch);
                };
            }
            default: {
                int rows = 1 + random.nextInt(4);
                int cols = 1 + random.nextInt(5);
                int ld = rows + random.nextInt(6);
                int problems = 1 + random.nextInt(3);
                int stride = random.nextBoolean() ? ld * cols : 8 * random.nextInt(3);
                int from = device(8 * ld * cols);
                int to = device(8 * (ld * cols + stride * (problems - 1)));
                for (int p = 0; p < problems; p++) {
                    matrix(node.writes, to + 8 * p * stride, rows, cols, ld);
                }
                matrix(node.reads, from, rows, cols, ld);
                return rig -> {
                    Launch launch = Rig.copyMatrix(rows, cols, at(rig, from), ld, at(rig, to), ld);
                    launch.count = problems;
                    launch.c.stride = stride;
                    rig.launch(s, launch);
                };
            }
        }
    }

    private void synchronisation() {
        int s = random.nextInt(STREAMS);
        int e = random.nextInt(EVENTS);
        switch (random.nextInt(24)) {
            case 0 -> device();
            case 1, 2 -> hostWaits(s);
            case 3, 4 -> {
                if (events[e] != null) {
                    host.or(events[e]);
                }
                step("host waits for event " + e, rig -> rig.sim.synchronizeEvent(rig.event[e]));
            }
            default -> {
                if (random.nextBoolean()) {
                    record(e, s);
                } else {
                    await(s, e);
                }
            }
        }
    }

    /** Orders a stream behind another in one of the ways there are. */
    private void order(int before, int after) {
        int e = random.nextInt(EVENTS);
        switch (random.nextInt(8)) {
            case 0 -> device();
            case 1 -> hostWaits(before);
            case 2 -> {
                record(e, before);
                host.or(events[e]);
                step("host waits for event " + e, rig -> rig.sim.synchronizeEvent(rig.event[e]));
            }
            case 3 -> {
                int over = random.nextInt(STREAMS);
                record(e, before);
                await(over, e);
                record((e + 1) % EVENTS, over);
                await(after, (e + 1) % EVENTS);
            }
            default -> {
                record(e, before);
                await(after, e);
            }
        }
    }

    private void device() {
        host.set(0, nodes.size());
        step("host waits for the device", rig -> rig.sim.synchronize());
    }

    private void hostWaits(int s) {
        host.or(known[s]);
        step("host waits for stream " + s, rig -> rig.sim.synchronizeStream(rig.stream[s]));
    }

    private void record(int e, int s) {
        known[s].or(host);
        events[e] = (BitSet) known[s].clone();
        sequence++;
        step("record event " + e + " on stream " + s, rig -> rig.sim.recordEvent(rig.event[e], rig.stream[s]));
    }

    private void await(int s, int e) {
        if (events[e] != null) {
            known[s].or(events[e]);
            known[s].or(host);
            sequence++;
        }
        step("stream " + s + " waits for event " + e, rig -> rig.sim.waitEvent(rig.stream[s], rig.event[e]));
    }

    /** Somewhere in block x or y where some bytes fit, aligned for doubles. */
    private int device(int bytes) {
        return random.nextInt(2) * BLOCK + random.nextInt((BLOCK - bytes) / 8) * 8;
    }

    private int inc() {
        int inc = 1 + random.nextInt(3);
        return random.nextBoolean() ? inc : -inc;
    }

    /** The address of a byte of the model: blocks x, y and the host's one after another. */
    private static long at(Rig rig, int index) {
        return switch (index / BLOCK) {
            case 0 -> rig.x + index;
            case 1 -> rig.y + index - BLOCK;
            default -> rig.host + index - 2 * BLOCK;
        };
    }

    private static void vector(BitSet bytes, int from, int n, int inc) {
        for (int i = 0; i < n; i++) {
            bytes.set(from + 8 * i * Math.abs(inc), from + 8 * i * Math.abs(inc) + 8);
        }
    }

    private static void matrix(BitSet bytes, int from, int rows, int cols, int ld) {
        for (int j = 0; j < cols; j++) {
            bytes.set(from + 8 * j * ld, from + 8 * (j * ld + rows));
        }
    }
}
