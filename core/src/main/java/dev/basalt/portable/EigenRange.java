package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Op;

/** Takes a range of eigenvalues in rising order or of singular values in falling order, and their vectors: see {@link dev.basalt.spi.Kernel#EIGEN_RANGE}. */
final class EigenRange {
    private EigenRange() {}

    private static double value(Launch l, long values, long i) {
        return l.a.type == ElementType.F32 ? f32(values + i * 4L) : f64(values + i * 8L);
    }

    /** How many of them come before those of a range that lies beyond a bound: rising ones that are at most the bound, falling ones that are larger. */
    private static long before(Launch l, long values, double bound) {
        long count = 0;
        while (count < l.n && (l.backward ? value(l, values, count) > bound : value(l, values, count) <= bound)) {
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
            first = before(l, values, l.backward ? l.beta.re() : l.alpha.re());
            end = before(l, values, l.backward ? l.alpha.re() : l.beta.re());
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
        boolean rows = l.opB != Op.NONE;
        for (long j = 0; j < Math.min(count, rows ? l.c.rows : l.c.cols); j++) {
            long from = l.b.at(problem) + (first + j) * (rows ? 1 : l.b.ld) * size;
            long to = l.c.at(problem) + j * (rows ? 1 : l.c.ld) * size;
            if (!rows) {
                Memory.copy(from, to, l.c.rows * size);
                continue;
            }
            for (long i = 0; i < l.c.cols; i++) {
                Memory.copy(from + i * l.b.ld * size, to + i * l.c.ld * size, size);
            }
        }
    }
}
