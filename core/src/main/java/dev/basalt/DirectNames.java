package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The direct way ({@link Direct}) of small calls under the classic names: asks of pointers what views know by having been made, that is whether
 * the operands lie inside their memory. What is null, empty or does not fit goes the long way.
 */
final class DirectNames {
    /** Longer vectors and leading dimensions than this go the long way, which minds overflow. */
    private static final long LONGEST = 1 << 28;

    /** Up to this order no routine of level 2 splits a matrix into strips or blocks of rows. */
    private static final long LARGEST = 1024;

    private DirectNames() {}

    // ---- what is plain

    private static boolean vector(ElementType type, long n, DevicePointer x, long inc) {
        if (x == null || n <= 0 || n > LONGEST || inc == 0 || inc > LONGEST || inc < -LONGEST) {
            return false;
        }
        return ((n - 1) * Math.abs(inc) + 1) * type.bytes() <= x.available();
    }

    private static boolean matrix(ElementType type, long m, long n, DevicePointer a, long ld) {
        if (a == null || m <= 0 || n <= 0 || m > LARGEST || n > LARGEST || ld < m || ld > LONGEST) {
            return false;
        }
        return ((n - 1) * ld + m) * type.bytes() <= a.available();
    }

    /** The address of element 0 of a vector, which is the highest of one that is walked backwards. */
    static long first(DevicePointer x, ElementType type, long n, long inc) {
        return x.address() + (inc < 0 ? (1 - n) * inc * type.bytes() : 0);
    }

    static boolean isNonZero(Complex alpha) {
        return alpha != null && (alpha.re() != 0 || alpha.im() != 0);
    }

    static boolean isNotOne(Complex alpha) {
        return alpha != null && (alpha.re() != 1 || alpha.im() != 0);
    }

    // ---- entering a handle, with the arguments of BLAS but the scalars; null if it was not entered

    static Leaf vector(Handle handle, ElementType type, long n, DevicePointer x, long incx) {
        if (handle == null || incx <= 0 || !vector(type, n, x, incx)) {
            return null;
        }
        HandleCore h = handle.core;
        return Direct.admitted(h, h.enterDirect(type, n), core(x));
    }

    static Leaf vectors(
            Handle handle, ElementType type, long n, DevicePointer x, long incx, DevicePointer y, long incy) {
        if (handle == null || !vector(type, n, x, incx) || !vector(type, n, y, incy)) {
            return null;
        }
        HandleCore h = handle.core;
        return Direct.admitted(h, h.enterDirect(type, n), core(x), core(y));
    }

    private static MemoryCore core(DevicePointer p) {
        return p.memory().core;
    }

    static Leaf gemv(
            Handle handle,
            ElementType type,
            Op op,
            long m,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer x,
            long incx,
            DevicePointer y,
            long incy) {
        boolean plain = op == Op.NONE;
        return op == null
                ? null
                : ger(
                        handle,
                        type,
                        m,
                        n,
                        plain ? y : x,
                        plain ? incy : incx,
                        plain ? x : y,
                        plain ? incx : incy,
                        a,
                        lda);
    }

    /** For a vector along the rows and one along the columns. */
    static Leaf ger(
            Handle handle,
            ElementType type,
            long m,
            long n,
            DevicePointer x,
            long incx,
            DevicePointer y,
            long incy,
            DevicePointer a,
            long lda) {
        if (handle == null) {
            return null;
        }
        HandleCore h = handle.core;
        boolean plain = matrix(type, m, n, a, lda) && vector(type, m, x, incx) && vector(type, n, y, incy);
        return plain ? Direct.admitted(h, h.enterDirect(type, m * n), core(a), core(x), core(y)) : null;
    }

    static Leaf symv(
            Handle handle,
            ElementType type,
            Uplo uplo,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer x,
            long incx,
            DevicePointer y,
            long incy) {
        return uplo == null ? null : ger(handle, type, n, n, x, incx, y, incy, a, lda);
    }

    static Leaf trsv(
            Handle handle,
            ElementType type,
            Uplo uplo,
            Op op,
            Diag diag,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer x,
            long incx) {
        boolean options = uplo != null && op != null && diag != null;
        return options ? ger(handle, type, n, n, x, incx, x, incx, a, lda) : null;
    }

    static Leaf gemm(
            Handle handle,
            ElementType type,
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            DevicePointer a,
            long lda,
            DevicePointer b,
            long ldb,
            DevicePointer c,
            long ldc) {
        if (handle == null || opA == null || opB == null) {
            return null;
        }
        HandleCore h = handle.core;
        boolean plain = matrix(type, opA == Op.NONE ? m : k, opA == Op.NONE ? k : m, a, lda)
                && matrix(type, opB == Op.NONE ? k : n, opB == Op.NONE ? n : k, b, ldb)
                && matrix(type, m, n, c, ldc);
        return plain ? Direct.admitted(h, h.enterDirect(type, m, n, k), core(a), core(b), core(c)) : null;
    }

    static Leaf trsm(
            Handle handle,
            ElementType type,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer b,
            long ldb) {
        return op != null && diag != null ? symm(handle, type, side, uplo, m, n, a, lda, b, ldb, b, ldb) : null;
    }

    /** In place, as in BLAS. */
    static Leaf trmm(
            Handle handle,
            ElementType type,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer b,
            long ldb) {
        return trsm(handle, type, side, uplo, op, diag, m, n, a, lda, b, ldb);
    }

    static Leaf trmm(
            Handle handle,
            ElementType type,
            Side side,
            Uplo uplo,
            Op op,
            Diag diag,
            long m,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer b,
            long ldb,
            DevicePointer c,
            long ldc) {
        boolean plain = op != null
                && diag != null
                && b != null
                && c != null
                && DirectTriangle.agree(b.address(), ldb, c.address(), ldc);
        return plain ? symm(handle, type, side, uplo, m, n, a, lda, b, ldb, c, ldc) : null;
    }

    static Leaf symm(
            Handle handle,
            ElementType type,
            Side side,
            Uplo uplo,
            long m,
            long n,
            DevicePointer a,
            long lda,
            DevicePointer b,
            long ldb,
            DevicePointer c,
            long ldc) {
        if (handle == null || side == null || uplo == null) {
            return null;
        }
        HandleCore h = handle.core;
        long order = side == Side.LEFT ? m : n;
        boolean plain = matrix(type, order, order, a, lda) && matrix(type, m, n, b, ldb) && matrix(type, m, n, c, ldc);
        return plain ? Direct.admitted(h, DirectTriangle.enter(h, type, m, n, order), core(a), core(b), core(c)) : null;
    }

    static Leaf syrk(
            Handle handle,
            Routine routine,
            ElementType type,
            Uplo uplo,
            Op op,
            long n,
            long k,
            DevicePointer a,
            long lda,
            DevicePointer c,
            long ldc) {
        if (handle == null || uplo == null || !DirectTriangle.takes(routine, op, type)) {
            return null;
        }
        HandleCore h = handle.core;
        boolean plain =
                matrix(type, op == Op.NONE ? n : k, op == Op.NONE ? k : n, a, lda) && matrix(type, n, n, c, ldc);
        return plain ? Direct.admitted(h, DirectTriangle.enterUpdate(h, type, n, k), core(a), core(c)) : null;
    }
}
