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
import dev.basalt.internal.signature.HegvdjSignature;
import dev.basalt.internal.signature.HegvjSignature;
import dev.basalt.internal.signature.SygvSignature;
import dev.basalt.internal.signature.SygvdSignature;
import dev.basalt.internal.signature.SygvdjSignature;
import dev.basalt.internal.signature.SygvjSignature;
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
    /** Real elements. */
    public static final Sygv SYGV = new Sygv(new SygvSignature(), Syev.Method.DIVIDES);

    /** Complex elements. */
    public static final Sygv HEGV = new Sygv(new HegvSignature(), Syev.Method.DIVIDES);

    /** Real elements, by its other name. */
    public static final Sygv SYGVD = new Sygv(new SygvdSignature(), Syev.Method.DIVIDES);

    /** Complex elements, by its other name. */
    public static final Sygv HEGVD = new Sygv(new HegvdSignature(), Syev.Method.DIVIDES);

    /** Real elements, divide and conquer as well; rocSOLVER rotates in the routine of this name. */
    public static final Sygv SYGVDJ = new Sygv(new SygvdjSignature(), Syev.Method.DIVIDES_APART);

    /** Complex elements, divide and conquer as well; rocSOLVER rotates in the routine of this name. */
    public static final Sygv HEGVDJ = new Sygv(new HegvdjSignature(), Syev.Method.DIVIDES_APART);

    /** Real elements, Jacobi. */
    public static final Sygv SYGVJ = new Sygv(new SygvjSignature(), null);

    /** Complex elements, Jacobi. */
    public static final Sygv HEGVJ = new Sygv(new HegvjSignature(), null);

    /** Slots of Jacobi, behind packing. */
    private static final int COLUMNS = 1;

    private static final int MATRIX = 2;

    /** How the standard problem is solved; null for Jacobi alone. */
    private final Syev.Method method;

    private Sygv(Signature signature, Syev.Method method) {
        super(signature);
        this.method = method;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (method == null) {
            Syev.lay(c, need, Sygv::rotated);
            need.together();
            return;
        }
        Syev.need(c, need, method, Sygst::lay);
    }

    /** Slots of Jacobi. */
    private static void rotated(Call c, Need need, int tier) {
        long n = c.args.n;
        need.slot("packing", tier < 2 ? Sygst.packing(c, tier, n) : 0)
                .slot("columns", Sygst.block(c, tier, n))
                .slot("matrix", Syevj.bytes(c))
                .slot("shared", tier < 2 ? Syevj.shared(c) : 0);
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
        if (method == null) {
            Sygst.reduce(c, a, b, c.slot(COLUMNS));
            Syevj.solve(c, MATRIX, c.tier() < 2);
        } else {
            boolean once = Sygst.reduce(c, a, b, c.slot(Syev.own(c)));
            if (Syev.solve(c, method, g.c) && once) {
                c.alone();
            }
        }
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
