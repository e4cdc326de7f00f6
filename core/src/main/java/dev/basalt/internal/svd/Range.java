package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Norm;

/** Matrices whose numbers are near the ends of the range are decomposed times a power of two, and their singular values divided by it. The norm stays on the device. */
final class Range {
    private static final long EACH = 8;

    private Range() {}

    /** Bytes for the norm, and for what it is made of. */
    static long bytes(Call c) {
        Launch g = c.args;
        long lines = MatrixNorm.linesBytes(c.traits, g.m, g.n, g.count) == 0 ? 0 : Chunks.times(g.n, EACH, g.count);
        return Math.addExact(Chunks.times(EACH, g.count), lines);
    }

    /** Takes the norm of a matrix as it is stored, and brings its elements into the range. */
    static Operand enter(Call c, Block a, long work) {
        Launch g = c.args;
        Operand norm = c.scope.part().vector(g.type.real(), work, 1, 1, 1);
        long lines = MatrixNorm.linesBytes(c.traits, g.m, g.n, g.count) == 0 ? 0 : work + EACH * g.count;
        MatrixNorm.of(c.scope, Norm.MAX, Structure.TRIANGULAR, a, a.rows, a.cols, norm, lines);
        Launch l = c.scope.kernel(Kernel.RESCALE);
        l.m = a.rows;
        l.n = a.cols;
        l.p = a.rows;
        l.a.set(norm);
        a.into(l.c);
        c.scope.launch();
        return norm;
    }

    /** The same of a real bidiagonal matrix that is given to the iteration, which counts what is near the smallest numbers as nothing. */
    static Operand enterBidiagonal(Call c, long n, long numbers, long work) {
        Operand given = c.scope.part().matrix(c.args.type, numbers, 2 * n - 1, 1, 2 * n - 1, 2 * n);
        return enter(c, c.scope.of(given, 2 * n - 1, 1), work);
    }

    /** Scales real numbers back. */
    static void leave(Call c, Operand norm, Operand x, long n) {
        Launch l = Iteration.real(c, Kernel.RESCALE);
        l.backward = true;
        l.m = n;
        l.n = 1;
        l.p = n;
        l.a.set(norm);
        l.c.set(x);
        l.c.vector = false;
        l.c.cols = 1;
        l.c.ld = n;
        c.scope.launch();
    }
}
