package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.Mat;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;

/** Singular values with 50 digits, by one-sided Jacobi in decimal numbers that have as many exponents as they like. */
final class FiftyDigits {
    private static final MathContext DIGITS = new MathContext(60);
    private static final BigDecimal ENOUGH = new BigDecimal("1e-52");
    private static final int SWEEPS = 40;

    private FiftyDigits() {}

    /** Those of a real matrix that is not wide, largest first. */
    static double[] singularValues(Mat a) {
        BigDecimal[][] columns = new BigDecimal[a.n][a.m];
        for (int j = 0; j < a.n; j++) {
            for (int i = 0; i < a.m; i++) {
                columns[j][i] = new BigDecimal(a.re(i, j));
            }
        }
        boolean rotated = true;
        for (int sweep = 0; sweep < SWEEPS && rotated; sweep++) {
            rotated = false;
            for (int i = 0; i < a.n; i++) {
                for (int j = i + 1; j < a.n; j++) {
                    rotated |= rotate(columns[i], columns[j]);
                }
            }
        }
        if (rotated) {
            throw new AssertionError("Jacobi's method with 60 digits has not come to its end");
        }
        double[] values = new double[a.n];
        for (int j = 0; j < a.n; j++) {
            values[j] = -dot(columns[j], columns[j]).sqrt(DIGITS).doubleValue();
        }
        Arrays.sort(values);
        return Arrays.stream(values).map(v -> -v).toArray();
    }

    private static boolean rotate(BigDecimal[] x, BigDecimal[] y) {
        BigDecimal a = dot(x, x);
        BigDecimal b = dot(y, y);
        BigDecimal g = dot(x, y);
        BigDecimal size = a.multiply(b, DIGITS).sqrt(DIGITS).multiply(ENOUGH, DIGITS);
        if (g.abs().compareTo(size) <= 0) {
            return false;
        }
        BigDecimal zeta = b.subtract(a, DIGITS).divide(g.add(g), DIGITS);
        BigDecimal root = zeta.multiply(zeta, DIGITS).add(BigDecimal.ONE, DIGITS).sqrt(DIGITS);
        BigDecimal tangent = BigDecimal.ONE.divide(zeta.abs().add(root, DIGITS), DIGITS);
        tangent = zeta.signum() < 0 ? tangent.negate() : tangent;
        BigDecimal square = tangent.multiply(tangent, DIGITS).add(BigDecimal.ONE, DIGITS);
        BigDecimal c = BigDecimal.ONE.divide(square.sqrt(DIGITS), DIGITS);
        BigDecimal s = c.multiply(tangent, DIGITS);
        for (int i = 0; i < x.length; i++) {
            BigDecimal old = x[i];
            x[i] = c.multiply(old, DIGITS).subtract(s.multiply(y[i], DIGITS), DIGITS);
            y[i] = s.multiply(old, DIGITS).add(c.multiply(y[i], DIGITS), DIGITS);
        }
        return true;
    }

    private static BigDecimal dot(BigDecimal[] x, BigDecimal[] y) {
        BigDecimal sum = BigDecimal.ZERO;
        for (int i = 0; i < x.length; i++) {
            sum = sum.add(x[i].multiply(y[i], DIGITS), DIGITS);
        }
        return sum;
    }
}
