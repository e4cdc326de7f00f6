package dev.basalt.sim;

import dev.basalt.spi.DriverException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/** Runs the operations of all streams, in an order that the seed decides and that streams and events allow. */
final class Scheduler {
    /** How likely, after a submission, one more operation runs: a phase of the run has one of these. */
    private static final double[] EAGERNESS = {0, 0.2, 0.6, 0.95};

    /** How likely the next operation is of the same stream: bursts reach interleavings that a fair choice never does. */
    private static final double BURST = 0.7;

    private static final double NEW_PHASE = 0.03;

    private final Scheduling mode;
    private final SplittableRandom random;
    private final TouchResolver resolver;
    private final OrderChecker checker;
    private final Failures failures;
    private final List<SimStream> streams = new ArrayList<>();
    private SimStream last;
    private double eagerness;

    Scheduler(Scheduling mode, long seed, TouchResolver resolver, OrderChecker checker, Failures failures) {
        this.mode = mode;
        this.random = new SplittableRandom(seed);
        this.resolver = resolver;
        this.checker = checker;
        this.failures = failures;
        this.eagerness = EAGERNESS[random.nextInt(EAGERNESS.length)];
    }

    void add(SimStream stream) {
        streams.add(stream);
    }

    /** Forgets a stream if it is destroyed and empty. */
    void remove(SimStream stream) {
        if (stream.destroyed && stream.queue.isEmpty()) {
            streams.remove(stream);
        }
    }

    /** Called after each submission: perhaps something runs. A fault shows in the next call, as on a GPU. */
    void submitted() {
        if (mode == Scheduling.EAGER) {
            runUntil(() -> false);
        } else if (mode == Scheduling.RANDOM) {
            if (random.nextDouble() < NEW_PHASE) {
                eagerness = EAGERNESS[random.nextInt(EAGERNESS.length)];
            }
            while (random.nextDouble() < eagerness && step()) {
                // step has run something
            }
        }
    }

    /** Runs all of a stream. */
    void drain(SimStream stream) {
        if (mode == Scheduling.LAZY) {
            while (!stream.queue.isEmpty() && !failures.stuck()) {
                stepToward(stream);
            }
        } else {
            runUntil(stream.queue::isEmpty);
        }
        failures.check();
    }

    /** Runs all of all streams. */
    void drainAll() {
        runUntil(() -> false);
        failures.check();
    }

    /** Runs until a recording is complete. */
    void complete(Recording recording) {
        if (mode == Scheduling.LAZY) {
            while (!recording.done && !failures.stuck()) {
                stepToward(recording.stream);
            }
        } else {
            runUntil(() -> recording.done);
        }
        failures.check();
    }

    /** Called by each query, so that polling for a recording comes to an end. */
    void poll(Recording recording) {
        if (recording.done) {
            return;
        }
        if (mode == Scheduling.LAZY) {
            stepToward(recording.stream);
        } else if (step()) {
            submitted();
        }
        failures.check();
    }

    /** Runs some operations although nobody waits. */
    int run(int operations) {
        int ran = 0;
        while (ran < operations && step()) {
            ran++;
        }
        return ran;
    }

    /** How many operations have not run. */
    int pending() {
        return streams.stream().mapToInt(stream -> stream.queue.size()).sum();
    }

    /** Whether an operation that has not run may still write some bytes of a block. */
    boolean pendingWrite(Block block, Footprint bytes) {
        for (SimStream stream : streams) {
            for (Op op : stream.queue) {
                for (Touch touch : op.touches) {
                    if (touch.write() && touch.block() == block && touch.bytes().overlaps(bytes)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private void runUntil(BooleanSupplier enough) {
        while (!enough.getAsBoolean() && step()) {
            // step has run something
        }
    }

    /** Runs one operation of some stream; false if there is none, or a fault stopped the device. */
    private boolean step() {
        if (failures.stuck()) {
            return false;
        }
        SimStream chosen = last;
        if (chosen == null || !chosen.runnable() || random.nextDouble() >= BURST) {
            chosen = choose();
        }
        if (chosen == null) {
            return false;
        }
        last = chosen;
        execute(chosen);
        return true;
    }

    private SimStream choose() {
        SimStream chosen = null;
        int seen = 0;
        for (SimStream stream : streams) {
            if (stream.runnable() && random.nextInt(++seen) == 0) {
                chosen = stream;
            }
        }
        return chosen;
    }

    /** Runs the next operation that a stream cannot do without. Waits refer to earlier recordings only, so there is one. */
    private void stepToward(SimStream stream) {
        SimStream needed = stream;
        while (needed.queue.peek() instanceof WaitOp && needed.queue.peek().blocked()) {
            needed = ((WaitOp) needed.queue.peek()).recording.stream;
        }
        execute(needed);
    }

    private void execute(SimStream stream) {
        Op op = stream.queue.remove();
        try {
            if (!(op instanceof AllocateOp)) {
                resolver.verifyMapped(op);
            }
            if (op.touchesLate) {
                checker.check(resolver.resolveThroughTables(op, true), op.stamp);
            }
            op.run();
        } catch (DriverException e) {
            // Refused, and the fault sticks: the next call reports it.
            failures.stick(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            failures.stick(op.label + " on stream " + stream.number + " failed: " + e);
        } finally {
            op.done = true;
            remove(stream);
        }
    }
}
