package dev.basalt.internal.product;

import dev.basalt.Status;
import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.InfoArray;
import dev.basalt.internal.block.Packing;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.signature.TrtriSignature;
import dev.basalt.internal.signature.TrtriWithInfoSignature;
import dev.basalt.internal.workspace.Need;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Diag;
import dev.basalt.type.Side;

/**
 * The inverse of a triangular matrix, out of place or in place; that is found out problem by problem, since two tables may hold the
 * same addresses. Halved recursively: the off-diagonal block of the inverse
 * is −A₂₂⁻¹·A₂₁·A₁₁⁻¹, found by two triangular solves before the diagonal blocks are inverted (LAPACK's trtri in recursive
 * form). On a device that works in waves {@link Doubling} begins at the diagonal, as far as there is workspace for it.
 */
public final class Trtri extends Routine {
    /** The family. */
    public static final Trtri ROUTINE = new Trtri(new TrtriSignature());

    /** LAPACK's: in place, and a matrix with a zero on its diagonal is left as it is and told. */
    public static final Trtri WITH_INFO = new Trtri(new TrtriWithInfoSignature());

    private static final int INFO = 4;

    private Trtri(Signature signature) {
        super(signature);
    }

    @Override
    protected void quickRun(Call c) {
        if (c.isGiven(INFO)) {
            InfoArray.quick(c);
        }
    }

    @Override
    protected void need(Call c, Need need) {
        Packing.need(c, need, c.args.n, c.args.n, c.args.n);
        Doubling.need(c, need, c.args.n);
    }

    @Override
    protected void run(Call c) {
        Packing.use(c, 0);
        Launch g = c.args;
        if (this == WITH_INFO) {
            singular(c, g.c);
            c.scope.guard = g.e;
        } else if (!g.c.coincides(g.a, g.count)) {
            copy(c);
        } else if (g.n > 1 && g.a.ld != g.c.ld) {
            throw c.failure(Status.INVALID_VALUE, "ldinvA", 7, "the inverse is A, so ldinvA = lda is required");
        }
        invert(c, c.scope.of(g.c, g.n, g.n).triangle(g.uplo, g.diag), 1);
    }

    /** info := where the diagonal of a triangle with the call's options is 0. */
    static void singular(Call c, Operand a) {
        Launch g = c.args;
        if (g.diag == Diag.UNIT) {
            InfoArray.clear(c);
        } else {
            singular(c.scope, c.scope.of(a, g.n, g.n), g.e);
        }
    }

    /** info := where the diagonal of a is 0, or 0. */
    public static void singular(Scope s, Block a, Operand info) {
        zeroDiagonal(s, a, info, true);
    }

    /** info, unless it tells of something already, := where the diagonal of a is 0. */
    public static void zeroDiagonal(Scope s, Block a, Operand info) {
        zeroDiagonal(s, a, info, false);
    }

    private static void zeroDiagonal(Scope s, Block a, Operand info, boolean first) {
        Launch l = s.kernel(Kernel.ZERO_DIAGONAL);
        l.n = a.rows;
        l.k = first ? 1 : 0;
        a.into(l.c);
        l.e.set(info);
        s.launch();
    }

    /** The inverse's unit diagonal is written, so that it can be read either way; where it is A's own, it is not even read. */
    private static void copy(Call c) {
        Launch g = c.args;
        Launch l = c.scope.kernel(Kernel.COPY_TRIANGLE);
        l.uplo = g.uplo;
        l.diag = g.diag;
        l.n = g.n;
        l.a.set(g.a);
        l.c.set(g.c);
        c.scope.launch();
    }

    /** The triangle a := its inverse, as LAPACK's trtri does; products of {@link Doubling} are in a slot of the lease. */
    public static void invert(Call c, Block a, int slot) {
        invert(c.scope, a, Doubling.reach(c.traits, c.tier(), c.args.n), c.slot(slot));
    }

    /** The triangle a := its inverse, without workspace for products of inverses. */
    public static void invertInPlace(Scope s, Block a) {
        invert(s, a, 0, 0);
    }

    /** One launch of TRTRI: the triangle a := its inverse. */
    static void launch(Scope s, Block a) {
        Launch l = s.kernel(Kernel.TRTRI);
        l.uplo = a.uplo;
        l.diag = a.diag;
        l.n = a.rows;
        a.into(l.c);
        s.launch();
    }

    private static void invert(Scope s, Block a, long doubled, long work) {
        long whole = s.reach(Kernel.TRTRI);
        if (a.rows <= whole) {
            launch(s, a);
            return;
        }
        if (a.rows <= doubled) {
            Doubling.invert(s, a, work);
            return;
        }
        int mark = s.mark();
        long first = Trsm.half(a.rows, whole);
        long second = a.rows - first;
        boolean lower = a.lower();
        Block a11 = a.diagonal(0, first);
        Block a22 = a.diagonal(first, second);
        Block off = lower ? a.block(first, 0, second, first) : a.block(0, first, first, second);
        s.scale(Scope.MINUS_ONE, off);
        Trsm.solve(s, Side.LEFT, lower ? a22 : a11, off);
        Trsm.solve(s, Side.RIGHT, lower ? a11 : a22, off);
        invert(s, a11, doubled, work);
        invert(s, a22, doubled, work);
        s.release(mark);
    }
}
