package dev.basalt.benchmarks;

import org.openjdk.jmh.annotations.Param;

/** dgemm, square. */
public class GemmBenchmark extends PeerBenchmark {
    /** Rows, columns and inner dimension. */
    @Param({"512", "1024"})
    public int n;

    @Override
    Contest contest() {
        return new GemmContest(n);
    }
}
