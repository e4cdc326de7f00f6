package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.type.Uplo;

/** Triangles in their real form, and back. */
final class RealFormKernels {
    private RealFormKernels() {}

    /** Runs some problems of a launch. */
    static void run(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            if (l.kernel == Kernel.TO_REAL) {
                triangle(l, i);
            } else if (i32(l.e.at(i)) <= 0 || i32(l.e.at(i)) > l.p) {
                triangle(l, i);
                rename(l, i);
            }
        }
    }

    private static void triangle(Launch l, long problem) {
        boolean enters = l.kernel == Kernel.TO_REAL;
        boolean single = l.type.real().bytes() == 4;
        int parts = l.type.isComplex() ? 2 : 1;
        long n = l.n(problem);
        long elements = enters ? l.a.at(problem) : l.c.at(problem);
        long ld = enters ? l.a.ld : l.c.ld;
        long form = enters ? l.c.at(problem) : l.a.at(problem);
        long pitch = 8 * (enters ? l.c.ld : l.a.ld);
        for (long j = 0; j < n; j++) {
            long bottom = l.uplo == Uplo.UPPER ? j + 1 : n;
            for (long i = l.uplo == Uplo.LOWER ? j : 0; i < bottom; i++) {
                long x = elements + (i + j * ld) * l.type.bytes();
                long y = form + 8 * parts * i + pitch * parts * j;
                if (enters) {
                    double re = part(single, x, 0);
                    f64(y, re);
                    if (parts == 2) {
                        block(l.uplo, i == j, y, pitch, re, i == j ? 0 : part(single, x, 1));
                    }
                } else {
                    part(single, x, 0, f64(y));
                    if (parts == 2) {
                        part(single, x, 1, i == j ? 0 : f64(y + 8));
                    }
                }
            }
        }
    }

    /** The row of a real form that e tells, as a row of what it is the form of. */
    private static void rename(Launch l, long problem) {
        long row = i32(l.e.at(problem)) - l.p;
        if (row > 0 && l.type.isComplex()) {
            i32(l.e.at(problem), (int) (l.p + (row + 1) / 2));
        }
    }

    /** Three elements of the block at y; on the diagonal two, those of the triangle. */
    private static void block(Uplo uplo, boolean diagonal, long y, long pitch, double re, double im) {
        if (!diagonal || uplo == Uplo.LOWER) {
            f64(y + 8, im);
        }
        if (!diagonal || uplo == Uplo.UPPER) {
            f64(y + pitch, -im);
        }
        f64(y + pitch + 8, re);
    }

    private static double part(boolean single, long at, int part) {
        return single ? f32(at + 4 * part) : f64(at + 8 * part);
    }

    private static void part(boolean single, long at, int part, double value) {
        if (single) {
            f32(at + 4 * part, (float) value);
        } else {
            f64(at + 8 * part, value);
        }
    }
}
