package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.SteqrSignature;
import dev.basalt.internal.signature.SterfSignature;
import dev.basalt.internal.signature.StevSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;

/** Eigenvalues and eigenvectors of a symmetric tridiagonal matrix by implicit QL and QR steps. Rotations are real, so complex vectors are real ones of twice the rows. */
public final class Steqr extends Routine {
    /** Eigenvalues alone. */
    public static final Steqr STERF = new Steqr(new SterfSignature());

    /** With eigenvectors. */
    public static final Steqr STEQR = new Steqr(new SteqrSignature());

    /** Eigenvectors of the tridiagonal matrix itself. */
    public static final Steqr STEV = new Steqr(new StevSignature());

    /** The only tier. */
    public static final String ITERATION = "QR iteration";

    private Steqr(Signature signature) {
        super(signature);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    /** Bytes for rotations. */
    static long bytes(Call c, long n) {
        return Chunks.times(Chunks.times(2, n), c.args.type.real().bytes(), c.args.count);
    }

    /** Whether eigenvectors are asked for; to sterf nobody says so, and the frame still has what an earlier call said. */
    private boolean vectors(Call c) {
        return this != STERF && c.args.evect != Evect.NONE;
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier(ITERATION).slot("rotations", vectors(c) ? bytes(c, c.args.n) : 0);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        c.alone();
        Launch g = c.args;
        if (!vectors(c)) {
            values(c, g.a, g.b);
            return;
        }
        Block z = c.scope.of(g.c, g.n, g.n);
        if (g.evect == Evect.TRIDIAGONAL) {
            identity(c, z);
        }
        vectors(c, g.a, g.b, z, c.slot(0));
    }

    /** z := the identity. */
    static void identity(Call c, Block z) {
        Launch l = c.scope.kernel(Kernel.LASET);
        l.m = z.rows;
        l.n = z.cols;
        l.alpha.set(0, 0);
        l.beta.set(1, 0);
        z.into(l.c);
        c.scope.launch();
    }

    /** A launch for real numbers, with info. */
    static Launch real(Call c, Kernel kernel) {
        ElementType type = c.scope.type();
        c.scope.type(c.args.type.real());
        Launch l = c.scope.kernel(kernel);
        c.scope.type(type);
        l.n = c.args.n;
        return l;
    }

    /** d := eigenvalues. */
    static void values(Call c, Operand d, Operand e) {
        Launch l = real(c, Kernel.STEQR);
        l.a.set(d);
        l.b.set(e);
        l.e.set(c.args.e);
        c.scope.launch();
    }

    /** d := eigenvalues, z := z times the eigenvectors. */
    static void vectors(Call c, Operand d, Operand e, Block z, long rotations) {
        Launch l = real(c, Kernel.STEQR);
        long n = c.args.n;
        l.a.set(d);
        l.b.set(e);
        l.e.set(c.args.e);
        asReal(z, l.c);
        l.m = l.c.rows;
        l.f.vector(l.type, rotations, 2 * n, 1, 2 * n);
        c.scope.launch();
    }

    /** A matrix, of complex elements one of real ones with twice the rows. */
    static void asReal(Block z, Operand into) {
        z.into(into);
        if (into.type.isComplex()) {
            into.type = into.type.real();
            into.rows *= 2;
            into.ld *= 2;
            into.stride *= 2;
        }
    }
}
