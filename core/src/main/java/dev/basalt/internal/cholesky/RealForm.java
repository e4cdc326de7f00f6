package dev.basalt.internal.cholesky;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Reach;
import dev.basalt.type.ElementType;

/**
 * Cholesky of what is not real and double by a device that factors real doubles of any order in one launch: a complex element becomes the block [re −im; im re] of a matrix of twice
 * the order. Its factor is the real form of the factor, since that is lower triangular with a positive diagonal, and there is one such factor alone.
 */
final class RealForm {
    /** What the tier with room for it is called. */
    static final String TIER = "real form";

    private static final int SLOT = 2;

    /** Orders of real forms up to which one launch is faster than blocks. */
    private static final long MOST = 8192;

    /** Problems up to which one launch for all of them is faster than blocks. */
    private static final long FEW = 16;

    private RealForm() {}

    /** Whether the device factors real forms of larger matrices than what kernels take at once. */
    static boolean serves(Call c) {
        return most(c) > c.traits.reach().of(Kernel.POTF2, c.args.type);
    }

    /** The largest order whose real form one launch takes. */
    static long most(Call c) {
        Reach reach = c.traits.reach();
        return c.args.type == ElementType.F64 ? 0 : Math.min(MOST, reach.of(Kernel.POTF2, ElementType.F64)) / parts(c);
    }

    private static int parts(Call c) {
        return c.args.type.isComplex() ? 2 : 1;
    }

    /** Bytes of the real form of a matrix of order n, or of the largest block of it that is taken so. */
    static long bytes(Call c, long n) {
        long order = n <= c.traits.reach().of(Kernel.POTF2, c.args.type) ? 0 : Math.min(n, most(c));
        return Scope.squareBytes(ElementType.F64, parts(c) * order, Math.min(FEW, c.args.count));
    }

    /** Where it goes; 0 if there is no room, or if it is not worth while. */
    static long room(Call c) {
        return c.tier() == 0 && c.args.count <= FEW && serves(c) ? c.slot(SLOT) : 0;
    }

    /** Factors a lower triangle, above which so many rows have been factored, by way of the room at {@code real}. */
    static void factor(Call c, Block a, long above, long real) {
        Scope s = c.scope;
        long order = parts(c) * a.rows;
        Operand form = s.part().matrix(ElementType.F64, real, order, order, order, order * order);
        Launch l = conversion(s, Kernel.TO_REAL, a);
        a.into(l.a);
        l.c.set(form);
        s.launch();
        l = s.kernel(Kernel.POTF2);
        l.type = ElementType.F64;
        l.uplo = a.uplo;
        l.n = order;
        l.p = above;
        l.c.set(form);
        s.launch();
        l = conversion(s, Kernel.FROM_REAL, a);
        l.p = above;
        l.a.set(form);
        a.into(l.c);
        s.launch();
    }

    /** A launch for the triangle of a, also of problems that have failed: the kernel knows those that are to be left alone. */
    private static Launch conversion(Scope s, Kernel kernel, Block a) {
        Launch l = s.kernel(kernel);
        l.uplo = a.uplo;
        l.n = a.rows;
        l.guarded = false;
        return l;
    }
}
