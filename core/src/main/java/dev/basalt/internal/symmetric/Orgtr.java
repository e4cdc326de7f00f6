package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.OrgtrSignature;
import dev.basalt.internal.signature.UngtrSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Uplo;

/** Q of a reduction to tridiagonal form, in the place of its reflectors: these move one column on first. */
public final class Orgtr extends Routine {
    /** Real elements. */
    public static final Orgtr ORGTR = new Orgtr(new OrgtrSignature());

    /** Complex elements. */
    public static final Orgtr UNGTR = new Orgtr(new UngtrSignature());

    /** Rows that move together in a tier. */
    private static final long[] STRIPS = {Long.MAX_VALUE, 16, 1};

    private Orgtr(Signature signature) {
        super(signature);
    }

    /** The tiers, to which the caller may lay others. */
    public static void need(Call c, Need need, long n) {
        need.part();
        Reflectors.needForm(c, need, Math.max(0, n - 1), Math.max(0, n - 1), Math.max(0, n - 1));
        need.part();
        for (int t = 0; t < STRIPS.length; t++) {
            long rows = Math.min(n, STRIPS[t]);
            need.tier(Reflectors.TIERS.get(t))
                    .slot("strip", n < 2 ? 0 : Chunks.times(Chunks.times(n, rows), c.args.type.bytes(), c.args.count));
        }
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        int own = Reflectors.begin(c);
        if (form(c, c.scope.of(g.c, g.n, g.n), g.d, c.slot(own), c.slotBytes(own))) {
            c.alone();
        }
    }

    /** a := Q; returns whether one launch was all. */
    static boolean form(Call c, Block a, Operand tau, long strip, long bytes) {
        boolean upper = c.args.uplo == Uplo.UPPER;
        if (atOnce(c, a, tau, upper, 0, a.rows)) {
            return true;
        }
        int mark = c.scope.mark();
        moved(c, upper ? a.mirror() : a, tau, strip, bytes);
        c.scope.release(mark);
        return false;
    }

    /** a := Q of reflectors in its rows and columns from {@code low} to before {@code high}, in one launch; returns false, and does nothing, if they are too many for that. */
    public static boolean atOnce(Call c, Block a, Operand tau, boolean backward, long low, long high) {
        if (!Reflectors.formsFew(c, a.rows - 1)) {
            return false;
        }
        Launch l = c.scope.kernel(Kernel.ORGTR);
        l.m = a.rows;
        l.n = a.rows;
        l.p = low;
        l.q = high;
        l.backward = backward;
        a.into(l.c);
        l.d.set(tau);
        c.scope.launch();
        return true;
    }

    /** q := the matrix of reflectors that begin in its second row, the first of them in its first column. */
    public static void moved(Call c, Block q, Operand tau, long strip, long bytes) {
        Scope s = c.scope;
        int mark = s.mark();
        long n = q.rows - 1;
        move(c, q, n, strip, bytes);
        s.scale(Scope.ZERO, q.cols(0, 1));
        s.scale(Scope.ZERO, q.rows(0, 1));
        Launch l = s.kernel(Kernel.FILL);
        l.n = 1;
        q.block(0, 0, 1, 1).into(l.c);
        l.c.vector = true;
        s.launch();
        if (n > 0) {
            Reflectors.form(c, q.block(1, 1, n, n), tau, n);
        }
        s.release(mark);
    }

    /** The columns below the first row move one on: strips of rows, by a copy in workspace. */
    private static void move(Call c, Block q, long n, long strip, long bytes) {
        Scope s = c.scope;
        if (n <= 0) {
            return;
        }
        long rows = Math.max(1, Math.min(n, bytes / c.args.type.bytes() / c.args.count / q.cols));
        for (long i = 1; i <= n; i += rows) {
            int mark = s.mark();
            long lines = Math.min(rows, n + 1 - i);
            Block copy = s.dense(strip, lines, n);
            s.copy(q.block(i, 0, lines, n), copy);
            s.copy(copy, q.block(i, 1, lines, n));
            s.release(mark);
        }
    }
}
