package dev.basalt.bench;

/** Another library that does what the table of routines lists, to be measured beside Basalt. */
public interface Peer extends AutoCloseable {
    /**
     * Its name in tables.
     *
     * @return such as {@code openblas}
     */
    String name();

    /**
     * Version, kernels and threads.
     *
     * @return one line
     */
    String description();

    /**
     * One call for each copy of the operands.
     *
     * @param workload routine and arguments
     * @param operands operands of the workload, on a device that this library can reach
     * @return calls; null if it has no such routine
     */
    Call[] bind(Workload workload, Operands operands);

    /** Gives back what the library holds on the device. */
    @Override
    default void close() {}
}
