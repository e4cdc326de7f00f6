package dev.basalt.benchmarks;

/** How a speed is given. */
enum Metric {
    /** Floating-point operations: 10⁹ a second. */
    GFLOPS("GFLOP/s"),
    /** Bytes that must be read: 10⁹ a second. */
    GBYTES("GB/s"),
    /** Time of a call, for calls too small for a rate. */
    NANOS("ns");

    private final String unit;

    Metric(String unit) {
        this.unit = unit;
    }

    String unit() {
        return unit;
    }

    /** The speed of a call with that work in that time. */
    double of(double work, double nanos) {
        return this == NANOS ? nanos : work / nanos;
    }
}
