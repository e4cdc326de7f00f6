package dev.basalt;

import dev.basalt.internal.workspace.Need;

/**
 * What a routine of your own asks of the workspace: a name, a shape for people, and tiers from the best algorithm to the one that needs
 * least, each with named slots. Queries, plans, the degrade policy and the report of the last call treat it as a routine of the
 * library. Make one a shape and keep it: lending it again makes no garbage.
 *
 * <pre>{@code
 * Layout layout = Layout.of("gram", "m=" + m + " n=" + n)
 *         .tier("one product").slot("copy", 8 * m * n)
 *         .tier("column by column").slot("column", 8 * m);
 * }</pre>
 */
public final class Layout {
    final String routine;
    final String shape;
    final Need need = new Need();
    private boolean done;

    private Layout(String routine, String shape) {
        this.routine = routine;
        this.shape = shape;
    }

    /**
     * A layout without tiers yet.
     *
     * @param routine the routine's name
     * @param shape its sizes for people, such as {@code m=3 n=4}
     * @return layout
     */
    public static Layout of(String routine, String shape) {
        return new Layout(routine, shape);
    }

    /**
     * Begins the next tier; call in order of falling need. A tier that asks for no less than the one before is never chosen.
     *
     * @param algorithm its name
     * @return this
     * @throws BlasException INVALID_VALUE for more than eight tiers, or once the layout was used
     */
    public Layout tier(String algorithm) {
        open();
        try {
            need.tier(algorithm);
        } catch (IndexOutOfBoundsException e) {
            throw new BlasException(Status.INVALID_VALUE, routine, null, 0, routine + ": a layout has at most 8 tiers",
                    null, e);
        }
        return this;
    }

    /**
     * Adds a slot to the tier just begun.
     *
     * @param name what it holds
     * @param bytes its size; 0 gives a null slot
     * @return this
     * @throws BlasException INVALID_SIZE for a negative size or a sum over 2^63-1, INVALID_VALUE without a tier
     */
    public Layout slot(String name, long bytes) {
        return add(name, bytes, false);
    }

    /**
     * Adds what the calls need that the routine makes on the same handle while it holds its slots, so that a query promises enough for
     * both. It is not lent; the calls find it.
     *
     * @param calls a plan of these calls
     * @return this
     */
    public Layout calls(Plan calls) {
        return add("calls", calls.optimal(), true);
    }

    private Layout add(String name, long bytes, boolean inner) {
        open();
        Shapes.notNegative(routine, name, bytes);
        if (need.tiers() == 0) {
            throw new BlasException(Status.INVALID_VALUE, routine, routine + ": begin a tier() before its slots");
        }
        try {
            if (inner) {
                need.inner(bytes);
            } else {
                need.slot(name, bytes);
            }
        } catch (ArithmeticException e) {
            throw new BlasException(Status.INVALID_SIZE, routine, null, 0,
                    routine + ": the slots add up to more than 2^63-1 bytes", null, e);
        }
        return this;
    }

    private void open() {
        if (done) {
            throw new BlasException(Status.INVALID_VALUE, routine,
                    routine + ": the layout was used already; make another");
        }
    }

    /** Ends the description, at its first use. */
    Need done() {
        if (!done) {
            done = true;
            need.done();
        }
        return need;
    }
}
