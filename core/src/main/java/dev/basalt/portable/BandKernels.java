package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
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
    /** Diagonals below the main one up to which columns are gone through by element: a vector kernel a column costs more. */
    private static final long NARROW = 16;

    private final BandColumns[] columns = new BandColumns[ElementType.values().length];
    private final BandColumns[] narrow = new BandColumns[ElementType.values().length];

    BandKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        this.s = s;
        this.d = d;
        this.c = c;
        this.z = z;
        narrow[ElementType.F32.ordinal()] = new SBand(s);
        narrow[ElementType.F64.ordinal()] = new DBand(d);
        narrow[ElementType.C32.ordinal()] = new CBand(c);
        narrow[ElementType.C64.ordinal()] = new ZBand(z);
        for (ElementType type : ElementType.values()) {
            if (type.isFloating()) {
                columns[type.ordinal()] = new LeafColumns(leaf(type), type);
            }
        }
    }

    private Leaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            default -> z;
        };
    }

    /** By the kernels of a type. */
    private record LeafColumns(Leaf leaf, ElementType type) implements BandColumns {
        @Override
        public long pivot(long below, long at) {
            long p = leaf.iamax(below + 1, at, 1) - 1;
            if (leaf.zeroDiagonal(1, at + p * type.bytes(), 1) != 0) {
                return -1;
            }
            if (p > 0) {
                leaf.swap(1, at, 1, at + p * type.bytes(), 1);
            }
            if (below > 0) {
                // With alpha = 1 a solve on the right divides what is below by the pivot.
                leaf.trsm(Side.RIGHT, Uplo.UPPER, Op.NONE, Diag.NON_UNIT, below, 1, 1, 0, at, 1, at + type.bytes(),
                        below);
            }
            return p;
        }

        @Override
        public void eliminate(long below, long p, long cols, long at, long step) {
            long row = at + step * type.bytes();
            if (p != 0) {
                leaf.swap(cols, row, step, row + p * type.bytes(), step);
            }
            if (below > 0) {
                leaf.ger(below, cols, -1, 0, at + type.bytes(), 1, row, step, false, row + type.bytes(), step);
            }
        }
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
                case GBTF2 ->
                    BatchedKernels.report(l, i, factor((l.c.kl <= NARROW ? narrow : columns)[l.type.ordinal()], l, i));
                case COPY_BAND -> copy(l, i);
                case UNPIVOT_BAND -> unpivot(leaf, l, i);
                case GBTRS -> solve(leaf, l, i);
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

    /** As LAPACK's gbtf2: a pivot's column below it, its row as far right as interchanges have filled it, and the rectangle between them. */
    static long factor(BandColumns columns, Launch l, long problem) {
        long bytes = l.type.bytes();
        long m = l.m(problem);
        long n = l.n(problem);
        long a = l.c.origin(problem);
        long step = l.c.ld - 1;
        long kl = l.c.kl;
        long kv = l.c.ku;
        long ku = kv - kl;
        long ipiv = l.d.at(problem);
        for (long j = ku + 1; j < Math.min(kv, n); j++) {
            clear(a, step, bytes, 0, Math.min(j - ku, m), j);
        }
        long info = 0;
        long last = 0;
        for (long j = 0; j < Math.min(m, n); j++) {
            if (j + kv < n) {
                clear(a, step, bytes, j, Math.min(j + kl, m), j + kv);
            }
            long below = Math.min(kl, m - 1 - j);
            long at = a + (j + j * step) * bytes;
            long p = columns.pivot(below, at);
            i64(ipiv + 8 * j, l.p + j + 1 + Math.max(p, 0));
            last = Math.max(last, Math.min(j + ku + Math.max(p, 0), n - 1));
            if (p < 0) {
                info = info == 0 ? j + 1 : info;
            } else if (last > j) {
                columns.eliminate(below, p, last - j, at, step);
            }
        }
        return info;
    }

    /** Rows from…to-1 of column j := 0. */
    private static void clear(long a, long step, long bytes, long from, long to, long j) {
        if (to > from) {
            Memory.fill(a + (from + j * step) * bytes, (to - from) * bytes, (byte) 0);
        }
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

    /** L is a product of interchanges and columns; U is a triangular band. */
    private static void solve(Leaf leaf, Launch l, long problem) {
        boolean plain = l.opA == Op.NONE;
        if (plain && !lower(leaf, l, problem)) {
            return;
        }
        long n = l.n(problem);
        long x = l.c.at(problem);
        long a = l.a.origin(problem);
        for (long r = 0; r < l.m(problem); r++, x += l.c.ld * l.type.bytes()) {
            leaf.trsvStored(Uplo.UPPER, l.opA, Diag.NON_UNIT, n, l.a.ku, a, l.a.ld - 1, 0, x, 1);
        }
        if (!plain) {
            lower(leaf, l, problem);
        }
    }

    /** Solves with L, from the first column on, or with op(L) from the last; false, and NaN, where a pivot is no row. Without diagonals below there are no pivots. */
    private static boolean lower(Leaf leaf, Launch l, long problem) {
        boolean plain = l.opA == Op.NONE;
        long bytes = l.type.bytes();
        long n = l.a.kl > 0 ? l.n(problem) : 0;
        long sides = l.m(problem);
        long ldb = l.c.ld;
        long b = l.c.at(problem);
        long ipiv = l.d.at(problem);
        for (long i = 0; i < n; i++) {
            long j = plain ? i : n - 1 - i;
            long p = i64(ipiv + 8 * j) - 1;
            if (p < j || p >= n) {
                leaf.scalMatrix(n, sides, Double.NaN, Double.NaN, b, ldb);
                return false;
            }
            long below = Math.min(l.a.kl, n - 1 - j);
            long column = l.a.origin(problem) + (1 + j * l.a.ld) * bytes;
            long row = b + j * bytes;
            if (!plain && below > 0) {
                times(leaf, l.opA, below, sides, column, row, ldb * bytes, bytes);
            }
            if (p != j) {
                leaf.swap(sides, row, ldb, b + p * bytes, ldb);
            }
            if (plain && below > 0) {
                leaf.ger(below, sides, -1, 0, column, 1, row, ldb, false, row + bytes, ldb);
            }
        }
        return true;
    }

    /** Takes op(column) times the rows below off a row of B. */
    private static void times(Leaf leaf, Op op, long below, long sides, long column, long row, long next, long bytes) {
        for (long r = 0; r < sides; r++, row += next) {
            leaf.gemv(op, below, 1, -1, 0, column, below, row + bytes, 1, 1, 0, row, 1);
        }
    }
}
