package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i8;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Moduli;
import dev.basalt.type.Op;

/** What makes products of 8-bit integers of a product of doubles, and puts them together again: see {@link Moduli}. */
final class EmulationKernels {
    /** The exponent field of infinities and NaN. */
    private static final int NOT_FINITE = 0x7ff;

    /** From the exponent field to the least power of two above the number. */
    private static final int BIAS = 1022;

    private EmulationKernels() {}

    /** Runs some problems of a launch. */
    static void run(Launch l, long from, long to) {
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case EXPONENTS -> exponents(l, i);
                case RESIDUES -> residues(l, i);
                case MODULO -> modulo(l, i);
                case FAINT -> faint(l, i);
                default -> reconstruct(l, i);
            }
        }
    }

    /** Bytes from one element of a line to the next, or from one line to the next. */
    private static long step(Launch l, boolean along) {
        return along == (l.opA == Op.NONE) ? 8 : 8 * l.a.ld;
    }

    private static void exponents(Launch l, long i) {
        long along = step(l, true);
        for (long j = 0; j < l.n; j++) {
            long x = l.a.at(i) + j * step(l, false);
            long most = 0;
            for (long r = 0; r < l.m; r++, x += along) {
                // The bits of magnitudes are in the order of the numbers, and NaN is above all.
                most = Math.max(most, Memory.i64(x) & Long.MAX_VALUE);
            }
            int field = (int) (most >>> 52);
            i32(l.d.at(i) + 4 * j, most == 0 ? Kernel.NO_EXPONENT : field - BIAS);
            if (field == NOT_FINITE) {
                i32(l.e.at(i), 1);
            }
        }
    }

    private static double power(int exponent) {
        return Double.longBitsToDouble((long) (1023 + exponent) << 52);
    }

    private static void residues(Launch l, long i) {
        long along = step(l, true);
        boolean rough = l.p == 0;
        for (long j = 0; j < l.n; j++) {
            long x = l.a.at(i) + j * step(l, false);
            int exponent = i32(l.d.at(i) + 4 * j);
            int up = exponent == Kernel.NO_EXPONENT ? 0 : (rough ? Moduli.ROUGH : (int) l.p) - exponent;
            // One factor might be beyond the range.
            double first = power(up >> 1);
            double second = power(up - (up >> 1));
            long to = l.c.at(i) + j * l.c.ld;
            for (long r = 0; r < l.c.rows; r++, to++) {
                long from = rough ? r / Moduli.RUN * Moduli.RUN * l.q + r % Moduli.RUN : r;
                double v = from < l.m ? f64(x + from * along) * first * second : 0;
                if (rough) {
                    double magnitude = Math.abs(v);
                    i8(to, (byte) (magnitude < 128 ? (int) magnitude : 127));
                } else {
                    double integer = Math.rint(v);
                    remainders(Math.abs(integer) <= 0x1p53 ? integer : 0, to, l.k * l.c.ld);
                }
            }
        }
    }

    private static void remainders(double integer, long to, long apart) {
        for (int t = 0; t < Moduli.COUNT; t++) {
            double number = Moduli.number(t);
            double inverse = 1 / number;
            // The first quotient is that of a number of 53 bits, and may be off by one.
            double rest = Math.fma(-Math.rint(integer * inverse), number, integer);
            rest = Math.fma(-Math.rint(rest * inverse), number, rest);
            i8(to + t * apart, (byte) (int) rest);
        }
    }

    private static void modulo(Launch l, long i) {
        int number = (int) l.p;
        long inverse = Math.round(0x1p32 / number);
        for (long j = 0; j < l.n; j++) {
            for (long r = 0; r < l.m; r++) {
                int v = i32(l.a.at(i) + 4 * (r + j * l.a.ld));
                int rest = v - (int) (v * inverse >> 32) * number;
                i8(l.c.at(i) + r + j * l.c.ld, (byte) (2 * rest >= number ? rest - number : rest));
            }
        }
    }

    private static void faint(Launch l, long i) {
        int least = Moduli.least((int) l.p);
        for (long j = 0; j < l.n; j++) {
            boolean zeros = i32(l.b.at(i) + 4 * j) == Kernel.NO_EXPONENT;
            for (long r = 0; r < l.m && !zeros; r++) {
                boolean zero = i32(l.d.at(i) + 4 * r) == Kernel.NO_EXPONENT;
                if (!zero && i32(l.a.at(i) + 4 * (r + j * l.a.ld)) < least) {
                    i32(l.e.at(i), 1);
                    return;
                }
            }
        }
    }

    private static void reconstruct(Launch l, long i) {
        double alpha = l.alpha.re();
        double beta = l.beta.re();
        double inverse = 1 / Moduli.weight(Moduli.COUNT, 0);
        for (long j = 0; j < l.n; j++) {
            int column = i32(l.b.at(i) + 4 * j) - 2 * (int) l.p;
            for (long r = 0; r < l.m; r++) {
                double sum = integer(l.a.at(i) + r + j * l.a.ld, l.k * l.a.ld, inverse);
                sum = alpha == 0 ? 0 : alpha * Math.scalb(sum, i32(l.d.at(i) + 4 * r) + column);
                long c = l.c.at(i) + 8 * (r + j * l.c.ld);
                f64(c, beta == 0 ? sum : Math.fma(beta, f64(c), sum));
            }
        }
    }

    /** The integer with some remainders, rounded once. All sums of parts are exact: see {@link Moduli}. */
    private static double integer(long at, long apart, double inverse) {
        double large = 0;
        double medium = 0;
        double small = 0;
        for (int t = 0; t < Moduli.COUNT; t++) {
            double rest = i8(at + t * apart);
            large += rest * Moduli.weight(t, 0);
            medium += rest * Moduli.weight(t, 1);
            small += rest * Moduli.weight(t, 2);
        }
        double turns = Math.rint(large * inverse);
        large -= turns * Moduli.weight(Moduli.COUNT, 0);
        medium -= turns * Moduli.weight(Moduli.COUNT, 1);
        small -= turns * Moduli.weight(Moduli.COUNT, 2);
        double sum = large + medium;
        double part = sum - large;
        double lost = large - (sum - part) + (medium - part);
        return sum + (lost + small);
    }
}
