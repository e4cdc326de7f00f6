package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Random operands of the kernels of packed and banded Cholesky factors. */
final class StoredCholeskyTrials {
    private StoredCholeskyTrials() {}

    /** Whether a kernel writes its info, and so is not guarded by one at random. */
    static boolean reports(Kernel kernel) {
        return kernel == Kernel.POTF2_STORED || kernel == Kernel.POSV_STORED || kernel == Kernel.POTRI_STORED
                || kernel == Kernel.PTTRF;
    }

    static void lay(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean lower = l.uplo == Uplo.LOWER;
        if (l.kernel == Kernel.PTTRF || l.kernel == Kernel.PTTRS) {
            tridiagonal(t, type, gap, pointers, r);
            return;
        }
        // Beyond what shared memory holds too.
        l.n = r.nextInt(6) == 0 ? 200 + r.nextInt(100) : Math.min(l.n, 135);
        l.count = l.n > 150 ? 1 : l.count;
        if (l.kernel == Kernel.COPY_STORED) {
            triangle(t, l.a, type, r.nextBoolean(), gap, pointers, r);
            triangle(t, l.c, type, r.nextBoolean(), r.nextInt(3), pointers, r);
            return;
        }
        if (l.kernel == Kernel.LAUUM) {
            l.n = Math.min(l.n, 150);
            t.matrix(l.c, type, l.n, l.n, gap, pointers);
            t.triangle(l.c, l.n, lower, false, true);
            real(l, l.c);
            return;
        }
        l.p = r.nextInt(5);
        Operand a = l.kernel == Kernel.POSV_STORED ? l.a : l.c;
        triangle(t, a, type, l.kernel == Kernel.POTF2_STORED && r.nextBoolean(), gap, pointers, r);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        if (l.kernel == Kernel.POSV_STORED) {
            l.p = 0;
            l.k = 1 + r.nextInt(12);
            t.matrix(l.c, type, l.n, l.k, gap, pointers);
        }
        real(l, a);
        int parts = type.isComplex() ? 2 : 1;
        if (r.nextInt(3) == 0) {
            long at = r.nextInt((int) l.n);
            long e = at + at * a.step(l.uplo) + a.growth(l.uplo) * (at * (at - 1) / 2);
            double bad = l.kernel == Kernel.POTRI_STORED ? 0 : r.nextBoolean() ? -1 : Double.NaN;
            Trial.set(type, a.origin(0), parts * e, bad);
        }
        if (l.kernel != Kernel.POSV_STORED && r.nextInt(4) == 0) {
            Memory.i32(l.e.at(l.count - 1), 3);
        }
    }

    private static void tridiagonal(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        t.vector(l.a, type.real(), l.n, 1, pointers);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.n; i++) {
                Trial.set(type.real(), l.a.at(p), i, 3 + r.nextDouble());
            }
        }
        Operand e = l.kernel == Kernel.PTTRF ? l.c : l.b;
        t.vector(e, type, Math.max(1, l.n - 1), 1, pointers);
        if (l.kernel == Kernel.PTTRS) {
            t.matrix(l.c, type, l.n, l.k, gap, pointers);
            return;
        }
        l.p = r.nextInt(5);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        if (r.nextInt(3) == 0) {
            Trial.set(type.real(), l.a.at(0), r.nextInt((int) l.n), r.nextBoolean() ? -1 : Double.NaN);
        }
        if (r.nextInt(4) == 0) {
            Memory.i32(l.e.at(l.count - 1), 3);
        }
    }

    private static void triangle(Trial t, Operand o, ElementType type, boolean other, int gap, boolean pointers,
            Random r) {
        long n = t.l.n;
        boolean lower = t.l.uplo == Uplo.LOWER;
        if (!other) {
            t.packed(o, type, n, gap, pointers);
        } else if (t.l.kernel == Kernel.COPY_STORED) {
            t.matrix(o, type, n, n, gap, pointers);
        } else {
            long reach = r.nextInt(r.nextBoolean() ? 5 : 200);
            t.band(o, type, n, n, lower ? reach : 0, lower ? 0 : reach, gap, pointers);
        }
        t.triangle(o, n, lower, false, t.l.kernel != Kernel.COPY_STORED);
    }

    /** The diagonal of a Cholesky factor is real. */
    private static void real(Launch l, Operand a) {
        for (long p = 0; l.type.isComplex() && p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                long e = j + j * a.step(l.uplo) + a.growth(l.uplo) * (j * (j - 1) / 2);
                Trial.set(l.type, a.origin(p), 2 * e + 1, 0);
            }
        }
    }

    /** Behind a minor that is not positive definite a factor may be at any stage; info tells where. */
    static void forget(Launch l, long toExpected) {
        Operand a = l.kernel == Kernel.POSV_STORED ? l.a : l.c;
        for (long p = 0; p < l.count; p++) {
            if (Memory.i32(l.e.at(p)) != 0) {
                Memory.copy(a.at(p) + toExpected, a.at(p), a.spanBytes());
            }
        }
    }
}
