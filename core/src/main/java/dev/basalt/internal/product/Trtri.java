package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.block.Blocks;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.TrtriSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The inverse of a triangular matrix, out of place or in place; that is found out problem by problem, since two tables may hold the
 * same addresses. Halved recursively: the off-diagonal block of the inverse
 * is −A₂₂⁻¹·A₂₁·A₁₁⁻¹, found by two triangular solves before the diagonal blocks are inverted (LAPACK's trtri in recursive
 * form).
 */
public final class Trtri extends Routine {
    /** The family. */
    public static final Trtri ROUTINE = new Trtri();

    private Trtri() {
        super(new TrtriSignature());
    }

    @Override
    protected void need(Call c, Need need) {
        Packing.need(c, need, c.args.n, c.args.n, c.args.n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        if (!g.c.coincides(g.a, g.count)) {
            copy(c);
        } else if (g.n > 1 && g.a.ld != g.c.ld) {
            throw c.failure(Status.INVALID_VALUE, "ldinvA", 7, "the inverse is A, so ldinvA = lda is required");
        }
        invert(c, g.n, 0);
    }

    /** The inverse's unit diagonal is written, so that it can be read either way; where it is A's own, it is not even read. */
    private static void copy(Call c) {
        Launch g = c.args;
        Launch l = c.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = g.uplo;
        l.diag = g.diag;
        l.n = g.n;
        l.a.set(g.a);
        l.c.set(g.c);
        c.launch();
    }

    private static void invert(Call c, long n, long at) {
        Launch g = c.args;
        if (n <= c.traits.reach().of(Kernel.TRTRI, g.type)) {
            Launch l = c.kernel(Kernel.TRTRI);
            l.uplo = g.uplo;
            l.diag = g.diag;
            l.n = n;
            l.c.block(g.c, at, at, n, n);
            c.launch();
            return;
        }
        long first = Trsm.half(n, c.traits.reach().of(Kernel.TRTRI, g.type));
        long second = n - first;
        boolean lower = g.uplo == Uplo.LOWER;
        long m = lower ? second : first;
        long cols = lower ? first : second;
        long bi = lower ? at + first : at;
        long bj = lower ? at : at + first;
        Blocks.scale(c, Blocks.MINUS_ONE, m, cols, g.c, bi, bj);
        Trsm.solve(c, Side.LEFT, g.uplo, Op.NONE, g.diag, m, cols, g.c, bi, g.c, bi, bj);
        Trsm.solve(c, Side.RIGHT, g.uplo, Op.NONE, g.diag, cols, m, g.c, bj, g.c, bi, bj);
        invert(c, first, at);
        invert(c, second, at + first);
    }
}
