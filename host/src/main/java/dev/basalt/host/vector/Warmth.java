package dev.basalt.host.vector;

/**
 * Whether a loop by the Vector API is machine code yet. Until the JVM's second compiler has made it so, each vector is an object, and the loop takes some fifty
 * times as long as one of plain Java: in a program of a few seconds, whose compiler is busy with other code, that is most of the time of all sums. So plain
 * loops, which have the same bits, do the work until then. Now and then the loop of vectors has its turn, so that the compiler comes to know it, and is timed.
 *
 * <p>Threads share what is counted here without a lock: a count that is lost does no harm.
 */
final class Warmth {
    /** Of so many calls one goes to the loop of vectors, until the compiler has seen enough of it. */
    private static final int TURN = 4;

    /** Then it waits in the compiler's queue, maybe for seconds, and has a turn less often. */
    private static final int WAITS = 1 << 12;

    private static final int LATER_TURN = 64;

    /** So many quick calls are no accident. */
    private static final int ENOUGH = 4;

    /** After so many calls the loop is taken to be compiled, whatever the clock says. */
    private static final int LONGEST = 1 << 20;

    /** What a call and a look at the clock may take, in nanoseconds, besides half a one for an element. */
    private static final long LEAST = 300;

    private boolean warm;
    private int calls;
    private int quick;

    /** Whether it is known to be machine code. */
    boolean isWarm() {
        return warm;
    }

    /** Whether the loop of vectors has its turn, which is to be told to {@link #took}. */
    boolean hasTurn() {
        if (++calls >= LONGEST) {
            warm = true;
        }
        return calls % (calls < WAITS ? TURN : LATER_TURN) == 0;
    }

    /** A turn took some nanoseconds for some elements. */
    void took(long nanos, long elements) {
        if (nanos <= LEAST + elements / 2 && ++quick >= ENOUGH) {
            warm = true;
        }
    }
}
