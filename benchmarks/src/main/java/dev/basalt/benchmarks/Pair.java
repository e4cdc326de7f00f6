package dev.basalt.benchmarks;

/**
 * One sample of each side, taken one right after the other.
 *
 * @param figure index in {@link Figure#ALL}
 * @param basalt nanoseconds of a call
 * @param openBlas nanoseconds of a call
 * @param before nanoseconds of the reference before
 * @param after nanoseconds of the reference after
 * @param away the part of its time that the thread had no core, the worse of both sides
 * @param bytes bytes of heap that a call of Basalt allocated
 * @param limit the physical limit just then, in the figure's metric; 0 if there is none
 */
record Pair(
        int figure,
        double basalt,
        double openBlas,
        double before,
        double after,
        double away,
        double bytes,
        double limit) {
    private static final String TAG = "PAIR";
    private static final double MOST_DRIFT = 0.05;
    private static final double MOST_AWAY = 0.02;

    /** Whether the machine was the same for both sides. */
    boolean kept(Clock clock) {
        double drift = Math.abs(before - after) / Math.min(before, after);
        return drift <= MOST_DRIFT && (clock == Clock.CPU || away <= MOST_AWAY);
    }

    /** Basalt's speed over OpenBLAS's. */
    double ratio() {
        return openBlas / basalt;
    }

    String line() {
        return String.join(
                "\t",
                TAG,
                Integer.toString(figure),
                Double.toString(basalt),
                Double.toString(openBlas),
                Double.toString(before),
                Double.toString(after),
                Double.toString(away),
                Double.toString(bytes),
                Double.toString(limit));
    }

    /** The pair in a line of a measuring JVM's output; null if there is none. */
    static Pair parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != 9 || !fields[0].equals(TAG)) {
            return null;
        }
        return new Pair(
                Integer.parseInt(fields[1]),
                Double.parseDouble(fields[2]),
                Double.parseDouble(fields[3]),
                Double.parseDouble(fields[4]),
                Double.parseDouble(fields[5]),
                Double.parseDouble(fields[6]),
                Double.parseDouble(fields[7]),
                Double.parseDouble(fields[8]));
    }
}
