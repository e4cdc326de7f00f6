package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.cholesky.Potrf;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.HegvSignature;
import dev.basalt.internal.signature.HegvdSignature;
import dev.basalt.internal.signature.SygvSignature;
import dev.basalt.internal.signature.SygvdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.type.Eform;
import dev.basalt.type.Evect;
import dev.basalt.type.Side;

/**
 * Eigenvalues and eigenvectors of a generalised symmetric eigenproblem: Cholesky of B, the standard problem, its eigenvectors, and
 * those of the problem that was given. Problems whose B is not positive definite are left after Cholesky.
 */
public final class Sygv extends Routine {
    /** Real elements, QR iteration. */
    public static final Sygv SYGV = new Sygv(new SygvSignature(), false);

    /** Complex elements, QR iteration. */
    public static final Sygv HEGV = new Sygv(new HegvSignature(), false);

    /** Real elements, divide and conquer. */
    public static final Sygv SYGVD = new Sygv(new SygvdSignature(), true);

    /** Complex elements, divide and conquer. */
    public static final Sygv HEGVD = new Sygv(new HegvdSignature(), true);

    private final boolean divides;

    private Sygv(Signature signature, boolean divides) {
        super(signature);
        this.divides = divides;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        Syev.need(c, need, divides);
        // Panels of the reduction to tridiagonal form and blocks of that to a standard problem take turns.
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t)).slot("columns", Sygst.block(c, t, n));
            if (t < 2) {
                need.slot("packing", Sygst.packing(c, t, n));
            }
        }
        need.together();
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Reflectors.begin(c);
        Block a = s.of(g.c, g.n, g.n);
        Block b = s.of(g.d, g.n, g.n);
        Potrf.factorInPlace(c, b, g.e, g.n);
        Sygst.reduce(c, a, b, c.slot(Syev.own(c, divides)));
        Syev.solve(c, divides);
        if (g.evect == Evect.NONE) {
            return;
        }
        Block l = Sygst.lower(c, b);
        if (g.itype == Eform.BAX) {
            Sygst.multiply(s, Side.LEFT, l, a);
        } else {
            Trsm.solve(s, Side.LEFT, l.h(), a);
        }
    }
}
