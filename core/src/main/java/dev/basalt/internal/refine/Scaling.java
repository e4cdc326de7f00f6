package dev.basalt.internal.refine;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.LaqgeSignature;
import dev.basalt.internal.signature.LaqheSignature;
import dev.basalt.internal.signature.LaqsySignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;

/** Scales the rows and columns of a matrix where that pays, which the device decides and tells. */
public final class Scaling extends Routine {
    /** Any matrix. */
    public static final Scaling LAQGE = new Scaling(new LaqgeSignature(), Structure.TRIANGULAR);

    /** A symmetric matrix. */
    public static final Scaling LAQSY = new Scaling(new LaqsySignature(), Structure.SYMMETRIC);

    /** A Hermitian matrix. */
    public static final Scaling LAQHE = new Scaling(new LaqheSignature(), Structure.HERMITIAN);

    /** The operand of the call that says what was scaled. */
    private static final int EQUED = 7;

    private final Structure structure;

    private Scaling(Signature signature, Structure structure) {
        super(signature);
        this.structure = structure;
    }

    /** Nothing of an empty matrix is scaled. */
    @Override
    protected void quickRun(Call c) {
        if (c.args.count > 0) {
            c.requireOperand(EQUED);
            Launch l = c.kernel(Kernel.FILL);
            l.type = ElementType.I64;
            l.n = 1;
            l.alpha.set(0, 0);
            l.c.set(c.args.operand(EQUED));
            c.launch();
        }
    }

    @Override
    protected void need(Call c, Need need) {}

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        boolean symmetric = structure != Structure.TRIANGULAR;
        Launch l = c.kernel(Kernel.LAQGE);
        l.structure = structure;
        l.uplo = g.uplo;
        l.m = symmetric ? g.n : g.m;
        l.n = g.n;
        Operand columns = symmetric ? g.a : g.b;
        Operand ratio = symmetric ? g.d : g.f;
        l.a.set(g.a);
        l.b.set(columns);
        l.c.set(g.c);
        l.d.set(g.d);
        l.e.set(g.operand(EQUED));
        l.f.set(ratio);
        l.g.set(g.g);
        c.launch();
    }
}
