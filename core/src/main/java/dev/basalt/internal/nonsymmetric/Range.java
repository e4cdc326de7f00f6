package dev.basalt.internal.nonsymmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.matrix.MatrixNorm;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;

/** Matrices whose numbers are near the ends of the range are worked on times a power of two, and their eigenvalues divided by it. The norm stays on the device. */
final class Range {
    private static final long EACH = 8;

    private Range() {}

    /** Bytes for the norm, and for what it is made of. */
    static long bytes(Call c) {
        Launch g = c.args;
        long lines = MatrixNorm.linesBytes(c.traits, g.n, g.n, g.count) == 0 ? 0 : Chunks.times(g.n, EACH, g.count);
        return Math.addExact(Chunks.times(EACH, g.count), lines);
    }

    /** Takes the norm of a matrix, and brings its elements into the range. */
    static Operand enter(Call c, Block a, long work) {
        Launch g = c.args;
        Operand norm = c.scope.part().vector(g.type.real(), work, 1, 1, 1);
        long lines = MatrixNorm.linesBytes(c.traits, g.n, g.n, g.count) == 0 ? 0 : work + EACH * g.count;
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

    /** The largest sum of a column into an operand; the work of the norm is free for it. */
    static void columns(Call c, Block a, Operand sum, long work) {
        Launch g = c.args;
        long lines = MatrixNorm.linesBytes(c.traits, g.n, g.n, g.count) == 0 ? 0 : work + EACH * g.count;
        MatrixNorm.of(c.scope, Norm.ONE, Structure.TRIANGULAR, a, a.rows, a.cols, sum, lines);
    }

    /** Scales eigenvalues, or their parts, back. */
    static void leave(Call c, Operand norm, Operand x) {
        leave(c, norm, x, c.args.n);
    }

    /** The same of so many numbers. */
    static void leave(Call c, Operand norm, Operand x, long n) {
        Launch l = backward(c, x.type, norm, n, 1);
        l.c.set(x);
        l.c.vector = false;
        l.c.cols = 1;
        l.c.ld = l.m;
        c.scope.launch();
    }

    /** The same for a matrix. */
    static void leave(Call c, Operand norm, Block a) {
        Launch l = backward(c, a.type(), norm, a.rows, a.cols);
        a.into(l.c);
        c.scope.launch();
    }

    private static Launch backward(Call c, ElementType type, Operand norm, long rows, long cols) {
        Launch l = c.scope.kernel(Kernel.RESCALE);
        l.type = type;
        l.backward = true;
        l.m = rows;
        l.n = cols;
        l.p = rows;
        l.a.set(norm);
        return l;
    }
}
