package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * QL and QR steps with implicit shifts (Dubrulle, Martin and Wilkinson, "The implicit QL algorithm", 1968), which begin at the end of a block with the smaller elements. Without eigenvectors they need no square roots
 * (Pal, Walker and Kahan; Parlett, "The symmetric eigenvalue problem", 1980, section 8-15).
 */
final class DSteqr implements SteqrLeaf {
    /** Steps an eigenvalue may take. */
    private static final long STEPS = 30;

    /** After so many steps a block is looked through; in between only where steps converge. */
    private static final long LOOKS = 4;

    /** Half a unit in the last place of 1. */
    private static final double EPS = 0x1p-53; // float: private static final float EPS = 0x1p-24f;

    /** Squares of numbers from here on lose no digits. */
    private static final double SMALL = 0x1p-480; // float: private static final float SMALL = 0x1p-50f;

    /** Numbers from here on have a square root and a reciprocal with all digits; none is large. */
    private static final double LEAST = 0x1p-960; // float: private static final float LEAST = 0x1p-100f;

    /** The smallest normal number. */
    private static final double TINY = 0x1p-1022; // float: private static final float TINY = 0x1p-126f;

    private final Leaf leaf;

    DSteqr(Leaf leaf) {
        this.leaf = leaf;
    }

    @Override
    public long sterf(long n, long d, long e) {
        if (n > 1 && !finite(n, d, e)) {
            leaf.fill(n, Double.NaN, 0, d, 1);
            return n;
        }
        int scale = enter(n, d, e);
        for (long i = 0; i + 1 < n; i++) {
            double v = f64(e + i * 8L);
            f64(e + i * 8L, v * v);
        }
        long steps = STEPS * n;
        long last = -1;
        long looks = 0;
        boolean down = false;
        for (long first = 0; first < n && steps >= 0;) {
            if (looks == 0) {
                long end = last;
                last = first;
                while (last + 1 < n && !negligibleSquare(d + last * 8L, e + last * 8L)) {
                    last++;
                }
                // A block keeps its direction while it shrinks at its beginning.
                down = last == end ? down : Math.abs(f64(d + last * 8L)) < Math.abs(f64(d + first * 8L));
                looks = LOOKS;
            }
            if (first < last) {
                rootFree(down ? last : first, down ? -1 : 1, last - first, d, e);
                steps--;
                looks--;
            }
            while (!down && first < last && negligibleSquare(d + first * 8L, e + first * 8L)) {
                first++;
            }
            while (down && first < last && negligibleSquare(d + (last - 1) * 8L, e + (last - 1) * 8L)) {
                last--;
            }
            if (first == last) {
                first++;
                looks = 0;
            }
        }
        long missed = missed(n, e);
        for (long i = 0; missed > 0 && i + 1 < n; i++) {
            f64(e + i * 8L, Math.sqrt(f64(e + i * 8L)));
        }
        leave(n, d, e, scale);
        sort(n, d);
        return missed;
    }

    /** Whether the square of an element beside the diagonal may be 0, which it is then. */
    private static boolean negligibleSquare(long d, long e) {
        if (f64(e) <= EPS * EPS * Math.abs(f64(d)) * Math.abs(f64(d + 8L)) + TINY) {
            f64(e, 0);
            return true;
        }
        return false;
    }

    /** A step on a block of count + 1 elements from {@code first} in a direction. What one rotation tells the next are quotients by the same number, of which there is one reciprocal. */
    private static void rootFree(long first, long dir, long count, long d, long e) {
        long at = d + first * 8L;
        long step = dir * 8L;
        long beside = e + (dir > 0 ? first : first - 1) * 8L;
        double p = f64(at);
        double root = Math.sqrt(f64(beside));
        double sigma = (f64(at + step) - p) / (2 * root);
        double r = Math.sqrt(sigma * sigma + 1);
        sigma = p - root / (sigma + Math.copySign(r, sigma));
        double c = 1;
        double s = 0;
        double gamma = f64(at + count * step) - sigma;
        double square = gamma * gamma;
        for (long i = count - 1; i >= 0; i--) {
            double b = f64(beside + i * step);
            double sum = square + b;
            if (i != count - 1) {
                f64(beside + (i + 1) * step, s * sum);
            }
            double alpha = f64(at + i * step);
            double less = alpha - sigma;
            double oldGamma = gamma;
            double product = sum * square;
            double both = square * less - b * gamma;
            if (product > LEAST) {
                double inverse = 1 / product;
                double part = square * inverse;
                c = square * part;
                s = b * part;
                gamma = both * square * inverse;
                square = both * both * inverse;
            } else {
                double oldC = c;
                c = sum == 0 ? 1 : square / sum;
                s = sum == 0 ? 0 : b / sum;
                gamma = c * less - s * oldGamma;
                square = c >= TINY ? gamma * gamma * (sum / square) : c != 0 ? gamma * gamma / c : oldC * b;
            }
            f64(at + (i + 1) * step, oldGamma + (alpha - gamma));
        }
        f64(beside, s * square);
        f64(at, sigma + gamma);
    }

    @Override
    public long steqr(long n, long d, long e, long m, long z, long ldz, long w) {
        if (n > 1 && !finite(n, d, e)) {
            leaf.fill(n, Double.NaN, 0, d, 1);
            return n;
        }
        int scale = enter(n, d, e);
        long steps = STEPS * n;
        long last = -1;
        long looks = 0;
        boolean down = false;
        for (long first = 0; first < n && steps >= 0;) {
            if (looks == 0) {
                long end = last;
                last = first;
                while (last + 1 < n && !negligible(d + last * 8L, e + last * 8L)) {
                    last++;
                }
                // A block keeps its direction while it shrinks at its beginning.
                down = last == end ? down : Math.abs(f64(d + last * 8L)) < Math.abs(f64(d + first * 8L));
                looks = LOOKS;
            }
            if (first < last) {
                step(down ? last : first, down ? -1 : 1, last - first, d, e, w);
                rotate(down ? last : first, down ? -1 : 1, last - first, m, z, ldz, w);
                steps--;
                looks--;
            }
            while (!down && first < last && negligible(d + first * 8L, e + first * 8L)) {
                first++;
            }
            while (down && first < last && negligible(d + (last - 1) * 8L, e + (last - 1) * 8L)) {
                last--;
            }
            if (first == last) {
                first++;
                looks = 0;
            }
        }
        long missed = missed(n, e);
        leave(n, d, e, scale);
        for (long i = 0; i + 1 < n; i++) {
            long least = i;
            double value = f64(d + i * 8L);
            for (long j = i + 1; j < n; j++) {
                if (f64(d + j * 8L) < value) {
                    value = f64(d + j * 8L);
                    least = j;
                }
            }
            if (least != i) {
                leaf.swap(1, d + i * 8L, 1, d + least * 8L, 1);
                leaf.swap(m, z + i * ldz * 8L, 1, z + least * ldz * 8L, 1);
            }
        }
        return missed;
    }

    /** Whether an element beside the diagonal may be 0, which it is then. */
    private static boolean negligible(long d, long e) {
        double v = f64(e);
        if (v * v <= EPS * EPS * Math.abs(f64(d)) * Math.abs(f64(d + 8L)) + TINY) {
            f64(e, 0);
            return true;
        }
        return false;
    }

    /**
     * A step on a block of count + 1 elements from {@code first} in a direction; its rotations go to w, cosines and then sines. The matrix less the shift is rotated, so what the next rotation begins with waits for one root and one product
     * (Bowdler, Martin, Reinsch and Wilkinson, "The QR and QL algorithms for symmetric matrices", 1968).
     */
    private static void step(long first, long dir, long count, long d, long e, long w) {
        long at = d + first * 8L;
        long step = dir * 8L;
        long beside = e + (dir > 0 ? first : first - 1) * 8L;
        double shift = shift(f64(at), f64(beside), f64(at + step));
        double p = f64(at + count * step) - shift;
        double s = 0;
        double c = 1;
        double diagonal = p;
        for (long i = count - 1; i >= 0; i--) {
            double f = f64(beside + i * step);
            double less = f64(at + i * step) - shift;
            double b = c * f;
            double square = p * p + f * f;
            double oldS = s;
            double next = p * less - f * b;
            double r;
            if (square > LEAST) {
                // A root and a reciprocal at the same time, where a quotient would wait for the root.
                r = Math.sqrt(square);
                double inverse = r * (1 / square);
                s = f * inverse;
                c = p * inverse;
                next = next * inverse;
            } else {
                r = length(p, f);
                s = r == 0 ? 0 : f / r;
                c = r == 0 ? 1 : p / r;
                next = c * less - s * b;
            }
            if (i != count - 1) {
                f64(beside + (i + 1) * step, oldS * r);
            }
            f64(at + (i + 1) * step, shift + (diagonal + s * (c * b + s * less)));
            f64(w + i * 8L, c);
            f64(w + (count + i) * 8L, s);
            p = next;
            diagonal = c * p;
        }
        f64(at, shift + diagonal);
        f64(beside, s * p);
    }

    /** The eigenvalue of two rows that is nearer to the first. */
    private static double shift(double own, double beside, double other) {
        double half = (other - own) / 2;
        double square = half * half + beside * beside;
        if (square > LEAST) {
            return own - beside * beside / (half + Math.copySign(Math.sqrt(square), half));
        }
        double part = half / beside;
        return own - beside / (part + Math.copySign(length(part, 1), part));
    }

    /** The length of a vector of two elements, of which both squares may be too small or too large. */
    private static double length(double x, double y) {
        double largest = Math.max(Math.abs(x), Math.abs(y));
        if (largest > SMALL && largest < 1 / SMALL) {
            return Math.sqrt(x * x + y * y);
        }
        if (largest == 0) {
            return largest;
        }
        double u = x / largest;
        double v = y / largest;
        return largest * Math.sqrt(u * u + v * v);
    }

    private void rotate(long first, long dir, long count, long m, long z, long ldz, long w) {
        long last = w + (count - 1) * 8L;
        leaf.sweep(count, last, last + count * 8L, -1, false, m, z + (first + dir * count) * ldz * 8L, -dir * ldz);
    }

    /** Whether all elements are finite: only then do steps come to an end. */
    private static boolean finite(long n, long d, long e) {
        double sum = 0;
        for (long i = 0; i < n; i++) {
            sum += 0 * f64(d + i * 8L) + (i + 1 < n ? 0 * f64(e + i * 8L) : 0);
        }
        return sum == 0;
    }

    /** Scales by a power of two so that the largest element is near 1. */
    private int enter(long n, long d, long e) {
        double largest = 0;
        for (long i = 0; i < n; i++) {
            largest = Math.max(largest, Math.abs(f64(d + i * 8L)));
            largest = i + 1 < n ? Math.max(largest, Math.abs(f64(e + i * 8L))) : largest;
        }
        int scale = largest == 0 || n == 1 ? 0 : Math.getExponent(largest);
        scale(n, d, e, -scale);
        return scale;
    }

    private void leave(long n, long d, long e, int scale) {
        scale(n, d, e, scale);
    }

    private static void scale(long n, long d, long e, int by) {
        for (long i = 0; by != 0 && i < n; i++) {
            f64(d + i * 8L, Math.scalb(f64(d + i * 8L), by));
            if (i + 1 < n) {
                f64(e + i * 8L, Math.scalb(f64(e + i * 8L), by));
            }
        }
    }

    private static long missed(long n, long e) {
        long missed = 0;
        for (long i = 0; i + 1 < n; i++) {
            missed += f64(e + i * 8L) == 0 ? 0 : 1;
        }
        return missed;
    }

    /** Rising order (Shell, "A high-speed sorting procedure", 1959). */
    private static void sort(long n, long d) {
        long gap = 1;
        while (gap < n / 3) {
            gap = 3 * gap + 1;
        }
        for (; gap > 0; gap /= 3) {
            for (long i = gap; i < n; i++) {
                double v = f64(d + i * 8L);
                long j = i;
                for (; j >= gap && f64(d + (j - gap) * 8L) > v; j -= gap) {
                    f64(d + j * 8L, f64(d + (j - gap) * 8L));
                }
                f64(d + j * 8L, v);
            }
        }
    }
}
