package dev.basalt.benchmarks;

import java.util.List;

/**
 * A speed that Basalt promises on one thread.
 *
 * @param group figures of one group are measured in one JVM; another group's calls would change what is compiled
 * @param routine BLAS name
 * @param n size
 * @param leastRatio speed over the faster OpenBLAS's, at least; 0 for none
 * @param mostNanos time of a call, at most; infinite for none
 */
record Figure(String group, String routine, int n, double leastRatio, double mostNanos) {
    static final List<Figure> ALL = List.of(
            ratio("dgemm", "dgemm", 512, 0.8),
            ratio("dgemm", "dgemm", 1024, 0.8),
            ratio("dgetrf", "dgetrf", 1024, 0.6),
            ratio("dpotrf", "dpotrf", 1024, 0.6),
            ratio("ddot", "ddot", 10_000, 0.9),
            ratio("ddot", "ddot", 100_000, 0.9),
            ratio("ddot", "ddot", 1_000_000, 0.9),
            ratio("ddot", "ddot", 10_000_000, 0.9),
            new Figure("tiny", "ddot", 8, 0, 60));

    private static Figure ratio(String group, String routine, int n, double least) {
        return new Figure(group, routine, n, least, Double.POSITIVE_INFINITY);
    }

    static List<String> groups() {
        return ALL.stream().map(Figure::group).distinct().toList();
    }

    static List<Figure> of(String group) {
        return ALL.stream().filter(figure -> figure.group.equals(group)).toList();
    }

    /** The operands of both sides. */
    Contest open() {
        return switch (routine) {
            case "dgemm" -> new GemmContest(n);
            case "ddot" -> new DotContest(n);
            case "dgetrf" -> new FactorContest(FactorContest.Kind.LU, n);
            case "dpotrf" -> new FactorContest(FactorContest.Kind.CHOLESKY, n);
            default -> throw new IllegalArgumentException("there is no contest in " + routine);
        };
    }

    /** How its speed is given. */
    Metric metric() {
        return switch (group) {
            case "tiny" -> Metric.NANOS;
            case "ddot" -> Metric.GBYTES;
            default -> Metric.GFLOPS;
        };
    }

    /** Flops or bytes of one call: for a factorisation the leading term, as everybody counts. */
    double work() {
        double order = n;
        return switch (routine) {
            case "dgemm" -> 2 * order * order * order;
            case "dgetrf" -> 2 * order * order * order / 3;
            case "dpotrf" -> order * order * order / 3;
            default -> 2 * Double.BYTES * order;
        };
    }

    /** Whether a figure as measured keeps the promise. */
    boolean met(double ratio, double nanos) {
        return ratio >= leastRatio && nanos <= mostNanos;
    }
}
