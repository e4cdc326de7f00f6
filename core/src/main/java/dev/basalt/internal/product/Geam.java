package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Conversions;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.GeamExSignature;
import dev.basalt.internal.signature.GeamSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;

/**
 * C := alpha·op(A) + beta·op(B), and the products over the semirings of minima and sums. In place where C is an operand that is not transposed:
 * each element is then read by whoever writes it. One kernel each; workspace for halves alone, which are converted.
 */
public final class Geam extends Routine {
    /** A sum of two matrices. */
    public static final Geam GEAM = new Geam(new GeamSignature(), Kernel.GEAM);

    /** Min-plus and plus-min products. */
    public static final Geam GEAM_EX = new Geam(new GeamExSignature(), Kernel.GEAM_EX);

    private final Kernel kernel;

    private Geam(Signature signature, Kernel kernel) {
        super(signature);
        this.kernel = kernel;
    }

    @Override
    protected void need(Call c, Need need) {
        if (Conversions.has(c)) {
            Conversions.need(c, kernel, need);
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        if (kernel == Kernel.GEAM) {
            apart(c, g.a, g.opA, "A", "transA", 1);
            apart(c, g.b, g.opB, "B", "transB", 2);
        }
        c.launchArgs(kernel, c.slot(0), c.slotBytes(0));
    }

    private static void apart(Call c, Operand x, Op op, String name, String trans, int position) {
        if (!x.present() || !c.args.c.coincides(x, c.args.count)) {
            return;
        }
        if (op != Op.NONE) {
            throw c.failure(Status.INVALID_VALUE, trans, position,
                    "C is " + name + ", so " + trans + " = NONE is required");
        }
        if (c.args.n > 1 && x.ld != c.args.c.ld) {
            throw c.failure(Status.INVALID_VALUE, "ldc", 0,
                    "C is " + name + ", so their leading dimensions must be equal");
        }
    }
}
