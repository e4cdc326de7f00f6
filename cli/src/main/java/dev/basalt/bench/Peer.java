package dev.basalt.bench;

import java.util.List;

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
     * All ways in which the library computes a routine of the table of routines.
     *
     * @param c routine and arguments
     * @param o operands of the case, on a device that this library can reach
     * @return calls, and reasons why others cannot be made; where a call returns a number itself, its value is that
     * @throws UnsupportedOperationException that says why, if it has no such routine
     */
    default List<PeerCall> calls(TableCase c, TableOperands o) {
        throw new UnsupportedOperationException(name() + " is measured by the cases of the square table alone");
    }

    /**
     * Whether it has a routine of the table of routines, as far as can be told without operands.
     *
     * @param c routine and arguments
     * @return whether {@link #calls} is worth a try
     */
    default boolean knows(TableCase c) {
        return true;
    }

    /** Gives back what the library holds on the device. */
    @Override
    default void close() {}
}
