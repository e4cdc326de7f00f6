package dev.basalt.bench;

/**
 * Whether calls are as fast as they get: the JIT compiler may take its time. Warming up ends after a spell in which no sample was faster than those before by
 * a tenth, or after eight spells.
 */
final class Warmth {
    private static final int MOST = 8;
    private static final double GAIN = 0.9;

    private final long spell;
    private long end;
    private int spells;
    private double before = Double.POSITIVE_INFINITY;
    private double best = Double.POSITIVE_INFINITY;

    Warmth(long spellNanos, long now) {
        spell = spellNanos;
        end = now + spellNanos;
    }

    /** Whether to go on, after a sample of a call that took so long. */
    boolean rises(double nanos, long now) {
        best = Math.min(best, nanos);
        if (now < end) {
            return true;
        }
        spells++;
        boolean faster = best < GAIN * before;
        before = Math.min(before, best);
        best = Double.POSITIVE_INFINITY;
        end = now + spell;
        return faster && spells < MOST;
    }
}
