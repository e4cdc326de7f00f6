package dev.basalt.gpu;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;

/** Random operands of the kernels of symmetric eigenvalues; what earlier steps leave comes from the portable kernels. */
final class SymmetricTrials {
    private static final BatchedKernels PORTABLE =
            new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), ReductionRules.BLOCK);

    /** Orders whose roundings do not run away from each other. */
    private static final int ORDER = 40;

    private static final int FEW = 5;

    private SymmetricTrials() {}

    /** Whether a kernel computes with real numbers alone. */
    static boolean real(Kernel kernel) {
        return kernel == Kernel.STEQR || kernel == Kernel.STEDC;
    }

    static void lay(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.n = Math.min(l.n, ORDER);
        switch (l.kernel) {
            case STEQR -> iterate(t, type, gap, pointers, r);
            case STEDC -> divide(t, type, gap, r);
            default -> reduce(t, type, gap, pointers, r);
        }
    }

    private static void reduce(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        l.hermitian = type.isComplex();
        // Of a whole reduction later elements hang on all roundings before.
        l.n = l.kernel == Kernel.SYTD2 ? Math.min(l.n, FEW) : l.n;
        long n = l.n;
        l.k = 1 + r.nextInt((int) n);
        l.p = l.kernel == Kernel.LATRD_DIAGONALS ? r.nextInt((int) n + 1) : r.nextInt((int) l.k);
        t.matrix(l.c, type, n, n, gap, pointers);
        if (l.kernel == Kernel.SYTD2) {
            poison(l, type);
        }
        if (l.kernel != Kernel.LATRD_ROW) {
            t.vector(l.b, type.real(), Math.max(1, n - 1), 1, pointers);
        }
        if (l.kernel == Kernel.SYTD2 || l.kernel == Kernel.LATRD_DIAGONALS) {
            t.vector(l.a, type.real(), n, 1, pointers);
        }
        if (l.kernel != Kernel.LATRD_DIAGONALS) {
            t.vector(l.d, type, Math.max(1, n - 1), 1, pointers);
        }
        if (l.kernel == Kernel.LATRD_COLUMN || l.kernel == Kernel.LATRD_ROW) {
            t.matrix(l.f, type, n, l.k, r.nextInt(3), pointers);
        }
    }

    /** NaN in the triangle that nobody may look at. */
    private static void poison(Launch l, ElementType type) {
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                for (long i = 0; i < l.n; i++) {
                    if (i != j && l.uplo == Uplo.LOWER != i > j) {
                        Trial.set(type, l.c.at(p), parts * (i + j * l.c.ld), Double.NaN);
                    }
                }
            }
        }
    }

    private static void iterate(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        boolean guarded = l.guarded;
        boolean vectors = r.nextBoolean();
        if (!vectors && l.count == 1 && r.nextInt(3) == 0) {
            // Beyond what one block takes, and what it has of the matrix at a time.
            l.n = 500 + r.nextInt(100);
        }
        t.vector(l.a, type, l.n, 1, pointers);
        t.vector(l.b, type, Math.max(1, l.n - 1), 1, pointers);
        if (!guarded) {
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
        }
        if (vectors) {
            t.matrix(l.c, type, l.m, l.n, gap, pointers);
            t.vector(l.f, type, 2 * l.n, 1, false);
        }
        if (r.nextInt(5) == 0) {
            Trial.set(type, l.a.at(0), r.nextInt((int) l.n), Double.NaN);
        }
    }

    private static void divide(Trial t, ElementType type, int gap, Random r) {
        Launch l = t.l;
        l.guarded = false;
        l.n = 2 + r.nextInt(90);
        l.k = l.n < 8 ? r.nextInt(2) : 1 + r.nextInt(2);
        long n = l.n;
        t.vector(l.a, type, n, 1, false);
        t.vector(l.b, type, n - 1, 1, false);
        t.matrix(l.c, type, n, n, gap, false);
        long both = n * n + n * (n + 1);
        l.d.matrix(type, t.take(both * l.count * type.bytes()), n, n, n, both);
        t.vector(l.e, ElementType.I32, 1, 1, false);
        vector(t, l.f, ElementType.I64, 6 * n + 16);
        vector(t, l.g, type, 7 * n + 16);
        if (r.nextInt(3) == 0) {
            // Much to set aside.
            for (long p = 0; p < l.count; p++) {
                for (long i = 0; i < n; i++) {
                    Trial.set(type, l.a.at(p), i, i % 3);
                }
            }
        }
        int target = r.nextInt(Kernel.SORT + 1);
        target = l.k == 0 && target > Kernel.LEAVES ? Kernel.SORT : target;
        long level = target > Kernel.LEAVES && target < Kernel.SORT ? r.nextInt((int) l.k) : l.k;
        run(l, Kernel.SPLIT, 0, target, level);
        run(l, Kernel.LEAVES, 0, target, level);
        for (long q = 0; q < l.k; q++) {
            for (int step = Kernel.DEFLATE; step <= Kernel.JOIN; step++) {
                run(l, step, q, target, level);
            }
        }
        l.p = target;
        l.q = level == l.k ? 0 : level;
    }

    private static void vector(Trial t, Operand o, ElementType type, long n) {
        long at = t.take(n * t.l.count * type.bytes());
        Memory.fill(at, n * t.l.count * type.bytes(), (byte) 0);
        o.vector(type, at, n, 1, n);
    }

    /** An earlier step than the one to be tried; the products that would come between two of them make no difference here. */
    private static void run(Launch l, int step, long level, int target, long last) {
        boolean merge = step > Kernel.LEAVES;
        if (merge ? level < last || level == last && step < target : step < target) {
            l.p = step;
            l.q = level;
            PORTABLE.run(l);
        }
    }
}
