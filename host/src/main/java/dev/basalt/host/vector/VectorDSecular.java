package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.ADDRESSES;
import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.ORDER;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDLanes.SPECIES;
import static dev.basalt.host.vector.VectorDLanes.sum;
import static dev.basalt.spi.Memory.ALL;
import static dev.basalt.spi.Memory.f64;
import static jdk.incubator.vector.DoubleVector.broadcast;
import static jdk.incubator.vector.DoubleVector.fromArray;
import static jdk.incubator.vector.DoubleVector.fromMemorySegment;
import static jdk.incubator.vector.DoubleVector.zero;

import dev.basalt.portable.DSecular;
import dev.basalt.portable.DSecularRoot;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/**
 * As many roots beside each other as a vector has lanes, each with its own origin: a quotient of a sum takes one division for all of them, and no sum goes over lanes. Whoever is done waits for the others. Poles between
 * the first root and the last lie left of some and right of others.
 */
final class VectorDSecular extends DSecular {
    private static final Warmth WARMTH = new Warmth();

    /** Sums that a root takes, about. */
    private static final long ROUNDS = 5;

    private final DSecularRoot[] roots = new DSecularRoot[LANES];
    private final double[] origins = new double[LANES];
    private final double[] taus = new double[LANES];
    private final double[] poles = new double[LANES];
    private final double[] left = new double[LANES];
    private final double[] leftSlope = new double[LANES];
    private final double[] right = new double[LANES];
    private final double[] rightSlope = new double[LANES];
    private final double[] partial = new double[LANES];

    VectorDSecular() {
        for (int lane = 0; lane < LANES; lane++) {
            roots[lane] = new DSecularRoot();
        }
    }

    @Override
    protected long roots(long n, double inverse, double most, long d, long z, boolean squared, long delta, long next,
            long lambda) {
        long missed = 0;
        for (long first = 0; first < n; first += LANES) {
            int count = (int) Math.min(LANES, n - first);
            if (WARMTH.isWarm()) {
                missed += together(first, count, n, inverse, most, d, z, squared, delta, next, lambda);
            } else if (WARMTH.hasTurn()) {
                long start = System.nanoTime();
                missed += together(first, count, n, inverse, most, d, z, squared, delta, next, lambda);
                WARMTH.took(System.nanoTime() - start, LANES * ROUNDS * n);
            } else {
                missed += roots(first, first + count, n, inverse, most, d, z, squared, delta, next, lambda);
            }
        }
        return missed;
    }

    /** Some roots from the first on, with the bits that they have one by one. */
    private long together(long first, int count, long n, double inverse, double most, long d, long z, boolean squared,
            long delta, long next, long lambda) {
        long missed = 0;
        for (int lane = 0; lane < LANES; lane++) {
            roots[lane].begin(n, Math.min(first + lane, n - 1), inverse, most, d, z, squared);
            poles[lane] = roots[lane].p;
        }
        while (asks(count)) {
            before(d, z, squared ? 1 : 0);
            behind(n, d, z, squared ? 1 : 0);
            for (int lane = 0; lane < count; lane++) {
                if (!roots[lane].done) {
                    roots[lane].take(left[lane], leftSlope[lane], right[lane], rightSlope[lane], partial[lane]);
                }
            }
        }
        for (int lane = 0; lane < count; lane++) {
            DSecularRoot root = roots[lane];
            shift(n, d, root.origin, root.tau, squared, delta + (first + lane) * next);
            f64(lambda + (first + lane) * SIZE, root.lambda());
            missed += root.converged ? 0 : 1;
        }
        return missed;
    }

    /** Whether a root of so many wants sums, and where each does. */
    private boolean asks(int count) {
        boolean some = false;
        for (int lane = 0; lane < LANES; lane++) {
            origins[lane] = roots[lane].origin;
            taus[lane] = roots[lane].tau;
            some |= lane < count && !roots[lane].done;
        }
        return some;
    }

    /** What lies left; where differences are those of squares, times is 1, and a sum is their other factor, which is 1 else. */
    private void before(long d, long z, double times) {
        DoubleVector origin = fromArray(SPECIES, origins, 0);
        DoubleVector plus = times == 0 ? broadcast(SPECIES, 1) : origin;
        DoubleVector tau = fromArray(SPECIES, taus, 0);
        DoubleVector p = fromArray(SPECIES, poles, 0);
        DoubleVector one = broadcast(SPECIES, times);
        long from = roots[0].p;
        long to = roots[LANES - 1].p;
        DoubleVector sum = zero(SPECIES);
        DoubleVector slope = zero(SPECIES);
        DoubleVector parts = zero(SPECIES);
        long i = 0;
        for (; i <= from; i++) {
            DoubleVector di = broadcast(SPECIES, f64(d + i * SIZE));
            DoubleVector zi = broadcast(SPECIES, f64(z + i * SIZE));
            DoubleVector t = zi.div(di.sub(origin).mul(di.fma(one, plus)).sub(tau));
            sum = sum.add(zi.mul(t));
            slope = slope.add(t.mul(t));
            parts = parts.add(sum.abs());
        }
        for (; i <= to; i++) {
            VectorMask<Double> own = p.compare(VectorOperators.GE, (double) i);
            DoubleVector di = broadcast(SPECIES, f64(d + i * SIZE));
            DoubleVector zi = broadcast(SPECIES, f64(z + i * SIZE));
            DoubleVector t = zero(SPECIES).blend(zi.div(di.sub(origin).mul(di.fma(one, plus)).sub(tau)), own);
            sum = sum.add(zi.mul(t));
            slope = slope.add(t.mul(t));
            parts = parts.add(zero(SPECIES).blend(sum.abs(), own));
        }
        sum.intoArray(left, 0);
        slope.intoArray(leftSlope, 0);
        parts.intoArray(partial, 0);
    }

    /** What lies right, from the farthest on. */
    private void behind(long n, long d, long z, double times) {
        DoubleVector origin = fromArray(SPECIES, origins, 0);
        DoubleVector plus = times == 0 ? broadcast(SPECIES, 1) : origin;
        DoubleVector tau = fromArray(SPECIES, taus, 0);
        DoubleVector p = fromArray(SPECIES, poles, 0);
        DoubleVector one = broadcast(SPECIES, times);
        long from = roots[0].p;
        long to = roots[LANES - 1].p;
        DoubleVector sum = zero(SPECIES);
        DoubleVector slope = zero(SPECIES);
        DoubleVector parts = fromArray(SPECIES, partial, 0);
        long i = n - 1;
        for (; i > to; i--) {
            DoubleVector di = broadcast(SPECIES, f64(d + i * SIZE));
            DoubleVector zi = broadcast(SPECIES, f64(z + i * SIZE));
            DoubleVector t = zi.div(di.sub(origin).mul(di.fma(one, plus)).sub(tau));
            sum = sum.add(zi.mul(t));
            slope = slope.add(t.mul(t));
            parts = parts.add(sum.abs());
        }
        for (; i > from; i--) {
            VectorMask<Double> own = p.compare(VectorOperators.LT, (double) i);
            DoubleVector di = broadcast(SPECIES, f64(d + i * SIZE));
            DoubleVector zi = broadcast(SPECIES, f64(z + i * SIZE));
            DoubleVector t = zero(SPECIES).blend(zi.div(di.sub(origin).mul(di.fma(one, plus)).sub(tau)), own);
            sum = sum.add(zi.mul(t));
            slope = slope.add(t.mul(t));
            parts = parts.add(zero(SPECIES).blend(sum.abs(), own));
        }
        sum.intoArray(right, 0);
        slope.intoArray(rightSlope, 0);
        parts.intoArray(partial, 0);
    }

    @Override
    protected void shift(long n, long d, double origin, double tau, boolean squared, long x) {
        DoubleVector o = broadcast(SPECIES, origin);
        DoubleVector one = broadcast(SPECIES, squared ? 1 : 0);
        DoubleVector plus = broadcast(SPECIES, squared ? origin : 1);
        DoubleVector t = broadcast(SPECIES, tau);
        long whole = n / LANES * LANES;
        for (long i = 0; i < whole; i += LANES) {
            DoubleVector di = fromMemorySegment(SPECIES, ALL, d + i * SIZE & ADDRESSES, ORDER);
            di.sub(o).mul(di.fma(one, plus)).sub(t).intoMemorySegment(ALL, x + i * SIZE & ADDRESSES, ORDER);
        }
        super.shift(n - whole, d + whole * SIZE, origin, tau, squared, x + whole * SIZE);
    }

    @Override
    protected void weigh(long n, long d, double pole, boolean squared, long delta, long w) {
        DoubleVector o = broadcast(SPECIES, pole);
        DoubleVector one = broadcast(SPECIES, squared ? 1 : 0);
        DoubleVector plus = broadcast(SPECIES, squared ? pole : 1);
        long whole = n / LANES * LANES;
        for (long i = 0; i < whole; i += LANES) {
            DoubleVector di = fromMemorySegment(SPECIES, ALL, d + i * SIZE & ADDRESSES, ORDER);
            DoubleVector gap = di.sub(o).mul(di.fma(one, plus));
            DoubleVector part = fromMemorySegment(SPECIES, ALL, delta + i * SIZE & ADDRESSES, ORDER).div(gap);
            fromMemorySegment(SPECIES, ALL, w + i * SIZE & ADDRESSES, ORDER).mul(part)
                    .intoMemorySegment(ALL, w + i * SIZE & ADDRESSES, ORDER);
        }
        super.weigh(n - whole, d + whole * SIZE, pole, squared, delta + whole * SIZE, w + whole * SIZE);
    }

    @Override
    public double quotients(long n, long w, long x) { // keep double
        DoubleVector squares = zero(SPECIES);
        long whole = n / LANES * LANES;
        for (long i = 0; i < whole; i += LANES) {
            DoubleVector y = fromMemorySegment(SPECIES, ALL, w + i * SIZE & ADDRESSES, ORDER)
                    .div(fromMemorySegment(SPECIES, ALL, x + i * SIZE & ADDRESSES, ORDER));
            y.intoMemorySegment(ALL, x + i * SIZE & ADDRESSES, ORDER);
            squares = y.fma(y, squares);
        }
        return sum(squares) + super.quotients(n - whole, w + whole * SIZE, x + whole * SIZE);
    }

    @Override
    public double products(long n, long d, long x) { // keep double
        f64(x, -1);
        DoubleVector squares = zero(SPECIES);
        long i = 1;
        for (; i + LANES <= n; i += LANES) {
            DoubleVector y = fromMemorySegment(SPECIES, ALL, d + i * SIZE & ADDRESSES, ORDER)
                    .mul(fromMemorySegment(SPECIES, ALL, x + i * SIZE & ADDRESSES, ORDER));
            y.intoMemorySegment(ALL, x + i * SIZE & ADDRESSES, ORDER);
            squares = y.fma(y, squares);
        }
        double sum = 1 + sum(squares);
        for (; i < n; i++) {
            double y = f64(d + i * SIZE) * f64(x + i * SIZE);
            f64(x + i * SIZE, y);
            sum += y * y;
        }
        return sum;
    }
}
