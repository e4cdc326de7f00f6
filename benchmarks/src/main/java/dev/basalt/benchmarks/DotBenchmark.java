package dev.basalt.benchmarks;

import org.openjdk.jmh.annotations.Param;

/** ddot of vectors in the second-level cache, in the third, and in memory. */
public class DotBenchmark extends PeerBenchmark {
    /** Elements of a vector. */
    @Param({"10000", "100000", "1000000", "10000000"})
    public int n;

    @Override
    Contest contest() {
        return new DotContest(n);
    }
}
