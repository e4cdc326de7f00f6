package dev.basalt.host;

import dev.basalt.host.assembled.batch.BatchKernels;
import dev.basalt.host.assembled.matvec.FewLines;
import dev.basalt.host.assembled.mixed.MixedKernels;
import dev.basalt.host.assembled.stream.EachVector;
import dev.basalt.host.engine.Engine;
import dev.basalt.host.vector.Tridiagonal;
import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.Reductions;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;

/**
 * Runs launches on the caller, and the larger ones on the workers too. Whether a launch is cut, and into how many parts,
 * never shows in its bits: see {@link Cut}.
 */
final class HostKernels extends BatchedKernels {
    /** Elements of one partial sum: 128 KiB of doubles, a few µs of work. */
    static final int REDUCTION_BLOCK = 16384;

    /** Work that a part should have: handing it over to a helper that spins, and waiting for its end, takes 250 ns. */
    private static final double PART_NANOS = 1_000;

    private static final double FORK_NANOS = 2 * PART_NANOS;

    /** Handing over one part after the other makes more parts than the root of the work by this no faster. */
    private static final double POST_NANOS = 50;

    /**
     * Work that pays for waking a parked thread, which costs the caller 10 to 30 µs on a virtual machine. Calls with less are
     * helped only by those still spinning; but when that much has been missed, the next ones are probably near.
     */
    private static final double WAKE_NANOS = 150_000;

    /**
     * How many times the loss all calls go alone after one that lost time by forking: where the cores are busy with other
     * things, forks cost a sixteenth at most.
     */
    private static final long REST = 16;

    /**
     * When helpers that run have not come in time for so long, others have their cores; to go on calling
     * keeps them from parking, and from the caller its share of a core.
     */
    private static final long LATE_NANOS = 300_000;

    /**
     * The same for helpers that have been woken and do not run yet. They cost nobody a core meanwhile; where virtual cores sleep
     * deeply it takes them up to a millisecond, and to go alone until they are asleep again would never end.
     */
    private static final long WAKING_NANOS = 5_000_000;

    /** A call so many times as long as the loss does not go alone: what it may lose is less than what it may win. */
    private static final long LONG = 4;

    /** Work from which on a call is counted among those that use a core; less would be heard in the counting. */
    private static final double COUNTED_NANOS = 20_000;

    private static final long NEVER = Long.MIN_VALUE;

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
    /** The last loss in nanoseconds while calls go alone, else 0. */
    private long loss;

    private long restUntil;
    /** Since when helpers have come too late. */
    private long lateSince = NEVER;

    /**
     * The kernels of an engine.
     *
     * @param engine the engine
     * @param workers the threads
     */
    HostKernels(Engine engine, Workers workers) {
        super(engine.leaf(ElementType.F32), engine.leaf(ElementType.F64), engine.leaf(ElementType.C32),
                engine.leaf(ElementType.C64), REDUCTION_BLOCK);
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
        BatchKernels batch = batches(launch);
        if (workers.count() > 1) {
            double nanos = batch == null ? cost.nanos(launch) : cost.batched(launch);
            if (nanos >= COUNTED_NANOS) {
                try {
                    runShared(launch, batch, nanos, workers.enter());
                } finally {
                    workers.exit();
                }
                return;
            }
            if (nanos >= FORK_NANOS) {
                runShared(launch, batch, nanos, workers.callers());
                return;
            }
        }
        runAlone(launch, batch);
    }

    /** Who loops over the batch of a launch; null where nobody does. */
    private BatchKernels batches(Launch launch) {
        BatchKernels batch = launch.count > 1 ? engine.batches(launch.type) : null;
        boolean kept = batch != null && (launch.plain() || BatchKernels.packed(launch)) && !fewLines(launch);
        return kept && batch.takes(launch) ? batch : null;
    }

    /** Whether each product of a launch may take a path of its own, so that in a batch it has the bits of single calls. */
    private static boolean fewLines(Launch l) {
        return l.kernel == Kernel.GEMM && !l.type.isComplex() && FewLines.apart(l.m, l.n, l.k);
    }

    /**
     * How long a launch takes on one thread, about.
     *
     * @param launch the launch
     * @return nanoseconds
     */
    double nanos(Launch launch) {
        return batches(launch) == null ? cost.nanos(launch) : cost.batched(launch);
    }

    @Override
    public void run(Launch l, long from, long to, long work, long workBytes) {
        EachVector vectors = to - from > 1 && !l.mixed() ? engine.vectors(l.type) : null;
        if (vectors != null && vectors.takes(l)) {
            vectors.run(l, from, to);
        } else {
            super.run(l, from, to, work, workBytes);
        }
    }

    @Override
    protected boolean mixed(Launch launch, long problem, long work, long workBytes) {
        MixedKernels kernels = engine.mixed();
        if (kernels == null || !kernels.takes(launch)) {
            return false;
        }
        kernels.run(launch, problem, work, workBytes);
        return true;
    }

    @Override
    protected void bands(Launch launch, long from, long to) {
        Tridiagonal kernels = launch.kernel == Kernel.GTSV ? engine.tridiagonal(launch.type) : null;
        if (kernels != null && kernels.takes(launch)) {
            kernels.run(launch, from, to);
        } else {
            super.bands(launch, from, to);
        }
    }

    /** With those helpers whose cores other callers do not use, so that all calls together use no more threads than there are. */
    private void runShared(Launch launch, BatchKernels batch, double nanos, int others) {
        int threads = workers.count() - others;
        if (threads <= 1 || !fork(launch, batch, nanos, threads)) {
            runAlone(launch, batch);
        }
    }

    private void runAlone(Launch launch, BatchKernels batch) {
        if (batch == null) {
            super.run(launch);
        } else {
            batch.run(launch, 0, launch.count);
        }
    }

    /**
     * From when on a matrix product is for several threads.
     *
     * @param type element type
     * @return the product of its dimensions
     */
    double alone(ElementType type) {
        return workers.count() == 1 ? Double.POSITIVE_INFINITY : FORK_NANOS / cost.product(type, 1);
    }

    /**
     * From when on applying reflectors may be for several threads.
     *
     * @param type element type
     * @return the product of the dimensions
     */
    double reflected(ElementType type) {
        return workers.count() == 1 ? Double.POSITIVE_INFINITY : PART_NANOS / cost.reflectors(type, 1);
    }

    /** Parts that would be good if all helpers were awake. */
    private static int parts(int threads, double nanos) {
        double parts = Math.min(threads, nanos / PART_NANOS);
        return (int) (parts <= 2 ? parts : Math.min(parts, Math.sqrt(nanos / POST_NANOS)));
    }

    /** Whether the launch was run by several threads. */
    private boolean fork(Launch launch, BatchKernels batch, double nanos, int threads) {
        if (!workers.tryTake()) {
            return false;
        }
        try {
            int parts = helped(parts(threads, nanos), nanos);
            if (parts > 1) {
                parts = batch == null ? cut.plan(launch, parts) : cut.problems(launch, parts);
            }
            if (parts == 1) {
                return false;
            }
            forked = launch;
            forkedBatch = batch;
            workers.fork(task, parts, nanos / parts);
            noteLoss();
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

    private void noteLoss() {
        if (workers.lost() > 0) {
            rest(workers.lost(), System.nanoTime());
        } else if (workers.crowded()) {
            rest(LATE_NANOS, System.nanoTime());
        } else if (!workers.late()) {
            lateSince = NEVER;
        } else if (lateSince == NEVER) {
            lateSince = System.nanoTime();
        } else {
            long now = System.nanoTime();
            long patience = workers.waking() ? WAKING_NANOS : LATE_NANOS;
            if (now - lateSince > patience) {
                rest(LATE_NANOS, now);
            }
        }
    }

    private void rest(long nanos, long now) {
        loss = nanos;
        restUntil = now + REST * nanos;
        lateSince = NEVER;
    }

    /** How many parts are worth it now: never more than wanted, and 1 for none. */
    private int helped(int wanted, double nanos) {
        if (loss > 0 && nanos < LONG * loss) {
            if (System.nanoTime() - restUntil < 0) {
                return 1;
            }
            loss = 0;
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
            for (int turn = 0; turn < cut.products(); turn++) {
                if (cut.rectangle(part, turn, piece)) {
                    super.run(piece);
                }
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
            long work = l.work + problem * reductions.bytes(l);
            if (l.mixed()) {
                engine.mixed().partials(l, problem, first, end, work);
            } else {
                reductions.partials(l, problem, first, end, work);
            }
        }
    }

    private void combine(Launch l) {
        for (long problem = 0; problem < l.count; problem++) {
            if (!l.guarded || Memory.i32(l.e.at(problem)) == 0) {
                long work = l.work + problem * reductions().bytes(l);
                if (l.mixed()) {
                    engine.mixed().combine(l, problem, reductions().blocks(l.n), work);
                } else {
                    reductions().combine(l, problem, work);
                }
            }
        }
    }
}
