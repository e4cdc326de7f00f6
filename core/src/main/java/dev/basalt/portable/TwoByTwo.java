package dev.basalt.portable;

/**
 * Singular values of the triangle (f, g; 0, h) of numbers that are not negative, and its left singular vectors: (cosine, sine) of the largest value,
 * (-sine, cosine) of the least.
 */
final class TwoByTwo {
    private TwoByTwo() {}

    private static double scale(double f, double g, double h) {
        return Math.max(Math.max(f, g), h);
    }

    /** The largest singular value, by sums alone. */
    static double largest(double f, double g, double h) {
        double scale = scale(f, g, h);
        if (scale == 0) {
            return 0;
        }
        double x = f / scale;
        double y = g / scale;
        double z = h / scale;
        return scale * (Math.sqrt((x + z) * (x + z) + y * y) + Math.sqrt((x - z) * (x - z) + y * y)) / 2;
    }

    /** The least one, from the product of both. */
    static double least(double f, double g, double h) {
        double largest = largest(f, g, h);
        return largest == 0 ? 0 : Math.min(f, h) / largest * Math.max(f, h);
    }

    static double cosine(double f, double g, double h) {
        return half(f, g, h, false);
    }

    static double sine(double f, double g, double h) {
        return half(f, g, h, true);
    }

    /** The vector of the largest value has half the angle whose tangent is 2·g·h / (f² + g² - h²). */
    private static double half(double f, double g, double h, boolean sine) {
        double scale = scale(f, g, h);
        double x = ((f - h) / scale) * ((f + h) / scale) + (g / scale) * (g / scale);
        double y = 2 * (g / scale) * (h / scale);
        double r = Math.sqrt(x * x + y * y);
        if (scale == 0 || r == 0) {
            return sine ? 0 : 1;
        }
        double larger = Math.sqrt((1 + Math.abs(x) / r) / 2);
        return x >= 0 != sine ? larger : y / (2 * r * larger);
    }
}
