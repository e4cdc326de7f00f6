package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Trtri;
import dev.basalt.internal.signature.HetriRookSignature;
import dev.basalt.internal.signature.HetriSignature;
import dev.basalt.internal.signature.HptriSignature;
import dev.basalt.internal.signature.SptriSignature;
import dev.basalt.internal.signature.SytriRookSignature;
import dev.basalt.internal.signature.SytriSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Pivoting;
import dev.basalt.spi.Storage;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * A⁻¹ in place of the factors of {@link Sytrf}. With A = Pᵀ·L·D·Lᴴ·P it is Pᵀ·(L⁻ᴴ·(D⁻¹·L⁻¹))·P: the inverse of a triangle, and products of blocks that leave
 * out what is zero, as in Bientinesi, Gunter and van de Geijn, "Families of algorithms related to the inversion of a symmetric positive definite matrix", 2008.
 * Small and packed matrices, and those without workspace, are inverted pivot by pivot from the last one. Where D is exactly singular (info > 0), the factors stay.
 */
public final class Sytri extends Routine {
    /** Symmetric. */
    public static final Sytri SYTRI = new Sytri(new SytriSignature(), false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian. */
    public static final Sytri HETRI = new Sytri(new HetriSignature(), true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, packed. */
    public static final Sytri SPTRI = new Sytri(new SptriSignature(), false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian, packed. */
    public static final Sytri HPTRI = new Sytri(new HptriSignature(), true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, with rook pivoting. */
    public static final Sytri SYTRI_ROOK = new Sytri(new SytriRookSignature(), false, Pivoting.ROOK);

    /** Hermitian, with rook pivoting. */
    public static final Sytri HETRI_ROOK = new Sytri(new HetriRookSignature(), true, Pivoting.ROOK);

    /** Up to this order one launch is as fast: while the triangle is in a cache, or where one launch takes the time of one block of threads. */
    private static final long SMALL = 1400;

    private static final long FEW = 64;

    /** Rows of a product. */
    private static final long ROWS = 128;

    /** The slot of the second triangle; others are those of {@link Sytrf}. */
    private static final int SECOND = 3;

    private final boolean hermitian;
    private final Pivoting pivoting;

    private Sytri(Signature signature, boolean hermitian, Pivoting pivoting) {
        super(signature);
        this.hermitian = hermitian;
        this.pivoting = pivoting;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    private boolean blocks(Call c) {
        return c.args.n > (c.traits.reach().waves() ? FEW : SMALL) && c.args.c.storage == Storage.DENSE;
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        for (int t = 0; t < 2 && blocks(c); t++) {
            long square = Scope.squareBytes(g.type, g.n, g.count);
            long block = Math.min(g.n, c.traits.reach().of(Kernel.TRSM, g.type));
            long products = Gemm.bytes(c, g.type, t, g.n, g.n, g.n);
            need.tier(t == 0 ? "products" : "products of small blocks")
                    .slot("factor", square)
                    .slot("integers", Chunks.times(ElementType.I64.bytes(), g.n, g.count))
                    .slot("packing",
                            t > 0
                                    ? products
                                    : Math.max(products,
                                            Math.max(Packing.block(c, Kernel.TRSM, block, block),
                                                    Packing.block(c, Kernel.GEMMT, ROWS, g.n))))
                    .slot("second factor", square);
        }
        need.tier("one column").slot("column", Chunks.times(g.n, g.type.bytes(), g.count));
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        boolean blocks = blocks(c) && c.tier() < 2;
        Launch l = Sytrf.factors(c, Kernel.SYTRI, hermitian, pivoting);
        l.n = c.args.n;
        if (blocks) {
            l.q = 1;
        } else {
            l.b.vector(c.args.type, c.slot(0), c.args.n, 1, c.args.n);
        }
        l.c.set(c.args.c);
        l.e.set(c.args.e);
        c.scope.launch();
        if (blocks) {
            products(c);
        } else {
            c.alone();
        }
    }

    /** The inverse of what has no zero among its pivots. */
    private void products(Call c) {
        Packing.use(c, Sytrf.PACKING);
        Scope s = c.scope;
        s.guard = c.args.e;
        long n = c.args.n;
        boolean upper = c.args.uplo == Uplo.UPPER;
        Block a = s.of(c.args.c, n, n).triangle(c.args.uplo, Diag.NON_UNIT);
        Block w = s.dense(c.slot(Sytrf.FACTOR), n, n).triangle(c.args.uplo, Diag.UNIT);
        Block z = s.dense(c.slot(SECOND), n, n).triangle(c.args.uplo, Diag.NON_UNIT);
        Sytrs.convert(c, c.args.c, hermitian, pivoting, w);
        Trtri.invert(c, w, SECOND);
        s.expand(Structure.TRIANGULAR, w, z);
        s.copy(z, w);
        Launch d = Sytrf.factors(c, Kernel.D22SOLVE, hermitian, pivoting);
        d.m = n;
        d.n = n;
        d.a.set(c.args.c);
        z.into(d.c);
        s.launch();
        for (long i = 0; i < n; i += ROWS) {
            int mark = s.mark();
            long rows = Math.min(ROWS, n - i);
            // What of both is not zero, whose product a block of rows of the triangle is.
            long from = upper ? 0 : i;
            long count = upper ? i + rows : n - i;
            Block left = w.block(from, i, count, rows).transposed(hermitian);
            Block right = z.rows(from, count);
            s.gemmt(hermitian, Scope.ONE, left, right.cols(i, rows), Scope.ZERO, a.diagonal(i, rows));
            long beside = upper ? i + rows : 0;
            long cols = upper ? n - beside : i;
            s.gemm(1, left, right.cols(beside, cols), 0, a.block(i, beside, rows, cols));
            s.release(mark);
        }
        s.expand(hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC, a, w);
        Sytrs.interchange(c, w, !upper);
        turn(s, w, z);
        Sytrs.interchange(c, z, !upper);
        Launch l = s.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = c.args.uplo;
        l.n = n;
        z.into(l.a);
        a.into(l.c);
        s.launch();
    }

    private void turn(Scope s, Block w, Block z) {
        Launch l = s.kernel(Kernel.GEAM);
        l.opA = hermitian ? Op.CONJ_TRANS : Op.TRANS;
        l.m = z.rows;
        l.n = z.cols;
        w.into(l.a);
        z.into(l.b);
        z.into(l.c);
        s.launch();
    }
}
