package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.Geqp3Signature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import java.util.List;

/**
 * QR with column pivoting, LAPACK's pivots (Quintana-Ortí, Sun and Bischof, "A BLAS-3 version of the QR factorization with column pivoting", 1998). A panel
 * reads the matrix once a column, by a product with a vector, and leaves half of the arithmetic to one product of matrices. Which column comes next, and which
 * norms must be computed again, the device decides. There a column is brought up to date at once, so no panel ends before its last column.
 * A small matrix is one launch, where the device has that.
 */
public final class Geqp3 extends Routine {
    /** The family. */
    public static final Geqp3 ROUTINE = new Geqp3();

    /** What it may run, by the columns of a panel. */
    static final List<String> TIERS = List.of("panels", "narrow panels", "column by column");

    private static final long[] WIDTHS = {32, 8, 1};

    private Geqp3() {
        super(new Geqp3Signature());
    }

    /** Columns of a panel in a tier. */
    static long width(int tier) {
        return WIDTHS[tier];
    }

    /** Bytes for a panel's products. */
    static long products(Call c, int tier, long n) {
        return Chunks.times(Chunks.times(n, width(tier)), c.args.type.bytes(), c.args.count);
    }

    /** Bytes for the norms of columns. */
    static long norms(Call c, long n) {
        return Chunks.times(Math.addExact(Chunks.times(2, n), 1), c.args.type.real().bytes(), c.args.count);
    }

    @Override
    protected void need(Call c, Need need) {
        for (int t = 0; t < TIERS.size(); t++) {
            tier(c, need, t);
        }
    }

    /** One of the tiers. */
    static void tier(Call c, Need need, int t) {
        Launch g = c.args;
        need.tier(TIERS.get(t))
                .slot("packing", Gemm.bytes(c, g.type, t, g.m, g.n, width(t)))
                .slot("F", products(c, t, g.n))
                .slot("norms", norms(c, g.n));
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        factor(c, c.scope.of(c.args.c, c.args.m, c.args.n), c.args.b, c.args.d, c.slot(1), c.slot(2));
    }

    /** Factors a block that is read as it is stored, with workspace for the products of a panel and the norms. */
    static void factor(Call c, Block a, Operand jpvt, Operand tau, long products, long norms) {
        Scope s = c.scope;
        long m = a.rows;
        long n = a.cols;
        long k = Math.min(m, n);
        long nb = width(c.tier());
        Operand norm = c.k.a.vector(c.args.type.real(), norms, 2 * n + 1, 1, 2 * n + 1);
        Block f = s.dense(products, n, nb);
        boolean whole = Math.max(m, n) <= s.reach(Kernel.GEQP3);
        Launch l = s.kernel(whole ? Kernel.GEQP3 : Kernel.GEQP3_START);
        l.m = m;
        l.n = n;
        l.a.set(norm);
        a.into(l.c);
        l.f.set(jpvt);
        if (whole) {
            f.cols(0, 1).into(l.b);
            l.d.set(tau);
        }
        s.launch();
        for (long j = 0; j < k && !whole; j += nb) {
            int mark = s.mark();
            long jb = Math.min(nb, k - j);
            for (long i = j; i < j + jb; i++) {
                column(c, Kernel.LAQPS_COLUMN, a, f, norm, tau, jpvt, j, i);
                product(s, a, f, j, i);
                column(c, Kernel.LAQPS_ROW, a, f, norm, tau, jpvt, j, i);
            }
            long next = j + jb;
            if (next < k) {
                s.gemm(-1, a.block(next, j, m - next, jb), f.block(jb, 0, n - next, jb).h(), 1,
                        a.block(next, next, m - next, n - next));
            }
            s.release(mark);
        }
    }

    private static void column(Call c, Kernel kernel, Block a, Block f, Operand norm, Operand tau, Operand jpvt,
            long first, long col) {
        Launch l = c.scope.kernel(kernel);
        l.m = a.rows;
        l.n = a.cols;
        l.p = first;
        l.q = col;
        l.a.set(norm);
        f.into(l.b);
        a.into(l.c);
        l.d.set(tau);
        if (kernel == Kernel.LAQPS_COLUMN) {
            l.f.set(jpvt);
        }
        c.scope.launch();
    }

    /** The products of a column's reflector with the columns behind it. */
    private static void product(Scope s, Block a, Block f, long first, long col) {
        long behind = a.cols - col - 1;
        if (behind == 0) {
            return;
        }
        int mark = s.mark();
        long rows = a.rows - col;
        Launch l = s.kernel(Kernel.GEMV);
        l.opA = Op.CONJ_TRANS;
        l.m = rows;
        l.n = behind;
        a.block(col, col + 1, rows, behind).into(l.a);
        Larf.vector(a.block(col, col, rows, 1), l.b);
        Larf.vector(f.block(col - first + 1, col - first, behind, 1), l.c);
        s.launch();
        s.release(mark);
    }
}
