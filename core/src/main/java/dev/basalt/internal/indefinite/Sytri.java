package dev.basalt.internal.indefinite;

import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HetriRookSignature;
import dev.basalt.internal.signature.HetriSignature;
import dev.basalt.internal.signature.HptriSignature;
import dev.basalt.internal.signature.SptriSignature;
import dev.basalt.internal.signature.SytriRookSignature;
import dev.basalt.internal.signature.SytriSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Pivoting;

/** A⁻¹ in place of the factors of {@link Sytrf}, pivot by pivot from the last one. Where D is exactly singular (info > 0), the factors stay. */
public final class Sytri extends Routine {
    /** Symmetric. */
    public static final Sytri SYTRI = new Sytri(new SytriSignature(), false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian. */
    public static final Sytri HETRI = new Sytri(new HetriSignature(), true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, packed. */
    public static final Sytri SPTRI = new Sytri(new SptriSignature(), false, Pivoting.BUNCH_KAUFMAN);

    /** Hermitian, packed. */
    public static final Sytri HPTRI = new Sytri(new HptriSignature(), true, Pivoting.BUNCH_KAUFMAN);

    /** Symmetric, with rook pivoting. */
    public static final Sytri SYTRI_ROOK = new Sytri(new SytriRookSignature(), false, Pivoting.ROOK);

    /** Hermitian, with rook pivoting. */
    public static final Sytri HETRI_ROOK = new Sytri(new HetriRookSignature(), true, Pivoting.ROOK);

    private final boolean hermitian;
    private final Pivoting pivoting;

    private Sytri(Signature signature, boolean hermitian, Pivoting pivoting) {
        super(signature);
        this.hermitian = hermitian;
        this.pivoting = pivoting;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        need.tier("one column").slot("column", Chunks.times(c.args.n, c.args.type.bytes(), c.args.count));
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        Launch l = Sytrf.factors(c, Kernel.SYTRI, hermitian, pivoting);
        l.n = c.args.n;
        l.b.vector(c.args.type, c.slot(0), c.args.n, 1, c.args.n);
        l.c.set(c.args.c);
        l.e.set(c.args.e);
        c.scope.launch();
    }
}
