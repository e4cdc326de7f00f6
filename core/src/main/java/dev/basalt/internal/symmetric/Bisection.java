package dev.basalt.internal.symmetric;

import dev.basalt.internal.block.Block;
import dev.basalt.internal.block.Scope;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.workspace.Chunks;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Eorder;

/** Some eigenvalues of a symmetric tridiagonal matrix by bisection, and their vectors by inverse iteration; what both tell each other stands in two slots of workspace. */
final class Bisection {
    private static final long WORD = 8;

    /** Numbers before those of the eigenvalues: how many there are, and how many blocks. */
    private static final long HEAD = 2;

    private Bisection() {}

    private static long reals(long n) {
        return Chunks.times(8, n) + 1;
    }

    private static long integers(long n) {
        return Chunks.times(3, n) + HEAD;
    }

    /** Bytes for real numbers. */
    static long realBytes(Call c) {
        return Chunks.times(reals(c.args.n), c.args.type.real().bytes(), c.args.count);
    }

    /** Bytes for integers. */
    static long integerBytes(Call c) {
        return Chunks.times(integers(c.args.n), WORD, c.args.count);
    }

    private static Operand numbers(Call c, long at) {
        return c.scope.part().vector(ElementType.I64, at, integers(c.args.n), 1, integers(c.args.n));
    }

    private static Operand scratch(Call c, long at) {
        return c.scope.part().vector(c.args.type.real(), at, reals(c.args.n), 1, reals(c.args.n));
    }

    /** w := the eigenvalues that the call asks for. */
    static void values(Call c, Operand d, Operand e, Operand w, Eorder order, long reals, long integers) {
        Scope s = c.scope;
        Launch g = c.args;
        int mark = s.mark();
        Operand scratch = scratch(c, reals);
        Launch l = Steqr.real(c, Kernel.FILL);
        l.n = 1;
        l.alpha.set(g.gamma);
        l.c.set(scratch);
        s.launch();
        l = Steqr.real(c, Kernel.STEBZ);
        l.m = g.erange.ordinal();
        l.k = order.ordinal();
        l.p = g.p;
        l.q = g.q;
        l.alpha.set(g.alpha);
        l.beta.set(g.beta);
        l.a.set(d);
        l.b.set(e);
        l.c.set(w);
        l.e.set(g.e);
        l.f.set(scratch);
        l.g.set(numbers(c, integers));
        s.launch();
        s.release(mark);
    }

    /** z := the vectors of the eigenvalues w; columns that there are none for become zeros. */
    static void vectors(Call c, Operand d, Operand e, Operand w, Block z, long reals, long integers) {
        Scope s = c.scope;
        int mark = s.mark();
        if (c.args.type.isComplex()) {
            s.scale(Scope.ZERO, z);
        }
        Launch l = Steqr.real(c, Kernel.STEIN);
        l.k = z.cols;
        l.m = c.args.type.isComplex() ? 2 : 1;
        l.a.set(d);
        l.b.set(e);
        Steqr.asReal(z, l.c);
        l.d.set(w);
        l.e.set(c.args.e);
        l.f.set(scratch(c, reals));
        l.g.set(numbers(c, integers));
        s.launch();
        s.release(mark);
    }

    /** The number of eigenvalues, or of blocks. */
    static void head(Call c, long integers, long which, Operand into) {
        copy(c, numbers(c, integers), which, 1, into);
    }

    /** Whose block each eigenvalue is of (0), where blocks end (1), and the columns that did not converge (2). */
    static void list(Call c, long integers, long which, long size, Operand into) {
        copy(c, numbers(c, integers), HEAD + which * c.args.n, size, into);
    }

    private static void copy(Call c, Operand numbers, long first, long size, Operand into) {
        if (size <= 0) {
            return;
        }
        int mark = c.scope.mark();
        Launch l = c.scope.kernel(Kernel.COPY);
        l.type = ElementType.I64;
        l.n = size;
        l.a.slice(numbers, first, size);
        l.c.set(into);
        c.scope.launch();
        c.scope.release(mark);
    }

    /** Takes in what a caller says of the eigenvalues. */
    static void tell(Call c, Operand count, Operand blocks, long size, Operand ends, long integers) {
        Operand numbers = numbers(c, integers);
        take(c, count, 1, numbers, 0);
        take(c, blocks, size, numbers, HEAD);
        take(c, ends, c.args.n, numbers, HEAD + c.args.n);
        Launch l = c.scope.kernel(Kernel.FILL);
        l.type = ElementType.I64;
        l.n = 1;
        l.alpha.set(c.args.n, 0);
        l.c.slice(numbers, 1, 1);
        c.scope.launch();
    }

    private static void take(Call c, Operand from, long size, Operand numbers, long first) {
        if (size <= 0) {
            return;
        }
        Launch l = c.scope.kernel(Kernel.COPY);
        l.type = ElementType.I64;
        l.n = size;
        l.a.set(from);
        l.c.slice(numbers, first, size);
        c.scope.launch();
    }
}
