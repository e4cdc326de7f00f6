package dev.basalt.internal.vector;

import dev.basalt.Status;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Signature;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.util.List;

/** The rules of copies between the host and a device, which are no routines of BLAS: any type, one problem. */
final class TransferSignature extends Signature {
    private final boolean vector;

    TransferSignature(String family, boolean vector) {
        super("1", family, "host - device - - - -", 0b100, vector ? 2 : 3, 0, vector ? 4 : 5, 0, 0, 0, 0);
        this.vector = vector;
    }

    @Override
    public String name(ElementType type) {
        return type.letter() + family();
    }

    @Override
    public List<ElementType> types() {
        return List.of(ElementType.values());
    }

    @Override
    public List<Argument> arguments() {
        return List.of();
    }

    @Override
    public void sizes(Call c) {
        Launch g = c.args;
        if (c.args.count != 1) {
            throw c.failure(Status.INVALID_SIZE, "batch_count", 0,
                    "one problem at a time; use problem(i) of the batch");
        }
        if (vector) {
            c.size(g.n >= 0, "n", 1, "n >= 0", g.n);
            c.size(g.a.ld > 0, "inc", 3, "inc on the host > 0", g.a.ld);
            c.size(g.c.ld > 0, "inc", 5, "inc on the device > 0", g.c.ld);
        } else {
            c.size(g.m >= 0, "m", 1, "m >= 0", g.m);
            c.size(g.n >= 0, "n", 2, "n >= 0", g.n);
            c.size(g.a.ld >= Math.max(1, g.m), "ld", 4, "ld on the host >= max(1, m)", g.a.ld);
            c.size(g.c.ld >= Math.max(1, g.m), "ld", 6, "ld on the device >= max(1, m)", g.c.ld);
        }
    }

    @Override
    public boolean quick(Call c) {
        return c.args.n == 0 || (!vector && c.args.m == 0);
    }

    @Override
    public boolean uses(Call c, int operand) {
        return operand == 2;
    }

    @Override
    public String dimensions(Call c) {
        return vector ? "n=" + c.args.n : "m=" + c.args.m + " n=" + c.args.n;
    }
}
