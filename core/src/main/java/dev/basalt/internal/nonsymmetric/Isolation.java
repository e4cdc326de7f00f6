package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Side;

/** Rows and columns of a pair of matrices change places, so that eigenvalues that no others depend on stand at the ends of the diagonals, as LAPACK's drivers do. What was found stays on the device: later steps work on the whole pair. */
final class Isolation {
    /** Bytes of a bound of what is not triangular. */
    private static final long BOUND = 8;

    private Isolation() {}

    /** Bytes for both bounds, and for the places of rows and of columns. */
    static long bytes(Call c) {
        long numbers = Chunks.times(2, Chunks.times(c.args.n, c.args.type.real().bytes()));
        return Chunks.times(Math.addExact(numbers, 2 * BOUND), c.args.count);
    }

    private static Operand bound(Call c, long work, int which) {
        return c.scope.part().vector(ElementType.I64, work + which * BOUND * c.args.count, 1, 1, 1);
    }

    private static Operand places(Call c, long work, Side side) {
        Launch g = c.args;
        long first = work + 2 * BOUND * g.count;
        long at = side == Side.LEFT ? first : first + Chunks.times(g.n, g.type.real().bytes(), g.count);
        return c.scope.part().vector(g.type.real(), at, g.n, 1, g.n);
    }

    /** Changes the pair. */
    static void permute(Call c, Block a, Block b, long work) {
        Launch l = c.scope.kernel(Kernel.GGBAL);
        l.balance = Balance.PERMUTE;
        l.n = c.args.n;
        l.a.set(bound(c, work, 0));
        l.b.set(bound(c, work, 1));
        a.into(l.c);
        b.into(l.d);
        l.f.set(places(c, work, Side.LEFT));
        l.g.set(places(c, work, Side.RIGHT));
        c.scope.launch();
    }

    /** Vectors of the changed pair, operands f and g of the call, become those of the given one. */
    static void undo(Call c, long work) {
        Launch g = c.args;
        if (g.leftEvect != Evect.NONE) {
            undo(c, Side.LEFT, g.f, work);
        }
        if (g.rightEvect != Evect.NONE) {
            undo(c, Side.RIGHT, g.g, work);
        }
    }

    private static void undo(Call c, Side side, Operand vectors, long work) {
        int mark = c.scope.mark();
        Block v = c.scope.of(vectors, c.args.n, c.args.n);
        Gebak.undo(c.scope, Balance.PERMUTE, Side.RIGHT, v, bound(c, work, 0), bound(c, work, 1),
                places(c, work, side));
        c.scope.release(mark);
    }
}
