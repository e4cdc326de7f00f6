package dev.basalt.internal.symmetric;

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
import dev.basalt.type.Uplo;

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

    /** Takes the norm of a symmetric or Hermitian matrix, and brings the elements of its triangle into the range. */
    static Operand enter(Call c, Block a, long work) {
        Launch g = c.args;
        Operand norm = c.scope.part().vector(g.type.real(), work, 1, 1, 1);
        long lines = MatrixNorm.linesBytes(c.traits, g.n, g.n, g.count) == 0 ? 0 : work + EACH * g.count;
        Structure structure = g.type.isComplex() ? Structure.HERMITIAN : Structure.SYMMETRIC;
        MatrixNorm.of(c.scope, Norm.MAX, structure, a.triangle(g.uplo, a.diag), a.rows, a.cols, norm, lines);
        Launch l = c.scope.kernel(Kernel.RESCALE);
        l.region = g.uplo == Uplo.LOWER ? Region.LOWER : Region.UPPER;
        l.m = a.rows;
        l.n = a.cols;
        l.p = a.rows;
        l.a.set(norm);
        a.into(l.c);
        c.scope.launch();
        return norm;
    }

    /** Scales eigenvalues back. */
    static void leave(Call c, Operand norm, Operand d) {
        leave(c, norm, d, c.args.n);
    }

    /** Scales n numbers back. */
    static void leave(Call c, Operand norm, Operand d, long n) {
        if (n <= 0) {
            return;
        }
        Launch l = Steqr.real(c, Kernel.RESCALE);
        l.backward = true;
        l.m = n;
        l.n = 1;
        l.p = n;
        l.a.set(norm);
        l.c.set(d);
        l.c.vector = false;
        l.c.cols = 1;
        l.c.ld = n;
        c.scope.launch();
    }
}
