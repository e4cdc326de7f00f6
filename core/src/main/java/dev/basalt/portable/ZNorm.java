package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Norms of complex elements, whose modulus takes a root each. */
final class ZNorm implements NormLeaf {
    /** Squares of what lies between the two neither overflow nor underflow. */
    private static final double LARGE = 0x1p500; // keep double

    private static final double SMALL = 0x1p-450; // keep double

    private final Leaf leaf;

    ZNorm(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public Leaf leaf() {
        return leaf;
    }

    private static double modulus(long x) { // keep double
        double re = Math.abs(f64(x)); // keep double
        double im = Math.abs(f64(x + 8L)); // keep double
        double large = Math.max(re, im); // keep double
        return large < LARGE && large > SMALL ? Math.sqrt(re * re + im * im) : NormLeaf.join(re, im); // keep double
    }

    @Override
    public double modulus(long x, boolean real) { // keep double
        return real ? Math.abs(f64(x)) : modulus(x);
    }

    @Override
    public double largest(long n, long x, long incx) { // keep double
        double largest = 0; // keep double
        for (long i = 0; i < n; i++, x += incx * 16L) {
            largest = Math.max(largest, modulus(x));
        }
        return largest;
    }

    @Override
    public double sum(long n, long x, long incx) { // keep double
        double sum = 0; // keep double
        for (long i = 0; i < n; i++, x += incx * 16L) {
            sum += modulus(x);
        }
        return sum;
    }

    @Override
    public double addModuli(long n, long x, long sums) { // keep double
        double total = 0; // keep double
        long at = sums;
        for (long end = x + n * 16L; x < end; x += 16L, at += 8) {
            double v = modulus(x); // keep double
            total += v;
            NormKernels.add(at, v);
        }
        return total;
    }

    @Override
    public void signs(long n, double one, long x, long signs) { // keep double
        for (long end = x + n * 16L; x < end; x += 16L) {
            double r = modulus(x); // keep double
            // What is next to nothing has no direction.
            boolean zero = !(r > Double.MIN_NORMAL);
            double re = zero ? 1 : f64(x) / r; // keep double
            double im = zero ? 0 : f64(x + 8L) / r; // keep double
            f64(x, one * re); // float: f32(x, (float) (one * re));
            f64(x + 8L, one * im); // float: f32(x + 4L, (float) (one * im));
        }
    }

    @Override
    public boolean sameSigns(long n, long x, long signs) {
        return false;
    }

    @Override
    public long indexOfLargest(long n, long x) {
        long at = 1;
        double largest = -1; // keep double
        for (long i = 1; i <= n; i++, x += 16L) {
            double r = modulus(x); // keep double
            // NaN is the largest, as of iamax.
            if (!(r <= largest)) {
                largest = r;
                at = i;
            }
            if (Double.isNaN(r)) { // keep double
                break;
            }
        }
        return at;
    }
}
