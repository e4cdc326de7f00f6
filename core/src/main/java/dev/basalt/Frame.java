package dev.basalt;

import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.Protocol;
import dev.basalt.internal.call.Routine;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/** Fills a handle's call frame from views, or from the addresses of the classic names. Nothing here throws or allocates. */
final class Frame {
    private Frame() {}

    static Call begin(Handle handle, Routine routine, ElementType type) {
        return Protocol.begin(handle == null ? null : handle.core, routine, type);
    }

    static Call begin(Handle handle, Routine routine, VectorView typed) {
        return begin(handle, routine, typed == null ? null : typed.type);
    }

    static Call begin(Handle handle, Routine routine, MatrixView typed) {
        return begin(handle, routine, typed == null ? null : typed.type);
    }

    static Call begin(Handle handle, Routine routine, BandView typed) {
        return begin(handle, routine, typed == null ? null : typed.type);
    }

    static Call begin(Handle handle, Routine routine, PackedView typed) {
        return begin(handle, routine, typed == null ? null : typed.type);
    }

    static void vector(Call f, int operand, VectorView v) {
        if (v == null) {
            f.missing(operand);
            return;
        }
        Operand o = f.args.operand(operand);
        o.vector(v.type, address(v.memory, v.offset), v.n, v.inc, v.stride);
        o.pointers = v.problems != null;
        f.memory(operand, v.core, v.core == null ? 0 : v.core.bytes - v.offset, v.offset, v.count);
    }

    static void matrix(Call f, int operand, MatrixView v) {
        if (v == null) {
            f.missing(operand);
            return;
        }
        Operand o = f.args.operand(operand);
        o.matrix(v.type, address(v.memory, v.offset), v.rows, v.cols, v.ld, v.stride);
        o.pointers = v.problems != null;
        f.memory(operand, v.core, v.core == null ? 0 : v.core.bytes - v.offset, v.offset, v.count);
    }

    static void band(Call f, int operand, BandView v) {
        if (v == null) {
            f.missing(operand);
            return;
        }
        matrix(f, operand, v.storage);
        Operand o = f.args.operand(operand);
        boolean table = o.pointers;
        o.band(v.type, o.base, v.rows, v.cols, v.kl, v.ku, v.ld, v.storage.stride);
        o.pointers = table;
    }

    static void packed(Call f, int operand, PackedView v) {
        if (v == null) {
            f.missing(operand);
            return;
        }
        vector(f, operand, v.storage);
        Operand o = f.args.operand(operand);
        boolean table = o.pointers;
        o.packed(v.type, o.base, v.n, v.storage.stride);
        o.pointers = table;
    }

    /** A few elements a problem, one after the other. */
    static void few(Call f, int operand, VectorView v, long n) {
        if (v == null) {
            f.missing(operand);
            return;
        }
        vector(f, operand, v);
        f.match(n == 1 ? "elements of a scalar" : "elements of a small vector", v.n, n);
        f.match("increment of a small vector = 1", n <= 1 ? 1 : v.inc, 1);
    }

    /** One element a problem: a vector of as many elements as there are problems, or a batch of vectors of one. */
    static void perProblem(Call f, int operand, VectorView v, long count) {
        if (v == null) {
            return;
        }
        Operand o = f.args.operand(operand);
        boolean batch = v.count != 1 || count == 1;
        o.vector(v.type, address(v.memory, v.offset), 1, 1, batch ? v.stride : v.inc);
        o.pointers = v.problems != null;
        long own = batch ? (v.n >= 1 ? v.count : 0) : v.n;
        f.memory(operand, v.core, v.core == null ? 0 : v.core.bytes - v.offset, v.offset, own);
    }

    /** Pivots: null is allowed in a query, so the shape is taken from the call. */
    static void pivots(Call f, int operand, VectorView v, long n) {
        if (v == null) {
            return;
        }
        vector(f, operand, v);
        f.match("pivots.size >= min(m, n), one after the other: size", Math.min(v.n, n), n);
        f.match("pivots.inc = 1: inc", v.inc, 1);
        f.args.operand(operand).rows = n;
    }

    /** Factors of reflectors: null is allowed in a query, unless they tell how many there are. */
    static void factors(Call f, int operand, VectorView v, long n) {
        if (v == null) {
            return;
        }
        vector(f, operand, v);
        f.match("tau.size >= the reflectors, one after the other: size", Math.min(v.n, n), n);
        f.match("tau.inc = 1: inc", v.inc, 1);
        f.args.operand(operand).rows = n;
    }

    /** Numbers of each problem at equal distances: null is allowed in a query, unless they tell how many there are. */
    static void beside(Call f, int operand, VectorView v, long n) {
        if (v == null) {
            return;
        }
        vector(f, operand, v);
        f.match("elements of a small vector, at least", Math.min(v.n, n), n);
        f.match("increment of a small vector = 1", n <= 1 ? 1 : v.inc, 1);
        f.args.operand(operand).rows = n;
    }

    /** The product of two dimensions; the largest number there is where it has more bits. */
    static long times(long x, long y) {
        return x <= 0 || y <= 0 ? 0 : x > Long.MAX_VALUE / y ? Long.MAX_VALUE : x * y;
    }

    /** A dimension that the size of a vector tells. */
    static long told(Call f, int operand, VectorView v) {
        if (v == null) {
            f.missing(operand);
            return 0;
        }
        return v.n;
    }

    // Options that most calls of BLAS have: as of a frame, a compare is cheaper than to tell the collector of a reference.

    static void opA(Launch g, Op op) {
        if (g.opA != op) {
            g.opA = op;
        }
    }

    static void opB(Launch g, Op op) {
        if (g.opB != op) {
            g.opB = op;
        }
    }

    static void side(Launch g, Side side) {
        if (g.side != side) {
            g.side = side;
        }
    }

    static void uplo(Launch g, Uplo uplo) {
        if (g.uplo != uplo) {
            g.uplo = uplo;
        }
    }

    static void diag(Launch g, Diag diag) {
        if (g.diag != diag) {
            g.diag = diag;
        }
    }

    static void alpha(Call f, double alpha) {
        f.args.alpha.set(alpha, 0);
    }

    static void alpha(Call f, Complex alpha) {
        if (alpha == null) {
            f.missingScalar("alpha");
        } else {
            f.args.alpha.set(alpha.re(), alpha.im());
        }
    }

    static void alpha(Call f, VectorView alpha) {
        f.alpha(alpha == null ? null : alpha.core, alpha == null ? 0 : address(alpha.memory, alpha.offset),
                alpha == null ? ElementType.F64 : alpha.type);
    }

    static void beta(Call f, double beta) {
        f.args.beta.set(beta, 0);
    }

    static void beta(Call f, Complex beta) {
        if (beta == null) {
            f.missingScalar("beta");
        } else {
            f.args.beta.set(beta.re(), beta.im());
        }
    }

    static void beta(Call f, VectorView beta) {
        f.beta(beta == null ? null : beta.core, beta == null ? 0 : address(beta.memory, beta.offset),
                beta == null ? ElementType.F64 : beta.type);
    }

    static void gamma(Call f, double gamma) {
        f.args.gamma.set(gamma, 0);
    }

    static void gamma(Call f, Complex gamma) {
        if (gamma == null) {
            f.missingScalar("gamma");
        } else {
            f.args.gamma.set(gamma.re(), gamma.im());
        }
    }

    static void gamma(Call f, VectorView gamma) {
        f.gamma(gamma == null ? null : gamma.core, gamma == null ? 0 : address(gamma.memory, gamma.offset),
                gamma == null ? ElementType.F64 : gamma.type);
    }

    private static long address(DeviceMemory memory, long offset) {
        return memory == null ? 0 : memory.address() + offset;
    }

    static Status execute(Handle handle) {
        return Protocol.execute(handle.core);
    }

    static double executeReal(Handle handle) {
        return Protocol.executeReal(handle.core);
    }

    static Complex executeComplex(Handle handle) {
        return Protocol.executeComplex(handle.core);
    }

    static long executeIndex(Handle handle) {
        return Protocol.executeIndex(handle.core);
    }

    // ---- classic names
    // -------------------------------------------------------------------------------------------------

    /** A vector as BLAS names it; {@code stride < 0} is passed on and refused there. */
    static void vector(Call f, int operand, ElementType type, DevicePointer p, long n, long inc, long stride,
            long count) {
        f.args.operand(operand).vector(type, p == null ? 0 : p.address(), n, inc, stride);
        memory(f, operand, p, count);
    }

    static void matrix(Call f, int operand, ElementType type, DevicePointer p, long rows, long cols, long ld,
            long stride, long count) {
        f.args.operand(operand).matrix(type, p == null ? 0 : p.address(), rows, cols, ld, stride);
        memory(f, operand, p, count);
    }

    static void band(Call f, int operand, ElementType type, DevicePointer p, long rows, long cols, long ld, long kl,
            long ku, long stride, long count) {
        matrix(f, operand, type, p, rows, cols, ld, stride, count);
        Operand o = f.args.operand(operand);
        o.band(type, o.base, rows, cols, kl, ku, ld, stride);
    }

    static void packed(Call f, int operand, ElementType type, DevicePointer p, long n, long stride, long count) {
        matrix(f, operand, type, p, n, n, 0, stride, count);
        Operand o = f.args.operand(operand);
        o.packed(type, o.base, n, stride);
    }

    /** The type of the computation, where the caller names it. */
    static void compute(Call f, ElementType compute) {
        f.compute(compute);
    }

    /** The type of a real scalar of a computation. */
    static ElementType real(ElementType compute) {
        return compute == null ? null : compute.real();
    }

    static boolean isReal(ElementType compute) {
        return compute != null && !compute.isComplex();
    }

    /** A type that the caller names; one that is missing is noted, and refused later. */
    static ElementType type(Call f, ElementType type, String name) {
        if (type == null) {
            f.missingType(name);
            return ElementType.F64;
        }
        return type;
    }

    /** As {@link #type}, of a scalar. */
    static ElementType scalarType(Call f, ElementType type, String name) {
        f.scalarTyped();
        return type(f, type, name);
    }

    /** Marks operands as arrays of pointers. */
    static void pointers(Call f, int operand) {
        f.args.operand(operand).pointers = true;
    }

    static void alpha(Call f, DevicePointer alpha, ElementType type) {
        f.alpha(alpha == null ? null : alpha.memory().core, alpha == null ? 0 : alpha.address(), type);
    }

    static void gamma(Call f, DevicePointer gamma, ElementType type) {
        f.gamma(gamma == null ? null : gamma.memory().core, gamma == null ? 0 : gamma.address(), type);
    }

    static void beta(Call f, DevicePointer beta, ElementType type) {
        f.beta(beta == null ? null : beta.memory().core, beta == null ? 0 : beta.address(), type);
    }

    private static void memory(Call f, int operand, DevicePointer p, long count) {
        if (p == null) {
            f.memory(operand, null, 0, 0, count);
        } else {
            f.memory(operand, p.memory().core, p.available(), p.address() - p.memory().address(), count);
        }
    }
}
