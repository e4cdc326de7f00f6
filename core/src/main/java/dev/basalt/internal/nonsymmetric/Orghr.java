package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.OrghrSignature;
import dev.basalt.internal.signature.UnghrSignature;
import dev.basalt.internal.symmetric.Orgtr;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** Q of a reduction to Hessenberg form, in the place of its reflectors; outside of the range that was reduced it is the identity. */
public final class Orghr extends Routine {
    /** Real elements. */
    public static final Orghr ORGHR = new Orghr(new OrghrSignature());

    /** Complex elements. */
    public static final Orghr UNGHR = new Orghr(new UnghrSignature());

    private Orghr(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {
        Orgtr.need(c, need, c.args.n);
        need.together();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        int own = Reflectors.begin(c);
        Block a = s.of(g.c, g.n, g.n);
        long lo = Math.min(Math.max(0, g.p - 1), g.q);
        if (Orgtr.atOnce(c, a, g.d, false, lo, g.q)) {
            if (lo == 0 && g.q == g.n) {
                c.alone();
            }
            return;
        }
        long order = g.q - lo;
        if (order > 0) {
            Operand tau = g.n > 1 ? s.part().slice(g.d, Math.min(lo, g.n - 2), Math.max(1, order - 1)) : g.d;
            Orgtr.moved(c, a.diagonal(lo, order), tau, c.slot(own), c.slotBytes(own));
        }
        if (order < g.n) {
            identity(s, a.cols(0, lo), a.diagonal(0, lo));
            identity(s, a.cols(g.q, g.n - g.q), a.diagonal(g.q, g.n - g.q));
            s.scale(Scope.ZERO, a.block(0, lo, lo, order));
            s.scale(Scope.ZERO, a.block(g.q, lo, g.n - g.q, order));
        }
    }

    private static void identity(Scope s, Block columns, Block square) {
        s.scale(Scope.ZERO, columns);
        if (square.rows > 0) {
            Launch l = s.kernel(Kernel.FILL);
            l.n = square.rows;
            square.into(l.c);
            l.c.vector = true;
            l.c.cols = 1;
            l.c.ld++;
            s.launch();
        }
    }

    /** q := Q of reflectors in the columns of a, whose factors are tau, all of them. */
    static void form(Call c, Block a, Operand tau, Block q) {
        Scope s = c.scope;
        long n = a.rows - 1;
        s.scale(Scope.ZERO, q.cols(0, 1));
        s.scale(Scope.ZERO, q.rows(0, 1));
        identity(s, q.block(0, 0, 0, 0), q.diagonal(0, 1));
        if (n > 0) {
            Block inner = q.diagonal(1, n);
            s.copy(a.block(1, 0, n, n), inner);
            Reflectors.form(c, inner, tau, n);
        }
    }
}
