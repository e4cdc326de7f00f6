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

    /**
     * A call of any routine of the table of routines.
     *
     * @param c routine and arguments
     * @param o operands of the case, on a device that this library can reach
     * @return the call; where it returns a number itself, the call's value is that
     * @throws UnsupportedOperationException that says why, if it has no such routine
     */
    default Call bind(TableCase c, TableOperands o) {
        throw new UnsupportedOperationException(name() + " is measured by the cases of the square table alone");
    }

    /** Gives back what the library holds on the device. */
    @Override
    default void close() {}
}
