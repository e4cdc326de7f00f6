package dev.basalt.host;

import dev.basalt.ElementType;
import dev.basalt.kernel.BatchedKernels;
import dev.basalt.spi.Launch;

/**
 * Runs launches on the caller, and the larger ones on the workers too. Whether a launch is cut, and into how many parts,
 * never shows in its bits: see {@link Cut}.
 */
final class HostKernels extends BatchedKernels {
    /** Elements of one partial sum: 128 KiB of doubles, a few µs of work. */
    static final int REDUCTION_BLOCK = 16384;

    /** Work of a part that pays for handing it to a spinning thread many times over, and nearly for waking one. */
    private static final double PART_NANOS = 10_000;

    private static final double FORK_NANOS = 2 * PART_NANOS;

    private final Workers workers;
    private final Cost cost;
    // What follows belongs to the one who has taken the workers.
    private final Cut cut;
    private final Launch[] pieces;
    private final Workers.Task task = this::part;
    private Launch forked;

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
        this.workers = workers;
        this.cost = new Cost(engine);
        this.cut = new Cut(engine, REDUCTION_BLOCK);
        this.pieces = new Launch[workers.count()];
        for (int p = 0; p < pieces.length; p++) {
            pieces[p] = new Launch();
        }
    }

    @Override
    public void run(Launch launch) {
        if (workers.count() > 1) {
            double nanos = cost.nanos(launch);
            if (nanos >= FORK_NANOS && fork(launch, nanos)) {
                return;
            }
        }
        super.run(launch);
    }

    /** Whether the launch was run by several threads. */
    private boolean fork(Launch launch, double nanos) {
        if (!workers.tryTake()) {
            return false;
        }
        try {
            int parts = cut.plan(launch, (int) Math.min(workers.count(), nanos / PART_NANOS));
            if (parts == 1) {
                return false;
            }
            forked = launch;
            workers.fork(task, parts);
            if (cut.betweenBlocks()) {
                combine(launch);
            }
            return true;
        } finally {
            forked = null;
            workers.leave();
        }
    }

    private void part(int part) {
        if (cut.betweenProblems()) {
            run(forked, cut.from(part), cut.from(part + 1), cut.work(part), cut.workBytes());
        } else if (cut.betweenBlocks()) {
            partial(forked, cut.from(part), cut.from(part + 1));
        } else if (cut.piece(part, pieces[part])) {
            super.run(pieces[part]);
        }
    }
}
