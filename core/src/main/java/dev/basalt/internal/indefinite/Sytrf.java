package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.Hetf2RookSignature;
import dev.basalt.internal.signature.Hetf2Signature;
import dev.basalt.internal.signature.HetrfRookSignature;
import dev.basalt.internal.signature.HetrfSignature;
import dev.basalt.internal.signature.HptrfSignature;
import dev.basalt.internal.signature.SptrfSignature;
import dev.basalt.internal.signature.Sytf2RookSignature;
import dev.basalt.internal.signature.Sytf2Signature;
import dev.basalt.internal.signature.SytrfRookSignature;
import dev.basalt.internal.signature.SytrfSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Pivoting;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/**
 * A = L·D·Lᵀ or U·D·Uᵀ (ᴴ for Hermitian matrices) with LAPACK's pivots, by the diagonal pivoting of Bunch and Kaufman (1977), or by rook pivoting. Panels from the left, then half
 * the product for what is right of them. Panels begin at fixed columns, whatever the pivots: a 2×2 block that reaches into the next panel leaves a note in device memory, and
 * both panels tell the product by zeros. So nothing waits for a device.
 *
 * <p>
 * Workspace: the panel's columns of L and of L·D.
 */
public final class Sytrf extends Routine {
    /** Symmetric. */
    public static final Sytrf SYTRF = new Sytrf(new SytrfSignature(), false, true, Pivoting.BUNCH_KAUFMAN);

    /** The same without blocks. */
    public static final Sytrf SYTF2 = new Sytrf(new Sytf2Signature(), false, false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian. */
    public static final Sytrf HETRF = new Sytrf(new HetrfSignature(), true, true, Pivoting.BUNCH_KAUFMAN);

    /** The same without blocks. */
    public static final Sytrf HETF2 = new Sytrf(new Hetf2Signature(), true, false, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, packed. */
    public static final Sytrf SPTRF = new Sytrf(new SptrfSignature(), false, false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian, packed. */
    public static final Sytrf HPTRF = new Sytrf(new HptrfSignature(), true, false, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, with rook pivoting. */
    public static final Sytrf SYTRF_ROOK = new Sytrf(new SytrfRookSignature(), false, true, Pivoting.ROOK);

    /** Hermitian, with rook pivoting. */
    public static final Sytrf HETRF_ROOK = new Sytrf(new HetrfRookSignature(), true, true, Pivoting.ROOK);

    /** The same without blocks, symmetric. */
    public static final Sytrf SYTF2_ROOK = new Sytrf(new Sytf2RookSignature(), false, false, Pivoting.ROOK);

    /** The same without blocks, Hermitian. */
    public static final Sytrf HETF2_ROOK = new Sytrf(new Hetf2RookSignature(), true, false, Pivoting.ROOK);

    /** The tier without workspace. */
    public static final String ALONE = "no blocks";

    /** The slot of what is made of L, also in routines that contain a factorisation. */
    static final int FACTOR = 0;

    /** The slot of 64-bit integers. */
    static final int INTEGERS = 1;

    /** The slot of the products. */
    static final int PACKING = 2;

    /** Up to this order one launch without blocks is as fast. */
    static final long SMALL = DirectDevice.INDEFINITE;

    /** Columns of a panel with little workspace, or of a small matrix. */
    private static final long NARROW = 16;

    /** Columns of a panel while more than {@link #LARGE} rows are left: the product gains by more of them, the panel loses. */
    private static final long WIDE = 64;

    private static final long LARGE = 1400;

    /** Columns of a panel while more than {@link #HALF} rows are left. */
    private static final long MEDIUM = 32;

    private static final long HALF = 512;

    /** Columns of a panel while more than {@link #FEW} rows are left. */
    private static final long SLIM = 24;

    private static final long FEW = 192;

    /** Columns of a panel lie further apart than they are long, by more than a cache line: else all of a row would be in one set of a cache. */
    private static final long GAP = 8;

    private final boolean hermitian;
    private final boolean blocks;
    private final Pivoting pivoting;

    private Sytrf(Signature signature, boolean hermitian, boolean blocks, Pivoting pivoting) {
        super(signature);
        this.hermitian = hermitian;
        this.blocks = blocks;
        this.pivoting = pivoting;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (blocks) {
            need(c, need, c.args.n);
        }
    }

    /** The need of a factorisation in blocks. */
    static void need(Call c, Need need, long n) {
        for (int t = 0; t < 2 && n > SMALL; t++) {
            long nb = width(t, n);
            need.tier(t == 0 ? "panels" : "narrow panels")
                    .slot("factor", Chunks.times(2, panelBytes(c, n, nb)))
                    .slot("integers", Chunks.times(ElementType.I64.bytes(), c.args.count))
                    .slot("packing", packing(c, t, n, nb + 1));
        }
        need.tier(ALONE);
    }

    /** Columns of the next panel of what is left. */
    static long width(int tier, long left) {
        if (tier > 0 || left <= FEW) {
            return NARROW;
        }
        return left > LARGE ? WIDE : left > HALF ? MEDIUM : SLIM;
    }

    /** The leading dimension of a panel. */
    static long apart(long n) {
        return (n + GAP - 1) / GAP * GAP + GAP;
    }

    static long panelBytes(Call c, long n, long nb) {
        return Chunks.times(Chunks.times(apart(n), nb + 1), c.args.type.bytes(), c.args.count);
    }

    /** Bytes for the products of panels of n rows and k columns. */
    static long packing(Call c, int tier, long n, long k) {
        long block = Math.min(n, c.traits.reach().of(Kernel.GEMMT, c.args.type));
        long products = Gemm.bytes(c, c.args.type, tier, n, block, k);
        return tier == 0 ? Math.max(products, Packing.block(c, Kernel.GEMMT, block, k)) : products;
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        factor(c, c.args.c, hermitian, blocks, pivoting);
    }

    /** Factors a matrix in place; pivots and info are operands d and e of the call. */
    static void factor(Call c, Operand a, boolean hermitian, boolean blocks, Pivoting pivoting) {
        if (blocks && c.args.n > SMALL && c.tier() < 2) {
            panels(c, a, hermitian, pivoting);
            return;
        }
        Launch l = factors(c, Kernel.SYTF2, hermitian, pivoting);
        l.n = c.args.n;
        l.c.set(a);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    /** A launch of a kernel that uses the pivots. */
    static Launch factors(Call c, Kernel kernel, boolean hermitian, Pivoting pivoting) {
        Launch l = c.scope.kernel(kernel);
        l.uplo = c.args.uplo;
        l.hermitian = hermitian;
        l.pivoting = pivoting;
        l.d.set(c.args.d);
        return l;
    }

    private static void panels(Call c, Operand operand, boolean hermitian, Pivoting pivoting) {
        Packing.use(c, PACKING);
        Scope s = c.scope;
        long n = c.args.n;
        long nb = width(c.tier(), n);
        Block l = s.dense(c.slot(FACTOR), apart(n), nb + 1);
        Block w = s.dense(c.slot(FACTOR) + panelBytes(c, n, nb), apart(n), nb + 1);
        Operand done = s.part().vector(ElementType.I64, c.slot(INTEGERS), 1, 1, 1);
        for (long j = 0, next; j < n; j = next) {
            int mark = s.mark();
            next = Math.min(n, j + width(c.tier(), n - j));
            Block left = l.block(0, 0, apart(n), next - j + 1);
            Block right = w.block(0, 0, apart(n), next - j + 1);
            panel(c, operand, hermitian, pivoting, j, next, left, right, done);
            s.release(mark);
        }
    }

    /** A matrix from its first row and column on for a lower triangle, from its last ones for an upper one. */
    private static Block read(Call c, Block b) {
        return c.args.uplo == Uplo.UPPER ? b.mirror() : b;
    }

    /**
     * Columns {@code from} to {@code to} - 1, and the product for what is behind them.
     *
     * @param l to - from + 1 columns in the workspace, for those of L
     * @param w the same for those of L·D
     * @param done the number of columns that are done, of each problem
     */
    static void panel(Call c, Operand operand, boolean hermitian, Pivoting pivoting, long from, long to, Block l,
            Block w, Operand done) {
        Scope s = c.scope;
        long n = c.args.n;
        Block left = read(c, l.block(0, 0, n, l.cols));
        Block right = read(c, w.block(0, 0, n, w.cols));
        Launch launch = factors(c, Kernel.LASYF, hermitian, pivoting);
        launch.n = n;
        launch.p = from;
        launch.q = to;
        left.into(launch.a);
        right.into(launch.b);
        launch.c.set(operand);
        launch.e.set(c.args.e);
        launch.f.set(done);
        s.launch();
        if (to < n) {
            Block a = read(c, s.of(operand, n, n).triangle(c.args.uplo, Diag.NON_UNIT));
            s.gemmt(hermitian, Scope.MINUS_ONE, left.rows(to, n - to), right.rows(to, n - to).transposed(false),
                    Scope.ONE, a.diagonal(to, n - to));
        }
    }
}
