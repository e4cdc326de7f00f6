package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.FewReflectors;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;

/**
 * I - V·T·Vᴴ, the product of a block of reflectors (Schreiber and Van Loan, "A storage-efficient WY representation", 1989). V is lower trapezoidal with ones on
 * its diagonal, whatever lies on and above it in memory; its triangle is written out in the workspace, so that all but T are plain products. Of a mirrored V the
 * triangle is the upper one at its end, and T is a lower triangle.
 */
final class BlockReflector {
    /** What every composite with reflectors may run. The last applies them one by one. */
    static final List<String> TIERS = List.of("large blocks", "small blocks", "one by one");

    /** Slots of the first two tiers. */
    static final int PACKING = 0;

    static final int T = 1;
    static final int V = 2;
    static final int W = 3;
    static final int PANEL = 4;

    /** Reflectors of a block: as many as a panel has, or a few. */
    private static final long LARGE = 64;

    private static final long SMALL = 16;

    /** Up to so many reflectors the triangles of blocks are worth saving. */
    private static final long MANY = 512;

    /** Columns that a panel takes as fast one by one. */
    static final long ALONE = 32;

    /** Elements of a matrix that reflectors are applied to one by one, by the square of how many reflectors that may be: it is in a cache. */
    private static final long CACHED = 8;

    /** So many times as many rows as columns make a panel tall. */
    private static final long TALL_PANEL = 128;

    /** So few lines are done before a block's triangle is made. */
    private static final long FEW = 4;

    /** As many reflectors are applied one by one whatever lies in columns. */
    private static final long FEW_ACROSS = 4;

    /** Elements that they are applied to at most. */
    private static final long ACROSS = 1 << 17;

    /** Real reflectors, and complex ones as many as {@link #FEW_ACROSS}, that are applied one by one to more elements where a launch costs little: a block's products read them as often. */
    private static final long FEWEST_ACROSS = 2;

    private static final long WIDE_ACROSS = 1 << 19;

    /** As many are applied one by one to {@link #LITTLE} elements, where a launch costs little. */
    private static final long MORE_ACROSS = 16;

    /** As many are applied one by one to half of {@link #LITTLE} elements. */
    private static final long MOST_ACROSS = 48;

    /** Elements that are read again at once: some tens of kilobytes. */
    private static final long LITTLE = 1 << 13;

    /** So few lines take reflectors one by one where all of them are made in one launch. */
    private static final long LINES = 8;

    /** So many real reflectors, and complex ones, are applied one by one where lines are held in registers, to so many lines of a batch. Measured on an H200. */
    private static final long HELD = 64;

    private static final long HELD_COMPLEX = 16;

    private static final long HELD_LINES = 2048;

    /** Panels of a factorisation that makes each while the one before it is applied, at least. */
    private static final long PANELS = 4;

    /** A matrix of one launch is up to so many times as tall as the largest square one. */
    private static final long TALL = 8;

    private BlockReflector() {}

    /**
     * Whether one launch makes all reflectors of an m×n matrix, where a launch takes the time of waves: a multiprocessor holds what is as large as a square matrix of
     * GEQR2's reach, with its rows filled up to a power of two.
     */
    static boolean whole(Call c, long m, long n) {
        long most = c.traits.reach().of(Kernel.GEQR2, c.args.type);
        return c.traits.reach().waves() && n <= most && m <= TALL * most
                && (m <= 1 || Long.highestOneBit(m - 1) * 2 * n <= most * most);
    }

    /** Whether one launch applies k reflectors of m elements to so many lines, one by one. */
    static boolean alone(Call c, long m, long lines, long k) {
        return lines <= LINES && whole(c, m, k) || held(c, m, lines, k);
    }

    /** Whether a device that takes the time of waves holds the lines in registers, and has so few reflectors that a block of them takes longer to make. */
    private static boolean held(Call c, long m, long lines, long k) {
        return c.traits.reach().waves() && m <= c.traits.reach().of(Kernel.ORM2R, c.args.type)
                && k <= (c.args.type.isComplex() ? HELD_COMPLEX : HELD)
                && lines * Math.max(1, c.args.count) <= HELD_LINES;
    }

    /** Rows of the place for reflectors that make Q from aside: of as many as a device holds, however many there are, so that no need falls. */
    static long aside(Call c, long m) {
        return c.traits.reach().waves() ? Math.min(m, c.traits.reach().of(Kernel.ORM2R, c.args.type)) : 0;
    }

    /** Whether k reflectors of m elements are held with so many columns of Q, and there is room for them aside. */
    static boolean fitsAside(Call c, long m, long columns, long k) {
        return held(c, m, columns, k)
                && Chunks.times(Chunks.times(m, k), c.args.type.bytes(), c.args.count) <= c.slotBytes(PANEL);
    }

    /** Whether k reflectors of m elements are applied to so many other lines one by one: that takes no longer than to make a block of them. */
    static boolean oneByOne(Call c, Kernel kernel, long m, long other, long k) {
        long most = c.traits.reach().waves() ? 0 : c.traits.reach().of(kernel, c.args.type);
        return other <= Math.min(most, FEW) || k <= most && other <= most && m * other <= CACHED * most * most;
    }

    /** The same for few reflectors, whatever lies in columns: several lines at a time, from memory as it lies. */
    static boolean fewAcross(Call c, Kernel kernel, long m, long other, long k) {
        if (c.traits.reach().of(kernel, c.args.type) == 0 || c.traits.reach().waves()) {
            return false;
        }
        long elements = m * other;
        if (k <= FEW_ACROSS && elements <= ACROSS) {
            return true;
        }
        long fewest = c.args.type.isComplex() ? FEW_ACROSS : FEWEST_ACROSS;
        return k <= fewest && elements <= WIDE_ACROSS || k <= MORE_ACROSS && elements <= LITTLE
                || k <= MOST_ACROSS && elements <= LITTLE / 2;
    }

    /** Whether a launch makes Q of k reflectors as one product. */
    static boolean atOnce(Call c, long m, long n, long k) {
        return !c.traits.reach().waves() && c.traits.reach().of(Kernel.ORG2R, c.args.type) > 0
                && FewReflectors.block(m, n, k);
    }

    /** Reflectors of a block in a tier. */
    static long width(Call c, int tier) {
        long most =
                Math.min(c.traits.reach().of(Kernel.GEQR2, c.args.type), c.traits.reach().of(Kernel.TRMM, c.args.type));
        return Math.min(tier == 0 ? LARGE : SMALL, most);
    }

    /** As many as blocks of k reflectors have: fewer than there is room for, where a launch costs so little that their triangles cost more. */
    static long width(Call c, int tier, long k) {
        long most = width(c, tier);
        return k <= MANY && !c.traits.reach().waves() ? Math.min(most, ALONE) : most;
    }

    /** Columns of a panel of so many rows, of which there are k: as many as blocks have, and all there is room for where one launch takes a tall one at the speed of products. */
    static long panel(Call c, int tier, long rows, long k) {
        return k <= LARGE && rows >= TALL_PANEL * k ? Math.min(k, width(c, tier)) : width(c, tier, k);
    }

    /** The tiers of k reflectors of m elements, applied to so many other lines; with a panel of so many rows that is turned. */
    static void need(Call c, Need need, long m, long other, long k, long turned) {
        need(c, need, 0, m, other, k, turned, 1);
        small(c, need, m, other, k, turned);
    }

    /** The same, with room for two T in the first where {@link #ahead} pays. */
    static void needAhead(Call c, Need need, long m, long other, long k, long turned) {
        need(c, need, 0, m, other, k, turned, other > 0 && aheadPays(c, k) ? 2 : 1);
        small(c, need, m, other, k, turned);
    }

    /** The tiers behind the first. */
    static void small(Call c, Need need, long m, long other, long k, long turned) {
        need(c, need, 1, m, other, k, turned, 1);
        need.tier(TIERS.get(2));
    }

    private static void need(Call c, Need need, int t, long m, long other, long k, long turned, int triangles) {
        long nb = Math.min(k, width(c, t));
        long square = Scope.squareBytes(c.args.type, nb, c.args.count);
        need.tier(TIERS.get(t))
                .slot("packing", packing(c, t, m, other, nb))
                .slot("T", Chunks.times(triangles, Chunks.up(square)))
                .slot("V", other > 0 ? square : 0)
                .slot("W", Chunks.times(Chunks.times(nb, other), c.args.type.bytes(), c.args.count))
                .slot("panel", Chunks.times(Chunks.times(nb, turned), c.args.type.bytes(), c.args.count));
    }

    /** Lines of a strip in the tiers of {@link #strips} behind the first. */
    private static final long[] STRIPS = {Long.MAX_VALUE, 128, 8};

    /** The tiers of one block of k reflectors of m elements with its T, applied to so many other lines: to all at once, or to strips. */
    static void strips(Call c, Need need, long m, long other, long k) {
        String[] names = {"at once", "strips", "narrow strips"};
        long square = Scope.squareBytes(c.args.type, k, c.args.count);
        for (int t = 0; t < STRIPS.length; t++) {
            long lines = Math.min(other, STRIPS[t]);
            need.tier(names[t])
                    .slot("packing", t == 2 ? 0 : packing(c, t, m, lines, k))
                    .slot("T", 0)
                    .slot("V", square)
                    .slot("W", Chunks.times(Chunks.times(k, lines), c.args.type.bytes(), c.args.count));
        }
    }

    /** Lines of a strip in the call's tier. */
    static long strip(Call c, long other) {
        return Math.max(1, Math.min(other, STRIPS[c.tier()]));
    }

    /** Bytes for the products of nb reflectors of m elements with so many lines. */
    static long packing(Call c, int tier, long m, long other, long nb) {
        if (other == 0) {
            return 0;
        }
        long tall = Gemm.bytes(c, c.args.type, tier, m, Math.max(other, nb), nb);
        long deep = Gemm.bytes(c, c.args.type, tier, nb, Math.max(other, nb), m);
        long wide = Gemm.bytes(c, c.args.type, tier, Math.max(other, nb), nb, m);
        return Math.max(Math.max(tall, deep), Math.max(wide, Packing.block(c, Kernel.TRMM, nb, nb)));
    }

    /** T of a call for k reflectors. */
    static Block factors(Call c, long k, boolean mirrored) {
        return factors(c, c.slot(T), k, mirrored);
    }

    /** The same at an address. */
    static Block factors(Call c, long address, long k, boolean mirrored) {
        return c.scope.dense(address, k, k).triangle(mirrored ? Uplo.LOWER : Uplo.UPPER, Diag.NON_UNIT);
    }

    /** The same, in one of two places by turns. */
    static Block factors(Call c, long k, boolean mirrored, long turn) {
        long half = Chunks.up(Scope.squareBytes(c.args.type, width(c, 0), 1));
        return factors(c, c.slot(T) + turn % 2 * half, k, mirrored);
    }

    /** Whether the next panel is made while a block is applied: where launches run in waves, and there is room for two T. */
    static boolean ahead(Call c, long k) {
        return aheadPays(c, k) && c.tier() == 0
                && c.slotBytes(T) >= 2 * Chunks.up(Scope.squareBytes(c.args.type, width(c, 0), 1));
    }

    private static boolean aheadPays(Call c, long k) {
        return c.traits.reach().waves() && c.args.count == 1 && k >= PANELS * width(c, 0);
    }

    /** Some of the factors tau, counted as blocks of their matrix are. */
    static void tau(Operand into, Operand tau, Block v, long all, long first, long count) {
        into.slice(tau, v.mirrored() ? all - first - count : first, count);
    }

    /** The triangle of v written out, in the call's slot. */
    static Block triangle(Call c, Block v) {
        return triangle(c.scope, v, c.slot(V));
    }

    static Block triangle(Scope s, Block v, long address) {
        boolean lower = (v.op == Op.NONE) != v.mirrored();
        Block full = s.dense(address, v.cols, v.cols);
        s.expand(Structure.TRIANGULAR, v.rows(0, v.cols).triangle(lower ? Uplo.LOWER : Uplo.UPPER, Diag.UNIT), full);
        return v.op == Op.NONE ? full : full.h();
    }

    /** T from V and the factors, of which those from {@code first} on are v's: products, and a small triangle from them. */
    static Block form(Call c, Block v, Block x, Operand tau, long all, long first) {
        Scope s = c.scope;
        long k = v.cols;
        Block below = v.rows(k, v.rows - k);
        Block t = factors(c, k, v.mirrored());
        s.gemm(1, x.h(), x, 0, t);
        if (below.rows > 0) {
            s.gemm(1, below.h(), below, 1, t);
        }
        Launch l = s.kernel(Kernel.LARFT);
        l.m = v.rows;
        l.n = k;
        l.backward = v.mirrored();
        t.into(l.c);
        tau(l.d, tau, v, all, first, k);
        s.launch();
        return t;
    }

    /** b := op(I - V·T·Vᴴ)·b (LEFT) or b·op(I - V·T·Vᴴ); x is the triangle of v written out, null if it stands written out in v. */
    static void apply(Call c, Side side, Op op, Block v, Block x, Block t, Block b) {
        apply(c, side, op, v, x, t, b, c.slot(W));
    }

    /** The same with products at an address. */
    private static void apply(Call c, Side side, Op op, Block v, Block x, Block t, Block b, long products) {
        if (b.rows == 0 || b.cols == 0) {
            return;
        }
        Scope s = c.scope;
        int mark = s.mark();
        long k = v.cols;
        boolean left = side == Side.LEFT;
        Block first = x == null ? v : x;
        Block below = v.rows(first.rows, v.rows - first.rows);
        Block top = left ? b.rows(0, first.rows) : b.cols(0, first.rows);
        Block rest = left ? b.rows(first.rows, below.rows) : b.cols(first.rows, below.rows);
        Block w = s.dense(products, left ? k : b.rows, left ? b.cols : k);
        s.gemm(1, left ? first.h() : top, left ? top : first, 0, w);
        if (below.rows > 0) {
            s.gemm(1, left ? below.h() : rest, left ? rest : below, 1, w);
        }
        s.triangle(Kernel.TRMM, side, Scope.ONE, t.op(op), w);
        product(s, -1, left ? first : w, left ? w : first.h(), top);
        if (below.rows > 0) {
            product(s, -1, left ? below : w, left ? w : below.h(), rest);
        }
        s.release(mark);
    }

    /** The same from the left with the conjugate transpose, with V's triangle in its place meanwhile: two large products, where launches take longer than they work. */
    static void applyWritten(Call c, Block v, Block t, Block b) {
        applyWritten(c, v, t, b, c.slot(V), c.slot(W));
    }

    /** The same with what the triangle stands on and products at addresses. */
    static void applyWritten(Call c, Block v, Block t, Block b, long under, long products) {
        Scope s = c.scope;
        int mark = s.mark();
        Block kept = write(c, v, under);
        apply(c, Side.LEFT, Op.CONJ_TRANS, v, null, t, b, products);
        s.copy(kept, v.rows(0, v.cols));
        s.release(mark);
    }

    /** Writes V's triangle into its place; what was there is in the call's slot. */
    static Block write(Call c, Block v) {
        return write(c, v, c.slot(V));
    }

    private static Block write(Call c, Block v, long under) {
        Scope s = c.scope;
        Block top = v.rows(0, v.cols);
        Block kept = s.dense(under, v.cols, v.cols);
        s.copy(top, kept);
        s.expand(Structure.TRIANGULAR, kept.rows(0, v.cols).triangle(Uplo.LOWER, Diag.UNIT), top);
        return kept;
    }

    /** c := alpha·a·b + c, whether c is read as it is stored or not. */
    static void product(Scope s, double alpha, Block a, Block b, Block c) {
        if (c.op == Op.NONE) {
            s.gemm(alpha, a, b, 1, c);
        } else {
            s.gemm(alpha, b.h(), a.h(), 1, c.h());
        }
    }

    /** One launch that applies all reflectors of v to b, one after the other; op is that of H₁…Hₖ. */
    static void oneByOne(Call c, Side side, Op op, Block v, Operand tau, long all, long first, Block b) {
        if (b.rows == 0 || b.cols == 0) {
            return;
        }
        Scope s = c.scope;
        Block target = b.stored();
        boolean turned = b.op != Op.NONE;
        boolean left = (side == Side.LEFT) != turned;
        Launch l = s.kernel(Kernel.ORM2R);
        l.side = left ? Side.LEFT : Side.RIGHT;
        l.opA = (op == Op.NONE) == turned ? Op.CONJ_TRANS : Op.NONE;
        l.opB = v.op;
        l.backward = v.mirrored();
        l.m = target.rows;
        l.n = target.cols;
        l.k = v.cols;
        v.into(l.a);
        target.into(l.c);
        tau(l.d, tau, v, all, first, v.cols);
        s.launch();
    }
}
