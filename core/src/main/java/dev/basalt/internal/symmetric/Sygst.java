package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.Hegs2Signature;
import dev.basalt.internal.signature.HegstSignature;
import dev.basalt.internal.signature.Sygs2Signature;
import dev.basalt.internal.signature.SygstSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Eform;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/**
 * A generalised symmetric eigenproblem becomes a standard one with the Cholesky factor of B: L⁻¹·A·L⁻ᴴ or Lᴴ·A·L, by block columns
 * (Martin and Wilkinson, "Reduction of the symmetric eigenproblem Ax = λBx and related problems to standard form", 1968). A diagonal
 * block is written out, and halves of its products are taken before and after an update of rank 2k, which so keeps to the triangle.
 */
public final class Sygst extends Routine {
    /** Real elements. */
    public static final Sygst SYGST = new Sygst(new SygstSignature(), true);

    /** Complex elements. */
    public static final Sygst HEGST = new Sygst(new HegstSignature(), true);

    /** Real elements, small blocks alone. */
    public static final Sygst SYGS2 = new Sygst(new Sygs2Signature(), false);

    /** Complex elements, small blocks alone. */
    public static final Sygst HEGS2 = new Sygst(new Hegs2Signature(), false);

    /** Columns of a block by tier. */
    private static final long[] WIDTHS = {64, 32, 16};

    /** Those of the routines with small blocks. */
    private static final long SMALL = 8;

    private static final int BLOCK = 1;

    private final boolean packs;

    private Sygst(Signature signature, boolean packs) {
        super(signature);
        this.packs = packs;
    }

    @Override
    protected void need(Call c, Need need) {
        long n = c.args.n;
        if (!packs) {
            need.tier("small blocks").slot("packing", 0).slot("block", square(c, Math.min(n, SMALL)));
            return;
        }
        for (int t = 0; t < WIDTHS.length; t++) {
            need.tier(Packing.TIERS.get(t)).slot("packing", packing(c, t, n)).slot("block", block(c, t, n));
        }
    }

    /** The slots of a routine that reduces and then solves: blocks of the reduction and panels of the solution take turns. */
    static void lay(Call c, Need need, int tier) {
        long n = c.args.n;
        need.slot("columns", block(c, tier, n));
        if (tier < 2) {
            need.slot("packing", packing(c, tier, n));
        }
    }

    /** Bytes for packing in the solves and updates of a reduction. */
    static long packing(Call c, int tier, long n) {
        long bytes = Gemm.bytes(c, c.args.type, tier, n, n, n);
        if (tier > 0) {
            return bytes;
        }
        long order = Math.min(n, c.traits.reach().of(Kernel.TRSM, c.args.type));
        return Math.max(bytes, Packing.block(c, Kernel.TRSM, order, order));
    }

    /** Bytes for a diagonal block. */
    static long block(Call c, int tier, long n) {
        return square(c, Math.min(n, WIDTHS[tier]));
    }

    private static long square(Call c, long order) {
        return Scope.squareBytes(c.args.type, order, c.args.count);
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (packs && c.tier() < 2) {
            Packing.use(c, 0);
        }
        if (reduce(c, c.scope.of(g.c, g.n, g.n), c.scope.of(g.a, g.n, g.n), packs ? WIDTHS[c.tier()] : SMALL,
                c.slot(BLOCK))) {
            c.alone();
        }
    }

    /** The triangle of a := that of the standard problem with the factor b, with the blocks of a tier. Returns whether one launch was all. */
    static boolean reduce(Call c, Block a, Block b, long work) {
        return reduce(c, a, b, WIDTHS[c.tier()], work);
    }

    /** The lower triangular factor that a triangle is, or whose conjugate transpose it is. */
    static Block lower(Call c, Block triangle) {
        Block stored = triangle.triangle(c.args.uplo, Diag.NON_UNIT);
        return stored.lower() ? stored : stored.h();
    }

    /** Returns whether one launch was all: where that is no wave of blocks, and matrices are not many, whose solves go side by side. */
    private static boolean reduce(Call c, Block matrix, Block factor, long nb, long work) {
        Scope s = c.scope;
        if (matrix.rows <= Math.min(nb, c.traits.block()) && c.args.count == 1 && !s.reach().waves()) {
            atOnce(c, matrix, factor, work);
            return true;
        }
        Block a = lower(c, matrix);
        Block l = lower(c, factor);
        long n = a.rows;
        for (long j = 0; j < n; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, n - j);
            Block w = s.dense(work, jb, jb);
            s.expand(c.args.type.isComplex() ? Structure.HERMITIAN : Structure.SYMMETRIC, a.diagonal(j, jb), w);
            if (c.args.itype == Eform.AX) {
                divided(c, a, l, w, j);
            } else {
                multiplied(c, a, l, w, j);
            }
            s.release(mark);
        }
        return false;
    }

    private static void atOnce(Call c, Block matrix, Block factor, long work) {
        Scope s = c.scope;
        int mark = s.mark();
        Launch l = s.kernel(Kernel.SYGST);
        l.uplo = c.args.uplo;
        l.hermitian = c.args.type.isComplex();
        l.itype = c.args.itype;
        l.m = matrix.rows;
        l.n = matrix.rows;
        factor.into(l.a);
        s.dense(work, matrix.rows, matrix.rows).into(l.b);
        matrix.into(l.c);
        s.launch();
        s.release(mark);
    }

    /** A block column of L⁻¹·A·L⁻ᴴ, and what is behind it without what the column stands for. */
    private static void divided(Call c, Block a, Block l, Block w, long j) {
        Scope s = c.scope;
        long jb = w.rows;
        long left = a.rows - j - jb;
        Block l11 = l.diagonal(j, jb);
        Trsm.solve(s, Side.LEFT, l11, w);
        Trsm.solve(s, Side.RIGHT, l11.h(), w);
        s.addTriangle(c.args.type.isComplex(), w, Scope.ZERO, a.diagonal(j, jb));
        if (left == 0) {
            return;
        }
        Block a21 = a.block(j + jb, j, left, jb);
        Block l21 = l.block(j + jb, j, left, jb);
        Trsm.solve(s, Side.RIGHT, l11.h(), a21);
        add(s, -0.5, l21, w, a21);
        Tridiagonal.rankTwo(c, Scope.MINUS_ONE, a21, l21, a.diagonal(j + jb, left).stored());
        add(s, -0.5, l21, w, a21);
        Trsm.solve(s, Side.LEFT, l.diagonal(j + jb, left), a21);
    }

    /** A block row of Lᴴ·A·L, and what is before it with what the row adds. */
    private static void multiplied(Call c, Block a, Block l, Block w, long j) {
        Scope s = c.scope;
        long jb = w.rows;
        Block l11 = l.diagonal(j, jb);
        if (j > 0) {
            Block a10 = a.block(j, 0, jb, j);
            Block l10 = l.block(j, 0, jb, j);
            multiply(s, Side.RIGHT, l.diagonal(0, j), a10);
            add(s, 0.5, w, l10, a10);
            Tridiagonal.rankTwo(c, Scope.ONE, a10.h(), l10.h(), a.diagonal(0, j).stored());
            add(s, 0.5, w, l10, a10);
            multiply(s, Side.LEFT, l11.h(), a10);
        }
        multiply(s, Side.LEFT, l11.h(), w);
        multiply(s, Side.RIGHT, l11, w);
        s.addTriangle(c.args.type.isComplex(), w, Scope.ZERO, a.diagonal(j, jb));
    }

    /** c += alpha·a·b, whichever way c is stored. */
    private static void add(Scope s, double alpha, Block a, Block b, Block c) {
        if (c.op == Op.NONE) {
            s.gemm(alpha, a, b, 1, c);
        } else {
            s.gemm(alpha, b.h(), a.h(), 1, c.h());
        }
    }

    /** b := t·b (LEFT) or b·t, a triangle t, halved down to what one launch takes. */
    static void multiply(Scope s, Side side, Block t, Block b) {
        if (b.op != Op.NONE) {
            multiply(s, side == Side.LEFT ? Side.RIGHT : Side.LEFT, t.h(), b.h());
            return;
        }
        boolean left = side == Side.LEFT;
        long order = t.rows;
        long whole = s.reach().packs(Kernel.TRMM) ? s.reach(Kernel.TRMM) : s.traits.block();
        if (order <= whole) {
            s.triangle(Kernel.TRMM, side, Scope.ONE, t, b);
            return;
        }
        int mark = s.mark();
        long half = Trsm.half(order, whole);
        long rest = order - half;
        // The half that the other one is added to comes first.
        boolean second = left == t.lower();
        long to = second ? half : 0;
        long from = second ? 0 : half;
        long toSize = second ? rest : half;
        long fromSize = order - toSize;
        Block x = left ? b.rows(to, toSize) : b.cols(to, toSize);
        Block y = left ? b.rows(from, fromSize) : b.cols(from, fromSize);
        multiply(s, side, t.diagonal(to, toSize), x);
        if (left) {
            s.gemm(1, t.block(to, from, toSize, fromSize), y, 1, x);
        } else {
            s.gemm(1, y, t.block(from, to, fromSize, toSize), 1, x);
        }
        multiply(s, side, t.diagonal(from, fromSize), y);
        s.release(mark);
    }
}
