package dev.basalt.internal.condition;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HeconSignature;
import dev.basalt.internal.signature.SyconSignature;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Norm;

/** The reciprocal condition number of a symmetric or Hermitian matrix from its LDL factors; its 1- and ∞-norm are the same. */
public final class Sycon extends Condition {
    /** Symmetric. */
    public static final Sycon SYCON = new Sycon(new SyconSignature(), false);

    /** Hermitian. */
    public static final Sycon HECON = new Sycon(new HeconSignature(), true);

    private final boolean hermitian;

    private Sycon(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void run(Call c) {
        Estimator.rcond(c, this, Norm.ONE, c.args.n, c.slot(WORK), c.args.b, AFTER_PIVOTS);
    }

    /** The inverse of a complex symmetric matrix is its own transpose, not its conjugate one. LAPACK does not tell them apart, and its estimates are other ones. */
    @Override
    public void apply(Call c, Block x, boolean adjoint) {
        boolean conjugates = adjoint && !hermitian && c.args.type.isComplex();
        if (conjugates) {
            conjugate(c, x);
        }
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.SYTRS);
        l.uplo = g.uplo;
        l.hermitian = hermitian;
        l.m = g.n;
        l.n = 1;
        l.a.set(g.a);
        l.d.set(g.f);
        x.into(l.c);
        c.scope.launch();
        if (conjugates) {
            conjugate(c, x);
        }
    }

    private static void conjugate(Call c, Block x) {
        Launch l = c.scope.kernel(Kernel.CONJUGATE);
        l.m = x.rows;
        l.n = 1;
        x.into(l.c);
        c.scope.launch();
    }
}
