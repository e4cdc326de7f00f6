package dev.basalt.internal.svd;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/**
 * QR iteration of a bidiagonal matrix in one launch. Where a device works in waves, its blocks share the vectors: each repeats the iteration, which is short beside the
 * rotations of many vectors, with numbers of its own.
 */
final class Iteration {
    /** Vectors that one block has at least where they are shared. */
    private static final long LINES = 256;

    private static final long MOST = 64;

    private Iteration() {}

    /** How many blocks share so many vectors. */
    private static long shares(Call c, long lines) {
        return c.traits.reach().waves() ? Math.clamp(lines / LINES, 1, MOST) : 1;
    }

    /** Bytes for the elements given, and for the numbers of each block. */
    static long bytes(Call c, long n, long lines) {
        long real = Chunks.times(n, Math.addExact(2, 6 * shares(c, lines)));
        return Chunks.times(real, c.args.type.real().bytes(), c.args.count);
    }

    /** The elements that are given to the iteration: the diagonal. */
    static Operand diagonal(Call c, Operand into, long work, long n) {
        return into.vector(c.args.type.real(), work, n, 1, 2 * n);
    }

    /** Those beside it. */
    static Operand beside(Call c, Operand into, long work, long n) {
        return into.vector(c.args.type.real(), work + n * c.args.type.real().bytes(), Math.max(0, n - 1), 1, 2 * n);
    }

    /** Iterates with what is given in the workspace; the vectors are null where there are none. v is turned where its columns are to be rotated. */
    static void run(Call c, Uplo uplo, long n, Block v, Block u, Block other, long work, Operand d, Operand e,
            Operand info) {
        Scope s = c.scope;
        long lines = (v == null ? 0 : v.cols) + (u == null ? 0 : u.rows) + (other == null ? 0 : other.cols);
        long numbers = 6 * n * shares(c, lines);
        long real = c.args.type.real().bytes();
        long own = work + 2 * n * real * c.args.count;
        Launch l = s.kernel(Kernel.BDSQR);
        l.uplo = uplo;
        l.n = n;
        if (v != null) {
            l.opA = v.op == Op.NONE ? Op.NONE : Op.TRANS;
            l.m = v.cols;
            v.into(l.a);
        }
        if (u != null) {
            l.p = u.rows;
            u.into(l.b);
        }
        if (other != null) {
            l.k = other.cols;
            other.into(l.c);
        }
        l.e.set(info);
        l.f.vector(c.args.type.real(), work, 2 * n, 1, 2 * n);
        l.g.vector(c.args.type.real(), own, numbers, 1, numbers);
        s.launch();
        copy(c, own, n, numbers, d);
        if (e.present()) {
            copy(c, own + n * real, n - 1, numbers, e);
        }
    }

    private static void copy(Call c, long from, long n, long stride, Operand to) {
        Launch l = real(c, Kernel.COPY);
        l.n = n;
        l.a.vector(c.args.type.real(), from, n, 1, stride);
        l.c.set(to);
        c.scope.launch();
    }

    /** A launch on real numbers. */
    static Launch real(Call c, Kernel kernel) {
        Launch l = c.scope.kernel(kernel);
        l.type = c.args.type.real();
        return l;
    }
}
