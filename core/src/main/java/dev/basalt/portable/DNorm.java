package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Norms of real elements: the streams of the engine do the work. */
final class DNorm implements NormLeaf {
    private final Leaf leaf;

    DNorm(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public Leaf leaf() {
        return leaf;
    }

    @Override
    public double largest(long n, long x, long incx) { // keep double
        return n <= 0 ? 0 : Math.abs(f64(x + (leaf.iamax(n, x, incx) - 1) * incx * 8L));
    }

    @Override
    public double sum(long n, long x, long incx) { // keep double
        return n <= 0 ? 0 : leaf.asum(n, x, incx);
    }

    @Override
    public double addModuli(long n, long x, long sums) { // keep double
        double total = 0; // keep double
        long at = sums;
        for (long end = x + n * 8L; x < end; x += 8L, at += 8) {
            double v = Math.abs(f64(x)); // keep double
            total += v;
            NormKernels.add(at, v);
        }
        return total;
    }

    @Override
    public double modulus(long x, boolean real) { // keep double
        return Math.abs(f64(x));
    }

    @Override
    public void signs(long n, double one, long x, long signs) { // keep double
        double size = one; // float: float size = (float) one;
        for (long i = 0; i < n; i++) {
            // LAPACK has 1 for both zeros.
            double sign = f64(x + i * 8L) < 0 ? -1 : 1;
            f64(x + i * 8L, sign * size);
            f64(signs + i * 8L, sign);
        }
    }

    @Override
    public boolean sameSigns(long n, long x, long signs) {
        for (long i = 0; i < n; i++) {
            if (f64(x + i * 8L) < 0 != f64(signs + i * 8L) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long indexOfLargest(long n, long x) {
        return leaf.iamax(n, x, 1);
    }
}
