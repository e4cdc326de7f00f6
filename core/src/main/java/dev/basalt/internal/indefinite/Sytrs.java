package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.HetrsRookSignature;
import dev.basalt.internal.signature.HetrsSignature;
import dev.basalt.internal.signature.HptrsSignature;
import dev.basalt.internal.signature.SptrsSignature;
import dev.basalt.internal.signature.SytrsRookSignature;
import dev.basalt.internal.signature.SytrsSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Pivoting;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Solves A·X = B from the factors of {@link Sytrf}. For many right-hand sides as LAPACK's sytrs2: all interchanges at once, and two solves with a triangle. L with its interchanges
 * is written into the workspace, since the factors belong to the caller. For few, and without workspace, pivot by pivot in one launch. Where pivots are such as no factorisation
 * leaves, B becomes NaN.
 */
public final class Sytrs extends Routine {
    /** Symmetric. */
    public static final Sytrs SYTRS = new Sytrs(new SytrsSignature(), false, true, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian. */
    public static final Sytrs HETRS = new Sytrs(new HetrsSignature(), true, true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, packed. */
    public static final Sytrs SPTRS = new Sytrs(new SptrsSignature(), false, false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian, packed. */
    public static final Sytrs HPTRS = new Sytrs(new HptrsSignature(), true, false, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, with rook pivoting. */
    public static final Sytrs SYTRS_ROOK = new Sytrs(new SytrsRookSignature(), false, true, Pivoting.ROOK);

    /** Hermitian, with rook pivoting. */
    public static final Sytrs HETRS_ROOK = new Sytrs(new HetrsRookSignature(), true, true, Pivoting.ROOK);

    /** The tier without workspace. */
    public static final String ALONE = "pivot by pivot";

    /** Up to so many right-hand sides pivot by pivot. */
    private static final long FEW = DirectDevice.FEW_SIDES;

    private final boolean hermitian;
    private final boolean blocks;
    private final Pivoting pivoting;

    private Sytrs(Signature signature, boolean hermitian, boolean blocks, Pivoting pivoting) {
        super(signature);
        this.hermitian = hermitian;
        this.blocks = blocks;
        this.pivoting = pivoting;
    }

    @Override
    protected void need(Call c, Need need) {
        if (blocks) {
            need(c, need, c.args.n, c.args.k);
        }
    }

    /** The need of a solve with a dense matrix: its slots are those of {@link Sytrf}. */
    static void need(Call c, Need need, long n, long nrhs) {
        for (int t = 0; t < 2 && nrhs > FEW; t++) {
            long block = Math.min(n, c.traits.reach().of(Kernel.TRSM, c.args.type));
            long products = Gemm.bytes(c, c.args.type, t, n, nrhs, n);
            need.tier(t == 0 ? "whole triangle" : "whole triangle, small blocks")
                    .slot("factor", Scope.squareBytes(c.args.type, n, c.args.count))
                    .slot("integers", Chunks.times(ElementType.I64.bytes(), n, c.args.count))
                    .slot("packing",
                            t == 0 ? Math.max(products, Packing.block(c, Kernel.TRSM, block, block)) : products);
        }
        need.tier(ALONE);
    }

    @Override
    protected void run(Call c) {
        solve(c, c.args.a, hermitian, blocks, pivoting);
    }

    /** Solves for operand c of the call with the factors a; the pivots are operand d. */
    static void solve(Call c, Operand a, boolean hermitian, boolean blocks, Pivoting pivoting) {
        Launch g = c.args;
        if (blocks && g.k > FEW && c.tier() < 2) {
            triangles(c, a, hermitian, pivoting);
        } else {
            columns(c, Kernel.SYTRS, a, hermitian, pivoting);
        }
    }

    private static void columns(Call c, Kernel kernel, Operand a, boolean hermitian, Pivoting pivoting) {
        Launch l = Sytrf.factors(c, kernel, hermitian, pivoting);
        l.m = c.args.n;
        l.n = c.args.k;
        l.a.set(a);
        l.c.set(c.args.c);
        c.scope.launch();
    }

    private static void triangles(Call c, Operand a, boolean hermitian, Pivoting pivoting) {
        Packing.use(c, Sytrf.PACKING);
        Scope s = c.scope;
        long n = c.args.n;
        boolean upper = c.args.uplo == Uplo.UPPER;
        int mark = s.mark();
        Block b = s.of(c.args.c, n, c.args.k);
        Block l = s.dense(c.slot(Sytrf.FACTOR), n, n).triangle(c.args.uplo, Diag.UNIT);
        convert(c, a, hermitian, pivoting, l);
        interchange(c, b, upper);
        Trsm.solve(s, Side.LEFT, l, b);
        columns(c, Kernel.D22SOLVE, a, hermitian, pivoting);
        Trsm.solve(s, Side.LEFT, l.transposed(hermitian), b);
        interchange(c, b, !upper);
        s.release(mark);
    }

    /** l := L of the factors a with all interchanges, which go to the slot of the integers. */
    static void convert(Call c, Operand a, boolean hermitian, Pivoting pivoting, Block l) {
        Launch convert = Sytrf.factors(c, Kernel.SYCONV, hermitian, pivoting);
        convert.n = l.rows;
        convert.a.set(a);
        l.into(convert.c);
        rows(c, convert.f);
        c.scope.launch();
    }

    private static void rows(Call c, Operand f) {
        f.vector(ElementType.I64, c.slot(Sytrf.INTEGERS), c.args.n, 1, c.args.n);
    }

    /** Exchanges rows of b as those integers say. */
    static void interchange(Call c, Block b, boolean backward) {
        Launch l = c.scope.kernel(Kernel.LASWP);
        l.m = b.rows;
        l.n = b.cols;
        l.q = b.rows;
        l.backward = backward;
        b.into(l.c);
        rows(c, l.d);
        c.scope.launch();
    }
}
