package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.product.Trsm;
import dev.basalt.internal.signature.HetrsAaSignature;
import dev.basalt.internal.signature.SytrsAaSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Solves A·X = B from the factors of {@link SytrfAa}: all interchanges, a triangle, T, the triangle, and the interchanges back. L is read where it lies: its unit diagonal is where T has
 * other elements. T is copied and factored by LU with partial pivoting before anything is done to B, so a problem whose T is exactly singular keeps its B.
 */
public final class SytrsAa extends Routine {
    /** Symmetric. */
    public static final SytrsAa SYTRS_AA = new SytrsAa(new SytrsAaSignature(), false);

    /** Hermitian. */
    public static final SytrsAa HETRS_AA = new SytrsAa(new HetrsAaSignature(), true);

    /** Diagonals of T and of its factors, in the workspace one behind the other. */
    private static final int DIAGONALS = 4;

    private static final int LOWER = 0;
    private static final int MAIN = 1;
    private static final int UPPER = 2;
    private static final int SECOND = 3;

    private final boolean hermitian;

    private SytrsAa(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need(c, need, c.args.n, c.args.k);
    }

    /** The need of a solve; its slots are those of {@link Sytrf}. */
    static void need(Call c, Need need, long n, long nrhs) {
        long block = Math.min(n, c.traits.reach().of(Kernel.TRSM, c.args.type));
        for (int t = 0; t < Packing.TIERS.size(); t++) {
            long products = Gemm.bytes(c, c.args.type, t, n, nrhs, n);
            need.tier(Packing.TIERS.get(t))
                    .slot("factor", Chunks.times(Chunks.times(DIAGONALS, n), c.args.type.bytes(), c.args.count))
                    .slot("integers", Chunks.times(ElementType.I64.bytes(), n, c.args.count))
                    .slot("packing",
                            t == 0 ? Math.max(products, Packing.block(c, Kernel.TRSM, block, block)) : products);
        }
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        solve(c, c.args.a, hermitian);
    }

    /** Solves for operand c of the call with the factors a; pivots and info are operands d and e. */
    static void solve(Call c, Operand a, boolean hermitian) {
        Scope s = c.scope;
        long n = c.args.n;
        boolean upper = c.args.uplo == Uplo.UPPER;
        Packing.use(c, Sytrf.PACKING);
        factor(c, a, hermitian);
        if (c.args.k == 0) {
            return;
        }
        s.guard = c.args.e;
        Block b = s.of(c.args.c, n, c.args.k);
        interchange(c, b, false);
        Block l = s.of(a, n, n).triangle(c.args.uplo, Diag.UNIT);
        l = upper ? l.block(0, 1, n - 1, n - 1).transposed(hermitian) : l.block(1, 0, n - 1, n - 1);
        if (n > 1) {
            Trsm.solve(s, Side.LEFT, l, b.rows(1, n - 1));
        }
        Launch t = s.kernel(Kernel.GTTRS);
        t.n = n;
        t.m = c.args.k;
        diagonal(c, t.a, LOWER, n - 1);
        diagonal(c, t.b, MAIN, n);
        diagonal(c, t.f, UPPER, n - 1);
        diagonal(c, t.g, SECOND, Math.max(0, n - 2));
        rows(c, t.d);
        b.into(t.c);
        s.launch();
        if (n > 1) {
            Trsm.solve(s, Side.LEFT, l.transposed(hermitian), b.rows(1, n - 1));
        }
        interchange(c, b, true);
    }

    /** Copies T into the workspace and factors it. */
    private static void factor(Call c, Operand a, boolean hermitian) {
        long n = c.args.n;
        boolean upper = c.args.uplo == Uplo.UPPER;
        copy(c, a, 0, 0, MAIN, n);
        if (hermitian) {
            clearImaginary(c);
        }
        for (int to = LOWER; to <= UPPER && n > 1; to += UPPER - LOWER) {
            copy(c, a, upper ? 0 : 1, upper ? 1 : 0, to, n - 1);
            if (hermitian && (to == LOWER) == upper) {
                Launch l = c.scope.kernel(Kernel.CONJUGATE);
                l.m = n - 1;
                l.n = 1;
                diagonal(c, l.c, to, n - 1);
                c.scope.launch();
            }
        }
        Launch l = c.scope.kernel(Kernel.GTTRF);
        l.n = n;
        diagonal(c, l.a, LOWER, n - 1);
        diagonal(c, l.b, MAIN, n);
        diagonal(c, l.c, UPPER, n - 1);
        diagonal(c, l.f, SECOND, Math.max(0, n - 2));
        rows(c, l.d);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    private static void copy(Call c, Operand a, long row, long col, int to, long n) {
        Launch l = c.scope.kernel(Kernel.COPY);
        l.n = n;
        l.a.block(a, row, col, n, 1);
        l.a.ld++;
        l.a.vector = true;
        diagonal(c, l.c, to, n);
        l.c.ld = 1;
        l.c.vector = true;
        c.scope.launch();
    }

    /** The imaginary parts of T's diagonal := 0, whatever the matrix has there. */
    private static void clearImaginary(Call c) {
        long n = c.args.n;
        ElementType real = c.args.type.real();
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = real;
        l.n = n;
        l.alpha.set(0, 0);
        long address = c.slot(Sytrf.FACTOR) + MAIN * n * c.args.type.bytes() + real.bytes();
        l.c.vector(real, address, n, 2, 2 * DIAGONALS * n);
        c.scope.launch();
    }

    /** A diagonal of T, as a matrix of one column. */
    private static void diagonal(Call c, Operand o, int which, long elements) {
        long n = c.args.n;
        long address = c.slot(Sytrf.FACTOR) + which * n * c.args.type.bytes();
        o.matrix(c.args.type, address, elements, 1, n, DIAGONALS * n);
    }

    private static void rows(Call c, Operand d) {
        d.vector(ElementType.I64, c.slot(Sytrf.INTEGERS), c.args.n, 1, c.args.n);
    }

    private static void interchange(Call c, Block b, boolean backward) {
        Launch l = c.scope.kernel(Kernel.LASWP);
        l.m = b.rows;
        l.n = b.cols;
        l.q = b.rows;
        l.backward = backward;
        b.into(l.c);
        l.d.set(c.args.d);
        c.scope.launch();
    }
}
