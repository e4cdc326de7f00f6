package dev.basalt.host;

import dev.basalt.ElementType;
import dev.basalt.host.asm.BatchKernels;
import dev.basalt.kernel.BatchedKernels;
import dev.basalt.kernel.Reductions;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;

/**
 * Runs launches on the caller, and the larger ones on the workers too. Whether a launch is cut, and into how many parts,
 * never shows in its bits: see {@link Cut}.
 */
final class HostKernels extends BatchedKernels {
    /** Elements of one partial sum: 128 KiB of doubles, a few µs of work. */
    static final int REDUCTION_BLOCK = 16384;

    /** Work that a part should have: handing it over costs 150 ns or so, estimates are rough, and parts end unevenly. */
    private static final double PART_NANOS = 10_000;

    private static final double FORK_NANOS = 2 * PART_NANOS;

    /**
     * Work that pays for waking a parked thread, which costs the caller 10 to 25 µs on a virtual machine. Calls with less are
     * helped only by those still spinning; but when that much has been missed, the next ones are probably near.
     */
    private static final double WAKE_NANOS = 150_000;

    /** Work that is worth a fork even where a helper loses its core for a time slice. */
    private static final double LONG_NANOS = 5_000_000;

    /**
     * How many times the loss all calls go alone after one that lost time by forking: where the cores are busy with other
     * things, forks cost a sixteenth at most.
     */
    private static final long REST = 16;

    private final Engine engine;
    private final Workers workers;
    private final Cost cost;
    // What follows belongs to the one who has taken the workers.
    private final Cut cut;
    private final Launch[] pieces;
    private final Workers.Task task = this::part;
    private Launch forked;
    private BatchKernels forkedBatch;
    private double missed;
    private boolean resting;
    private long restUntil;

    /**
     * The kernels of an engine.
     *
     * @param engine the engine
     * @param workers the threads
     */
    HostKernels(Engine engine, Workers workers) {
        super(
                engine.leaf(ElementType.F32),
                engine.leaf(ElementType.F64),
                engine.leaf(ElementType.C32),
                engine.leaf(ElementType.C64),
                REDUCTION_BLOCK);
        this.engine = engine;
        this.workers = workers;
        this.cost = new Cost(engine);
        this.cut = new Cut(engine, reductions());
        this.pieces = new Launch[workers.count()];
        for (int p = 0; p < pieces.length; p++) {
            pieces[p] = new Launch();
        }
    }

    @Override
    public void run(Launch launch) {
        BatchKernels batch = launch.count > 1 ? engine.batches(launch.type) : null;
        if (batch != null && !batch.takes(launch)) {
            batch = null;
        }
        if (workers.count() > 1) {
            double nanos = batch == null ? cost.nanos(launch) : cost.batched(launch);
            if (nanos >= FORK_NANOS && fork(launch, batch, nanos)) {
                return;
            }
        }
        if (batch == null) {
            super.run(launch);
        } else {
            batch.run(launch, 0, launch.count);
        }
    }

    /** Whether the launch was run by several threads. */
    private boolean fork(Launch launch, BatchKernels batch, double nanos) {
        if (!workers.tryTake()) {
            return false;
        }
        try {
            int parts = helped((int) Math.min(workers.count(), nanos / PART_NANOS), nanos);
            if (parts > 1) {
                parts = batch == null ? cut.plan(launch, parts) : cut.problems(launch, parts);
            }
            if (parts == 1) {
                return false;
            }
            forked = launch;
            forkedBatch = batch;
            workers.fork(task, parts);
            if (workers.lost() > 0) {
                restUntil = System.nanoTime() + REST * workers.lost();
                resting = true;
            }
            if (cut.betweenBlocks()) {
                combine(launch);
            }
            return true;
        } finally {
            forked = null;
            forkedBatch = null;
            workers.leave();
        }
    }

    /** How many parts are worth it now: never more than wanted, and 1 for none. */
    private int helped(int wanted, double nanos) {
        if (resting && nanos < LONG_NANOS) {
            if (System.nanoTime() - restUntil < 0) {
                return 1;
            }
            resting = false;
        }
        if (nanos >= WAKE_NANOS) {
            return wanted;
        }
        int awake = workers.awake(wanted);
        if (awake == wanted) {
            return wanted;
        }
        missed += nanos;
        if (missed < WAKE_NANOS) {
            return awake;
        }
        missed = 0;
        return wanted;
    }

    private void part(int part) {
        if (forkedBatch != null) {
            forkedBatch.run(forked, cut.from(part), cut.from(part + 1));
        } else if (cut.betweenProblems()) {
            run(forked, cut.from(part), cut.from(part + 1), cut.work(part), cut.workBytes());
        } else if (cut.betweenBlocks()) {
            partials(forked, cut.from(part), cut.from(part + 1));
        } else {
            Launch piece = pieces[part];
            if (cut.piece(part, piece)) {
                super.run(piece);
            }
            if (cut.rectangle(part, piece)) {
                super.run(piece);
            }
        }
    }

    /** Partial results of some blocks, counted through all problems of the batch. */
    private void partials(Launch l, long from, long to) {
        Reductions reductions = reductions();
        long blocks = reductions.blocks(l.n);
        for (long problem = from / blocks; problem * blocks < to; problem++) {
            long first = Math.max(from - problem * blocks, 0);
            long end = Math.min(to - problem * blocks, blocks);
            reductions.partials(l, problem, first, end, l.work + problem * reductions.bytes(l));
        }
    }

    private void combine(Launch l) {
        for (long problem = 0; problem < l.count; problem++) {
            if (!l.guarded || Memory.i32(l.e.at(problem)) == 0) {
                reductions().combine(l, problem, l.work + problem * reductions().bytes(l));
            }
        }
    }
}
