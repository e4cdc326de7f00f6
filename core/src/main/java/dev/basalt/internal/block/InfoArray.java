package dev.basalt.internal.block;

import dev.basalt.internal.call.Call;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/** The info array of a factorisation, operand e of its call: 0 where a problem went well. */
public final class InfoArray {
    private InfoArray() {}

    /** The info array := 0. */
    public static void clear(Call c) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I32;
        l.guarded = false;
        l.e.clear();
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.set(c.args.e);
        c.scope.launch();
    }

    /** What a quick return of a factorisation still does: info := 0, which must be there if there are problems. */
    public static void quick(Call c) {
        if (c.args.count > 0) {
            c.requireOperand(4);
            clear(c);
        }
    }
}
