package dev.basalt.internal.call;

import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;

/** The result of a function, operand d of its call: in device memory one a problem, or on the host, by way of a slot of the lease. */
public final class HostResult {
    /** The operand that it is. */
    public static final int OPERAND = 3;

    private HostResult() {}

    /** Bytes of the slot from which a result is read: none where kernels can write the host's memory. */
    public static long bytes(Call c) {
        return c.hostResult && !c.traits.hostAccessible() ? Chunks.times(16, c.args.count) : 0;
    }

    /** Gives the call a place for its result if that is for the host; 0 if it is not. */
    public static long place(Call c, int slot, ElementType type) {
        if (!c.hostResult) {
            return 0;
        }
        long at = c.traits.hostAccessible() ? c.staging() : c.slot(slot);
        c.args.d.vector(type, at, 1, 1, 1);
        return at;
    }

    /** What a quick return still does: results := 0. */
    public static void zero(Call c) {
        c.kernel(Kernel.FILL);
        c.k.type = c.args.d.type;
        c.k.n = 1;
        c.k.alpha.set(0, 0);
        c.k.c.set(c.args.d);
        c.launch();
    }
}
