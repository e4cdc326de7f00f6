package dev.basalt.internal.refine;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GeequSignature;
import dev.basalt.internal.signature.PoequSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;

/** Scales of rows and columns that make the largest elements of a matrix 1, or its diagonal. */
public final class Equilibration extends Routine {
    /** Of any matrix. */
    public static final Equilibration GEEQU = new Equilibration(new GeequSignature(), Kernel.GEEQU);

    /** Of a positive definite matrix. */
    public static final Equilibration POEQU = new Equilibration(new PoequSignature(), Kernel.POEQU);

    private static final int LARGEST = 2;
    private static final int ROWS = 5;
    private static final int COLUMNS = 6;

    private final Kernel kernel;

    private Equilibration(Signature signature, Kernel kernel) {
        super(signature);
        this.kernel = kernel;
    }

    /** An empty matrix has ratios of 1 and a largest element of 0. */
    @Override
    protected void quickRun(Call c) {
        if (c.args.count > 0) {
            // A call that fails changes nothing, so all are looked at before one is written.
            c.requireOperand(ROWS);
            if (kernel == Kernel.GEEQU) {
                c.requireOperand(COLUMNS);
            }
            c.requireOperand(LARGEST);
        }
        InfoArray.quick(c);
        if (c.args.count > 0) {
            set(c, ROWS, 1);
            if (kernel == Kernel.GEEQU) {
                set(c, COLUMNS, 1);
            }
            set(c, LARGEST, 0);
        }
    }

    private static void set(Call c, int operand, double value) {
        Operand o = c.args.operand(operand);
        Launch l = c.kernel(Kernel.FILL);
        l.type = o.type;
        l.n = 1;
        l.alpha.set(value, 0);
        l.c.set(o);
        c.launch();
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        c.launchArgs(kernel, 0, 0);
    }
}
