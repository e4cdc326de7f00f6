package dev.basalt.cli;

import java.util.Locale;

/** A determinant as a number of modulus 1 to 2 and a power of two: it goes beyond the range of doubles sooner than anything else of a matrix. */
final class Determinant {
    private double re = 1;
    private double im;
    private long exponent;

    private Determinant() {}

    /**
     * By LU.
     *
     * @param factors as getrf leaves them
     * @param pivots rows from 1
     */
    static Determinant ofLu(DenseMatrix factors, long[] pivots) {
        Determinant product = new Determinant();
        for (int j = 0; j < pivots.length; j++) {
            product.times(factors, j);
            if (pivots[j] != j + 1) {
                product.re = -product.re;
                product.im = -product.im;
            }
        }
        return product;
    }

    /**
     * By Cholesky.
     *
     * @param factors as potrf leaves them
     */
    static Determinant ofCholesky(DenseMatrix factors) {
        Determinant product = new Determinant();
        for (int j = 0; j < factors.cols(); j++) {
            product.times(factors, j);
            product.times(factors, j);
        }
        return product;
    }

    private void times(DenseMatrix factors, int j) {
        double[] column = factors.column(j);
        boolean complex = factors.isComplex();
        double xRe = column[complex ? 2 * j : j];
        double xIm = complex ? column[2 * j + 1] : 0;
        int scale = Math.getExponent(Math.max(Math.abs(xRe), Math.abs(xIm)));
        // Numbers below the smallest normal one have an exponent that is no power to divide by.
        scale = Math.max(scale, Double.MIN_EXPONENT);
        xRe = Math.scalb(xRe, -scale);
        xIm = Math.scalb(xIm, -scale);
        double real = re * xRe - im * xIm;
        im = re * xIm + im * xRe;
        re = real;
        int own = Math.getExponent(Math.max(Math.abs(re), Math.abs(im)));
        if (own >= Double.MIN_EXPONENT && own <= Double.MAX_EXPONENT) {
            re = Math.scalb(re, -own);
            im = Math.scalb(im, -own);
            exponent += own;
        }
        exponent += scale;
    }

    /** For people: seven digits and a power of ten that may be any. */
    @Override
    public String toString() {
        double modulus = Math.hypot(re, im);
        if (modulus == 0 || !Double.isFinite(modulus)) {
            return modulus == 0 ? "0" : "not finite";
        }
        double log = Math.log10(modulus) + exponent * Math.log10(2);
        long power = (long) Math.floor(log);
        double size = Math.pow(10, log - power);
        // Rounding may make ten of what is almost that.
        if (String.format(Locale.ROOT, "%.6f", size).startsWith("10")) {
            size /= 10;
            power++;
        }
        String ten = String.format(Locale.ROOT, "e%+03d", power);
        String real = String.format(Locale.ROOT, "%.6f", size * (re / modulus)) + ten;
        return im == 0 ? real : real + String.format(Locale.ROOT, " %+.6f", size * (im / modulus)) + ten + " i";
    }
}
