package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LabrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;

/**
 * Reduction to an upper bidiagonal matrix, Qᴴ·A·P, of a block that has at least as many rows as columns as it is read (Dongarra, Sorensen and Hammarling, "Block reduction of matrices to
 * condensed forms for eigenvalue computations", 1989). A panel keeps what its reflectors take off the rest as products: A - L·Rᴴ, where the columns of L and R come in pairs, v beside y
 * and x beside u. So each new column and row, and the rest at the end, take one product.
 */
final class Bidiagonal {
    /** Columns of a panel in the first tiers. */
    private static final long[] WIDTHS = {32, 8};

    /** So few columns, and so few rows, are done in one launch. */
    private static final long FEW = 32;

    private static final long LOW = 256;

    /** The same where launches are no waves and one costs little: it reads a matrix twice a column, which is worth while as long as caches keep that. */
    private static final long MORE = 128;

    private static final long LITTLE = 1 << 16;

    /** So many blocks of columns are the least that one launch is made for. */
    private static final long SHARED = 2;

    private Bidiagonal() {}

    private static boolean alone(Call c, long rows, long cols, int tier) {
        boolean little = c.traits.reach().waves()
                ? cols <= FEW && rows <= LOW
                : cols <= FEW || cols <= MORE && rows <= LITTLE / cols;
        return tier >= WIDTHS.length || little || rows <= kept(c);
    }

    /** The most rows of a matrix that blocks keep between them, 0 where they do not. */
    private static long kept(Call c) {
        long reach = c.traits.reach().of(Kernel.GEBD2, c.args.type);
        return c.args.count == 1 && c.traits.reach().waves() && reach > FEW ? reach : 0;
    }

    /** Elements of what blocks that keep a matrix, or the end of one, tell each other. */
    private static long told(Call c, long rows, long cols, int tier) {
        long kept = kept(c);
        boolean few = cols <= FEW && rows <= LOW;
        return tier >= WIDTHS.length || kept == 0 || few
                ? 0
                : LabrdWork.whole(Math.min(rows, kept), Math.min(cols, kept));
    }

    /** Columns of a panel. */
    static long width(int tier, long cols) {
        return Math.min(WIDTHS[Math.min(tier, WIDTHS.length - 1)], cols);
    }

    /** Whether one launch makes panels: blocks share it, which is worth while for one problem that is not small. */
    private static boolean shares(Call c, long cols) {
        return c.args.count == 1 && cols > SHARED * c.traits.block()
                && c.traits.reach().whole(Kernel.LABRD_PANEL, c.args.type);
    }

    /** Elements of workspace for one problem. */
    private static long elements(Call c, long rows, long cols, int tier) {
        long whole = Math.max(Chunks.times(3, rows), told(c, rows, cols, tier));
        return alone(c, rows, cols, tier) ? whole : Math.max(whole, panel(c, rows, cols, width(tier, cols)));
    }

    /** Elements of a panel's products, and of one vector and what meets it, or of what blocks tell each other. A wider panel has as many, so that the need does not fall there. */
    static long panel(Call c, long rows, long cols, long nb) {
        long steps = Math.addExact(rows, 2 * nb);
        return Math.addExact(Chunks.times(2 * nb, Math.addExact(rows, cols)),
                shares(c, cols)
                        ? Math.max(steps, LabrdWork.elements(rows, cols, Math.min(nb, LabrdWork.COLUMNS)))
                        : steps);
    }

    /** Bytes of workspace. */
    static long bytes(Call c, long rows, long cols, int tier) {
        return Chunks.times(elements(c, rows, cols, tier), c.args.type.bytes(), c.args.count);
    }

    /** Reduces a block; tau and the elements d and e are those of its columns and rows as they are read. */
    static void reduce(Call c, Block a, Operand d, Operand e, Operand tauq, Operand taup, long work) {
        long j = lying(c, a) ? wide(c, a, d, e, tauq, taup, work) : 0;
        while (j < a.cols && !alone(c, a.rows - j, a.cols - j, c.tier())) {
            long nb = width(c.tier(), a.cols - j);
            panel(c, a, j, nb, d, e, tauq, taup, work, true);
            j += nb;
        }
        if (j < a.cols) {
            int mark = c.scope.mark();
            Block rest = a.block(j, j, a.rows - j, a.cols - j);
            whole(c, rest, j, d, e, tauq, taup, work,
                    rest.rows <= kept(c) ? told(c, rest.rows, rest.cols, c.tier()) : 0);
            c.scope.release(mark);
        }
    }

    /** Whether a block is read as its conjugate transpose, and blocks that share its panels want it as it lies. */
    private static boolean lying(Call c, Block a) {
        return a.op == Op.CONJ_TRANS && !a.mirrored() && shares(c, a.cols) && !alone(c, a.rows, a.cols, c.tier());
    }

    /**
     * A wide matrix that is read turned, as it lies: when its first row is done, what is below is reduced to an upper bidiagonal matrix by panels, until blocks keep what is left, or there is no more.
     *
     * @return how many columns, as they are read, are done with their rows
     */
    private static long wide(Call c, Block a, Operand d, Operand e, Operand tauq, Operand taup, long work) {
        Scope s = c.scope;
        long scaled = work + 2 * width(c.tier(), a.cols) * (a.rows + a.cols) * c.args.type.bytes();
        step(c, a, 0, d, tauq, work, scaled);
        long j = 0;
        while (j + 1 < a.cols) {
            int mark = s.mark();
            Block below = a.block(j, j + 1, a.rows - j, a.cols - j - 1).h();
            if (a.rows - j - 1 <= kept(c)) {
                step(c, below, j, e, taup, work, scaled);
                s.release(mark);
                return j + 1;
            }
            long nb = Math.min(width(c.tier(), a.cols), below.rows);
            long apart = 2 * nb * (below.rows + below.cols);
            long room = panel(c, a.rows, a.cols, width(c.tier(), a.cols)) - apart;
            share(c, below, j, j + 1, nb, e, d, taup, tauq, work, work + apart * c.args.type.bytes(), room);
            update(s, below, left(s, work, below.rows, nb), right(c, work, below.rows, below.cols, nb), nb);
            s.release(mark);
            j += nb;
        }
        // The last row has no column.
        zero(s, taup, j);
        return a.cols;
    }

    /** The reflector of the first column, and what it makes of those behind it. */
    private static void step(Call c, Block a, long j, Operand beta, Operand tau, long work, long scaled) {
        Scope s = c.scope;
        int mark = s.mark();
        Block v = s.dense(work, a.rows, 1);
        Block column = a.block(0, 0, a.rows, 1);
        bring(s, column, v);
        reflect(c, v, column, column.op != Op.NONE, tau, beta, j, scaled);
        if (a.cols > 1) {
            Block rest = a.block(0, 1, a.rows, a.cols - 1);
            Block y = s.dense(work + a.rows * c.args.type.bytes(), a.cols - 1, 1);
            Block none = v.cols(0, 0);
            multiply(c, rest, none, none, scaled, y, a.rows);
            subtractProduct(s, rest, v, y);
        }
        s.release(mark);
    }

    /** What one launch reduces, the rest of a matrix from column j on, by one block. */
    static void whole(Call c, Block a, long j, Operand d, Operand e, Operand tauq, Operand taup, long work) {
        whole(c, a, j, d, e, tauq, taup, work, 0);
    }

    /** The same, with so many elements of workspace for what blocks tell each other. */
    private static void whole(Call c, Block a, long j, Operand d, Operand e, Operand tauq, Operand taup, long work,
            long told) {
        Scope s = c.scope;
        boolean turned = a.op != Op.NONE;
        Launch l = s.kernel(Kernel.GEBD2);
        l.opB = a.op;
        l.m = turned ? a.cols : a.rows;
        l.n = turned ? a.rows : a.cols;
        l.a.slice(d, j, a.cols);
        l.b.slice(e, Math.min(j, Math.max(0, e.rows - 1)), Math.max(0, a.cols - 1));
        a.into(l.c);
        l.d.slice(turned ? taup : tauq, j, a.cols);
        l.f.slice(turned ? tauq : taup, j, a.cols);
        long most = 3 * a.rows;
        l.g.vector(s.type(), work, most, 1, most);
        l.work = work;
        l.workBytes = told * s.type().bytes();
        s.launch();
    }

    /** The products of a panel. */
    static Block left(Scope s, long work, long rows, long nb) {
        return s.dense(work, rows, 2 * nb);
    }

    static Block right(Call c, long work, long rows, long cols, long nb) {
        return c.scope.dense(work + 2 * nb * rows * c.args.type.bytes() * c.args.count, cols, 2 * nb);
    }

    /** Columns j to j + nb - 1, and the rows of the same numbers; with {@code update} the rest of the matrix, too. */
    static void panel(Call c, Block whole, long j, long nb, Operand d, Operand e, Operand tauq, Operand taup, long work,
            boolean update) {
        Scope s = c.scope;
        int begin = s.mark();
        Block a = whole.block(j, j, whole.rows - j, whole.cols - j);
        long m = a.rows;
        long n = a.cols;
        Block left = left(s, work, m, nb);
        Block right = right(c, work, m, n, nb);
        long scaled = work + 2 * nb * (m + n) * c.args.type.bytes() * c.args.count;
        boolean shared = a.op == Op.NONE && !a.mirrored() && nb <= LabrdWork.COLUMNS && shares(c, n);
        if (shared) {
            share(c, a, j, j, nb, d, e, tauq, taup, work, scaled, LabrdWork.elements(m, n, nb));
        }
        for (long i = shared ? nb : 0; i < nb; i++) {
            int mark = s.mark();
            Block v = left.block(i, 2 * i, m - i, 1);
            Block column = a.block(i, i, m - i, 1);
            bring(s, column, v);
            subtract(s, left.block(i, 0, m - i, 2 * i), right.block(i, 0, 1, 2 * i), v);
            reflect(c, v, column, column.op != Op.NONE, tauq, d, j + i, scaled);
            if (i + 1 == n) {
                zero(s, taup, j + i);
                s.release(mark);
                break;
            }
            multiply(c, a.block(i, i + 1, m - i, n - i - 1), left.block(i, 0, m - i, 2 * i),
                    right.block(i + 1, 0, n - i - 1, 2 * i), scaled, right.block(i + 1, 2 * i, n - i - 1, 1), m);
            Block u = right.block(i + 1, 2 * i + 1, n - i - 1, 1);
            Block row = a.block(i, i + 1, 1, n - i - 1).h();
            bring(s, row, u);
            subtract(s, right.block(i + 1, 0, n - i - 1, 2 * i + 1), left.block(i, 0, 1, 2 * i + 1), u);
            reflect(c, u, row, row.op != Op.NONE, taup, e, j + i, scaled);
            if (i + 1 < m) {
                multiply(c, a.block(i + 1, i + 1, m - i - 1, n - i - 1).h(),
                        right.block(i + 1, 0, n - i - 1, 2 * i + 1), left.block(i + 1, 0, m - i - 1, 2 * i + 1), scaled,
                        left.block(i + 1, 2 * i + 1, m - i - 1, 1), m);
            }
            s.release(mark);
        }
        if (update) {
            update(s, a, left, right, nb);
        }
        s.release(begin);
    }

    /** What is behind a panel of nb columns and rows: less L·Rᴴ. */
    private static void update(Scope s, Block a, Block left, Block right, long nb) {
        if (nb < a.cols && nb < a.rows) {
            subtractProduct(s, a.block(nb, nb, a.rows - nb, a.cols - nb), left.rows(nb, a.rows - nb),
                    right.rows(nb, a.cols - nb));
        }
    }

    /** a := a - l·rᴴ. */
    private static void subtractProduct(Scope s, Block a, Block l, Block r) {
        if (a.op == Op.NONE) {
            s.gemm(-1, l, r.h(), 1, a);
        } else {
            s.gemm(-1, r, l.h(), 1, a.h());
        }
    }

    /** All columns and rows of a panel in one launch: numbers of columns go to d and tauq from j on, those of rows to e and taup from r on. */
    private static void share(Call c, Block a, long j, long r, long nb, Operand d, Operand e, Operand tauq,
            Operand taup, long products, long work, long room) {
        Launch l = c.scope.kernel(Kernel.LABRD_PANEL);
        l.m = a.rows;
        l.n = a.cols;
        l.k = nb;
        l.a.slice(d, j, nb);
        // The last column has no row.
        l.b.slice(e, Math.min(r, Math.max(0, e.rows - 1)), Math.min(nb, a.cols - 1));
        a.into(l.c);
        l.d.slice(tauq, j, nb);
        l.f.slice(taup, r, nb);
        long elements = 2 * nb * (a.rows + a.cols);
        l.g.vector(c.scope.type(), products, elements, 1, elements);
        l.work = work;
        l.workBytes = Math.min(room, LabrdWork.elements(a.rows, a.cols, nb)) * c.args.type.bytes();
        c.scope.launch();
    }

    /** A line as it is read into a column of workspace. */
    private static void bring(Scope s, Block line, Block v) {
        if (line.op == Op.NONE) {
            s.copy(line, v);
            return;
        }
        Launch l = s.kernel(Kernel.GEAM);
        l.opA = Op.CONJ_TRANS;
        l.m = v.rows;
        l.n = 1;
        line.into(l.a);
        v.into(l.b);
        v.into(l.c);
        s.launch();
    }

    /** v := v - a·xᴴ, x a row. */
    private static void subtract(Scope s, Block a, Block x, Block v) {
        if (a.cols == 0) {
            return;
        }
        if (s.type().isComplex()) {
            s.gemm(-1, a, x.h(), 1, v);
            return;
        }
        Launch l = gemv(s, -1, a, 1);
        line(x, l.b);
        line(v, l.c);
        s.launch();
    }

    private static void reflect(Call c, Block v, Block line, boolean conjugated, Operand tau, Operand beta, long place,
            long scaled) {
        Scope s = c.scope;
        Launch l = s.kernel(Kernel.LABRD);
        l.n = v.rows;
        l.conjugated = conjugated;
        l.a.slice(beta, place, 1);
        line(v, l.b);
        line(line, l.c);
        l.d.slice(tau, place, 1);
        l.g.vector(s.type(), scaled, v.rows, 1, v.rows);
        s.launch();
    }

    /** y := (a - p·qᴴ)ᴴ·w, w the scaled vector of a reflector. */
    private static void multiply(Call c, Block a, Block p, Block q, long scaled, Block y, long most) {
        Scope s = c.scope;
        Block w = s.dense(scaled, a.rows, 1);
        Launch l = gemv(s, 1, a.h(), 0);
        line(w, l.b);
        line(y, l.c);
        s.launch();
        if (p.cols > 0) {
            Block t = s.dense(scaled + most * c.args.type.bytes() * c.args.count, p.cols, 1);
            l = gemv(s, 1, p.h(), 0);
            line(w, l.b);
            line(t, l.c);
            s.launch();
            l = gemv(s, -1, q, 1);
            line(t, l.b);
            line(y, l.c);
            s.launch();
        }
    }

    /** A product of a block as it is read with a vector. */
    private static Launch gemv(Scope s, double alpha, Block a, double beta) {
        Launch l = s.kernel(Kernel.GEMV);
        l.opA = a.op;
        l.m = a.op == Op.NONE ? a.rows : a.cols;
        l.n = a.op == Op.NONE ? a.cols : a.rows;
        l.alpha.set(alpha, 0);
        l.beta.set(beta, 0);
        a.into(l.a);
        return l;
    }

    /** A row or a column of what is stored as a vector. */
    private static void line(Block b, Operand into) {
        b.into(into);
        boolean row = (b.op == Op.NONE ? b.rows : b.cols) == 1;
        into.vector = true;
        into.rows = row ? into.cols : into.rows;
        into.ld = row ? into.ld : 1;
        into.cols = 1;
    }

    /** One element of a vector := 0. */
    static void zero(Scope s, Operand x, long place) {
        Launch l = s.kernel(Kernel.FILL);
        l.n = 1;
        l.alpha.set(Scope.ZERO);
        l.c.slice(x, place, 1);
        s.launch();
    }
}
