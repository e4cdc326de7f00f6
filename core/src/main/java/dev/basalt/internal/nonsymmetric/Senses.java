package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Sense;

/** Condition numbers of eigenvalues and of their vectors, for the expert drivers. */
final class Senses {
    private static final long QUARTER = 4;

    private Senses() {}

    /** Whether those of eigenvalues are wanted. */
    static boolean values(Call c) {
        return c.args.sense == Sense.VALUES || c.args.sense == Sense.BOTH;
    }

    /** Whether those of vectors are wanted. */
    static boolean vectors(Call c) {
        return c.args.sense == Sense.VECTORS || c.args.sense == Sense.BOTH;
    }

    /** Bytes for all eigenvalues, one by one. */
    static long bytes(Call c) {
        long n = c.args.n;
        return c.args.sense == Sense.NONE
                ? 0
                : Chunks.times(Chunks.times(n, Math.addExact(n, 1)), 2 * c.args.type.real().bytes(), c.args.count);
    }

    /** Bytes for some eigenvalues together. */
    static long spaceBytes(Call c) {
        long n = c.args.n;
        return c.args.sense == Sense.NONE
                ? 0
                : Chunks.times(Chunks.times(n, n) / QUARTER, c.args.type.bytes(), c.args.count);
    }

    /** Numbers that are wanted := 0. */
    static void clear(Call c, int values, int vectors) {
        if (values(c)) {
            clear(c, c.args.operand(values));
        }
        if (vectors(c)) {
            clear(c, c.args.operand(vectors));
        }
    }

    private static void clear(Call c, Operand number) {
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = c.args.type.real();
        l.n = 1;
        l.alpha.set(0, 0);
        l.c.set(number);
        c.scope.launch();
    }

    /** Numbers of all eigenvalues of a Schur form. */
    static void each(Call c, Block t, int values, int vectors, long work) {
        long n = t.rows;
        long elements = n * (n + 1) * (c.args.type.isComplex() ? 1 : 2);
        launch(c, c.scope.kernel(Kernel.TRSNA), t, values, vectors, work, elements);
    }

    /** Numbers of the first eigenvalues of a Schur form; chosen says how many. */
    static void space(Call c, Block t, Operand chosen, int values, int vectors, long work) {
        Launch l = c.scope.packing(Kernel.TRSEN_SENSE);
        l.f.set(chosen);
        launch(c, l, t, values, vectors, work, t.rows * t.rows / QUARTER);
    }

    private static void launch(Call c, Launch l, Block t, int values, int vectors, long work, long elements) {
        l.n = t.rows;
        t.into(l.c);
        if (values(c)) {
            l.a.set(c.args.operand(values));
        }
        if (vectors(c)) {
            l.b.set(c.args.operand(vectors));
        }
        l.g.vector(c.args.type, work, elements, 1, elements);
        c.scope.launch();
    }
}
