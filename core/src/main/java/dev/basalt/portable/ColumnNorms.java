package dev.basalt.portable;

import static dev.basalt.spi.Memory.i64;

/** The rules of column pivoting that do not depend on the type of the elements. */
final class ColumnNorms {
    private ColumnNorms() {}

    /**
     * Exchanges columns so that those come first whose number is not zero; the numbers := those of the columns, from 1.
     *
     * @param distance bytes from column to column
     * @return how many come first
     */
    static long bringForward(Leaf leaf, long m, long n, long a, long distance, long jpvt) {
        long fixed = 0;
        for (long j = 0; j < n; j++) {
            boolean comesFirst = i64(jpvt + j * 8) != 0;
            i64(jpvt + j * 8, j + 1);
            if (comesFirst) {
                if (j != fixed) {
                    leaf.swap(m, a + j * distance, 1, a + fixed * distance, 1);
                    exchange(jpvt, j, fixed);
                }
                fixed++;
            }
        }
        return fixed;
    }

    /** Column j takes another one's number, which gets its own place's. */
    static void exchange(long numbers, long j, long other) {
        long kept = i64(numbers + j * 8);
        i64(numbers + j * 8, i64(numbers + other * 8));
        i64(numbers + other * 8, kept);
    }

    /** Whether a norm is chosen before another; NaN comes before all. */
    static boolean larger(double norm, double other) {
        return norm > other || Double.isNaN(norm) && !Double.isNaN(other);
    }

    /** What part of the square of a norm is left without one element. */
    static double left(double element, double norm) {
        double part = element / norm;
        return Math.max(0, (1 + part) * (1 - part));
    }

    /** Whether a norm that is only taken off from has lost half of its digits (Drmač and Bujanović, 2008). */
    static boolean lost(double left, double norm, double last, double unit) {
        double ratio = norm / last;
        return left * (ratio * ratio) <= Math.sqrt(unit);
    }
}
