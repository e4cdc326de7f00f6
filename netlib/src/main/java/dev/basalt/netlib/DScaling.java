package dev.basalt.netlib;

import org.netlib.util.intW;

/** A matrix times a number, in place, on the heap: a column is one loop that the JVM's compiler vectorises. Each step is rounded as LAPACK rounds it. */
final class DScaling {
    private DScaling() {}

    /** A := (cto / cfrom)·A, all of it or a triangle; where the quotient is out of range, in steps that are not. */
    static void lascl(String type, int kl, int ku, double cfrom, double cto, int m, int n, double[] a, int offseta,
            int lda, intW info) {
        info.val = illegal(cfrom, cto, m, n, lda);
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
            scale(Options.is('L', type), Options.is('U', type) ? 0 : Options.is('H', type) ? 1 : m, factor, m, n, a,
                    offseta, lda);
        }
    }

    private static int illegal(double cfrom, double cto, int m, int n, int lda) {
        if (cfrom == 0 || Double.isNaN(cfrom)) {
            return -4;
        }
        if (Double.isNaN(cto)) {
            return -5;
        }
        if (m < 0) {
            return -6;
        }
        if (n < 0) {
            return -7;
        }
        return lda < Math.max(1, m) ? -9 : 0;
    }

    /**
     * A times a factor.
     *
     * @param lower whether a column begins at the diagonal
     * @param below how many rows below the diagonal it ends
     */
    private static void scale(boolean lower, int below, double factor, int m, int n, double[] a, int offseta, int lda) {
        for (int j = 0; j < n; j++) {
            int column = offseta + j * lda;
            int first = lower ? j : 0;
            times(factor, a, column + first, Math.min(j + 1 + below, m) - first);
        }
    }

    private static void times(double factor, double[] a, int offset, int n) {
        for (int i = 0; i < n; i++) {
            a[offset + i] *= factor;
        }
    }
}
