package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.product.Gemm;
import dev.basalt.internal.signature.HseqrComplexSignature;
import dev.basalt.internal.signature.HseqrSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.BulgeWindows;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;

/** The Schur form of a Hessenberg matrix by QR iteration: many shifts at once where there is workspace for windows, else two or one. */
public final class Hseqr extends Routine {
    /** Real elements. */
    public static final Hseqr HSEQR = new Hseqr(new HseqrSignature());

    /** Complex elements. */
    public static final Hseqr HSEQR_COMPLEX = new Hseqr(new HseqrComplexSignature());

    private Hseqr(Signature signature) {
        super(signature);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    /** Bytes of windows. */
    static long bytes(Call c, int tier, long n) {
        return Chunks.times(BulgeWindows.elements(tier == 0 ? n : Math.min(n, 1), c.args.type.isComplex()),
                c.args.type.bytes(), c.args.count);
    }

    /** Bytes for packing in the products of windows. */
    static long packing(Call c, int tier, long n) {
        return tier > 0 || BulgeWindows.shifts(n) == 0 ? 0 : Gemm.bytes(c, c.args.type, 0, n, n, n);
    }

    @Override
    protected void need(Call c, Need need) {
        for (int t = 0; t < 2; t++) {
            need.tier(t == 0 ? "many shifts" : "few shifts")
                    .slot("packing", packing(c, t, c.args.n))
                    .slot("windows", bytes(c, t, c.args.n));
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Packing.use(c, 0);
        Block z = null;
        if (g.evect != Evect.NONE) {
            z = c.scope.of(g.d, g.n, g.n);
            if (g.evect == Evect.TRIDIAGONAL) {
                identity(c.scope, z);
            }
        }
        // Vectors are those of the whole form.
        Schur job = g.evect == Evect.NONE ? g.job : Schur.SCHUR;
        iterate(c, job, c.scope.of(g.c, g.n, g.n), z, Math.max(0, g.p - 1), g.q, c.slot(1), c.slotBytes(1));
    }

    /** z := the identity. */
    private static void identity(Scope s, Block z) {
        Launch l = s.kernel(Kernel.LASET);
        l.m = z.rows;
        l.n = z.cols;
        l.alpha.set(0, 0);
        l.beta.set(1, 0);
        z.into(l.c);
        s.launch();
    }

    /** The iteration on rows lo to hi - 1; eigenvalues and info are those of the call. */
    static void iterate(Call c, Schur job, Block h, Block z, long lo, long hi, long work, long bytes) {
        Launch g = c.args;
        Launch l = c.scope.packing(Kernel.HSEQR);
        Operand info = g.e;
        l.guarded = false;
        l.job = job;
        l.n = h.rows;
        l.p = lo;
        l.q = hi;
        l.a.set(g.a);
        if (!g.type.isComplex()) {
            l.b.set(g.b);
        }
        h.into(l.c);
        if (z != null) {
            z.into(l.d);
        }
        l.e.set(info);
        long elements = bytes / g.type.bytes() / Math.max(1, g.count);
        l.g.vector(g.type, work, elements, 1, elements);
        c.scope.launch();
    }
}
