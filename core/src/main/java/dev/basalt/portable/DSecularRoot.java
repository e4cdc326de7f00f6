package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * A root of the secular equation (Li, "Solving secular equations stably and efficiently", 1994): two poles are kept as they are, what lies left and right of the root is put into their weights and a constant so that value
 * and slope agree. A bracket that each value narrows bounds the steps. Whoever drives it sums, for the number that it asks about, what lies on both sides.
 */
public final class DSecularRoot {
    private static final int STEPS = 80;
    private static final double EPS = 0x1p-53; // float: private static final float EPS = 0x1p-24f;

    private long d;
    private long z;
    private boolean squared;
    private double inverse;

    private long index;
    private boolean last;
    private double gap;
    private double low;
    private double high;
    private double before;
    private int step;

    /** The last pole on the left: this and the next are kept. */
    public long p;

    /** The pole that numbers count from, which is near the root. */
    public double origin;

    /** Where the sums are asked for, from the origin. */
    public double tau;

    /** Whether nothing is asked any more. */
    public boolean done;

    /** Whether the root is as good as it can be. */
    public boolean converged;

    /** A root. */
    public DSecularRoot() {}

    /** Begins with root j of n, more than one; rho·Σ zᵢ² is how far the last may be from its pole. */
    public void begin(long n, long j, double inverseRho, double most, long poles, long weights, boolean ofSquares) {
        d = poles;
        z = weights;
        squared = ofSquares;
        inverse = inverseRho;
        index = j;
        last = j == n - 1;
        p = last ? j - 1 : j;
        from(j);
        gap = last ? most : away(p + 1);
        low = 0;
        high = gap;
        tau = gap / 2;
        before = Double.POSITIVE_INFINITY; // float: before = Float.POSITIVE_INFINITY;
        step = -1;
        done = false;
        converged = false;
    }

    private void from(long i) {
        origin = f64(d + i * 8L);
    }

    /** Pole i less the origin, with all its digits. */
    private double away(long i) {
        double di = f64(d + i * 8L);
        return squared ? (di - origin) * (di + origin) : di - origin;
    }

    /**
     * Takes the sums that were asked for.
     *
     * @param left Σ zᵢ²/(dᵢ - λ) of the poles up to p
     * @param leftSlope Σ zᵢ²/(dᵢ - λ)²
     * @param right the sum of the others
     * @param rightSlope their slope
     * @param partial the sum of all partial sums' absolute values
     */
    public void take(double left, double leftSlope, double right, double rightSlope, double partial) {
        double f = inverse + left + right;
        if (step < 0) {
            choose(f);
            step = 0;
            done = Double.isNaN(f);
            return;
        }
        double error =
                8 * (Math.abs(left) + Math.abs(right)) + partial + inverse + Math.abs(tau) * (leftSlope + rightSlope);
        if (f < 0) {
            low = tau;
        } else {
            high = tau;
        }
        converged = Math.abs(f) <= EPS * error || high - low <= 2 * EPS * Math.max(Math.abs(low), Math.abs(high));
        done = converged || ++step == STEPS || Double.isNaN(f);
        if (!done) {
            boolean slow = Math.abs(f) > before / 4;
            before = Math.abs(f);
            tau = next(f, leftSlope, rightSlope, slow && step % 3 == 0);
        }
    }

    /** The half of the interval that has the root says which pole is the origin. */
    private void choose(double f) {
        double start = tau;
        if (f <= 0 && !last) {
            from(index + 1);
            low = -gap / 2;
            high = 0;
            start = low;
        } else if (f <= 0) {
            low = start;
        } else {
            high = start;
        }
        tau = guess(f, start);
    }

    /** Where the two poles and all others, as they are at {@code start}, have their root. */
    private double guess(double f, double start) {
        double a = away(p);
        double b = away(p + 1);
        double u = f64(z + p * 8L) * f64(z + p * 8L);
        double v = f64(z + (p + 1) * 8L) * f64(z + (p + 1) * 8L);
        double c = f - u / (a - start) - v / (b - start);
        double root = quadratic(c, c * (a + b) + u + v, c * a * b + u * b + v * a, 0);
        return inside(root) ? root : (low + high) / 2;
    }

    /** The next number to try. */
    private double next(double f, double leftSlope, double rightSlope, boolean halve) {
        if (halve) {
            return middle();
        }
        double a = away(p) - tau;
        double b = away(p + 1) - tau;
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
        if (inside(near)) {
            return near;
        }
        return from + sum / (2 * c);
    }

    /** The root: that far from its origin, or the square root of what is that far from the origin's square. */
    public double lambda() {
        return lambda(origin, tau, squared);
    }

    /** The only root of an equation with one pole. */
    static double lambda(double pole, double tau, boolean squared) {
        if (!squared) {
            return pole + tau;
        }
        double root = Math.sqrt(pole * pole + tau);
        return pole == 0 ? root : pole + tau / (pole + root);
    }
}
