package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HesvRookSignature;
import dev.basalt.internal.signature.HesvSignature;
import dev.basalt.internal.signature.HpsvSignature;
import dev.basalt.internal.signature.SpsvSignature;
import dev.basalt.internal.signature.SysvRookSignature;
import dev.basalt.internal.signature.SysvSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Pivoting;

/** Solves A·X = B by LDLᵀ. Problems whose D is exactly singular (info > 0) keep their B, as in LAPACK. */
public final class Sysv extends Routine {
    /** Symmetric. */
    public static final Sysv SYSV = new Sysv(new SysvSignature(), false, true, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian. */
    public static final Sysv HESV = new Sysv(new HesvSignature(), true, true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, packed. */
    public static final Sysv SPSV = new Sysv(new SpsvSignature(), false, false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian, packed. */
    public static final Sysv HPSV = new Sysv(new HpsvSignature(), true, false, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, with rook pivoting. */
    public static final Sysv SYSV_ROOK = new Sysv(new SysvRookSignature(), false, true, Pivoting.ROOK);

    /** Hermitian, with rook pivoting. */
    public static final Sysv HESV_ROOK = new Sysv(new HesvRookSignature(), true, true, Pivoting.ROOK);

    private final boolean hermitian;
    private final boolean blocks;
    private final Pivoting pivoting;

    private Sysv(Signature signature, boolean hermitian, boolean blocks, Pivoting pivoting) {
        super(signature);
        this.hermitian = hermitian;
        this.blocks = blocks;
        this.pivoting = pivoting;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        if (blocks) {
            need.part();
            Sytrf.need(c, need, c.args.n);
            need.part();
            Sytrs.need(c, need, c.args.n, c.args.k);
            need.together();
        }
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Sytrf.factor(c, c.args.a, hermitian, blocks, pivoting);
        c.scope.guard = c.args.e;
        if (c.args.k > 0) {
            Sytrs.solve(c, c.args.a, hermitian, blocks, pivoting);
        }
    }
}
