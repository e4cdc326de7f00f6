package dev.basalt.internal.matvec;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HbmvSignature;
import dev.basalt.internal.signature.HemvSignature;
import dev.basalt.internal.signature.HpmvSignature;
import dev.basalt.internal.signature.SbmvSignature;
import dev.basalt.internal.signature.SpmvSignature;
import dev.basalt.internal.signature.SymvSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Storage;

/**
 * y := alpha·A·x + beta·y with A symmetric (symv) or Hermitian (hemv), of which one triangle is stored. An element off the
 * diagonal serves two elements of y; so that A is read only once and workers do not meet in y, each strip of columns has a
 * partial y of its own in the workspace, and these are added in order. Without workspace the strips run one after the other.
 */
public final class Symv extends Routine {
    /** A is symmetric, of any type. */
    public static final Symv SYMV = new Symv(new SymvSignature(), false);

    /** A is Hermitian; complex types only. The imaginary parts on the diagonal are taken as 0. */
    public static final Symv HEMV = new Symv(new HemvSignature(), true);

    /** A is symmetric and packed. */
    public static final Symv SPMV = new Symv(new SpmvSignature(), false);

    /** A is Hermitian and packed; complex types only. */
    public static final Symv HPMV = new Symv(new HpmvSignature(), true);

    /** A is a symmetric band matrix. */
    public static final Symv SBMV = new Symv(new SbmvSignature(), false);

    /** A is a Hermitian band matrix; complex types only. */
    public static final Symv HBMV = new Symv(new HbmvSignature(), true);

    /** The best tier. */
    public static final String STRIPS = "strips";

    private final boolean hermitian;

    private Symv(Signature signature, boolean hermitian) {
        super(signature);
        this.hermitian = hermitian;
    }

    @Override
    protected void need(Call c, Need need) {
        if (c.args.a.storage == Storage.BAND) {
            return;
        }
        long n = c.args.n;
        int block = c.traits.gemvBlock();
        long partials = 0;
        if (n > block) {
            long row = Chunks.times(c.args.type.bytes(), Chunks.ceilDiv(n, block));
            partials = Chunks.times(row, n, c.args.count);
        }
        need.tier(STRIPS).slot("partials", partials);
        need.tier("in place").slot("partials", 0);
    }

    @Override
    protected void run(Call c) {
        c.args.hermitian = hermitian;
        c.launchArgs(Kernel.SYMV, c.slot(0), c.slotBytes(0));
    }
}
