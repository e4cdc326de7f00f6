package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Norm;
import dev.basalt.type.Region;
import dev.basalt.type.Uplo;

/** Norms of matrices, and what else goes over a matrix or a part of it: LASET and LASCL. One problem after the other. */
final class NormKernels {
    /** What {@link dev.basalt.spi.Kernel#LASCL} reports of a divisor that is 0 or NaN: cfrom is the fourth argument of LAPACK's lascl. */
    private static final int WRONG_DIVISOR = -4;

    private static final int WRONG_FACTOR = -5;

    private final NormLeaf s;
    private final NormLeaf d;
    private final NormLeaf c;
    private final NormLeaf z;

    NormKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        this.s = new SNorm(s);
        this.d = new DNorm(d);
        this.c = new CNorm(c);
        this.z = new ZNorm(z);
    }

    NormLeaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            case C64 -> z;
            default -> throw new IllegalArgumentException("no norm of " + type);
        };
    }

    void run(Launch l, long from, long to) {
        NormLeaf leaf = leaf(l.type);
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case NORM_LINES -> lines(l, i, leaf);
                case NORM -> store(l, i, norm(l, i, leaf));
                case NORM_TRIDIAGONAL -> store(l, i, tridiagonal(l, i, leaf));
                case LASET -> set(l, i, leaf.leaf());
                case RESCALE -> rescale(l, i, leaf.leaf());
                case SHIFT -> shift(l, i);
                case GELS -> LeastSquares.solve(leaf, l, i);
                default -> scale(l, i, leaf.leaf());
            }
        }
    }

    private static void store(Launch l, long i, double value) {
        Conversion.store(l.d.type, l.d.at(i), value);
    }

    static void add(long sum, double value) {
        f64(sum, f64(sum) + value);
    }

    // ---- which elements there are

    private static boolean symmetric(Launch l) {
        return l.structure != Structure.TRIANGULAR;
    }

    /** Whether the diagonal is looked at by itself, and lines end beside it. */
    private static boolean apart(Launch l) {
        return l.diag == Diag.UNIT || symmetric(l);
    }

    private static long firstRow(Launch l, long j) {
        return Math.max(Math.max(0, j - l.q), apart(l) && l.uplo == Uplo.LOWER ? j + 1 : 0);
    }

    private static long endRow(Launch l, long j) {
        return Math.min(l.m - j > l.p ? j + l.p + 1 : l.m, apart(l) && l.uplo == Uplo.UPPER ? j : l.m);
    }

    private static long firstColumn(Launch l, long i) {
        return Math.max(Math.max(0, i - l.p), apart(l) && l.uplo == Uplo.UPPER ? i + 1 : 0);
    }

    private static long endColumn(Launch l, long i) {
        return Math.min(l.n - i > l.q ? i + l.q + 1 : l.n, apart(l) && l.uplo == Uplo.LOWER ? i : l.n);
    }

    /** The modulus of diagonal element j, where it is looked at by itself. */
    private static double diagonal(Launch l, NormLeaf leaf, long a, long j) {
        if (!apart(l) || j >= Math.min(l.m, l.n)) {
            return 0;
        }
        return l.diag == Diag.UNIT
                ? 1
                : leaf.modulus(a + j * (l.a.ld + 1) * l.type.bytes(), l.structure == Structure.HERMITIAN);
    }

    // ---- norms

    /** What the norm takes the largest of, or the squares, in column j as it is stored. */
    private static double column(Launch l, NormLeaf leaf, long a, long j) {
        long first = firstRow(l, j);
        long rows = Math.max(0, endRow(l, j) - first);
        long x = a + (first + j * l.a.ld) * l.type.bytes();
        double main = diagonal(l, leaf, a, j);
        return switch (l.norm) {
            case MAX -> Math.max(leaf.largest(rows, x, 1), main);
            case FRO -> {
                double beside = leaf.nrm2(rows, x, 1);
                yield NormLeaf.join(symmetric(l) ? NormLeaf.join(beside, beside) : beside, main);
            }
            default -> leaf.sum(rows, x, 1) + main;
        };
    }

    /** The sum over row i as it is stored, but for a diagonal that is looked at by itself. */
    private static double row(Launch l, NormLeaf leaf, long a, long i) {
        long first = firstColumn(l, i);
        return leaf.sum(Math.max(0, endColumn(l, i) - first), a + (i + first * l.a.ld) * l.type.bytes(), l.a.ld);
    }

    private static double norm(Launch l, long problem, NormLeaf leaf) {
        long a = l.a.at(problem);
        double norm = 0;
        if (l.norm == Norm.INF && !symmetric(l)) {
            for (long i = 0; i < l.m; i++) {
                norm = Math.max(norm, row(l, leaf, a, i) + diagonal(l, leaf, a, i));
            }
            return norm;
        }
        boolean rows = symmetric(l) && (l.norm == Norm.ONE || l.norm == Norm.INF);
        for (long j = 0; j < l.n; j++) {
            double value = column(l, leaf, a, j) + (rows ? row(l, leaf, a, j) : 0);
            norm = l.norm == Norm.FRO ? NormLeaf.join(norm, value) : Math.max(norm, value);
        }
        return norm;
    }

    /** Columns are streams, so sums over rows are collected column by column. */
    private static void lines(Launch l, long problem, NormLeaf leaf) {
        long a = l.a.at(problem);
        long b = l.b.at(problem);
        boolean rows = l.norm == Norm.INF && !symmetric(l);
        boolean both = symmetric(l) && (l.norm == Norm.ONE || l.norm == Norm.INF);
        for (long i = 0; i < (rows ? l.m : l.n); i++) {
            f64(b + 8 * i, rows || both ? diagonal(l, leaf, a, i) : column(l, leaf, a, i));
        }
        for (long j = 0; j < l.n && (rows || both); j++) {
            long first = firstRow(l, j);
            long x = a + (first + j * l.a.ld) * l.type.bytes();
            double sum = leaf.addModuli(Math.max(0, endRow(l, j) - first), x, b + 8 * first);
            if (both) {
                add(b + 8 * j, sum);
            }
        }
    }

    private double tridiagonal(Launch l, long problem, NormLeaf leaf) {
        NormLeaf real = leaf(l.type.real());
        long x = l.a.first(problem);
        long y = l.c.first(problem);
        long next = l.c.ld * l.type.bytes();
        if (l.norm == Norm.FRO) {
            double beside = leaf.nrm2(l.n - 1, y, l.c.ld);
            return NormLeaf.join(NormLeaf.join(beside, beside), real.nrm2(l.n, x, l.a.ld));
        }
        if (l.norm == Norm.MAX) {
            return Math.max(real.largest(l.n, x, l.a.ld), leaf.largest(l.n - 1, y, l.c.ld));
        }
        double norm = 0;
        for (long i = 0; i < l.n; i++) {
            double sum = real.modulus(x + i * l.a.ld * l.a.type.bytes(), false);
            sum += i > 0 ? leaf.modulus(y + (i - 1) * next, false) : 0;
            sum += i < l.n - 1 ? leaf.modulus(y + i * next, false) : 0;
            norm = Math.max(norm, sum);
        }
        return norm;
    }

    // ---- parts of a matrix

    private static void set(Launch l, long problem, Leaf leaf) {
        long bytes = l.type.bytes();
        long c = l.c.at(problem);
        for (long j = 0; j < l.n; j++) {
            long first = first(l, j);
            leaf.fill(rows(l, j), l.alpha.re(), l.alpha.im(), c + (first + j * l.c.ld) * bytes, 1);
        }
        leaf.fill(Math.min(l.m, l.n), l.beta.re(), l.beta.im(), c, l.c.ld + 1);
    }

    private static long first(Launch l, long j) {
        return l.region == Region.LOWER ? Math.min(j, l.m) : 0;
    }

    private static long rows(Launch l, long j) {
        return (l.region == Region.UPPER ? Math.min(j + 1, l.m) : l.m) - first(l, j);
    }

    /** Factor by factor, none of which overflows, as LAPACK's lascl does it. */
    private static void scale(Launch l, long problem, Leaf leaf) {
        double from = l.alpha.re();
        double to = l.beta.re();
        int wrong = !(from > 0 || from < 0) ? WRONG_DIVISOR : Double.isNaN(to) ? WRONG_FACTOR : 0;
        i32(l.e.at(problem), wrong);
        boolean single = l.type.real() == ElementType.F32;
        double small = single ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        boolean done = wrong != 0;
        while (!done) {
            double less = single ? (float) (from * small) : from * small;
            double far = to * small;
            double factor = to / from;
            done = true;
            if (less == from) {
                // It is infinite.
                factor = to / from;
            } else if (far == to) {
                // It is 0 or infinite.
                factor = to;
            } else if (Math.abs(less) > Math.abs(to)) {
                factor = small;
                from = less;
                done = false;
            } else if (Math.abs(far) > Math.abs(from)) {
                factor = 1 / small;
                to = far;
                done = false;
            }
            if (factor != 1) {
                multiply(l, problem, leaf, factor);
            }
        }
    }

    private static void shift(Launch l, long problem) {
        ElementType real = l.type.real();
        double by = l.alpha.re() * Conversion.load(real, l.a.at(problem));
        for (long j = 0; j < l.n; j++) {
            long at = l.c.at(problem) + j * (l.c.ld + 1) * l.type.bytes();
            Conversion.store(real, at, Conversion.load(real, at) + by);
        }
    }

    /** 1 where numbers are to become larger, -1 where smaller. */
    private static int power(Launch l, Operand norm, long problem) {
        return power(l.type, Conversion.load(norm.type, norm.at(problem)));
    }

    /** 1 where what has such a norm is to become larger, -1 where smaller. */
    static int power(ElementType type, double x) {
        double small = small(type);
        return x > 0 && x < small ? 1 : x > 1 / small && x < Double.POSITIVE_INFINITY ? -1 : 0;
    }

    /** Whether numbers up to twice such a norm are neither small nor large. */
    static boolean isWithin(ElementType type, double x) {
        double small = small(type);
        return x >= small && x <= 0.5 / small;
    }

    /** The power of two that numbers of such a norm have been divided by. */
    static int exponent(ElementType type, double x) {
        return power(type, x) * Math.getExponent(small(type));
    }

    /** LAPACK's smallest number over its precision. */
    private static double small(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-103 : 0x1p-970;
    }

    private static void rescale(Launch l, long problem, Leaf leaf) {
        int first = power(l, l.a, problem);
        int second = l.b.present() ? power(l, l.b, problem) : 0;
        int above = (l.backward ? -first : first) - second;
        long bytes = l.type.bytes();
        long most = l.f.present() ? Math.max(0, i64(l.f.at(problem))) : Long.MAX_VALUE;
        for (long j = 0; j < Math.min(l.n, most) && (above != 0 || second != 0); j++) {
            long from = first(l, j);
            long end = Math.min(from + rows(l, j), most);
            long middle = Math.max(from, Math.min(end, l.p));
            long x = l.c.at(problem) + j * l.c.ld * bytes;
            scale(leaf, l.type, middle - from, above, x + from * bytes);
            scale(leaf, l.type, end - middle, -second, x + middle * bytes);
        }
    }

    /** Multiplies n elements by a power of the number over which nothing is scaled. */
    static void scale(Leaf leaf, ElementType type, long n, int power, long x) {
        double factor = power > 0 ? 1 / small(type) : small(type);
        for (int i = 0; i < Math.abs(power) && n > 0; i++) {
            leaf.scal(n, factor, 0, type.isComplex(), x, 1);
        }
    }

    private static void multiply(Launch l, long problem, Leaf leaf, double factor) {
        for (long j = 0; j < l.n; j++) {
            long x = l.c.at(problem) + (first(l, j) + j * l.c.ld) * l.type.bytes();
            leaf.scal(rows(l, j), factor, 0, l.type.isComplex(), x, 1);
        }
    }
}
