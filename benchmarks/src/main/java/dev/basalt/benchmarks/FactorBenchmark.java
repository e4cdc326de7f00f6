package dev.basalt.benchmarks;

import org.openjdk.jmh.annotations.Param;

/**
 * dgetrf and dpotrf. Each call begins with a copy of the input, the same for all sides: 8 MiB at n = 1024, 1 to 4 % of the
 * time. {@link Paired} leaves it out.
 */
public class FactorBenchmark extends PeerBenchmark {
    /** Which one. */
    @Param({"LU", "CHOLESKY"})
    public String kind;

    /** Order of the matrix. */
    @Param("1024")
    public int n;

    @Override
    Contest contest() {
        return new FactorContest(FactorContest.Kind.valueOf(kind), n);
    }
}
