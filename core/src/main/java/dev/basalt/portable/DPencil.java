package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/**
 * A pair of real matrices of order two, A and an upper triangular B: its eigenvalues (van Loan's formulas, as in LAPACK's lag2), and the rotations that bring it to LAPACK's standard form. That is two triangles, or a pair of complex eigenvalues
 * with a diagonal B whose first element is the larger. Both matrices are worked on times powers of two that make them about 1.
 */
final class DPencil {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    /** Bits behind the point. */
    private static final int DIGITS = 52; // float: private static final int DIGITS = 23;

    private static final double HALF = 0.5;

    /** Forms that are looked at until one is the standard one: a rounding error can make a pair of complex eigenvalues real. */
    private static final int FORMS = 3;

    private double a11;
    private double a12;
    private double a21;
    private double a22;
    private double b11;
    private double b12;
    private double b21;
    private double b22;
    private int powerA;
    private int powerB;

    /** The eigenvalues of the scaled pair: real + imaginary·i and its conjugate, or real and other, the first nearer to the last row's. */
    double real;

    double other;
    double imaginary;

    /** The eigenvalues of a complex pair as numerators and denominators, as the diagonals of complex triangles would have them. */
    double alphaRe1;

    double alphaIm1;
    double betaOf1;
    double alphaRe2;
    double alphaIm2;
    double betaOf2;

    /** The rotations x := c·x + s·y, y := c·y - s·x of rows and of columns. */
    double rowCosine;

    double rowSine;
    double columnCosine;
    double columnSine;

    /** The exponent of a number, also of one that is not normal; 0 of zero. */
    static int exponent(double x) {
        if (x >= LEAST) {
            return Math.getExponent(x);
        }
        return x == 0 ? 0 : Math.getExponent(x / UNIT) - DIGITS;
    }

    private static double largest(double p, double q, double r, double s) {
        return Math.max(Math.max(Math.abs(p), Math.abs(q)), Math.max(Math.abs(r), Math.abs(s)));
    }

    private static double hypot(double x, double y) {
        double large = Math.max(Math.abs(x), Math.abs(y));
        double ratio = large == 0 ? 0 : Math.min(Math.abs(x), Math.abs(y)) / large;
        return large * Math.sqrt(1 + ratio * ratio);
    }

    /** Takes the pair with its first element here. */
    void read(long a, long lda, long b, long ldb) {
        a11 = f64(a);
        a21 = f64(a + 8L);
        a12 = f64(a + lda * 8L);
        a22 = f64(a + lda * 8L + 8L);
        b11 = f64(b);
        b21 = f64(b + 8L);
        b12 = f64(b + ldb * 8L);
        b22 = f64(b + ldb * 8L + 8L);
        powerA = exponent(largest(a11, a21, a12, a22));
        powerB = exponent(largest(b11, b21, b12, b22));
        a11 = Math.scalb(a11, -powerA);
        a21 = Math.scalb(a21, -powerA);
        a12 = Math.scalb(a12, -powerA);
        a22 = Math.scalb(a22, -powerA);
        b11 = Math.scalb(b11, -powerB);
        b21 = Math.scalb(b21, -powerB);
        b12 = Math.scalb(b12, -powerB);
        b22 = Math.scalb(b22, -powerB);
        rowCosine = 1;
        rowSine = 0;
        columnCosine = 1;
        columnSine = 0;
    }

    /** Puts the pair back. */
    void write(long a, long lda, long b, long ldb) {
        f64(a, Math.scalb(a11, powerA));
        f64(a + 8L, Math.scalb(a21, powerA));
        f64(a + lda * 8L, Math.scalb(a12, powerA));
        f64(a + lda * 8L + 8L, Math.scalb(a22, powerA));
        f64(b, Math.scalb(b11, powerB));
        f64(b + 8L, Math.scalb(b21, powerB));
        f64(b + ldb * 8L, Math.scalb(b12, powerB));
        f64(b + ldb * 8L + 8L, Math.scalb(b22, powerB));
    }

    /** What eigenvalues of the scaled pair are to be multiplied by where A and B have other scales. */
    double factor(double scaleA, double scaleB) {
        return Math.scalb(scaleA, powerA) / Math.scalb(scaleB, powerB);
    }

    /** Finds the eigenvalues of the scaled pair, whose B has no small element on its diagonal: whether they are complex. */
    boolean solve() {
        double first = a11 / b11;
        double last = a22 / b22;
        double slope = a21 / b11 / b22;
        boolean low = Math.abs(first) <= Math.abs(last);
        double shift = low ? first : last;
        // What is left when the smaller of both is taken off.
        double above = a12 - shift * b12;
        double end = (low ? (a22 - shift * b22) / b22 : 0) - slope * b12;
        double half = HALF * (low ? end : (a11 - shift * b11) / b11 + end);
        double square = half * half + slope * above;
        double root = Math.sqrt(Math.abs(square));
        imaginary = 0;
        if (square < 0) {
            real = shift + half;
            other = real;
            imaginary = root;
            return true;
        }
        double large = shift + (half + Math.copySign(root, half));
        double small = shift + (half - Math.copySign(root, half));
        if (HALF * Math.abs(large) > Math.abs(small)) {
            small = (a11 * a22 - a12 * a21) / b11 / b22 / large;
        }
        double target = shift + end;
        boolean nearer = Math.abs(large - target) <= Math.abs(small - target);
        real = nearer ? large : small;
        other = nearer ? small : large;
        return false;
    }

    /** Brings the pair to standard form: whether it stays one of complex eigenvalues. */
    boolean standard() {
        if (b21 != 0) {
            rows(b11, b21);
            b21 = 0;
        }
        for (int i = 0; a21 != 0; i++) {
            double most = UNIT * largest(b11, b12, 0, b22);
            if (Math.abs(b11) <= most) {
                b11 = 0;
                rows(a11, a21);
                end();
            } else if (Math.abs(b22) <= most) {
                b22 = 0;
                columns(a22, -a21);
                end();
            } else if (!solve()) {
                triangles();
                end();
            } else if (b12 == 0 && Math.abs(b11) >= Math.abs(b22) || i == FORMS) {
                return true;
            } else {
                diagonal();
            }
        }
        return false;
    }

    private void end() {
        a21 = 0;
        b21 = 0;
    }

    /** The first column becomes the vector of a real eigenvalue. */
    private void triangles() {
        double beta = 1 / Math.max(1, Math.abs(real));
        double alpha = real * beta;
        double p = beta * a11 - alpha * b11;
        double q = beta * a12 - alpha * b12;
        double r = beta * a21;
        double s = beta * a22 - alpha * b22;
        boolean upper = Math.abs(p) + Math.abs(q) > Math.abs(r) + Math.abs(s);
        columns(upper ? q : s, upper ? -p : -r);
        boolean byB = beta * largest(a11, a12, a21, a22) >= Math.abs(alpha) * largest(b11, b12, b21, b22);
        rows(byB ? b11 : a11, byB ? b21 : a21);
    }

    /** Columns of B become orthogonal, the longer one first, and rows follow. */
    private void diagonal() {
        double one = b11 * b11;
        double two = b12 * b12 + b22 * b22;
        double beside = b11 * b12;
        if (beside != 0) {
            double zeta = (two - one) / (2 * beside);
            double tangent = Math.copySign(1, zeta) / (Math.abs(zeta) + hypot(1, zeta));
            columns(1, -tangent);
            one = b11 * b11 + b21 * b21;
            two = b12 * b12 + b22 * b22;
        }
        if (two > one) {
            turnColumns(0, 1);
        }
        rows(b11, b21);
        b21 = 0;
        b12 = 0;
    }

    /** The rotation of rows whose cosine and sine are as these numbers. */
    private void rows(double f, double g) {
        double large = Math.max(Math.abs(f), Math.abs(g));
        if (large > 0) {
            double size = hypot(f / large, g / large);
            turnRows(f / large / size, g / large / size);
        }
    }

    private void columns(double f, double g) {
        double large = Math.max(Math.abs(f), Math.abs(g));
        if (large > 0) {
            double size = hypot(f / large, g / large);
            turnColumns(f / large / size, g / large / size);
        }
    }

    private void turnRows(double c, double s) {
        double x = a11;
        a11 = c * x + s * a21;
        a21 = c * a21 - s * x;
        x = a12;
        a12 = c * x + s * a22;
        a22 = c * a22 - s * x;
        x = b11;
        b11 = c * x + s * b21;
        b21 = c * b21 - s * x;
        x = b12;
        b12 = c * x + s * b22;
        b22 = c * b22 - s * x;
        x = rowCosine;
        rowCosine = c * x - s * rowSine;
        rowSine = s * x + c * rowSine;
    }

    private void turnColumns(double c, double s) {
        double x = a11;
        a11 = c * x + s * a12;
        a12 = c * a12 - s * x;
        x = a21;
        a21 = c * x + s * a22;
        a22 = c * a22 - s * x;
        x = b11;
        b11 = c * x + s * b12;
        b12 = c * b12 - s * x;
        x = b21;
        b21 = c * x + s * b22;
        b22 = c * b22 - s * x;
        x = columnCosine;
        columnCosine = c * x - s * columnSine;
        columnSine = s * x + c * columnSine;
    }

    /** The eigenvalues of a pair in standard form as numerators and denominators. */
    void values() {
        solve();
        // The first column of a complex triangle belongs to a vector of the pair, which the larger row tells.
        double p = a11 - real * b11;
        double q = a22 - real * b22;
        boolean upper = Math.abs(a12) + Math.abs(p) + Math.abs(imaginary * b11)
                >= Math.abs(a21) + Math.abs(q) + Math.abs(imaginary * b22);
        double x = upper ? a12 : hypot(q, imaginary * b22);
        double y = upper ? hypot(p, imaginary * b11) : a21;
        double large = Math.max(Math.abs(x), Math.abs(y));
        double ratio = large > 0 ? hypot(b11 * (x / large), b22 * (y / large)) / hypot(x / large, y / large) : b11;
        betaOf1 = Math.scalb(ratio, powerB);
        betaOf2 = Math.scalb(b22 / ratio * b11, powerB);
        alphaRe1 = Math.scalb(real * ratio, powerA);
        alphaIm1 = Math.scalb(imaginary * ratio, powerA);
        alphaRe2 = Math.scalb(real * (b22 / ratio * b11), powerA);
        alphaIm2 = Math.scalb(-imaginary * (b22 / ratio * b11), powerA);
    }
}
