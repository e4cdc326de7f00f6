package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.matrix.Lacpy;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.BandWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Reduction of a symmetric or Hermitian matrix to a band (Grimes and Simon, "Solution of large, dense symmetric generalized eigenvalue problems using secondary storage", 1988). The columns of a panel below the band are factored,
 * and their block reflector is applied from both sides: with X = A·V·T and W = X - ½·V·(Tᴴ·Vᴴ·X) the rest becomes A - V·Wᴴ - W·Vᴴ. So all but the panels is products. The panels of an upper triangle are conjugate transposes of
 * those of a lower one; they are factored in the workspace, where their vectors lie in columns. A device that wants few large products has
 * the matrix written out in the workspace, if that is lent, and both triangles are changed: twice the operations, in two products a panel.
 */
final class BandReduction {
    /** Slots: packing; V, W and V once more; T and a product of its size; what columns inside the band are multiplied by; the matrix with both triangles. */
    static final int SLOTS = 5;

    private static final int VECTORS = 1;
    private static final int TRIANGLES = 2;
    private static final int BESIDE = 3;
    private static final int WHOLE = 4;

    private static final Scalar HALF = new Scalar();

    static {
        HALF.set(-0.5, 0);
    }

    private BandReduction() {}

    /** Columns of a panel. */
    static long width(Call c, long kd) {
        return Math.max(1, Math.min(kd, Reflectors.width(c)));
    }

    /** The slots, in a tier whose products are those of a tier of gemm. */
    static void need(Call c, Need need, int tier, long n, long kd) {
        Launch g = c.args;
        long nb = width(c, kd);
        long square = Scope.squareBytes(g.type, nb, g.count);
        long tall = Chunks.times(Chunks.times(n, nb), g.type.bytes(), g.count);
        boolean whole = whole(c, tier);
        need.slot("packing", packing(c, tier, n, Math.max(kd, nb), nb))
                .slot("vectors", Chunks.times(3, tall))
                .slot("triangles", Chunks.times(2, square))
                .slot("beside", kd > nb ? Chunks.times(Chunks.times(kd, nb), g.type.bytes(), g.count) : square)
                .slot("whole matrix", whole ? Scope.squareBytes(g.type, n, g.count) : 0);
    }

    private static long packing(Call c, int tier, long n, long across, long nb) {
        ElementType type = c.args.type;
        long order = whole(c, tier) ? n : strip(c, n);
        long update = Gemm.bytes(c, type, tier, n, Math.max(across, order), 2 * nb);
        long product = Gemm.bytes(c, type, tier, n, nb, order);
        long inner = Gemm.bytes(c, type, tier, nb, Math.max(across, nb), n);
        long most = Math.max(update, Math.max(product, inner));
        return tier > 0
                ? most
                : Math.max(most, Math.max(Packing.block(c, Kernel.SYMM, order, order), Math
                        .max(Packing.block(c, Kernel.GEMMT, order, 2 * nb), Packing.block(c, Kernel.TRMM, nb, nb))));
    }

    /** The order of the diagonal blocks that one launch multiplies. */
    private static long strip(Call c, long n) {
        return Math.min(n,
                c.traits.reach().packs(Kernel.SYMM) ? c.traits.reach().of(Kernel.SYMM, c.args.type) : c.traits.block());
    }

    /** Whether the matrix is written out in a tier, so that both its triangles are free. */
    static boolean whole(Call c, int tier) {
        return tier == 0 && c.traits.reach().whole(Kernel.EXPAND, c.args.type);
    }

    /** The matrix := its band with kd diagonals beside the main one, and beyond them the reflectors, whose n - kd factors go to tau. */
    static void reduce(Call c, Operand matrix, Operand tau, long kd, int slot) {
        Scope s = c.scope;
        int mark = s.mark();
        Block a = s.of(matrix, c.args.n, c.args.n);
        if (c.slotBytes(slot + WHOLE) > 0) {
            Block whole = written(c, a, slot);
            panels(c, whole, whole, true, tau, kd, slot);
            keep(c, c.args.uplo, whole, a, width(c, kd), slot);
        } else {
            panels(c, a, a.triangle(c.args.uplo, Diag.NON_UNIT), c.args.uplo == Uplo.LOWER, tau, kd, slot);
        }
        s.release(mark);
    }

    /**
     * Operands a and e := the diagonals of the tridiagonal form of the matrix, which is overwritten; {@code band}: where the scratch of its band begins. With {@code vectors}, which want the matrix written out, its lower
     * triangle := the reflectors of the panels, and what is above the diagonal := those of the chase.
     */
    static void tridiagonal(Call c, Operand matrix, Operand tau, Operand e, long kd, int slot, long band,
            boolean vectors) {
        Scope s = c.scope;
        if (c.slotBytes(slot + WHOLE) == 0) {
            reduce(c, matrix, tau, kd, slot);
            chase(c, c.args.uplo, matrix, c.args.a, e, kd, band, null);
            return;
        }
        int mark = s.mark();
        Block whole = written(c, s.of(matrix, c.args.n, c.args.n), slot);
        panels(c, whole, whole, true, tau, kd, slot);
        Operand reduced = s.part();
        whole.into(reduced);
        if (vectors) {
            keep(c, Uplo.LOWER, whole, s.of(matrix, c.args.n, c.args.n), width(c, kd), slot);
        }
        chase(c, Uplo.LOWER, reduced, c.args.a, e, kd, band, vectors ? matrix : null);
        s.release(mark);
    }

    /** The matrix of which a triangle is there, with both in the workspace. */
    private static Block written(Call c, Block a, int slot) {
        Scope s = c.scope;
        Block whole = s.dense(c.slot(slot + WHOLE), a.rows, a.cols);
        s.expand(structure(c), a.triangle(c.args.uplo, Diag.NON_UNIT), whole);
        return whole;
    }

    private static Structure structure(Call c) {
        return c.args.type.isComplex() ? Structure.HERMITIAN : Structure.SYMMETRIC;
    }

    /** The triangle of a := the lower one of the whole matrix, or its conjugate transpose. */
    private static void keep(Call c, Uplo uplo, Block whole, Block a, long nb, int slot) {
        Scope s = c.scope;
        if (uplo == Uplo.LOWER) {
            Lacpy.copy(s, Region.LOWER, whole, a);
            return;
        }
        long n = a.rows;
        for (long j = 0; j < n; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, n - j);
            // Its place holds the columns of a panel, and is free now.
            Block square = s.dense(c.slot(slot + VECTORS), jb, jb);
            s.expand(structure(c), whole.diagonal(j, jb).triangle(Uplo.LOWER, Diag.NON_UNIT), square);
            Lacpy.copy(s, Region.UPPER, square, a.diagonal(j, jb));
            if (j + jb < n) {
                Reflectors.turn(s, whole.block(j + jb, j, n - j - jb, jb), a.block(j, j + jb, jb, n - j - jb));
            }
            s.release(mark);
        }
    }

    /** Panel by panel; {@code rest} is the matrix, of which a triangle is changed, or both. */
    private static void panels(Call c, Block a, Block rest, boolean lower, Operand tau, long kd, int slot) {
        Scope s = c.scope;
        long n = c.args.n;
        long nb = width(c, kd);
        for (long i = 0; n - i > kd; i += nb) {
            int mark = s.mark();
            long m = n - i - kd;
            long jb = Math.min(m, nb);
            Block panel = lower ? a.block(i + kd, i, m, jb) : a.block(i, i + kd, jb, m).h();
            Block vectors = s.dense(c.slot(slot + VECTORS), m, 3 * jb);
            Block v = vectors.cols(0, jb);
            Block t = s.dense(c.slot(slot + TRIANGLES), jb, jb).triangle(Uplo.UPPER, Diag.NON_UNIT);
            Reflectors.panel(c, panel, v, tau, n - kd, i, t);
            unit(s, v.rows(0, jb));
            Block beside = beside(a, lower, i, jb, kd, m);
            if (beside.cols > 0) {
                left(c, v, t, beside, c.slot(slot + BESIDE));
            }
            both(c, vectors, t, rest.diagonal(i + kd, m), rest == a, slot);
            s.release(mark);
        }
    }

    /** Columns inside the band that a panel narrower than that leaves, as they are read in a lower triangle. */
    private static Block beside(Block a, boolean lower, long i, long jb, long kd, long m) {
        long across = Math.max(0, Math.min(kd, a.rows - i) - jb);
        return lower ? a.block(i + kd, i + jb, m, across) : a.block(i + jb, i + kd, across, m).h();
    }

    /** The upper triangle := that of the identity. */
    private static void unit(Scope s, Block v) {
        Launch l = s.kernel(Kernel.LASET);
        l.region = Region.UPPER;
        l.m = v.rows;
        l.n = v.cols;
        l.alpha.set(0, 0);
        l.beta.set(1, 0);
        v.into(l.c);
        s.launch();
    }

    /** b := (I - V·Tᴴ·Vᴴ)·b. */
    private static void left(Call c, Block v, Block t, Block b, long work) {
        Scope s = c.scope;
        Block w = s.dense(work, v.cols, b.cols);
        s.gemm(1, v.h(), b, 0, w);
        s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, t.op(Op.CONJ_TRANS), w);
        if (b.op == Op.NONE) {
            s.gemm(-1, v, w, 1, b);
        } else {
            s.gemm(-1, w.h(), v.h(), 1, b.h());
        }
    }

    /** The triangle of b := that of (I - V·Tᴴ·Vᴴ)·b·(I - V·T·Vᴴ); the vectors are V, room for W, and room for V again, so that V·Wᴴ + W·Vᴴ is one product. */
    private static void both(Call c, Block vectors, Block t, Block b, boolean whole, int slot) {
        Scope s = c.scope;
        boolean hermitian = c.args.type.isComplex();
        long k = t.cols;
        Block v = vectors.cols(0, k);
        Block w = vectors.cols(k, k);
        Block y = s.dense(c.slot(slot + TRIANGLES) + Scope.squareBytes(t.type(), k, c.args.count), k, k);
        long nb = strip(c, b.rows);
        if (whole) {
            s.gemm(1, b, v, 0, w);
        } else {
            product(s, hermitian, b, v, w, nb);
        }
        s.triangle(Kernel.TRMM, Side.RIGHT, Scope.ONE, t, w);
        s.gemm(1, v.h(), w, 0, y);
        s.triangle(Kernel.TRMM, Side.LEFT, Scope.ONE, t.op(Op.CONJ_TRANS), y);
        s.gemm(HALF, v, y, Scope.ONE, w);
        s.copy(v, vectors.cols(2 * k, k));
        if (whole) {
            s.gemm(-1, vectors.cols(0, 2 * k), vectors.cols(k, 2 * k).h(), 1, b);
        } else {
            update(s, hermitian, vectors.cols(0, 2 * k), vectors.cols(k, 2 * k), b, nb);
        }
    }

    /**
     * x := a·v with the triangle a. Strips of columns begin at its narrow end, so that a strip finds in x what it adds to. What lies beside the diagonal is multiplied as a whole, which is packed, and in pieces as its conjugate
     * transpose, which is read as it lies.
     */
    private static void product(Scope s, boolean hermitian, Block a, Block v, Block x, long nb) {
        long n = a.rows;
        long strips = Math.ceilDiv(n, nb);
        for (long strip = 0; strip < strips; strip++) {
            int mark = s.mark();
            long j = (a.lower() ? strips - 1 - strip : strip) * nb;
            long jb = Math.min(nb, n - j);
            Block own = x.rows(j, jb);
            s.symm(Side.LEFT, hermitian, Scope.ONE, a.diagonal(j, jb), v.rows(j, jb), Scope.ZERO, own);
            long from = a.lower() ? j + jb : 0;
            long to = a.lower() ? n : j;
            s.gemm(Scope.ONE, a.block(from, j, to - from, jb), v.rows(j, jb), Scope.ONE, x.rows(from, to - from));
            for (long i = from; i < to; i += nb) {
                int inner = s.mark();
                long ib = Math.min(nb, to - i);
                s.gemm(Scope.ONE, a.block(i, j, ib, jb).h(), v.rows(i, ib), Scope.ONE, own);
                s.release(inner);
            }
            s.release(mark);
        }
    }

    /** The triangle of c := that of c - a·bᴴ. */
    private static void update(Scope s, boolean hermitian, Block a, Block b, Block c, long nb) {
        for (long j = 0; j < c.rows; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, c.rows - j);
            s.gemmt(hermitian, Scope.MINUS_ONE, a.rows(j, jb), b.rows(j, jb).h(), Scope.ONE, c.diagonal(j, jb));
            long from = c.lower() ? j + jb : 0;
            long size = c.lower() ? c.rows - from : j;
            s.gemm(Scope.MINUS_ONE, a.rows(from, size), b.rows(j, jb).h(), Scope.ONE, c.block(from, j, size, jb));
            s.release(mark);
        }
    }

    /** d and e := the diagonals of the tridiagonal form of the band with kd diagonals in the triangle of a matrix, dense or a band; what is above the diagonal of another, if there is one, := its reflectors. */
    static void chase(Call c, Uplo uplo, Operand matrix, Operand d, Operand e, long kd, long work, Operand kept) {
        Launch g = c.args;
        long n = g.n;
        Launch l = c.scope.kernel(Kernel.SB2ST);
        l.uplo = uplo;
        l.hermitian = g.type.isComplex();
        l.n = n;
        l.k = diagonals(n, kd);
        l.a.set(d);
        if (n > 1) {
            l.b.set(e);
        }
        l.c.set(matrix);
        if (kept != null) {
            l.d.set(kept);
        }
        c.scope.dense(work, BandWork.rows(l.k), BandWork.columns(n)).into(l.f);
        c.scope.launch();
    }

    private static long diagonals(long n, long kd) {
        return Math.min(kd, Math.max(0, n - 1));
    }

    /** Bytes for {@link #chase}. */
    static long bytes(Call c, long n, long kd) {
        return Chunks.times(Chunks.times(BandWork.rows(diagonals(n, kd)), BandWork.columns(n)), c.args.type.bytes(),
                c.args.count);
    }
}
