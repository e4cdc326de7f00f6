package dev.basalt.internal.call;

import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.MixedWork;

/** The workspace of one kernel whose operands have other types than the computation. */
public final class Conversions {
    private Conversions() {}

    /**
     * Whether a call is of mixed types, by its shapes alone.
     *
     * @param c the call
     * @return false if all its vectors and matrices have one type, which is computed in
     */
    public static boolean has(Call c) {
        return !c.args.type.isFloating() || apart(c, 0) || apart(c, 1) || apart(c, 2);
    }

    private static boolean apart(Call c, int operand) {
        return c.isGiven(operand) && c.args.operand(operand).type != c.args.type;
    }

    /**
     * Asks for the workspace of a call of mixed types.
     *
     * @param c the call
     * @param kernel what it will run
     * @param need what to fill
     */
    public static void need(Call c, Kernel kernel, Need need) {
        MixedWork work = c.traits.mixed();
        c.args.kernel = kernel;
        need.tier("converted in blocks").slot("scratch", work.bytes(c.args));
        need.tier("converted block by block").slot("scratch", work.least(c.args));
        need.tier("converted one by one").slot("scratch", 0);
    }
}
