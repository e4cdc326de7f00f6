package dev.basalt.internal.condition;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;

/**
 * A reciprocal condition number, operand d, of a matrix of order n: what the routines have in common that estimate one. The smaller it is, the nearer the matrix is to a singular one; what is
 * infinite or overflows on the way gives 0.
 */
abstract class Condition extends Routine implements Estimator.Product {
    /** The slot of the estimate. */
    static final int WORK = 0;

    /** Where LAPACK has the norm among the arguments: info says so where it is none. */
    static final int WRONG_NORM = -5;

    /** The same behind pivots. */
    static final int AFTER_PIVOTS = -6;

    /** The same behind a band and its pivots. */
    static final int AFTER_BAND = -8;

    Condition(Signature signature) {
        super(signature);
    }

    /** An empty matrix has the condition number 1. */
    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
        if (c.args.count > 0) {
            c.requireOperand(3);
            c.kernel(Kernel.FILL);
            c.k.type = c.args.d.type;
            c.k.n = 1;
            c.k.c.set(c.args.d);
            c.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier("estimate").slot("estimate", Estimator.bytes(c.args.type, c.args.n, c.args.count));
    }
}
