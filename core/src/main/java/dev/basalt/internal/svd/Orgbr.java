package dev.basalt.internal.svd;

import dev.basalt.Status;
import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.OrgbrSignature;
import dev.basalt.internal.signature.UngbrSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Storev;

/** Q (COLUMNS) or Pᴴ (ROWS) of a bidiagonal reduction, in the place of its reflectors. Those of the side that begins with the second row or column move on by one. */
public final class Orgbr extends Routine {
    /** Real elements. */
    public static final Orgbr ORGBR = new Orgbr(new OrgbrSignature());

    /** Complex elements. */
    public static final Orgbr UNGBR = new Orgbr(new UngbrSignature());

    /** Columns that move together in a tier. */
    private static final long[] STRIPS = {64, 16, 1};

    private Orgbr(Signature signature) {
        super(signature);
    }

    private static boolean columns(Call c) {
        return c.args.storev == Storev.COLUMNS;
    }

    /** Elements of a reflector. */
    private static long order(Call c) {
        return columns(c) ? c.args.m : c.args.n;
    }

    private static long vectors(Call c) {
        return columns(c) ? c.args.n : c.args.m;
    }

    /** Whether the first reflector belongs to the second row or column. */
    private static boolean moved(Call c) {
        return columns(c) ? c.args.m < c.args.k : c.args.n <= c.args.k;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        long order = order(c);
        long vectors = vectors(c);
        boolean fits = vectors <= order && vectors >= Math.min(order, g.k);
        if (!fits) {
            throw c.failure(Status.INVALID_SIZE, columns(c) ? "n" : "m", columns(c) ? 3 : 2,
                    columns(c) ? "m >= n >= min(m, k)" : "n >= m >= min(n, k)");
        }
        need.part();
        Reflectors.needForm(c, need, order, vectors, Math.min(order, g.k));
        need.part();
        // Reflectors move on in a square; a side that is one longer may end that, and the need does not fall there.
        for (int t = 0; t < STRIPS.length; t++) {
            need.tier(Reflectors.TIERS.get(t)).slot("strip", strip(c, vectors, Math.min(vectors, STRIPS[t])));
        }
        need.together();
    }

    /** Bytes to move a strip of columns. */
    static long strip(Call c, long order, long columns) {
        return Chunks.times(Chunks.times(order, columns), c.args.type.bytes(), c.args.count);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        int own = Reflectors.begin(c);
        Block a = c.scope.of(g.c, g.m, g.n);
        a = columns(c) ? a : a.h();
        if (moved(c)) {
            move(c, a, c.slot(own), c.slotBytes(own));
            square(c, a, g.d);
        } else {
            Reflectors.form(c, a, g.d, g.k);
        }
    }

    /** The columns of a square below its first row move one on; strip by strip of rows, by a copy in workspace. */
    static void move(Call c, Block a, long work, long bytes) {
        Scope s = c.scope;
        long n = a.cols - 1;
        if (n == 0) {
            return;
        }
        long rows = Math.min(a.rows - 1, bytes / c.args.type.bytes() / c.args.count / a.cols);
        for (long i = 1; i < a.rows; i += rows) {
            int mark = s.mark();
            long lines = Math.min(rows, a.rows - i);
            Block from = a.block(i, 0, lines, n).stored();
            Block to = a.block(i, 1, lines, n).stored();
            Block copy = s.dense(work, from.rows, from.cols);
            s.copy(from, copy);
            s.copy(copy, to);
            s.release(mark);
        }
    }

    /** A square orthogonal matrix whose first row and column are those of the identity, from reflectors in its columns from the second on. */
    static void square(Call c, Block a, Operand tau) {
        Scope s = c.scope;
        int mark = s.mark();
        s.scale(Scope.ZERO, a.block(0, 0, a.rows, 1).stored());
        s.scale(Scope.ZERO, a.block(0, 0, 1, a.cols).stored());
        Launch l = s.kernel(Kernel.FILL);
        l.n = 1;
        a.block(0, 0, 1, 1).into(l.c);
        l.c.vector = true;
        s.launch();
        long n = a.cols - 1;
        if (n > 0) {
            Reflectors.form(c, a.block(1, 1, n, n), tau, n);
        }
        s.release(mark);
    }
}
