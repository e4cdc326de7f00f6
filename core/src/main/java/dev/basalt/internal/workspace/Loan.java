package dev.basalt.internal.workspace;

/** A part of a workspace that is lent. The workspace uses its loans again and again; {@link #serial} tells one from the next. */
public final class Loan {
    Block block;

    /** Whether the block is for this loan alone, and is given up with it. */
    boolean own;

    /** Where it begins and ends in the block. */
    long from;

    long to;

    /** What was asked for, redzones not counted. */
    long bytes;

    Borrower borrower;
    StreamRef stream;
    String routine;

    /** Whether it was given back while a later one is still lent. */
    boolean back;

    /** Which use of this object it is. */
    long serial;

    /** The use that was collected without having been closed, 0 for none; told by the collector's thread. */
    volatile long lost;

    /** Whether the operands of calls belong to the user, who may have left the slots. */
    boolean users;

    final GuardedZones zones = new GuardedZones();

    Loan() {}

    /** Notes who has what. Most loans are like the one before: a compare is cheaper than to tell the collector of a reference. */
    void lentBy(Block lent, Borrower to, String name) {
        if (block != lent) {
            block = lent;
        }
        if (borrower != to) {
            borrower = to;
        }
        if (stream != to.stream()) {
            stream = to.stream();
        }
        if (routine != name) {
            routine = name;
        }
    }

    /**
     * Which use of this object it is.
     *
     * @return number, different for each use
     */
    public long serial() {
        return serial;
    }

    /**
     * Notes that a user's lease was collected without having been closed.
     *
     * @param which its serial number
     */
    public void lost(long which) {
        lost = which;
    }

    /**
     * Where it begins on the device.
     *
     * @return address
     */
    public long start() {
        return block.address + from;
    }

    /**
     * Where it ends on the device.
     *
     * @return address behind its last byte
     */
    public long end() {
        return block.address + to;
    }

    /** The operands and the code that use this belong to the user, who may have left the slots. */
    public void ofUser() {
        users = true;
    }
}
