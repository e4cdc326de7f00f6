package dev.basalt.benchmarks;

/** Where results go that nobody wants, so that the compiler cannot drop the work behind them. */
final class Sink {
    static volatile double last;

    private Sink() {}
}
