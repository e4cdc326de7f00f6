package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.Conversion;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Structure;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/** Scales of rows and columns, and matrices that are scaled by them: GEEQU, POEQU and LAQGE, as LAPACK has them. */
final class ScaleKernels {
    /** Where the smallest is less than this much of the largest, scaling pays. */
    private static final double WORTH = 0.1;

    private final RefineLeaf s;
    private final RefineLeaf d;
    private final RefineLeaf c;
    private final RefineLeaf z;

    ScaleKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        this.s = new SRefine(s);
        this.d = new DRefine(d);
        this.c = new CRefine(c);
        this.z = new ZRefine(z);
    }

    RefineLeaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            case C64 -> z;
            default -> throw new IllegalArgumentException("no scales of " + type);
        };
    }

    /** The smallest number whose reciprocal is finite. */
    static double safe(ElementType type) {
        return type.real() == ElementType.F32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
    }

    /** LAPACK's eps: half of a unit in the last place of 1. */
    static double eps(ElementType type) {
        return type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
    }

    static double load(Operand o, long problem) {
        return Conversion.load(o.type, o.at(problem));
    }

    static void store(Operand o, long problem, double value) {
        Conversion.store(o.type, o.at(problem), value);
    }

    void run(Launch l, long from, long to) {
        RefineLeaf leaf = leaf(l.type);
        for (long i = from; i < to; i++) {
            switch (l.kernel) {
                case GEEQU -> general(l, i, leaf);
                case POEQU -> definite(l, i);
                default -> scale(l, i, leaf);
            }
        }
    }

    private static void general(Launch l, long problem, RefineLeaf leaf) {
        ElementType real = l.type.real();
        long a = l.a.at(problem);
        long next = l.a.ld * l.type.bytes();
        long rows = l.b.at(problem);
        long columns = l.d.at(problem);
        Memory.fill(rows, l.m * real.bytes(), (byte) 0);
        for (long j = 0; j < l.n; j++) {
            leaf.larger(l.m, a + j * next, rows);
        }
        double most = largest(real, l.m, rows);
        store(l.c, problem, most);
        long zero = reciprocals(l, problem, l.m, rows, l.f, most);
        i32(l.e.at(problem), (int) zero);
        if (zero != 0) {
            return;
        }
        for (long j = 0; j < l.n; j++) {
            Conversion.store(real, columns + j * real.bytes(), leaf.largest(l.m, a + j * next, rows));
        }
        zero = reciprocals(l, problem, l.n, columns, l.g, largest(real, l.n, columns));
        i32(l.e.at(problem), (int) (zero == 0 ? 0 : l.m + zero));
    }

    private static double largest(ElementType real, long n, long x) {
        double largest = 0;
        for (long i = 0; i < n; i++) {
            largest = Math.max(largest, Conversion.load(real, x + i * real.bytes()));
        }
        return largest;
    }

    /** Replaces maxima by their reciprocals and sets the ratio of the smallest to the largest; if one is zero only its number is told. */
    private static long reciprocals(Launch l, long problem, long n, long x, Operand ratio, double most) {
        ElementType real = l.type.real();
        double safe = safe(real);
        double least = 1 / safe;
        for (long i = 0; i < n; i++) {
            double v = Conversion.load(real, x + i * real.bytes());
            if (v == 0) {
                return i + 1;
            }
            least = Math.min(least, v);
        }
        for (long i = 0; i < n; i++) {
            double v = Conversion.load(real, x + i * real.bytes());
            Conversion.store(real, x + i * real.bytes(), 1 / Math.min(Math.max(v, safe), 1 / safe));
        }
        store(ratio, problem, Math.max(least, safe) / Math.min(most, 1 / safe));
        return 0;
    }

    private static void definite(Launch l, long problem) {
        ElementType real = l.type.real();
        long a = l.a.at(problem);
        long s = l.b.at(problem);
        double least = Double.POSITIVE_INFINITY;
        double most = 0;
        long wrong = 0;
        for (long i = 0; i < l.n; i++) {
            double v = Conversion.load(real, a + i * (l.a.ld + 1) * l.type.bytes());
            Conversion.store(real, s + i * real.bytes(), v);
            least = Math.min(least, v);
            most = i == 0 ? v : Math.max(most, v);
            wrong = wrong == 0 && !(v > 0) ? i + 1 : wrong;
        }
        store(l.c, problem, most);
        i32(l.e.at(problem), (int) wrong);
        if (wrong != 0) {
            return;
        }
        for (long i = 0; i < l.n; i++) {
            Conversion.store(real, s + i * real.bytes(), 1 / Math.sqrt(Conversion.load(real, s + i * real.bytes())));
        }
        store(l.f, problem, Math.sqrt(least) / Math.sqrt(most));
    }

    /** What is worth scaling, by LAPACK's thresholds: 1 for rows, + 2 for columns. */
    private static int worth(Launch l, long problem) {
        double small = safe(l.type) / (2 * eps(l.type));
        double most = load(l.g, problem);
        boolean usual = most >= small && most <= 1 / small;
        int rows = load(l.d, problem) >= WORTH && usual ? 0 : 1;
        return l.structure != Structure.TRIANGULAR ? rows : rows + (load(l.f, problem) >= WORTH ? 0 : 2);
    }

    private static void scale(Launch l, long problem, RefineLeaf leaf) {
        boolean symmetric = l.structure != Structure.TRIANGULAR;
        int worth = worth(l, problem);
        i64(l.e.at(problem), worth);
        ElementType real = l.type.real();
        boolean both = symmetric && worth != 0;
        for (long j = 0; j < l.n && worth != 0; j++) {
            long first = symmetric && l.uplo == Uplo.LOWER ? j : 0;
            long end = symmetric && l.uplo == Uplo.UPPER ? j + 1 : l.m;
            long x = l.c.at(problem) + (first + j * l.c.ld) * l.type.bytes();
            double f = both || worth > 1 ? Conversion.load(real, l.b.at(problem) + j * real.bytes()) : 1;
            if (worth == 2) {
                leaf.leaf().scal(end - first, f, 0, l.type.isComplex(), x, 1);
            } else {
                leaf.multiply(end - first, f, l.a.at(problem) + first * real.bytes(), x);
            }
            if (both && l.structure == Structure.HERMITIAN && l.type.isComplex()) {
                Conversion.store(real, l.c.at(problem) + j * (l.c.ld + 1) * l.type.bytes() + real.bytes(), 0);
            }
        }
    }
}
