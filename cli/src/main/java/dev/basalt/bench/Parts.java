package dev.basalt.bench;

import java.util.stream.IntStream;

/** Cuts long loops over operands into parts for all processors; what is short stays one part. */
final class Parts {
    /** Elements below which one thread is as fast. */
    private static final long LEAST = 1 << 20;

    /** Part of a loop. */
    interface Body {
        /** From an index up to but not including another. */
        void run(int from, int to);
    }

    /** Part of a loop that knows which one it is. */
    interface NumberedBody {
        /** From an index up to but not including another. */
        void run(int part, int from, int to);
    }

    private Parts() {}

    /** How many parts a loop is cut into, at least 1. */
    static int of(int n, long elementsEach) {
        long most = Math.min(n, Runtime.getRuntime().availableProcessors());
        return n * elementsEach < LEAST ? 1 : (int) Math.max(1, most);
    }

    /** Runs a loop over n indices, each of which stands for some elements. */
    static void each(int n, long elementsEach, Body body) {
        numbered(n, elementsEach, (part, from, to) -> body.run(from, to));
    }

    /** Runs a loop over n indices, each of which stands for some elements. */
    static void numbered(int n, long elementsEach, NumberedBody body) {
        int parts = of(n, elementsEach);
        IntStream.range(0, parts)
                .parallel()
                .forEach(p -> body.run(p, (int) ((long) n * p / parts), (int) ((long) n * (p + 1) / parts)));
    }
}
