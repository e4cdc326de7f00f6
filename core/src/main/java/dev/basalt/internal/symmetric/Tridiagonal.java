package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LatrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Reach;
import dev.basalt.spi.Scalar;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/**
 * Reduction of a symmetric or Hermitian matrix to tridiagonal form, Qᴴ·A·Q (Dongarra, Hammarling and Sorensen, "Block reduction of matrices to condensed forms for eigenvalue computations", 1989). A panel of columns reads the matrix that is left once a
 * column; the other half of the arithmetic is one update of rank 2k. A lower triangle is reduced from its first column on, an upper one from its last: both are the same of a mirrored block.
 */
final class Tridiagonal {
    /** Columns of a panel in the first tiers. */
    private static final long[] WIDTHS = {32, 8};

    /** So many columns at the end are done in one launch. */
    private static final long LAST = 32;

    /** So many blocks of columns are the least that one launch is made for. */
    private static final long SHARED = 2;

    private Tridiagonal() {}

    /** Columns of a panel, 0 where one launch does it all. */
    private static long width(Call c, int tier, long n) {
        return tier >= WIDTHS.length || n <= last(c) ? 0 : WIDTHS[tier];
    }

    /** So many columns at the end are done in one launch: all that blocks keep between them of one problem, or that a block keeps of each. */
    private static long last(Call c) {
        DeviceTraits traits = c.traits;
        long reach = traits.reach().of(Kernel.SYTD2, c.args.type);
        if (!traits.reach().waves() || reach <= LAST) {
            return LAST;
        }
        return c.args.count == 1 ? reach : Math.min(reach, LatrdWork.alone(c.args.type));
    }

    /** Bytes for what the blocks that share the last columns of one problem of order n tell each other, 0 where none do. */
    private static long wholeBytes(Call c, int tier, long n) {
        long left = Math.min(n, last(c));
        return tier < WIDTHS.length && c.args.count == 1 && left > LAST ? LatrdWork.whole(c.args.type, left) : 0;
    }

    /** Whether one launch makes a panel of a matrix of order n: blocks share it, which is worth while for one problem that is not small. */
    private static boolean shares(DeviceTraits traits, ElementType type, long n, long count) {
        return count == 1 && n > SHARED * traits.block() && traits.reach().whole(Kernel.LATRD, type);
    }

    /** Bytes for a panel's products. */
    private static long productBytes(Call c, long n, long nb) {
        return Chunks.times(Chunks.times(n, nb), c.args.type.bytes(), c.args.count);
    }

    /** Bytes for what the blocks that share a panel of k columns tell each other, 0 where none do. */
    static long sharedBytes(Call c, long n, long k) {
        return k > 0 && shares(c.traits, c.args.type, n, c.args.count) ? LatrdWork.bytes(c.args.type, n, k) : 0;
    }

    /** Bytes for a panel's products, and for what blocks tell each other. */
    static long panelBytes(Call c, int tier, long n) {
        long nb = width(c, tier, n);
        long panel = Math.addExact(Chunks.up(productBytes(c, n, nb)), sharedBytes(c, n, nb));
        return Math.max(panel, wholeBytes(c, tier, n));
    }

    /** Bytes for packing in the update behind a panel. */
    static long packing(Call c, int tier, long n) {
        long nb = width(c, tier, n);
        return nb == 0 ? 0 : Gemm.packed(c, c.args.type, tier, n, Math.min(n, Scope.outer(c.traits)), nb);
    }

    /** The reduction as a tier does it, with what {@link #panelBytes} says at an address: d and e (real) := the diagonals, tau := factors of the reflectors that overwrite the triangle. */
    static void reduce(Call c, Operand matrix, Operand d, Operand e, Operand tau, int tier, long panel) {
        Scope s = c.scope;
        long n = c.args.n;
        long nb = width(c, tier, n);
        long last = last(c);
        boolean lower = c.args.uplo == Uplo.LOWER;
        Block a = s.of(matrix, n, n);
        long done = 0;
        if (nb > 0) {
            Block w = s.dense(panel, n, nb);
            long work = panel + Chunks.up(productBytes(c, n, nb));
            long workBytes = sharedBytes(c, n, nb);
            for (; n - done > last; done += nb) {
                int mark = s.mark();
                long left = n - done;
                Block own = lower ? a.diagonal(done, left) : a.diagonal(0, left);
                Block x = lower ? w.rows(done, left) : w.rows(0, left);
                Operand es = c.k.a.slice(e, lower ? done : 0, left - 1);
                Operand taus = c.k.b.slice(tau, lower ? done : 0, left - 1);
                columns(c, own, x, es, taus, nb, work, workBytes);
                rest(c, own, x, nb);
                s.release(mark);
            }
            launch(c, Kernel.LATRD_DIAGONALS, a, n, nb, done, d, e);
        }
        long left = n - done;
        int mark = s.mark();
        Block own = lower ? a.diagonal(done, left) : a.diagonal(0, left);
        Launch l = s.kernel(Kernel.SYTD2);
        l.uplo = c.args.uplo;
        l.hermitian = c.args.type.isComplex();
        l.n = left;
        l.work = panel;
        l.workBytes = wholeBytes(c, tier, left);
        own.into(l.c);
        l.a.slice(d, lower ? done : 0, left);
        if (left > 1) {
            l.b.slice(e, lower ? done : 0, left - 1);
            l.d.slice(tau, lower ? done : 0, left - 1);
        }
        s.launch();
        s.release(mark);
    }

    private static void launch(Call c, Kernel kernel, Block a, long n, long k, long p, Operand d, Operand e) {
        Launch l = c.scope.kernel(kernel);
        l.uplo = c.args.uplo;
        l.hermitian = c.args.type.isComplex();
        l.n = n;
        l.k = k;
        l.p = p;
        a.into(l.c);
        if (d != null) {
            l.a.set(d);
        }
        if (e != null && n > 1) {
            l.b.set(e);
        }
        c.scope.launch();
    }

    /** The first k columns of a reduction of a: one launch with workspace where blocks share it, else three launches each. */
    static void columns(Call c, Block a, Block w, Operand e, Operand tau, long k, long work, long workBytes) {
        if (workBytes > 0 && shares(c.traits, c.args.type, a.rows, c.args.count)) {
            Launch l = begin(c, Kernel.LATRD, a, w, e, tau, k, 0);
            l.work = work;
            l.workBytes = workBytes;
            c.scope.launch();
            return;
        }
        for (long p = 0; p < k; p++) {
            int mark = c.scope.mark();
            step(c, Kernel.LATRD_COLUMN, a, w, e, tau, k, p);
            if (a.rows - 1 - p > 0) {
                product(c, a, w, k, p);
                step(c, Kernel.LATRD_ROW, a, w, null, tau, k, p);
            }
            c.scope.release(mark);
        }
    }

    private static void step(Call c, Kernel kernel, Block a, Block w, Operand e, Operand tau, long k, long p) {
        begin(c, kernel, a, w, e, tau, k, p);
        c.scope.launch();
    }

    private static Launch begin(Call c, Kernel kernel, Block a, Block w, Operand e, Operand tau, long k, long p) {
        Launch l = c.scope.kernel(kernel);
        l.uplo = c.args.uplo;
        l.hermitian = c.args.type.isComplex();
        l.n = a.rows;
        l.k = k;
        l.p = p;
        a.into(l.c);
        w.into(l.f);
        if (a.rows > 1) {
            l.d.set(tau);
            if (e != null) {
                l.b.set(e);
            }
        }
        return l;
    }

    /** Column p of w := what is left of a, as it was before the panel, times the reflector of column p. */
    private static void product(Call c, Block a, Block w, long k, long p) {
        boolean lower = c.args.uplo == Uplo.LOWER;
        long n = a.rows;
        long left = n - 1 - p;
        long first = lower ? p + 1 : 0;
        Launch l = c.scope.kernel(Kernel.SYMV);
        l.uplo = c.args.uplo;
        l.hermitian = c.args.type.isComplex();
        l.n = left;
        a.diagonal(first, left).into(l.a);
        vector(a.block(first, lower ? p : left, left, 1), l.b);
        vector(w.block(first, lower ? p : k - 1 - p, left, 1), l.c);
        c.scope.launch();
    }

    private static void vector(Block column, Operand into) {
        column.into(into);
        into.vector = true;
        into.ld = 1;
    }

    /** What is behind the panel: a - v·wᴴ - w·vᴴ. */
    private static void rest(Call c, Block a, Block w, long nb) {
        boolean lower = c.args.uplo == Uplo.LOWER;
        long n = a.rows - nb;
        Block v = lower ? a.block(nb, 0, n, nb) : a.block(0, n, n, nb);
        Block x = lower ? w.rows(nb, n) : w.rows(0, n);
        Block out = (lower ? a.diagonal(nb, n) : a.diagonal(0, n)).triangle(c.args.uplo, a.diag);
        rankTwo(c, Scope.MINUS_ONE, v, x, out);
    }

    /** The triangle of out += sign·(v·wᴴ + w·vᴴ), in place and as it is stored; rectangles of it are products. The sign is real. */
    static void rankTwo(Call c, Scalar sign, Block v, Block w, Block out) {
        Scope s = c.scope;
        boolean hermitian = c.args.type.isComplex();
        long n = out.rows;
        boolean whole = s.reach(Kernel.SYR2K) == Reach.ANY || s.beside(hermitian, v);
        long nb = whole ? n : Scope.outer(c.traits);
        for (long j = 0; j < n; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, n - j);
            s.syr2k(hermitian, sign, v.rows(j, jb), w.rows(j, jb), Scope.ONE, out.diagonal(j, jb));
            long from = c.args.uplo == Uplo.LOWER ? j + jb : 0;
            long size = c.args.uplo == Uplo.LOWER ? n - from : j;
            if (size > 0) {
                Block rectangle = out.block(from, j, size, jb);
                s.gemm(sign, v.rows(from, size), w.rows(j, jb).h(), Scope.ONE, rectangle);
                s.gemm(sign, w.rows(from, size), v.rows(j, jb).h(), Scope.ONE, rectangle);
            }
            s.release(mark);
        }
    }
}
