package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.portable.DirectDevice;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;

/**
 * What the small lane asks. A small plain call goes from its arguments to the kernel without the frame, the rules one by one, the lease and the
 * launch, which together take ten times as long as a short vector. What is plain is asked in one condition: operands in memory that is open, on
 * the handle's device, of one type and agreeing shapes, one problem each, and small enough for the device. Whatever is not plain goes the
 * long way ({@link dev.basalt.internal.call.Protocol}), which alone knows the rules and their errors. Results, status and report are those of
 * the long way. The lanes of all families are generated from the table of routines.
 */
final class SmallCall {
    /** Longer vectors and leading dimensions than this go the long way, which minds overflow. */
    private static final long LONGEST = 1 << 28;

    /** Up to so many small problems are solved one by one by every engine. */
    static final long ONE_BY_ONE = 3;

    /** Up to so many real products take less time one after the other than in a launch. */
    static final long PRODUCTS = 16;

    /** Multiplications of a few problems, about a microsecond: of more the way to the kernels does not show, and threads may share them out. */
    private static final long FEW = 1 << 13;

    private SmallCall() {}

    /** Whether so many products of some dimensions are few enough to be taken one after the other. */
    static boolean few(long count, long m, long n, long k) {
        return Math.max(m, Math.max(n, k)) <= FEW && m * n * k * count <= FEW;
    }

    /** Whether the outcomes of so many problems have places: in a vector of each, or one after the other. */
    static boolean tells(VectorView info, long count) {
        return info.count == count && count > 1 || info.single != null && info.n == count && info.inc > 0;
    }

    /** Where the outcome of one of them is told. */
    static long told(VectorView info, long problem) {
        return info.count > 1 ? info.at(problem) : info.first + problem * info.inc * info.type.bytes();
    }

    // ---- memory is looked at once the handle was entered: whoever closes it waits for the calls inside, and the
    // others
    // see it closed.

    /** Leaves the handle if memory cannot be used; null if the handle was not entered or was left. */
    static Leaf admitted(HandleCore h, Leaf entered, MemoryCore a) {
        return entered == null || a.admits(h) ? entered : h.declined();
    }

    static Leaf admitted(HandleCore h, Leaf entered, MemoryCore a, MemoryCore b) {
        return entered == null || (a.admits(h) && b.admits(h)) ? entered : h.declined();
    }

    static Leaf admitted(HandleCore h, Leaf entered, MemoryCore a, MemoryCore b, MemoryCore c) {
        return entered == null || (a.admits(h) && b.admits(h) && c.admits(h)) ? entered : h.declined();
    }

    static Leaf admitted(HandleCore h, Leaf entered, MemoryCore a, MemoryCore b, MemoryCore c, MemoryCore d) {
        return entered == null || (a.admits(h) && b.admits(h) && c.admits(h) && d.admits(h)) ? entered : h.declined();
    }

    static Leaf admitted(HandleCore h, Leaf entered, MemoryCore a, MemoryCore b, MemoryCore c, MemoryCore d,
            MemoryCore e) {
        return entered == null || (a.admits(h) && b.admits(h) && c.admits(h) && d.admits(h) && e.admits(h))
                ? entered
                : h.declined();
    }

    static Leaf admitted(HandleCore h, Leaf entered, MemoryCore a, MemoryCore b, MemoryCore c, MemoryCore d,
            MemoryCore e, MemoryCore f) {
        return entered == null || f.admits(h) ? admitted(h, entered, a, b, c, d, e) : h.declined();
    }

    // ---- scalars

    /** Whether a scalar that may be complex fits a type. */
    static boolean fits(Complex scalar, ElementType type) {
        return scalar != null && (scalar.im() == 0 || type.isComplex());
    }

    static boolean isNotZero(Complex scalar, ElementType type) {
        return fits(scalar, type) && (scalar.re() != 0 || scalar.im() != 0);
    }

    static boolean isNotOne(Complex scalar, ElementType type) {
        return fits(scalar, type) && (scalar.re() != 1 || scalar.im() != 0);
    }

    /** A complex result, or a real one of a real type. */
    static Complex complex(ElementType type, long at) {
        // One call where the JIT takes the other precision for the usual one.
        return type.real() == ElementType.F64 ? doubles(type, at) : floats(type, at);
    }

    private static Complex doubles(ElementType type, long at) {
        return new Complex(Memory.f64(at), type.isComplex() ? Memory.f64(at + 8) : 0);
    }

    private static Complex floats(ElementType type, long at) {
        return new Complex(Memory.f32(at), type.isComplex() ? Memory.f32(at + 4) : 0);
    }

    /** A real result, in the precision of a type. */
    static double rounded(ElementType type, double value) {
        return type == ElementType.F64 || type == ElementType.C64 ? value : (float) value;
    }

    // ---- results in device memory, one for each problem: a vector of as many elements, or a batch of single ones

    static boolean results(VectorView result, ElementType type, long count) {
        if (result.few == null || result.problems != null || result.type != type) {
            return false;
        }
        return result.count == count && result.stride >= 0 || result.count == 1 && result.n == count && result.inc > 0;
    }

    /** Whether these are a batch of real dots that may have a kernel of its own; see {@link DirectDevice#DOTS}. */
    static boolean manyDots(VectorView x, VectorView y) {
        return x.count != 1 && x.n <= DirectDevice.DOTS && x.inc == 1 && y.inc == 1 && !x.type.isComplex();
    }

    /** The same, with the classic names. */
    static boolean manyDots(ElementType type, long n, long incx, long incy, long count) {
        return count != 1 && n <= DirectDevice.DOTS && incx == 1 && incy == 1 && !type.isComplex();
    }

    /** {@link #manyDots} with a result for each. */
    static void dots(Leaf kernels, VectorView x, VectorView y, VectorView result) {
        kernels.dots(x.n, x.count, x.at(), x.step(), y.at(), y.step(), result(result, 0), distance(result));
    }

    static long result(VectorView result, long problem) {
        return result.memory.address() + result.offset + problem * distance(result);
    }

    /** Bytes from one result to the next. */
    static long distance(VectorView result) {
        return (result.count == 1 ? result.inc : result.stride) * result.type.bytes();
    }

    static void real(ElementType type, long at, double value) {
        if (type.real() == ElementType.F32) {
            Memory.f32(at, (float) value);
        } else {
            Memory.f64(at, value);
        }
    }

    // ---- operands of the classic names: whether they lie inside their memory, which views know by having been made

    static boolean vector(ElementType type, long n, DevicePointer x, long inc) {
        if (x == null || n <= 0 || n > LONGEST) {
            return false;
        }
        if (inc == 1) {
            return n * type.bytes() <= x.available();
        }
        if (inc == 0 || inc > LONGEST || inc < -LONGEST) {
            return false;
        }
        return ((n - 1) * Math.abs(inc) + 1) * type.bytes() <= x.available();
    }

    /** Numbers one after the other beside a problem: of a matrix of order 1 there may be none. */
    static boolean beside(ElementType type, long n, DevicePointer x) {
        return x != null && n >= 0 && n <= LONGEST && n * type.bytes() <= x.available();
    }

    static boolean matrix(ElementType type, long m, long n, DevicePointer a, long ld) {
        if (a == null || m <= 0 || n <= 0 || m > LONGEST || n > LONGEST || ld < m || ld > LONGEST) {
            return false;
        }
        return ((n - 1) * ld + m) * type.bytes() <= a.available();
    }

    /** A few matrices at equal distances, none of which begins before the first. */
    static boolean matrices(ElementType type, long m, long n, DevicePointer a, long ld, long stride, long count) {
        if (!matrix(type, m, n, a, ld) || stride < 0 || stride > LONGEST) {
            return false;
        }
        return ((count - 1) * stride + (n - 1) * ld + m) * type.bytes() <= a.available();
    }

    /** The same of vectors. */
    static boolean vectors(ElementType type, long n, DevicePointer x, long inc, long stride, long count) {
        if (!vector(type, n, x, inc) || stride < 0 || stride > LONGEST) {
            return false;
        }
        return ((count - 1) * stride + (n - 1) * Math.abs(inc) + 1) * type.bytes() <= x.available();
    }

    static boolean band(ElementType type, long m, long n, DevicePointer a, long ld, long kl, long ku) {
        if (a == null || m <= 0 || n <= 0 || m > LONGEST || n > LONGEST || kl < 0 || ku < 0 || ld > LONGEST || kl > ld
                || ku > ld || kl + ku >= ld) {
            return false;
        }
        return ((n - 1) * ld + kl + ku + 1) * type.bytes() <= a.available();
    }

    static boolean packed(ElementType type, long n, DevicePointer ap) {
        return ap != null && n > 0 && n <= LONGEST && n * (n + 1) / 2 * type.bytes() <= ap.available();
    }

    /** The address of element 0 of a vector, which is the highest of one that is walked backwards. */
    static long first(DevicePointer x, ElementType type, long n, long inc) {
        return x.address() + (inc < 0 ? (1 - n) * inc * type.bytes() : 0);
    }

    /** Whether C lies apart from B or is B, which the long way refuses with another leading dimension. */
    static boolean agree(long b, long ldb, long c, long ldc) {
        return b != c || ldb == ldc;
    }
}
