package example;

import dev.basalt.arrays.ArrayLapack;
import dev.basalt.type.Op;
import java.util.Locale;
import java.util.Random;

/** Fits y = c₀ + c₁·t + c₂·t² to 200 noisy points by QR. All numbers are in Java arrays. */
public class LeastSquares {
    private LeastSquares() {}

    public static void main(String[] args) {
        int m = 200;
        int n = 3;
        double[] terms = new double[m * n];
        double[] measured = new double[m];
        Random random = new Random(42);
        for (int i = 0; i < m; i++) {
            double t = i / (double) m;
            terms[i] = 1;
            terms[i + m] = t;
            terms[i + 2 * m] = t * t;
            measured[i] = 2 - 3 * t + 5 * t * t + 0.1 * random.nextGaussian();
        }
        int info = ArrayLapack.dgels(Op.NONE, m, n, 1, terms, m, measured, m);
        if (info != 0) {
            throw new ArithmeticException("the columns depend on each other: R(" + info + ") is zero");
        }
        double squares = 0; // the rest of B holds what cannot be fitted
        for (int i = n; i < m; i++) {
            squares += measured[i] * measured[i];
        }
        System.out.printf(Locale.ROOT, "y = %.3f %+.3f t %+.3f t^2%n", measured[0], measured[1], measured[2]);
        System.out.printf(Locale.ROOT, "standard deviation of the points: %.3f%n", Math.sqrt(squares / (m - n)));
    }
}
