package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

/** Roots one by one, all by element. */
public class DSecular implements SecularLeaf {
    private final DSecularRoot root = new DSecularRoot();

    /** One thread's. */
    public DSecular() {}

    @Override
    public final long roots(long n, double alphaRe, long d, long z, boolean squared, long delta, long ld, long lambda) {
        double rho = alphaRe;
        if (n == 1) {
            double z0 = f64(z);
            f64(delta, -rho * z0 * z0);
            f64(lambda, DSecularRoot.lambda(f64(d), rho * z0 * z0, squared));
            return 0;
        }
        double sum = 0;
        for (long i = 0; i < n; i++) {
            sum += f64(z + i * 8L) * f64(z + i * 8L);
        }
        return roots(n, 1 / rho, rho * sum, d, z, squared, delta, ld * 8L, lambda);
    }

    /**
     * All roots of more than one.
     *
     * @param inverse 1/rho
     * @param most rho·Σ zᵢ²
     * @param next bytes from one column to the next
     * @return how many have not converged
     */
    protected long roots(long n, double inverse, double most, long d, long z, boolean squared, long delta, long next,
            long lambda) {
        return roots(0, n, n, inverse, most, d, z, squared, delta, next, lambda);
    }

    /** Roots from…to-1 of n. */
    protected final long roots(long from, long to, long n, double inverse, double most, long d, long z, boolean squared,
            long delta, long next, long lambda) {
        long missed = 0;
        for (long j = from; j < to; j++) {
            root.begin(n, j, inverse, most, d, z, squared);
            while (!root.done) {
                sums(n, d, z, squared);
            }
            shift(n, d, root.origin, root.tau, squared, delta + j * next);
            f64(lambda + j * 8L, root.lambda());
            missed += root.converged ? 0 : 1;
        }
        return missed;
    }

    private void sums(long n, long d, long z, boolean squared) {
        double origin = root.origin;
        double tau = root.tau;
        double sum = 0;
        double slope = 0;
        double partial = 0;
        for (long i = 0; i <= root.p; i++) {
            double t = f64(z + i * 8L) / (away(f64(d + i * 8L), origin, squared) - tau);
            sum += f64(z + i * 8L) * t;
            slope += t * t;
            partial += Math.abs(sum);
        }
        double left = sum;
        double leftSlope = slope;
        sum = 0;
        slope = 0;
        for (long i = n - 1; i > root.p; i--) {
            double t = f64(z + i * 8L) / (away(f64(d + i * 8L), origin, squared) - tau);
            sum += f64(z + i * 8L) * t;
            slope += t * t;
            partial += Math.abs(sum);
        }
        root.take(left, leftSlope, sum, slope, partial);
    }

    private static double away(double di, double origin, boolean squared) {
        return squared ? (di - origin) * (di + origin) : di - origin;
    }

    /** x := the poles less a root. */
    protected void shift(long n, long d, double origin, double tau, boolean squared, long x) {
        for (long i = 0; i < n; i++) {
            f64(x + i * 8L, away(f64(d + i * 8L), origin, squared) - tau);
        }
    }

    @Override
    public final void weights(long n, long d, long z, boolean squared, long delta, long ld, long w) {
        for (long i = 0; i < n; i++) {
            f64(w + i * 8L, f64(delta + (i + i * ld) * 8L));
        }
        for (long j = 0; j < n; j++) {
            double pole = f64(d + j * 8L);
            weigh(j, d, pole, squared, delta + j * ld * 8L, w);
            long from = (j + 1) * 8L;
            weigh(n - j - 1, d + from, pole, squared, delta + j * ld * 8L + from, w + from);
        }
        for (long i = 0; i < n; i++) {
            double size = Math.sqrt(Math.abs(f64(w + i * 8L)));
            f64(w + i * 8L, Math.copySign(size, f64(z + i * 8L)));
        }
    }

    /** w := w·delta/(d - pole), differences of squares where they are. */
    protected void weigh(long n, long d, double pole, boolean squared, long delta, long w) {
        for (long i = 0; i < n; i++) {
            double gap = away(f64(d + i * 8L), pole, squared);
            f64(w + i * 8L, f64(w + i * 8L) * (f64(delta + i * 8L) / gap));
        }
    }

    @Override
    public double quotients(long n, long w, long x) { // keep double
        double sum = 0;
        for (long i = 0; i < n; i++) {
            double y = f64(w + i * 8L) / f64(x + i * 8L);
            f64(x + i * 8L, y);
            sum += y * y;
        }
        return sum;
    }

    @Override
    public double products(long n, long d, long x) { // keep double
        f64(x, -1);
        double sum = 1;
        for (long i = 1; i < n; i++) {
            double y = f64(d + i * 8L) * f64(x + i * 8L);
            f64(x + i * 8L, y);
            sum += y * y;
        }
        return sum;
    }

    @Override
    public final void spread(long n, double alphaRe, long x, long places, long top, long both, long up, long down) {
        double alpha = alphaRe;
        for (long at = 0; at < top; at++) {
            f64(up + at * 8L, alpha * f64(x + i64(places + at * 8) * 8L));
        }
        for (long at = top; at < both; at++) {
            double v = alpha * f64(x + i64(places + at * 8) * 8L);
            f64(up + at * 8L, v);
            f64(down + (at - top) * 8L, v);
        }
        for (long at = both; at < n; at++) {
            f64(down + (at - top) * 8L, alpha * f64(x + i64(places + at * 8) * 8L));
        }
    }
}
