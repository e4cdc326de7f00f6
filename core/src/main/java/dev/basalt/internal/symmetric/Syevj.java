package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HeevjSignature;
import dev.basalt.internal.signature.SyevjSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Scalar;

/** Eigenvalues and eigenvectors of a symmetric or Hermitian matrix by two-sided Jacobi: one launch, whatever the order and however many problems. Where blocks share large matrices, that takes workspace. */
public final class Syevj extends Routine {
    /** Real elements. */
    public static final Syevj SYEVJ = new Syevj(new SyevjSignature());

    /** Complex elements. */
    public static final Syevj HEEVJ = new Syevj(new HeevjSignature());

    private static final int MATRIX = 0;

    private Syevj(Signature signature) {
        super(signature);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        // Where nothing is shared the second tier is the first.
        need.tier("blocks of Jacobi").slot("matrix", bytes(c)).slot("shared", shared(c));
        need.tier("Jacobi").slot("matrix", bytes(c));
    }

    /** Bytes for what blocks that share matrices tell each other, 0 where none do. */
    static long shared(Call c) {
        return JacobiWork.twoSided(c.traits.reach(), c.args.type, c.args.n, c.args.count);
    }

    /** Bytes for the matrix, written out. */
    static long bytes(Call c) {
        return Scope.squareBytes(c.args.type, c.args.n, c.args.count);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        solve(c, MATRIX, c.tier() == 0);
    }

    /** Operand a of the call := eigenvalues, c := eigenvectors, f and g := what is left and how many sweeps it took. The slots of the matrix and, where there is one, of what is shared follow each other. */
    static void solve(Call c, int matrix, boolean shares) {
        Launch g = c.args;
        Scope s = c.scope;
        Launch l = prepare(c, g.gamma, g.q, s.of(g.c, g.n, g.n), s.dense(c.slot(matrix), g.n, g.n), g.f, g.g);
        if (shares && shared(c) > 0) {
            l.work = c.slot(matrix + 1);
            l.workBytes = shared(c);
        }
        s.launch();
    }

    /** A launch by one block for each problem. */
    static Launch prepare(Call c, Scalar abstol, long sweeps, Block a, Block scratch, Operand residual, Operand taken) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.SYEVJ);
        l.uplo = g.uplo;
        l.evect = g.evect;
        l.hermitian = g.type.isComplex();
        l.n = g.n;
        l.q = sweeps;
        l.alpha.set(abstol);
        l.a.set(g.a);
        scratch.into(l.b);
        a.into(l.c);
        l.e.set(g.e);
        l.f.set(residual);
        l.g.set(taken);
        return l;
    }
}
