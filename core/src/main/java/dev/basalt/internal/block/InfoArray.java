package dev.basalt.internal.block;

import dev.basalt.internal.call.Call;

/** The info array of a factorisation, operand e of its call: 0 where a problem went well. */
public final class InfoArray {
    private InfoArray() {}

    /** The info array := 0. */
    public static void clear(Call c) {
        c.scope.clearInfo(c.args.e);
    }

    /** What a quick return of a factorisation still does: info := 0, which must be there if there are problems. */
    public static void quick(Call c) {
        if (c.args.count > 0) {
            c.requireOperand(4);
            clear(c);
        }
    }
}
