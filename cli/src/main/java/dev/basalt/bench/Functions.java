package dev.basalt.bench;

/**
 * The functions of a C library whose status is 0 for success. Parameters follow from the arguments: {@code Byte}, {@code Integer},
 * {@code Long} (also for every address), {@code Float} and {@code Double}.
 */
interface Functions {
    /** Whether there is such a function. */
    boolean has(String symbol);

    /** A function with all its arguments, to be called again and again. */
    Call bind(String symbol, Object... arguments);

    /** Calls a function once and requires success. */
    default void call(String symbol, Object... arguments) {
        bind(symbol, arguments).run();
    }
}
