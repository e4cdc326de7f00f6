package dev.basalt.bench;

/** Where results go that nobody wants, so that the compiler cannot drop the work behind them. */
public final class Sink {
    /** The last result. */
    public static volatile double last;

    private Sink() {}
}
