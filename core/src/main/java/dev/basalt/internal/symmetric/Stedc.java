package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.StedcSignature;
import dev.basalt.internal.signature.StevdSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;

/** Eigenvalues and eigenvectors of a symmetric tridiagonal matrix by divide and conquer; with little workspace by QR iteration. */
public final class Stedc extends Routine {
    /** The family. */
    public static final Stedc ROUTINE = new Stedc(new StedcSignature());

    /** Eigenvectors of the tridiagonal matrix itself. */
    public static final Stedc STEVD = new Stedc(new StevdSignature());

    private static final int WORK = 1;
    private static final int PRODUCT = 2;

    private Stedc(Signature signature) {
        super(signature);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Launch g = c.args;
        if (g.evect == Evect.NONE) {
            return;
        }
        boolean product = g.evect == Evect.ORIGINAL;
        for (int t = 0; t < 2; t++) {
            long packing = product ? Gemm.bytes(c, g.type, t, g.n, g.n, g.n) : 0;
            need.tier(t == 0 ? "divide and conquer" : "divide and conquer, little packing")
                    .slot("packing", Math.max(packing, DivideAndConquer.packing(c, t, g.n)))
                    .slot("work", DivideAndConquer.bytes(c, g.n))
                    .slot("product", product || g.type.isComplex() ? square(c, product ? 2 : 1) : 0);
        }
        need.tier("QR iteration").slot("rotations", Steqr.bytes(c, g.n));
    }

    private static long square(Call c, long times) {
        return Chunks.times(times, Scope.squareBytes(c.args.type, c.args.n, c.args.count));
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch g = c.args;
        if (g.evect == Evect.NONE) {
            Steqr.values(c, g.a, g.b);
            return;
        }
        Scope s = c.scope;
        Block out = s.of(g.c, g.n, g.n);
        if (c.tier() == 2) {
            if (g.evect == Evect.TRIDIAGONAL) {
                Steqr.identity(c, out);
            }
            Steqr.vectors(c, g.a, g.b, out, c.slot(0));
            return;
        }
        Packing.use(c, 0);
        Operand real = DivideAndConquer.solve(c, g.a, g.b, c.slot(WORK));
        Block z = elements(c, real, c.slot(PRODUCT));
        if (g.evect == Evect.TRIDIAGONAL) {
            s.copy(z, out);
        } else {
            Block copy = s.dense(c.slot(PRODUCT) + square(c, 1), g.n, g.n);
            s.copy(out, copy);
            s.gemm(1, copy, z, 0, out);
        }
    }

    /** A real matrix as one of the call's elements, complex ones at an address. */
    static Block elements(Call c, Operand real, long at) {
        Scope s = c.scope;
        long n = c.args.n;
        if (!c.args.type.isComplex()) {
            return s.of(real, n, n);
        }
        Block z = s.dense(at, n, n);
        s.scale(Scope.ZERO, z);
        Launch l = Steqr.real(c, Kernel.COPY);
        l.n = n * n;
        l.a.vector(real.type, real.base, n * n, 1, real.stride);
        l.c.vector(real.type, at, n * n, 2, 2 * n * n);
        s.launch();
        return z;
    }
}
