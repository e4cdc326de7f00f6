package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * Roots of 1/rho + Σ zᵢ²/(dᵢ - λ) with rising poles d (Li, "Solving secular equations stably and efficiently", 1994): two poles are kept as they are, what lies left and right of the root is put into their weights and a
 * constant so that value and slope agree. A bracket that each value narrows bounds the steps.
 */
final class DSecular {
    private static final int STEPS = 80;
    private static final double EPS = 0x1p-53; // float: private static final float EPS = 0x1p-24f;

    private double left;
    private double right;
    private double leftSlope;
    private double rightSlope;
    private double error;
    private double low;
    private double high;

    /**
     * Root j of n: delta := the poles less the root, the number at lambda := the root.
     *
     * @param squared whether poles and roots are squares: those at d and lambda are their square roots, those at delta differences of squares
     * @return whether it has converged
     */
    boolean root(long n, long j, double rho, long d, long z, boolean squared, long delta, long lambda) {
        if (n == 1) {
            double z0 = f64(z);
            f64(delta, -rho * z0 * z0);
            f64(lambda, root(f64(d), rho * z0 * z0, squared));
            return true;
        }
        boolean last = j == n - 1;
        // The two poles that are kept.
        long p = last ? j - 1 : j;
        long origin = j;
        from(n, origin, d, squared, delta);
        double gap = last ? rho * squares(n, z) : f64(delta + (p + 1) * 8L);
        low = 0;
        high = gap;
        double inverse = 1 / rho;
        double start = gap / 2;
        double f = value(n, p, inverse, delta, z, start);
        if (f <= 0 && !last) {
            origin = j + 1;
            from(n, origin, d, squared, delta);
            low = -gap / 2;
            high = 0;
            start = low;
        } else if (f <= 0) {
            low = start;
        } else {
            high = start;
        }
        double tau = guess(f, start, p, delta, z);
        boolean done = false;
        double before = Double.POSITIVE_INFINITY; // float: float before = Float.POSITIVE_INFINITY;
        for (int step = 0; step < STEPS && !done && !Double.isNaN(f); step++) {
            f = value(n, p, inverse, delta, z, tau);
            if (f < 0) {
                low = tau;
            } else {
                high = tau;
            }
            done = Math.abs(f) <= EPS * error || high - low <= 2 * EPS * Math.max(Math.abs(low), Math.abs(high));
            if (!done) {
                boolean slow = Math.abs(f) > before / 4;
                before = Math.abs(f);
                tau = next(f, tau, f64(delta + p * 8L) - tau, f64(delta + (p + 1) * 8L) - tau, slow && step % 3 == 2);
            }
        }
        for (long i = 0; i < n; i++) {
            f64(delta + i * 8L, f64(delta + i * 8L) - tau);
        }
        f64(lambda, root(f64(d + origin * 8L), tau, squared));
        return done;
    }

    /** The root that is tau from a pole, or the square root of what is that far from its square. */
    private static double root(double pole, double tau, boolean squared) {
        if (!squared) {
            return pole + tau;
        }
        double root = Math.sqrt(pole * pole + tau);
        return pole == 0 ? root : pole + tau / (pole + root);
    }

    /** The poles less that of the origin, each with all its digits. */
    private static void from(long n, long origin, long d, boolean squared, long delta) {
        double pole = f64(d + origin * 8L);
        for (long i = 0; i < n; i++) {
            double di = f64(d + i * 8L);
            f64(delta + i * 8L, squared ? (di - pole) * (di + pole) : di - pole);
        }
    }

    private static double squares(long n, long z) {
        double sum = 0;
        for (long i = 0; i < n; i++) {
            sum += f64(z + i * 8L) * f64(z + i * 8L);
        }
        return sum;
    }

    /** The value at tau, poles up to p on the left, its slopes and how far rounding may have taken it. */
    private double value(long n, long p, double inverse, long delta, long z, double tau) {
        double sum = 0;
        double slope = 0;
        double partial = 0;
        for (long i = 0; i <= p; i++) {
            double t = f64(z + i * 8L) / (f64(delta + i * 8L) - tau);
            sum += f64(z + i * 8L) * t;
            slope += t * t;
            partial += Math.abs(sum);
        }
        left = sum;
        leftSlope = slope;
        sum = 0;
        slope = 0;
        for (long i = n - 1; i > p; i--) {
            double t = f64(z + i * 8L) / (f64(delta + i * 8L) - tau);
            sum += f64(z + i * 8L) * t;
            slope += t * t;
            partial += Math.abs(sum);
        }
        right = sum;
        rightSlope = slope;
        error = 8 * (Math.abs(left) + Math.abs(right)) + partial + inverse + Math.abs(tau) * (leftSlope + rightSlope);
        return inverse + left + right;
    }

    /** Where the two poles and all others, as they are at {@code start}, have their root. */
    private double guess(double f, double start, long p, long delta, long z) {
        double a = f64(delta + p * 8L);
        double b = f64(delta + (p + 1) * 8L);
        double u = f64(z + p * 8L) * f64(z + p * 8L);
        double v = f64(z + (p + 1) * 8L) * f64(z + (p + 1) * 8L);
        double c = f - u / (a - start) - v / (b - start);
        double root = quadratic(c, c * (a + b) + u + v, c * a * b + u * b + v * a, 0);
        return inside(root) ? root : (low + high) / 2;
    }

    /** The next number to try, {@code a} and {@code b} the two poles less the last one. */
    private double next(double f, double tau, double a, double b, boolean halve) {
        if (halve) {
            return middle();
        }
        double c = f - a * leftSlope - b * rightSlope;
        double root = quadratic(c, (a + b) * f - a * b * (leftSlope + rightSlope), a * b * f, tau);
        if (inside(root)) {
            return root;
        }
        // Newton's step.
        root = tau - f / (leftSlope + rightSlope);
        return inside(root) ? root : middle();
    }

    /** Between both ends of the bracket; by their sizes where one is 0. */
    private double middle() {
        return low == 0 ? high / 16 : high == 0 ? low / 16 : (low + high) / 2;
    }

    private boolean inside(double root) {
        return root > low && root < high;
    }

    /** A root of c·x² - a·x + b, more than {@code from}, that lies in the bracket; NaN if there is none. */
    private double quadratic(double c, double a, double b, double from) {
        double discriminant = Math.max(0, a * a - 4 * b * c);
        double sum = a + Math.copySign(Math.sqrt(discriminant), a); // float: float sum = a + (float) Math.copySign(Math.sqrt(discriminant), a);
        double near = from + 2 * b / sum;
        double far = from + sum / (2 * c);
        return inside(near) ? near : far;
    }
}
