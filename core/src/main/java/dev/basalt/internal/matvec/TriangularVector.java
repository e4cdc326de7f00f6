package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;

/** The argument rules that trmv and trsv share: A (operand a) is triangular n×n, x (operand c) is overwritten. */
public abstract class TriangularVector extends Routine {
    TriangularVector(String family) {
        super(family, "n", "A - x - -");
    }

    @Override
    protected final int position(int operand) {
        return operand == 0 ? 5 : 7;
    }

    @Override
    protected final void options(Call c) {
        c.option(c.args.uplo, "uplo", 1);
        c.option(c.args.opA, "trans", 2);
        c.option(c.args.diag, "diag", 3);
    }

    @Override
    protected final void sizes(Call c) {
        long n = c.args.n;
        c.size(n >= 0, "n", 4, "n >= 0", n);
        c.size(c.args.a.ld >= Math.max(1, n), "lda", 6, "lda >= max(1, n)", c.args.a.ld);
        c.size(c.args.c.ld != 0, "incx", 8, "incx != 0", 0);
    }

    @Override
    protected final boolean quick(Call c) {
        return c.args.n == 0;
    }
}
