package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/**
 * LU of bands over the kernels of a type, and the tridiagonal kernels. Elements of a band are found by its skewed matrix: element (i, j) lies i + j·step elements behind
 * the origin, so each row and each column inside the band is a vector, and each block inside it a matrix.
 */
final class BandKernels {
    private final Leaf s;
    private final Leaf d;
    private final Leaf c;
    private final Leaf z;

    BandKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        this.s = s;
        this.d = d;
        this.c = c;
        this.z = z;
    }

    private Leaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            default -> z;
        };
    }

    /** Runs some problems. */
    void run(Launch l, long from, long to) {
        Leaf leaf = leaf(l.type);
        TridiagonalLeaf lines = leaf.tridiagonal();
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case GBTF2 -> BatchedKernels.report(l, i,
                        leaf.band().gbtf2(l.m(i), l.n(i), l.c.kl, l.c.ku - l.c.kl, l.c.at(i), l.c.ld, l.d.at(i), l.p));
                case COPY_BAND -> copy(l, i);
                case UNPIVOT_BAND -> unpivot(leaf, l, i);
                case GBTRS -> leaf.band()
                        .gbtrs(l.opA, l.n(i), l.a.kl, l.a.ku - l.a.kl, l.m(i), l.a.at(i), l.a.ld, l.d.at(i), l.c.at(i),
                                l.c.ld);
                case GTTRF -> BatchedKernels.report(l, i,
                        lines.gttrf(l.n(i), l.a.at(i), l.b.at(i), l.c.at(i), l.f.present() ? l.f.at(i) : 0, l.d.at(i)));
                case GTTRS -> lines.gttrs(l.opA, l.n(i), l.m(i), l.a.at(i), l.b.at(i), l.f.at(i),
                        l.g.present() ? l.g.at(i) : 0, l.d.at(i), l.c.at(i), l.c.ld);
                case GTSV -> gtsv(lines, l, i);
                default -> throw new IllegalArgumentException("bands do not run " + l.kernel);
            }
        }
    }

    private static void gtsv(TridiagonalLeaf lines, Launch l, long i) {
        boolean vector = l.c.vector;
        long info = lines.gtsv(l.n(i), l.m(i), first(l.a, i), l.a.ld, l.b.first(i), l.b.ld, first(l.f, i), l.f.ld,
                vector ? l.c.first(i) : l.c.at(i), vector ? l.c.ld : 1, vector ? 0 : l.c.ld);
        BatchedKernels.report(l, i, info);
    }

    /** Element 0 of a diagonal beside the main one, which a matrix of order 1 has not. */
    private static long first(Operand diagonal, long problem) {
        return diagonal.present() ? diagonal.first(problem) : 0;
    }

    private static void copy(Launch l, long problem) {
        boolean reads = l.a.storage == Storage.BAND;
        Operand band = reads ? l.a : l.c;
        long bytes = l.type.bytes();
        long a = l.a.origin(problem);
        long c = l.c.origin(problem);
        long stepA = l.a.step(Uplo.UPPER) * bytes;
        long stepC = l.c.step(Uplo.UPPER) * bytes;
        long m = l.m(problem);
        for (long j = 0; j < l.n(problem); j++, a += stepA, c += stepC) {
            long first = Math.clamp(j - band.ku, 0, m);
            long end = Math.clamp(j + band.kl + 1, first, m);
            if (reads) {
                Memory.fill(c, first * bytes, (byte) 0);
                Memory.fill(c + end * bytes, (m - end) * bytes, (byte) 0);
            }
            Memory.copy(a + first * bytes, c + first * bytes, (end - first) * bytes);
        }
    }

    /** From the last pivot back, in columns left of it; then what lies in the band goes there. */
    private static void unpivot(Leaf leaf, Launch l, long problem) {
        long bytes = l.type.bytes();
        long m = l.m(problem);
        long a = l.a.at(problem);
        long ipiv = l.d.at(problem);
        for (long j = Math.min(m, l.n(problem)) - 1; j > 0; j--) {
            long p = i64(ipiv + 8 * j) - 1 - l.k;
            if (p > j && p < m) {
                leaf.swap(j, a + j * bytes, l.a.ld, a + p * bytes, l.a.ld);
            }
        }
        copy(l, problem);
    }
}
