package dev.basalt;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.vector.Elementwise;
import dev.basalt.internal.vector.Reduction;
import dev.basalt.internal.vector.Rotation;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.Need;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;

/**
 * The direct way of small calls: where all is plain, from the views to the kernel without the frame, the rules one by one, the
 * lease and the launch, which together take ten times as long as a short vector. What is plain is asked in one condition: views in
 * memory that is open, on the handle's device, of one type and size, one problem each, short enough to be neither cut nor
 * summed in blocks. Whatever is not goes the long way ({@link dev.basalt.internal.call.Protocol}), which alone knows the rules and
 * their errors. Results, status and report are those of the long way.
 */
final class Direct {
    private Direct() {}

    /** Enters the handle for one vector; null if it was not entered. */
    static Leaf enter(Handle handle, VectorView x) {
        if (handle == null || x == null || x.single == null) {
            return null;
        }
        HandleCore h = handle.core;
        return admitted(h, h.enterDirect(x.type, x.n), x.core);
    }

    /** Enters the handle for one vector of positive increment: BLAS takes any other for an empty one. */
    static Leaf enterForward(Handle handle, VectorView x) {
        return x != null && x.inc > 0 ? enter(handle, x) : null;
    }

    /** Enters the handle for two vectors; null if it was not entered. */
    static Leaf enter(Handle handle, VectorView x, VectorView y) {
        if (handle == null || x == null || y == null || x.single == null || x.single != y.single || x.n != y.n) {
            return null;
        }
        HandleCore h = handle.core;
        return admitted(h, h.enterDirect(x.type, x.n), x.core, y.core);
    }

    // The memory is looked at once the handle was entered: whoever closes it waits for the calls inside, and the others
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

    /** Whether a complex scalar fits elements of a type. */
    static boolean fits(Complex alpha, VectorView x) {
        return alpha != null && x != null && (alpha.im() == 0 || x.type.isComplex());
    }

    // The kernels of calls that were entered, with the arguments of BLAS in its order; x and y are addresses of first
    // elements.

    static Status axpy(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            double re,
            double im,
            long x,
            long incx,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            kernels.axpy(n, re, im, x, incx, y, incy);
            return done(h, routine);
        } finally {
            h.leave();
        }
    }

    static Status scal(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            double re,
            double im,
            long x,
            long incx) {
        HandleCore h = handle.core;
        try {
            kernels.scal(n, re, im, routine == Elementwise.SCAL_REAL && type.isComplex(), x, incx);
            return done(h, routine);
        } finally {
            h.leave();
        }
    }

    static Status copy(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            long x,
            long incx,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            kernels.copy(n, x, incx, y, incy);
            return done(h, routine);
        } finally {
            h.leave();
        }
    }

    static Status swap(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            long x,
            long incx,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            kernels.swap(n, x, incx, y, incy);
            return done(h, routine);
        } finally {
            h.leave();
        }
    }

    static Status rot(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            long x,
            long incx,
            long y,
            long incy,
            double c,
            double re,
            double im) {
        HandleCore h = handle.core;
        try {
            kernels.rot(n, c, re, im, routine == Rotation.ROT_REAL && type.isComplex(), x, incx, y, incy);
            return done(h, routine);
        } finally {
            h.leave();
        }
    }

    private static Status done(HandleCore h, Routine routine) {
        h.ranDirect(routine, Need.NO_WORKSPACE);
        return Status.SUCCESS;
    }

    static double dot(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            long x,
            long incx,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            double sum = kernels.dotReal(n, x, incx, y, incy);
            h.ranDirect(routine, Reduction.BLOCKS);
            return sum;
        } finally {
            h.leave();
        }
    }

    static Complex dotu(
            Handle handle,
            Leaf kernels,
            Routine routine,
            ElementType type,
            long n,
            long x,
            long incx,
            long y,
            long incy) {
        HandleCore h = handle.core;
        try {
            long result = h.call.staging();
            kernels.dot(n, x, incx, y, incy, routine == Reduction.DOTC && type.isComplex(), result);
            h.ranDirect(routine, Reduction.BLOCKS);
            return switch (type) {
                case F64 -> new Complex(Memory.f64(result), 0);
                case F32 -> new Complex(Memory.f32(result), 0);
                case C64 -> new Complex(Memory.f64(result), Memory.f64(result + 8));
                default -> new Complex(Memory.f32(result), Memory.f32(result + 4));
            };
        } finally {
            h.leave();
        }
    }

    static double asum(Handle handle, Leaf kernels, Routine routine, ElementType type, long n, long x, long incx) {
        HandleCore h = handle.core;
        try {
            double sum = kernels.asum(n, x, incx);
            h.ranDirect(routine, Reduction.BLOCKS);
            return type.real() == ElementType.F32 ? (float) sum : sum;
        } finally {
            h.leave();
        }
    }

    static double nrm2(Handle handle, Leaf kernels, Routine routine, ElementType type, long n, long x, long incx) {
        HandleCore h = handle.core;
        try {
            double norm = kernels.nrm2(n, x, incx);
            h.ranDirect(routine, Reduction.BLOCKS);
            return type.real() == ElementType.F32 ? (float) norm : norm;
        } finally {
            h.leave();
        }
    }

    static long iamax(Handle handle, Leaf kernels, Routine routine, ElementType type, long n, long x, long incx) {
        HandleCore h = handle.core;
        try {
            long at = kernels.iamax(n, x, incx);
            h.ranDirect(routine, Reduction.BLOCKS);
            return at;
        } finally {
            h.leave();
        }
    }

    static long iamin(Handle handle, Leaf kernels, Routine routine, ElementType type, long n, long x, long incx) {
        HandleCore h = handle.core;
        try {
            long at = kernels.iamin(n, x, incx);
            h.ranDirect(routine, Reduction.BLOCKS);
            return at;
        } finally {
            h.leave();
        }
    }
}
