package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HetrfAaSignature;
import dev.basalt.internal.signature.SytrfAaSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Uplo;

/**
 * P·A·Pᵀ = L·T·Lᵀ (ᴴ for Hermitian matrices) with a tridiagonal T, as LAPACK's sytrf_aa: Aasen's method (1971), with one interchange a column and no blocks of order 2. Panels from the
 * left, then half the product for what is right of them. The element of T between two panels belongs to that product, so each panel begins as the first one does, with a column of L
 * that is known.
 *
 * <p>
 * Workspace: the panel's columns of L and of T·Lᴴ.
 */
public final class SytrfAa extends Routine {
    /** Symmetric. */
    public static final SytrfAa SYTRF_AA = new SytrfAa(new SytrfAaSignature(), false);

    /** Hermitian. */
    public static final SytrfAa HETRF_AA = new SytrfAa(new HetrfAaSignature(), true);

    private final boolean hermitian;

    private SytrfAa(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n);
    }

    /** The need of a factorisation; its slots are those of {@link Sytrf}. */
    static void need(Call c, Need need, long n) {
        for (int t = 0; t < 2 && n > Sytrf.SMALL; t++) {
            long nb = Sytrf.width(t, n);
            need.tier(t == 0 ? "panels" : "narrow panels")
                    .slot("factor", Chunks.times(2, Sytrf.panelBytes(c, n, nb)))
                    .slot("integers", 0)
                    .slot("packing", Sytrf.packing(c, t, n, nb + 1));
        }
        need.tier("one column").slot("factor", Chunks.times(n, c.args.type.bytes(), c.args.count));
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        factor(c, c.args.c, hermitian);
    }

    /** Factors a matrix in place; pivots are operand d of the call. */
    static void factor(Call c, Operand a, boolean hermitian) {
        long n = c.args.n;
        if (n > Sytrf.SMALL && c.tier() < 2) {
            panels(c, a, hermitian);
        } else {
            Launch l = launch(c, a, hermitian, 0, n);
            l.b.matrix(c.args.type, c.slot(Sytrf.FACTOR), n, 1, n, n);
            c.scope.launch();
        }
    }

    private static Launch launch(Call c, Operand a, boolean hermitian, long from, long to) {
        Launch l = c.scope.kernel(Kernel.AASEN);
        l.uplo = c.args.uplo;
        l.hermitian = hermitian;
        l.n = c.args.n;
        l.p = from;
        l.q = to;
        l.c.set(a);
        l.d.set(c.args.d);
        return l;
    }

    private static void panels(Call c, Operand operand, boolean hermitian) {
        Packing.use(c, Sytrf.PACKING);
        Scope s = c.scope;
        long n = c.args.n;
        long nb = Sytrf.width(c.tier(), n);
        Block a = s.of(operand, n, n).triangle(c.args.uplo, Diag.NON_UNIT);
        Block l = s.dense(c.slot(Sytrf.FACTOR), Sytrf.apart(n), nb + 1);
        Block w = s.dense(c.slot(Sytrf.FACTOR) + Sytrf.panelBytes(c, n, nb), Sytrf.apart(n), nb + 1);
        for (long j = 0, next; j < n; j = next) {
            int mark = s.mark();
            next = Math.min(n, j + Sytrf.width(c.tier(), n - j));
            Block left = l.block(0, 0, n, next - j + 1);
            Block right = w.block(0, 0, n, next - j + 1);
            Launch panel = launch(c, operand, hermitian, j, next);
            right.into(panel.b);
            if (next < n) {
                left.into(panel.a);
            }
            s.launch();
            if (next < n) {
                boolean upper = c.args.uplo == Uplo.UPPER;
                Block one = (upper ? right : left).rows(next, n - next);
                Block other = (upper ? left : right).rows(next, n - next);
                s.gemmt(hermitian, Scope.MINUS_ONE, one, other.transposed(false), Scope.ONE,
                        a.diagonal(next, n - next));
            }
            s.release(mark);
        }
    }
}
