package dev.basalt.netlib;

import org.netlib.util.intW;

/** A matrix times a number, in place, on the heap: a column is one loop that the JVM's compiler vectorises. Each step is rounded as LAPACK rounds it. */
final class DScaling {
    private DScaling() {}

    /** The types: all of a matrix, triangles of it, Hessenberg, the halves of a symmetric band, and a band with room for the factors of LU. */
    private static final String TYPES = "GLUHBQZ";

    /** A := (cto / cfrom)·A, all of it, a triangle or a band; where the quotient is out of range, in steps that are not. */
    static void lascl(String type, int kl, int ku, double cfrom, double cto, int m, int n, double[] a, int offseta,
            int lda, intW info) {
        char form = form(type);
        info.val = form == 0 ? -1 : illegal(cfrom, cto, m, n);
        if (info.val == 0) {
            info.val = isBand(form) ? illegalBand(form, kl, ku, m, n, lda) : lda < Math.max(1, m) ? -9 : 0;
        }
        if (info.val != 0 || m == 0 || n == 0) {
            return;
        }
        double from = cfrom;
        double to = cto;
        boolean done = false;
        while (!done) {
            double less = from * Double.MIN_NORMAL;
            double lessTo = to * Double.MIN_NORMAL;
            double factor;
            if (less == from) {
                // Infinity: a zero of the right sign, or NaN.
                factor = to / from;
                done = true;
            } else if (lessTo == to) {
                // Zero or infinity: so is what becomes of any number.
                factor = to;
                done = true;
            } else if (Math.abs(less) > Math.abs(to)) {
                factor = Double.MIN_NORMAL;
                from = less;
            } else if (Math.abs(lessTo) > Math.abs(from)) {
                factor = 1 / Double.MIN_NORMAL;
                to = lessTo;
            } else {
                factor = to / from;
                done = true;
            }
            scale(form, kl, ku, factor, m, n, a, offseta, lda);
        }
    }

    /** The capital letter of a type; 0 if there is none of it. */
    private static char form(String type) {
        for (int i = 0; i < TYPES.length(); i++) {
            if (Options.is(TYPES.charAt(i), type)) {
                return TYPES.charAt(i);
            }
        }
        return 0;
    }

    private static boolean isBand(char form) {
        return form == 'B' || form == 'Q' || form == 'Z';
    }

    private static int illegal(double cfrom, double cto, int m, int n) {
        if (cfrom == 0 || Double.isNaN(cfrom)) {
            return -4;
        }
        if (Double.isNaN(cto)) {
            return -5;
        }
        if (m < 0) {
            return -6;
        }
        return n < 0 ? -7 : 0;
    }

    private static int illegalBand(char form, int kl, int ku, int m, int n, int lda) {
        boolean half = form != 'Z';
        if (half && n != m) {
            return -7;
        }
        if (kl < 0 || kl > Math.max(m - 1, 0)) {
            return -2;
        }
        if (ku < 0 || ku > Math.max(n - 1, 0) || half && kl != ku) {
            return -3;
        }
        return lda < (half ? kl + 1 : 2 * kl + ku + 1) ? -9 : 0;
    }

    /** A times a factor, column by column: from one row of the array up to another. */
    private static void scale(char form, int kl, int ku, double factor, int m, int n, double[] a, int offseta,
            int lda) {
        for (int j = 0; j < n; j++) {
            int first = switch (form) {
                case 'L' -> j;
                case 'Q' -> Math.max(ku - j, 0);
                // Above the band there is room for what LU fills in.
                case 'Z' -> Math.max(kl + ku - j, kl);
                default -> 0;
            };
            int end = switch (form) {
                case 'U' -> Math.min(j + 1, m);
                case 'H' -> Math.min(j + 2, m);
                case 'B' -> Math.min(kl + 1, n - j);
                case 'Q' -> ku + 1;
                case 'Z' -> Math.min(2 * kl + ku + 1, kl + ku + m - j);
                default -> m;
            };
            times(factor, a, offseta + j * lda + first, end - first);
        }
    }

    private static void times(double factor, double[] a, int offset, int n) {
        for (int i = 0; i < n; i++) {
            a[offset + i] *= factor;
        }
    }
}
