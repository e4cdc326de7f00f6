package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.Orm2lSignature;
import dev.basalt.internal.signature.Orm2rSignature;
import dev.basalt.internal.signature.Orml2Signature;
import dev.basalt.internal.signature.OrmlqSignature;
import dev.basalt.internal.signature.OrmqlSignature;
import dev.basalt.internal.signature.OrmqrSignature;
import dev.basalt.internal.signature.Ormr2Signature;
import dev.basalt.internal.signature.OrmrqSignature;
import dev.basalt.internal.signature.Unm2lSignature;
import dev.basalt.internal.signature.Unm2rSignature;
import dev.basalt.internal.signature.Unml2Signature;
import dev.basalt.internal.signature.UnmlqSignature;
import dev.basalt.internal.signature.UnmqlSignature;
import dev.basalt.internal.signature.UnmqrSignature;
import dev.basalt.internal.signature.Unmr2Signature;
import dev.basalt.internal.signature.UnmrqSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** Q·C, Qᴴ·C, C·Q or C·Qᴴ with Q as reflectors: block by block, with T remade from them. Without workspace one launch works reflector by reflector. */
public final class Ormqr extends Routine {
    /** Q of QR, real elements. */
    public static final Ormqr ORMQR = new Ormqr(new OrmqrSignature(), Shape.QR);

    /** Q of QR, complex elements. */
    public static final Ormqr UNMQR = new Ormqr(new UnmqrSignature(), Shape.QR);

    /** Q of QR, real elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr ORM2R = new Ormqr(new Orm2rSignature(), Shape.QR);

    /** Q of QR, complex elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr UNM2R = new Ormqr(new Unm2rSignature(), Shape.QR);

    /** Q of LQ, real elements. */
    public static final Ormqr ORMLQ = new Ormqr(new OrmlqSignature(), Shape.LQ);

    /** Q of LQ, complex elements. */
    public static final Ormqr UNMLQ = new Ormqr(new UnmlqSignature(), Shape.LQ);

    /** Q of LQ, real elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr ORML2 = new Ormqr(new Orml2Signature(), Shape.LQ);

    /** Q of LQ, complex elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr UNML2 = new Ormqr(new Unml2Signature(), Shape.LQ);

    /** Q of QL, real elements. */
    public static final Ormqr ORMQL = new Ormqr(new OrmqlSignature(), Shape.QL);

    /** Q of QL, complex elements. */
    public static final Ormqr UNMQL = new Ormqr(new UnmqlSignature(), Shape.QL);

    /** Q of QL, real elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr ORM2L = new Ormqr(new Orm2lSignature(), Shape.QL);

    /** Q of QL, complex elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr UNM2L = new Ormqr(new Unm2lSignature(), Shape.QL);

    /** Q of RQ, real elements. */
    public static final Ormqr ORMRQ = new Ormqr(new OrmrqSignature(), Shape.RQ);

    /** Q of RQ, complex elements. */
    public static final Ormqr UNMRQ = new Ormqr(new UnmrqSignature(), Shape.RQ);

    /** Q of RQ, real elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr ORMR2 = new Ormqr(new Ormr2Signature(), Shape.RQ);

    /** Q of RQ, complex elements, by LAPACK's name for the way without blocks. */
    public static final Ormqr UNMR2 = new Ormqr(new Unmr2Signature(), Shape.RQ);

    private final Shape shape;

    private Ormqr(Signature signature, Shape shape) {
        super(signature);
        this.shape = shape;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        boolean left = g.side == Side.LEFT;
        need(c, need, left ? g.m : g.n, left ? g.n : g.m, g.k);
    }

    /** The need of k reflectors of m elements for so many lines. */
    static void need(Call c, Need need, long m, long lines, long k) {
        boolean alone = BlockReflector.alone(c, m, lines, k);
        if (WideReflector.takes(c, k) && !alone) {
            WideReflector.need(c, need, m, lines, k, k, 0);
        } else {
            BlockReflector.need(c, need, m, alone ? 0 : lines, alone ? 0 : k, 0);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (g.k == 0) {
            return;
        }
        long order = g.side == Side.LEFT ? g.m : g.n;
        Block v = shape.read(c.scope, g.a, shape.rows ? g.k : order, shape.rows ? order : g.k);
        Block b = c.scope.of(g.c, g.m, g.n);
        // Of what is read as its conjugate transpose Q is the conjugate transpose.
        Op op = (g.opA == Op.NONE) == shape.rows ? Op.CONJ_TRANS : Op.NONE;
        boolean large = c.tier() < 2;
        if (large) {
            Packing.use(c, BlockReflector.PACKING);
        }
        Block read = shape.backward ? b.mirror() : b;
        if (apply(c, g.side, op, v, g.d, read, large)) {
            c.alone();
        }
    }

    /** As {@link #apply}, several blocks of reflectors at a time. */
    private static void wide(Call c, Side side, Op op, Block v, Operand tau, Block b) {
        Scope s = c.scope;
        long k = v.cols;
        boolean left = side == Side.LEFT;
        boolean descending = left == (op == Op.NONE);
        long nb = WideReflector.width(c, k);
        long panels = (k + nb - 1) / nb;
        Block all = WideReflector.triangles(c, v, tau);
        for (long step = 0; step < panels; step++) {
            int mark = s.mark();
            long j = (descending ? panels - 1 - step : step) * nb;
            Block vj = WideReflector.vectors(c, v.block(j, j, v.rows - j, Math.min(nb, k - j)));
            Block t = WideReflector.triangle(c, all, vj, tau, k, j);
            WideReflector.apply(c, side, op, vj, t, left ? b.rows(j, v.rows - j) : b.cols(j, v.rows - j));
            s.release(mark);
        }
    }

    /** b := op(H₁…Hₖ)·b (LEFT) or b·op(H₁…Hₖ), the reflectors of v; b is mirrored as v is. Returns whether one launch, one by one, was all. */
    static boolean apply(Call c, Side side, Op op, Block v, Operand tau, Block b, boolean large) {
        Scope s = c.scope;
        long k = v.cols;
        boolean left = side == Side.LEFT;
        long lines = left ? b.cols : b.rows;
        boolean alone = BlockReflector.alone(c, v.rows, lines, k);
        if (large && !alone && WideReflector.takes(c, k) && WideReflector.fits(c, v.rows, lines, k)) {
            wide(c, side, op, v, tau, b);
            return false;
        }
        boolean columns = v.op == Op.NONE && left && b.op == Op.NONE && !v.mirrored();
        boolean few = BlockReflector.fewAcross(c, Kernel.ORM2R, b.rows, b.cols, k)
                || columns && BlockReflector.oneByOne(c, Kernel.ORM2R, b.rows, b.cols, k);
        if (!large || alone || few) {
            BlockReflector.oneByOne(c, side, op, v, tau, k, 0, b);
            return true;
        }
        boolean descending = left == (op == Op.NONE);
        long nb = BlockReflector.width(c, c.tier(), k);
        long blocks = (k + nb - 1) / nb;
        for (long step = 0; step < blocks; step++) {
            int mark = s.mark();
            long j = (descending ? blocks - 1 - step : step) * nb;
            Block vj = v.block(j, j, v.rows - j, Math.min(nb, k - j));
            Block x = BlockReflector.triangle(c, vj);
            Block t = BlockReflector.form(c, vj, x, tau, k, j);
            BlockReflector.apply(c, side, op, vj, x, t, left ? b.rows(j, v.rows - j) : b.cols(j, v.rows - j));
            s.release(mark);
        }
        return false;
    }
}
