package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Complex rotations that are made; see {@link DRotation}. */
abstract class ZRotation extends ZLevel1 {
    private static final double SMALLEST = Double.MIN_NORMAL;
    private static final double LARGEST = 1 / SMALLEST;

    /** As reference BLAS since 3.10: safe scaling (Anderson, "Algorithm 978: Safe scaling in the level 1 BLAS", 2017). */
    @Override
    public void rotg(long a, long b, long c, long s) {
        double fr = f64(a);
        double fi = f64(a + 8L);
        double gr = f64(b);
        double gi = f64(b + 8L);
        if (gr == 0 && gi == 0) {
            f64(c, 1);
            put(s, 0, 0);
        } else if (fr == 0 && fi == 0) {
            onlySecond(a, c, s, gr, gi);
        } else {
            both(a, c, s, fr, fi, gr, gi);
        }
    }

    /** The rotation of (0, g): cosine 0, sine conj(g) / |g|. */
    private static void onlySecond(long a, long c, long s, double gr, double gi) {
        double largest = Math.max(Math.abs(gr), Math.abs(gi));
        f64(c, 0);
        if (gr == 0 || gi == 0) {
            put(s, gr / largest, -gi / largest);
            put(a, largest, 0);
            return;
        }
        boolean plain = largest > Math.sqrt(SMALLEST) && largest < Math.sqrt(LARGEST / 2);
        double u = plain ? 1 : Math.min(LARGEST, Math.max(SMALLEST, largest));
        double re = gr / u;
        double im = gi / u;
        double d = Math.sqrt(re * re + im * im);
        put(s, re / d, -im / d);
        put(a, d * u, 0);
    }

    /** With u and v, g and f are scaled so that no square overflows or underflows; w tells how much apart f was scaled. */
    private static void both(long a, long c, long s, double fr, double fi, double gr, double gi) {
        double f1 = Math.max(Math.abs(fr), Math.abs(fi));
        double g1 = Math.max(Math.abs(gr), Math.abs(gi));
        double least = Math.sqrt(SMALLEST);
        double most = Math.sqrt(LARGEST / 4);
        boolean plain = f1 > least && f1 < most && g1 > least && g1 < most;
        double u = plain ? 1 : Math.min(LARGEST, Math.max(SMALLEST, Math.max(f1, g1)));
        double v = !plain && f1 / u < least ? Math.min(LARGEST, Math.max(SMALLEST, f1)) : u;
        double w = v / u;
        double xr = fr / v;
        double xi = fi / v;
        double yr = gr / u;
        double yi = gi / u;
        double f2 = xr * xr + xi * xi;
        double g2 = yr * yr + yi * yi;
        double h2 = f2 * (w * w) + g2;
        double cosine;
        double rr;
        double ri;
        // conj(y) times this is the sine.
        double tr;
        double ti;
        if (f2 >= h2 * SMALLEST) {
            cosine = Math.sqrt(f2 / h2);
            rr = xr / cosine;
            ri = xi / cosine;
            boolean product = f2 > least && h2 < 2 * most;
            double d = product ? Math.sqrt(f2 * h2) : h2;
            tr = (product ? xr : rr) / d;
            ti = (product ? xi : ri) / d;
        } else {
            double d = Math.sqrt(f2 * h2);
            cosine = f2 / d;
            boolean divide = cosine >= SMALLEST;
            rr = divide ? xr / cosine : xr * (h2 / d);
            ri = divide ? xi / cosine : xi * (h2 / d);
            tr = xr / d;
            ti = xi / d;
        }
        f64(c, cosine * w);
        put(s, yr * tr + yi * ti, yr * ti - yi * tr);
        put(a, rr * u, ri * u);
    }

    private static void put(long at, double re, double im) {
        f64(at, re);
        f64(at + 8L, im);
    }
}
