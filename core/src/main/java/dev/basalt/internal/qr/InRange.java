package dev.basalt.internal.qr;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Norm;
import dev.basalt.type.Region;

/**
 * Least squares of matrices whose numbers are near the ends of the range: A and B are scaled by powers of two, as far as the largest of each asks for it, and scaled back in the results. LAPACK scales
 * in the same cases. The norms stay on the device.
 */
public final class InRange {
    private static final long EACH = 8;

    private InRange() {}

    /** Bytes for both norms, and for what they are made of. */
    public static long bytes(Call c, long rows) {
        Launch g = c.args;
        long lines = Math.max(lines(c, g.m, g.n), lines(c, rows, g.k));
        return Math.addExact(Chunks.times(2, EACH, g.count), lines);
    }

    private static long lines(Call c, long m, long n) {
        return n == 0 || MatrixNorm.linesBytes(c.traits, m, n, c.args.count) == 0
                ? 0
                : Chunks.times(n, EACH, c.args.count);
    }

    /** The norm of A, or that of B, in workspace. */
    private static Operand norm(Call c, long work, boolean second) {
        return c.scope.part().vector(c.args.type.real(), work + (second ? EACH * c.args.count : 0), 1, 1, 1);
    }

    /** Takes the norm of x, which is A or B, and brings its elements into the range. */
    public static Operand enter(Call c, Block x, long work, boolean second) {
        Operand norm = norm(c, work, second);
        long lines = lines(c, x.rows, x.cols) == 0 ? 0 : work + 2 * EACH * c.args.count;
        MatrixNorm.of(c.scope, Norm.MAX, Structure.TRIANGULAR, x, x.rows, x.cols, norm, lines);
        rescale(c, x, norm, null, x.rows, Region.GENERAL, null, false);
        return norm;
    }

    /** Scales solutions, which are the first rows of x, and what their residuals are made of, which is behind them. */
    public static void leave(Call c, Block x, Operand a, Operand b, long solutions) {
        rescale(c, x, a, b, solutions, Region.GENERAL, null, false);
    }

    /** Scales a part of the factors of A back; only so many rows and columns as {@code order} says, where there is one. */
    public static void restore(Call c, Block x, Operand a, Region region, Operand order) {
        rescale(c, x, a, null, x.rows, region, order, true);
    }

    private static void rescale(Call c, Block x, Operand a, Operand b, long rows, Region region, Operand order,
            boolean backward) {
        Launch l = c.scope.kernel(Kernel.RESCALE);
        l.region = region;
        l.backward = backward;
        l.m = x.rows;
        l.n = x.cols;
        l.p = rows;
        l.a.set(a);
        if (b != null) {
            l.b.set(b);
        }
        x.into(l.c);
        if (order != null) {
            l.f.set(order);
        }
        c.scope.launch();
    }
}
