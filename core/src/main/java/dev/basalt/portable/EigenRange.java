package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;

/** Takes a range of eigenvalues in rising order, and their vectors: see {@link dev.basalt.spi.Kernel#EIGEN_RANGE}. */
final class EigenRange {
    private EigenRange() {}

    private static double value(Launch l, long values, long i) {
        return l.a.type == ElementType.F32 ? f32(values + i * 4L) : f64(values + i * 8L);
    }

    /** How many of them are at most a bound. */
    private static long atMost(Launch l, long values, double bound) {
        long count = 0;
        while (count < l.n && value(l, values, count) <= bound) {
            count++;
        }
        return count;
    }

    static void run(Launch l, long problem) {
        long values = l.a.at(problem);
        long first = 0;
        long end = l.n;
        if (l.m == Erange.INDEX.ordinal()) {
            first = Math.max(1, l.p) - 1;
            end = Math.min(l.n, l.q);
        } else if (l.m == Erange.VALUE.ordinal()) {
            first = atMost(l, values, l.alpha.re());
            end = atMost(l, values, l.beta.re());
        }
        long count = Math.max(0, end - first);
        long bytes = l.a.type.bytes();
        if (l.k != 0) {
            Memory.copy(values + first * bytes, values, count * bytes);
            return;
        }
        i64(l.g.at(problem), count);
        if (!l.c.present()) {
            return;
        }
        long size = l.type.bytes();
        for (long j = 0; j < Math.min(count, l.c.cols); j++) {
            Memory.copy(l.b.at(problem) + (first + j) * l.b.ld * size, l.c.at(problem) + j * l.c.ld * size, l.n * size);
        }
    }
}
