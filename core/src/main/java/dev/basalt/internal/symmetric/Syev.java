package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.qr.Reflectors;
import dev.basalt.internal.signature.HeevSignature;
import dev.basalt.internal.signature.HeevdSignature;
import dev.basalt.internal.signature.HeevdjSignature;
import dev.basalt.internal.signature.SyevSignature;
import dev.basalt.internal.signature.SyevdSignature;
import dev.basalt.internal.signature.SyevdjSignature;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Eigenvalues and eigenvectors of a symmetric or Hermitian matrix: tridiagonal form, then divide and conquer and Q times its vectors. Where memory is short QR iteration works on Q, with blocks of reflectors or without.
 * Up to order 32 a device that works in waves takes Jacobi, any other QR iteration. Large matrices without eigenvectors take two stages.
 */
public final class Syev extends Routine {
    /** Real elements. */
    public static final Syev SYEV = new Syev(new SyevSignature(), Method.DIVIDES);

    /** Complex elements. */
    public static final Syev HEEV = new Syev(new HeevSignature(), Method.DIVIDES);

    /** Real elements, by its other name. */
    public static final Syev SYEVD = new Syev(new SyevdSignature(), Method.DIVIDES);

    /** Complex elements, by its other name. */
    public static final Syev HEEVD = new Syev(new HeevdSignature(), Method.DIVIDES);

    /** Real elements, with workspace beside the diagonal. rocSOLVER's routine of this name rotates, and promises no more of values and vectors. */
    public static final Syev SYEVDJ = new Syev(new SyevdjSignature(), Method.DIVIDES_APART);

    /** Complex elements, with workspace beside the diagonal. */
    public static final Syev HEEVDJ = new Syev(new HeevdjSignature(), Method.DIVIDES_APART);

    /** How vectors are computed, and where what is beside the diagonal is: operand b of the call, or workspace. */
    enum Method {
        /** Divide and conquer. */
        DIVIDES(false),
        /** Divide and conquer, with workspace beside the diagonal. */
        DIVIDES_APART(true);

        final boolean apart;

        Method(boolean apart) {
            this.apart = apart;
        }
    }

    /** What a routine lays over a tier, beside what eigenvectors ask for. */
    @FunctionalInterface
    interface Beside {
        /** Adds slots to a tier that has begun. */
        void lay(Call c, Need need, int tier);
    }

    /** Nothing beside. */
    static final Beside NOTHING = (c, need, tier) -> {};

    /** Slots of eigenvectors by divide and conquer, behind those of reflectors. */
    public static final int SLOTS = 5;

    /** The largest order of Jacobi. */
    private static final long FEW = 32;

    /** Sweeps at most; 6 to 9 are usual. */
    private static final long SWEEPS = 60;

    /** Slots of reflectors, and those behind the first own one. */
    private static final int REFLECTORS = 5;

    private static final int TAU = 1;
    private static final int NORM = 2;
    private static final int WORK = 3;
    private static final int VECTORS = 4;

    private final Method method;

    private Syev(Signature signature, Method method) {
        super(signature);
        this.method = method;
    }

    @Override
    protected void quickRun(Call c) {
        InfoArray.quick(c);
    }

    @Override
    protected void need(Call c, Need need) {
        TwoStages.need(c, need);
        need(c, need, method, NOTHING);
    }

    /** Whether vectors come by divide and conquer where there is room: small matrices are done sooner without it. */
    private static boolean divides(Call c) {
        return c.args.evect != Evect.NONE && (c.args.n > FEW || c.traits.reach().waves());
    }

    /** Whether the call's lease is that of divide and conquer. */
    private static boolean runsDivided(Call c) {
        return divides(c) && c.algorithm() == 0;
    }

    /** Bytes for the factors of the reflectors, and for what is beside the diagonal where the caller has no place for it. */
    private static long factors(Call c, Method method) {
        ElementType type = c.args.type;
        long each = type.bytes() + (method.apart ? (long) type.real().bytes() : 0);
        return Chunks.times(c.args.n, each, c.args.count);
    }

    /** The tiers of reflectors: that of applying them to as many vectors, or of making Q. */
    static void needReflectors(Call c, Need need, boolean divides) {
        long n = c.args.n;
        need.part();
        if (c.args.evect == Evect.NONE) {
            for (int t = 0; t < Reflectors.TIERS.size(); t++) {
                need.tier(t == 0 ? "panels" : t == 1 ? "narrow panels" : "no blocks")
                        .slot("packing", Tridiagonal.packing(c, t, n));
            }
        } else if (divides) {
            Reflectors.needApply(c, need, Math.max(0, n - 1), n, Math.max(0, n - 1));
        } else {
            Orgtr.need(c, need, n);
        }
    }

    /** Divide and conquer in two tiers, where it is worth while, and QR iteration in three below it. A routine's own slots lie over each. */
    static void need(Call c, Need need, Method method, Beside beside) {
        if (divides(c)) {
            tiers(c, need, method, true);
            lay(c, need, beside);
            need.keep(2).below();
        }
        tiers(c, need, method, false);
        lay(c, need, beside);
        need.together();
    }

    /** Lays what is beside over the tiers that were declared last. */
    static void lay(Call c, Need need, Beside beside) {
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            need.tier(Reflectors.TIERS.get(t));
            beside.lay(c, need, t);
        }
    }

    /** The tiers of one way to vectors; divide and conquer iterates in its last one. */
    private static void tiers(Call c, Need need, Method method, boolean divides) {
        Launch g = c.args;
        long n = g.n;
        boolean vectors = g.evect != Evect.NONE;
        needReflectors(c, need, divides);
        need.part();
        for (int t = 0; t < Reflectors.TIERS.size(); t++) {
            boolean merges = divides && vectors && t < 2;
            need.tier(Reflectors.TIERS.get(t));
            if (t < 2) {
                long packing = Tridiagonal.packing(c, t, n);
                need.slot("packing", merges ? Math.max(packing, DivideAndConquer.packing(c, t, n)) : packing);
            }
            need.slot("columns", Tridiagonal.panelBytes(c, t, n));
            need.slot("tau", factors(c, method));
            need.slot("norm", Range.bytes(c));
            if (merges) {
                need.slot("work", DivideAndConquer.bytes(c, n));
                need.slot("vectors", g.type.isComplex() ? Scope.squareBytes(g.type, n, g.count) : 0);
            } else if (vectors) {
                need.slot("rotations", Steqr.bytes(c, n));
                if (divides) {
                    need.slot("strip", Chunks.times(n, g.type.bytes(), g.count));
                }
            }
        }
    }

    /** The need of {@link #vectors}, with {@link #SLOTS} behind those of reflectors. */
    public static void needVectors(Call c, Need need, long order) {
        Launch g = c.args;
        long n = g.n;
        Evect evect = g.evect;
        try {
            g.n = order;
            g.evect = Evect.ORIGINAL;
            tiers(c, need, Method.DIVIDES_APART, true);
        } finally {
            g.n = n;
            g.evect = evect;
        }
    }

    /**
     * For a routine of another room, whose matrix need not be square: operand a of its call := the eigenvalues of a matrix of some order in rising order, by divide and conquer, and the matrix := its eigenvectors. The
     * lower triangle is read.
     */
    public static void vectors(Call c, Operand matrix, long order) {
        Launch g = c.args;
        long n = g.n;
        Evect evect = g.evect;
        Uplo uplo = g.uplo;
        g.n = order;
        g.evect = Evect.ORIGINAL;
        g.uplo = Uplo.LOWER;
        solve(c, Method.DIVIDES_APART, matrix, true);
        g.n = n;
        g.evect = evect;
        g.uplo = uplo;
    }

    /** The first slot behind those of reflectors: columns of a panel. */
    static int own(Call c) {
        return own(c, runsDivided(c));
    }

    /** The same, where the way is known. */
    static int own(Call c, boolean divides) {
        boolean vectors = c.args.evect != Evect.NONE;
        return !vectors ? 1 : (c.tier() < 2 ? REFLECTORS : 0) + (divides ? 0 : 1);
    }

    @Override
    protected void run(Call c) {
        InfoArray.clear(c);
        if (either(c, method, c.args.c)) {
            c.alone();
        }
    }

    /** As {@link #solve}, where two stages were declared above: by these or by one. */
    static boolean either(Call c, Method method, Operand matrix) {
        if (TwoStages.runs(c)) {
            TwoStages.run(c, matrix);
            return false;
        }
        return solve(c, method, matrix, divides(c) && c.algorithm() == TwoStages.above(c));
    }

    /** Operand a of the call := eigenvalues, the matrix := eigenvectors; operand b, where nothing else is said, is scratch. Returns whether each step was one launch. */
    static boolean solve(Call c, Method method, Operand matrix) {
        return solve(c, method, matrix, runsDivided(c));
    }

    private static boolean solve(Call c, Method method, Operand matrix, boolean divides) {
        Launch g = c.args;
        Scope s = c.scope;
        boolean vectors = g.evect != Evect.NONE;
        Reflectors.begin(c);
        boolean panels = c.tier() < 2;
        int own = own(c, divides);
        Operand tau = s.part().vector(g.type, c.slot(own + TAU), g.n, 1, g.n);
        Block a = s.of(matrix, g.n, g.n);
        if (divides && panels && rotates(c)) {
            rotate(c, a, own);
            return false;
        }
        Operand norm = Range.enter(c, a, c.slot(own + NORM));
        long most = Math.max(1, g.n - 1);
        Operand off = method.apart
                ? s.part()
                        .vector(g.type.real(), c.slot(own + TAU) + Chunks.times(g.n, g.type.bytes(), g.count), most, 1,
                                most)
                : s.part().slice(g.b, 0, most);
        boolean few = g.n <= FEW && !divides;
        Tridiagonal.reduce(c, matrix, g.a, off, tau, c.tier(), c.slot(own));
        if (!vectors) {
            Steqr.values(c, g.a, off);
        } else if (divides && panels) {
            Operand real = DivideAndConquer.solve(c, g.a, off, c.slot(own + WORK));
            Block z = Stedc.elements(c, real, c.slot(own + VECTORS));
            Ormtr.apply(c, Side.LEFT, Op.NONE, a, tau, z);
            s.copy(z, a);
        } else {
            int strip = divides ? own + VECTORS : own - 1;
            few &= Orgtr.form(c, a, tau, c.slot(strip), c.slotBytes(strip));
            Steqr.vectors(c, g.a, off, a, c.slot(own + WORK));
        }
        Range.leave(c, norm, g.a);
        return few;
    }

    /** Small problems by Jacobi: where launches take the time of whole waves, so that one is done sooner than the many of divide and conquer. */
    private static boolean rotates(Call c) {
        return c.args.n <= FEW && c.traits.reach().waves();
    }

    /** Jacobi, in the memory of divide and conquer: the sweeps come before the matrix, which is written out. */
    private static void rotate(Call c, Block a, int own) {
        Launch g = c.args;
        Scope s = c.scope;
        long work = c.slot(own + WORK);
        Operand sweeps = s.part().vector(ElementType.I64, work, 1, 1, 1);
        Operand residual = s.part().vector(g.type.real(), c.slot(own + NORM), 1, 1, 1);
        long matrix =
                g.type.isComplex() ? c.slot(own + VECTORS) : work + Chunks.times(ElementType.I64.bytes(), g.count);
        Block scratch = s.dense(matrix, g.n, g.n);
        Syevj.prepare(c, Scope.ZERO, SWEEPS, a, scratch, residual, sweeps);
        s.launch();
    }
}
