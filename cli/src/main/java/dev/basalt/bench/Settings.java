package dev.basalt.bench;

/**
 * How a workload is measured.
 *
 * @param iters timed samples
 * @param coldIters samples before them
 * @param warmUpNanos time of warming up at least, for the JIT compiler
 * @param flushBytes operands rotate over copies that take that much memory, so that each call finds the caches cold; 0 for hot
 * @param flushCount or over that many copies; 1 for hot
 * @param verify whether results are checked
 * @param limits whether the machine's limits are measured too
 */
public record Settings(int iters, int coldIters, long warmUpNanos, long flushBytes, int flushCount, boolean verify,
        boolean limits) {
    /** Whether calls shall find nothing of theirs in a cache. */
    boolean cold() {
        return flushBytes > 0 || flushCount > 1;
    }

    /** Copies of the operands of a workload. */
    int copies(Workload w) {
        if (!cold()) {
            return Operands.copies(w);
        }
        double wanted = Math.max(flushCount, Math.ceil(flushBytes / Operands.bytes(w)));
        return (int) Math.clamp(wanted, 2, 1 << 16);
    }
}
