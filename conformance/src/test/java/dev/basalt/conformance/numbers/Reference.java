package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.Complex;

/**
 * What a product should be.
 *
 * @param value the value
 * @param bound |alpha|·|A|·|B| + |beta|·|C|, the unit of its error
 * @param terms length of its sums
 */
record Reference(Mat value, Mat bound, int terms) {
    /** alpha·a·b + beta·c. */
    static Reference of(Complex alpha, Mat a, Mat b, Complex beta, Mat c) {
        Mat value = a.times(b).times(alpha).plus(c.times(beta));
        Mat bound = a.abs().times(b.abs()).times(size(alpha)).plus(c.abs().times(size(beta)));
        return new Reference(value, bound, a.n);
    }

    /** alpha·a·b. */
    static Reference of(Complex alpha, Mat a, Mat b) {
        return of(alpha, a, b, Complex.ZERO, new Mat(a.m, b.n));
    }

    private static Complex size(Complex s) {
        return Complex.of(Math.abs(s.re()) + Math.abs(s.im()));
    }

    void check(Trial t, Batch out, int problem) {
        t.check(out, problem, value, bound, terms);
    }

    /** Puts NaN where a factor of 0 forbids reading. */
    static void unread(Complex factor, Batch... batches) {
        for (Batch batch : batches) {
            if (factor.equals(Complex.ZERO)) {
                batch.erase();
            }
        }
    }

    static void require(boolean truth, String what, Object actual) {
        if (!truth) {
            throw new AssertionError("expected that " + what + ", but there is\n" + actual);
        }
    }
}
