package dev.basalt.internal.workspace;

import dev.basalt.spi.DeviceDriver;

/** Who runs calls on memory and borrows workspace for them: a handle. */
public interface Borrower {
    /**
     * Its number, for events and messages.
     *
     * @return number
     */
    long id();

    /**
     * The device its calls run on.
     *
     * @return driver
     */
    DeviceDriver driver();

    /**
     * The stream its calls run on.
     *
     * @return stream
     */
    StreamRef stream();

    /**
     * Waits until the call that is inside now, if there is one, has been left. The caller has changed before what every later call
     * looks at first, so no later call needs to be waited for.
     *
     * @return null; or the caller's own thread, if it is the one inside, which nobody can wait for
     */
    Thread awaitLeave();

    /**
     * Whether it still runs calls.
     *
     * @return false once closed
     */
    boolean isOpen();

    /**
     * Gives back workspace that the library took in advance and that was never used, if nobody is inside.
     *
     * @return whether there was any
     */
    boolean giveBackIdle();
}
