package dev.basalt;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/** Which values of a projected problem are wanted, which of them have converged, and how many vectors a restart keeps. */
final class RitzValues {
    private final Lanczos.Which which;
    private final int k;
    private final double tol;
    private final double eps;

    /**
     * The rules of a call.
     *
     * @param which wanted values
     * @param k how many
     * @param tol how small a residual is beside its value
     * @param eps the distance of 1 to the next number of the type
     */
    RitzValues(Lanczos.Which which, int k, double tol, double eps) {
        this.which = which;
        this.k = k;
        this.tol = Math.max(tol, eps);
        this.eps = eps;
    }

    /**
     * The numbers of values, those wanted most first.
     *
     * @param values in any order
     */
    int[] order(double[] values) {
        Comparator<Integer> rising = Comparator.comparingDouble(i -> values[i]);
        Comparator<Integer> smaller = Comparator.comparingDouble(i -> Math.abs(values[i]));
        int[] order = IntStream.range(0, values.length).boxed().sorted(switch (which) {
            case LARGEST, BOTH_ENDS -> rising.reversed();
            case SMALLEST -> rising;
            case LARGEST_MAGNITUDE -> smaller.reversed();
            case SMALLEST_MAGNITUDE -> smaller;
        }).mapToInt(i -> i).toArray();
        return which == Lanczos.Which.BOTH_ENDS ? alternate(order) : order;
    }

    /** One from the beginning, one from the end. */
    private static int[] alternate(int[] order) {
        return IntStream.range(0, order.length)
                .map(i -> order[i % 2 == 0 ? i / 2 : order.length - 1 - i / 2])
                .toArray();
    }

    /**
     * How many of the wanted values have converged. A residual as small as a rounding error of the operator cannot get smaller.
     *
     * @param values all values
     * @param order their order
     * @param residuals the norms of their vectors' residuals
     */
    int converged(double[] values, int[] order, double[] residuals) {
        double largest = Arrays.stream(values).map(Math::abs).max().orElse(0);
        int count = 0;
        for (int i = 0; i < k; i++) {
            double limit = Math.max(tol * Math.abs(values[order[i]]), eps * largest);
            count += residuals[order[i]] <= limit ? 1 : 0;
        }
        return count;
    }

    /**
     * How many vectors a restart keeps: the wanted ones and half of the others, which are the next to converge (Wu and Simon 2000).
     *
     * @param m vectors of the space
     */
    int kept(int m) {
        return Math.min(m - 1, k + (m - k) / 2);
    }

    /** Whether the wanted values are the same as before, but for what their residuals allow. */
    boolean same(double[] before, double[] now) {
        double largest = Math.max(Math.abs(max(before)), Math.abs(max(now)));
        for (int i = 0; i < k; i++) {
            if (!(Math.abs(before[i] - now[i]) <= 10 * Math.max(tol * Math.abs(now[i]), eps * largest))) {
                return false;
            }
        }
        return true;
    }

    private static double max(double[] values) {
        return Arrays.stream(values).map(Math::abs).max().orElse(0);
    }

    /** The wanted values in rising order. */
    double[] wanted(double[] values, int[] order) {
        return IntStream.of(rising(values, order)).mapToDouble(i -> values[i]).toArray();
    }

    /** The numbers of the wanted values, in rising order of the values. */
    int[] rising(double[] values, int[] order) {
        return Arrays.stream(order, 0, k)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> values[i]))
                .mapToInt(i -> i)
                .toArray();
    }
}
