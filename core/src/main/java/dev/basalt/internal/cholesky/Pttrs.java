package dev.basalt.internal.cholesky;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.PttrsComplexSignature;
import dev.basalt.internal.signature.PttrsSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Uplo;

/** Solves A·X = B from the factors of pttrf: down with L, by D, and up with Lᴴ. */
public final class Pttrs extends Routine {
    /** Real elements. */
    public static final Pttrs ROUTINE = new Pttrs(new PttrsSignature());

    /** Complex elements: the caller says whether e is below the diagonal of L or above that of U. */
    public static final Pttrs COMPLEX = new Pttrs(new PttrsComplexSignature());

    private Pttrs(Signature signature) {
        super(signature);
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        solve(c, this == COMPLEX ? c.args.uplo : Uplo.LOWER);
    }

    /** Solves with the factors in a and b for the columns of c. */
    static void solve(Call c, Uplo uplo) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.PTTRS);
        l.uplo = uplo;
        l.n = g.n;
        l.k = g.k;
        l.a.set(g.a);
        l.b.set(g.b);
        l.c.set(g.c);
        c.scope.launch();
    }
}
