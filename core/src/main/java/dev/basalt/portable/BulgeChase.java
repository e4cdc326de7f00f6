package dev.basalt.portable;

import dev.basalt.spi.BandWork;
import dev.basalt.type.Uplo;

/**
 * A symmetric or Hermitian band to tridiagonal form (Lang, "A parallel algorithm for reducing symmetric banded matrices to tridiagonal form", 1993). A sweep clears one column below the element beside the diagonal. That fills a
 * block below the band; the first column of the fill goes by the next reflector, and so on to the end, and the rest of the fill stays for the next sweeps. Each sweep follows the one before it two steps behind, so that several
 * are in one piece of the band while it is in a cache. Their steps are those of one sweep after the other, to the bit.
 */
final class BulgeChase {
    private final SymmetricLeaf leaf;
    private final long bytes;
    private final long n;
    private final long k;
    private final long band;
    private final long ld;
    private final long scratch;
    private final long kept;
    private final long keptStep;

    /** For a band of order n with k diagonals beside the main one, the scratch that {@link BandWork} says, and a matrix whose upper triangle keeps the reflectors, or none. */
    BulgeChase(SymmetricLeaf leaf, long n, long k, long band, long ld, long kept, long keptStep) {
        this.leaf = leaf;
        this.bytes = leaf.bytes();
        this.n = n;
        this.k = Math.min(k, n - 1);
        this.band = band;
        this.ld = ld;
        this.scratch = at(0, n + BandWork.SWEEPS);
        this.kept = kept;
        this.keptStep = keptStep;
    }

    /** c (n×m) := the reflectors that a chase of k diagonals kept, times c. */
    static void apply(SymmetricLeaf leaf, long n, long m, long k, long kept, long keptStep, long c, long ldc,
            long scratch) {
        long bytes = leaf.bytes();
        long tau = scratch + k * bytes;
        for (long sweep = sweeps(n, k) - 1; sweep >= 0; sweep--) {
            for (long row = sweep + 1; row < n; row += k) {
                long size = Math.min(k, n - row);
                leaf.kernels().copy(size, kept + (sweep + row * keptStep) * bytes, keptStep, scratch, 1);
                leaf.conjugate(1, scratch, 1, tau);
                leaf.kernels().fill(1, 1, 0, scratch, 1);
                leaf.left(size, m, tau, scratch, c + row * bytes, ldc, tau + bytes);
            }
        }
    }

    /** How many sweeps there are: a single diagonal is cleared of all that is not real by one. */
    private static long sweeps(long n, long k) {
        return k == 1 ? 1 : k == 0 ? 0 : n - 1;
    }

    /** The address of what is some rows below the diagonal in a column. */
    private long at(long below, long column) {
        return band + (below + column * ld) * bytes;
    }

    /** d and e := the diagonals of the tridiagonal form; element (i, j) of the triangle lies {@code i + step·j} behind the source. */
    void run(boolean lower, long source, long step, long d, long e) {
        for (long j = 0; j < n; j++) {
            take(lower, j, source, step);
        }
        long sweeps = sweeps(n, k);
        for (long first = 0; first < sweeps; first += BandWork.SWEEPS) {
            long together = Math.min(BandWork.SWEEPS, sweeps - first);
            long steps = steps(first) + 2 * (together - 1);
            for (long t = 0; t < steps; t++) {
                for (long s = 0; s < together; s++) {
                    long i = t - 2 * s;
                    if (i >= 0 && i < steps(first + s)) {
                        step(first + s, i, at(0, n + s));
                    }
                }
            }
        }
        for (long j = 0; j < n; j++) {
            leaf.takeReal(at(0, j), d + j * leaf.realBytes());
            if (j < n - 1) {
                leaf.takeReal(at(1, j), e + j * leaf.realBytes());
            }
        }
    }

    /** Column j of the lower triangle, and no fill. */
    private void take(boolean lower, long j, long source, long step) {
        long rows = Math.min(k + 1, n - j);
        long diagonal = source + (j + j * step) * bytes;
        if (lower) {
            leaf.kernels().copy(rows, diagonal, 1, at(0, j), 1);
        } else {
            leaf.conjugate(rows, diagonal, step, at(0, j));
        }
        leaf.drop(at(0, j));
        leaf.kernels().fill(BandWork.rows(k) - rows, 0, 0, at(rows, j), 1);
    }

    /** How many reflectors a sweep has. */
    private long steps(long sweep) {
        return Math.ceilDiv(n - 1 - sweep, k);
    }

    /** A reflector of a sweep from both sides, and the next one, which clears the first column of what it fills. */
    private void step(long sweep, long i, long v) {
        long tau = v + k * bytes;
        long row = sweep + 1 + i * k;
        long m = Math.min(k, n - row);
        if (i == 0) {
            reflector(m, at(1, sweep), v, tau);
        }
        keep(sweep, row, m, v, tau);
        leaf.update(Uplo.LOWER, m, at(0, row), ld - 1, v, tau, scratch);
        long below = Math.min(k, n - row - m);
        if (below > 0) {
            long block = at(m, row);
            leaf.right(below, m, tau, v, block, ld - 1, scratch);
            reflector(below, block, v, tau);
            leaf.left(below, m - 1, tau, v, block + (ld - 1) * bytes, ld - 1, scratch);
        }
    }

    /** A reflector, where they are kept. */
    private void keep(long sweep, long row, long m, long v, long tau) {
        if (kept != 0) {
            long to = kept + (sweep + row * keptStep) * bytes;
            leaf.kernels().copy(m, v, 1, to, keptStep);
            leaf.kernels().copy(1, tau, 1, to, keptStep);
        }
    }

    /** The reflector that clears a column of m elements below its first. */
    private void reflector(long m, long column, long v, long tau) {
        Leaf kernels = leaf.kernels();
        kernels.copy(m, column, 1, v, 1);
        kernels.larfg(false, m, v, v + bytes, 1, tau);
        kernels.copy(1, v, 1, column, 1);
        kernels.fill(m - 1, 0, 0, column + bytes, 1);
        kernels.fill(1, 1, 0, v, 1);
    }
}
