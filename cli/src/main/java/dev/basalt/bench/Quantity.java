package dev.basalt.bench;

import dev.basalt.type.Complex;
import java.util.SplittableRandom;

/**
 * A complex vector with a bound for each element: the same expression with absolute values, in units of which rounding errors
 * are measured (componentwise, as Higham, Accuracy and Stability of Numerical Algorithms, does).
 */
final class Quantity {
    private static final long SEED = 7;

    /** Real and imaginary parts in turns. */
    final double[] value;

    final double[] bound;

    Quantity(int n) {
        value = new double[2 * n];
        bound = new double[n];
    }

    /** Random numbers from -1 to 1, exact; what a matrix does to them shows an error anywhere in it. */
    static Quantity random(long n, boolean complex) {
        Quantity random = new Quantity(Math.toIntExact(n));
        SplittableRandom numbers = new SplittableRandom(SEED);
        for (int i = 0; i < n; i++) {
            random.set(i, numbers.nextDouble(-1, 1), complex ? numbers.nextDouble(-1, 1) : 0);
        }
        return random;
    }

    int size() {
        return bound.length;
    }

    void set(int i, double re, double im) {
        value[2 * i] = re;
        value[2 * i + 1] = im;
        bound[i] = Math.abs(re) + Math.abs(im);
    }

    Quantity scaled(Complex factor) {
        Quantity result = new Quantity(size());
        for (int i = 0; i < size(); i++) {
            double re = value[2 * i];
            double im = value[2 * i + 1];
            // Zero overwrites, even what is not a number.
            boolean zero = factor.equals(Complex.ZERO);
            result.value[2 * i] = zero ? 0 : factor.re() * re - factor.im() * im;
            result.value[2 * i + 1] = zero ? 0 : factor.re() * im + factor.im() * re;
            result.bound[i] = zero ? 0 : (Math.abs(factor.re()) + Math.abs(factor.im())) * bound[i];
        }
        return result;
    }

    Quantity plus(Quantity other) {
        Quantity result = new Quantity(size());
        for (int i = 0; i < value.length; i++) {
            result.value[i] = value[i] + other.value[i];
        }
        for (int i = 0; i < bound.length; i++) {
            result.bound[i] = bound[i] + other.bound[i];
        }
        return result;
    }

    /** a·self + b·other at once: one vector in memory where sums of scaled ones are three. */
    Quantity combined(Complex a, Quantity other, Complex b) {
        Quantity result = new Quantity(size());
        for (int i = 0; i < size(); i++) {
            double re = value[2 * i];
            double im = value[2 * i + 1];
            double otherRe = other.value[2 * i];
            double otherIm = other.value[2 * i + 1];
            result.value[2 * i] = a.re() * re - a.im() * im + b.re() * otherRe - b.im() * otherIm;
            result.value[2 * i + 1] = a.re() * im + a.im() * re + b.re() * otherIm + b.im() * otherRe;
            result.bound[i] = (Math.abs(a.re()) + Math.abs(a.im())) * bound[i]
                    + (Math.abs(b.re()) + Math.abs(b.im())) * other.bound[i];
        }
        return result;
    }

    /** Σ selfᵢ·otherᵢ as a vector of one; this one's elements conjugated if asked for. */
    Quantity dot(Quantity other, boolean conjugate) {
        Quantity sum = new Quantity(1);
        for (int i = 0; i < size(); i++) {
            double re = value[2 * i];
            double im = conjugate ? -value[2 * i + 1] : value[2 * i + 1];
            sum.value[0] += re * other.value[2 * i] - im * other.value[2 * i + 1];
            sum.value[1] += re * other.value[2 * i + 1] + im * other.value[2 * i];
            sum.bound[0] += bound[i] * other.bound[i];
        }
        return sum;
    }

    /** Each element times the only element of another. */
    Quantity times(Quantity one) {
        Quantity result = scaled(new Complex(one.value[0], one.value[1]));
        for (int i = 0; i < size(); i++) {
            result.bound[i] = bound[i] * one.bound[0];
        }
        return result;
    }

    /** Rows exchanged as getrf did: row i with row pivots[i] - 1, from the first to the last. */
    Quantity exchanged(int[] pivots) {
        Quantity result = plus(new Quantity(size()));
        for (int i = 0; i < pivots.length; i++) {
            int row = pivots[i] - 1;
            if (row < i || row >= size()) {
                result.value[2 * i] = Double.NaN;
                continue;
            }
            for (int part = 0; part < 2; part++) {
                double swap = result.value[2 * i + part];
                result.value[2 * i + part] = result.value[2 * row + part];
                result.value[2 * row + part] = swap;
            }
            double swap = result.bound[i];
            result.bound[i] = result.bound[row];
            result.bound[row] = swap;
        }
        return result;
    }

    /** The largest difference to another in units of the bounds of both; infinite if anything is not a number. */
    double distance(Quantity other) {
        double largest = size() == other.size() ? 0 : Double.POSITIVE_INFINITY;
        for (int i = 0; i < Math.min(size(), other.size()); i++) {
            double difference =
                    Math.abs(value[2 * i] - other.value[2 * i]) + Math.abs(value[2 * i + 1] - other.value[2 * i + 1]);
            double unit = bound[i] + other.bound[i];
            double ratio = difference == 0 ? 0 : difference / unit;
            largest = ratio <= largest ? largest : Double.isNaN(ratio) ? Double.POSITIVE_INFINITY : ratio;
        }
        return largest;
    }
}
