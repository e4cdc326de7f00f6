package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.HbevSignature;
import dev.basalt.internal.signature.HbevdSignature;
import dev.basalt.internal.signature.HpevSignature;
import dev.basalt.internal.signature.HpevdSignature;
import dev.basalt.internal.signature.SbevSignature;
import dev.basalt.internal.signature.SbevdSignature;
import dev.basalt.internal.signature.SpevSignature;
import dev.basalt.internal.signature.SpevdSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Evect;

/** Eigenvalues and eigenvectors of a packed triangle or a symmetric band: it is written out where its eigenvectors go, or else in the workspace, and is left as it was. */
public final class StoredEigen extends Routine {
    /** Real elements, packed. */
    public static final StoredEigen SPEV = new StoredEigen(new SpevSignature(), false);

    /** Complex elements, packed. */
    public static final StoredEigen HPEV = new StoredEigen(new HpevSignature(), false);

    /** Real elements, packed, by its other name. */
    public static final StoredEigen SPEVD = new StoredEigen(new SpevdSignature(), false);

    /** Complex elements, packed, by its other name. */
    public static final StoredEigen HPEVD = new StoredEigen(new HpevdSignature(), false);

    /** Real elements, a band. */
    public static final StoredEigen SBEV = new StoredEigen(new SbevSignature(), true);

    /** Complex elements, a band. */
    public static final StoredEigen HBEV = new StoredEigen(new HbevSignature(), true);

    /** Real elements, a band, by its other name. */
    public static final StoredEigen SBEVD = new StoredEigen(new SbevdSignature(), true);

    /** Complex elements, a band, by its other name. */
    public static final StoredEigen HBEVD = new StoredEigen(new HbevdSignature(), true);

    private static final int Z = 5;

    /** The slot of the matrix, behind those of eigenvalues alone. */
    private static final int MATRIX = 4;

    private final boolean band;

    private StoredEigen(Signature signature, boolean band) {
        super(signature);
        this.band = band;
    }

    @Override
    protected boolean uses(Call c, int operand) {
        return operand != Z || c.args.evect != Evect.NONE;
    }

    @Override
    protected boolean optional(Call c, int operand) {
        return !uses(c, operand);
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        Syev.need(c, need, Syev.Method.DIVIDES_APART, StoredEigen::written);
    }

    /** The matrix where there are no eigenvectors, in whose place it could be. */
    private static void written(Call c, Need need, int tier) {
        Launch g = c.args;
        if (g.evect == Evect.NONE) {
            need.slot("matrix", Scope.squareBytes(g.type, g.n, g.count));
        }
    }

    @Override
    protected void run(Call c) {
        Launch g = c.args;
        Scope s = c.scope;
        InfoArray.clear(c);
        Operand matrix = g.f;
        if (g.evect == Evect.NONE) {
            matrix = s.part().matrix(g.type, c.slot(MATRIX), g.n, g.n, g.n, g.n * g.n);
        }
        Block a = s.of(matrix, g.n, g.n);
        Launch l = s.kernel(band ? Kernel.COPY_BAND : Kernel.COPY_STORED);
        l.uplo = g.uplo;
        l.m = g.n;
        l.n = g.n;
        l.a.set(g.c);
        a.into(l.c);
        s.launch();
        if (Syev.solve(c, Syev.Method.DIVIDES_APART, matrix)) {
            c.alone();
        }
    }
}
