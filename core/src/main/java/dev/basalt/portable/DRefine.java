package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Scales and error bounds of real elements. */
final class DRefine implements RefineLeaf {
    private final Leaf leaf;

    DRefine(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public Leaf leaf() {
        return leaf;
    }

    @Override
    public double abs(long x) { // keep double
        return Math.abs(f64(x));
    }

    @Override
    public void addAbs(long n, double alphaRe, long x, long w) {
        double f = alphaRe;
        for (long end = x + n * 8L; x < end; x += 8L, w += 8L) {
            f64(w, f64(w) + f * Math.abs(f64(x)));
        }
    }

    @Override
    public void larger(long n, long x, long w) {
        for (long end = x + n * 8L; x < end; x += 8L, w += 8L) {
            f64(w, Math.max(f64(w), Math.abs(f64(x))));
        }
    }

    @Override
    public double dotAbs(long n, long x, long y) { // keep double
        double sum = 0; // keep double
        for (long end = x + n * 8L; x < end; x += 8L, y += 8L) {
            sum += Math.abs(f64(x)) * Math.abs(f64(y));
        }
        return sum;
    }

    @Override
    public double largest(long n, long x, long w) { // keep double
        double largest = 0; // keep double
        for (long end = x + n * 8L; x < end; x += 8L, w += 8L) {
            largest = Math.max(largest, Math.abs(f64(x)) * f64(w));
        }
        return largest;
    }

    @Override
    public void multiply(long n, double alphaRe, long w, long x) {
        double f = alphaRe;
        for (long end = x + n * 8L; x < end; x += 8L, w += 8L) {
            f64(x, f * f64(w) * f64(x));
        }
    }
}
