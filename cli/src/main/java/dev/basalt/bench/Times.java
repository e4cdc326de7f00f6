package dev.basalt.bench;

import java.util.Arrays;

/**
 * Times of a call, in nanoseconds.
 *
 * @param min the shortest sample
 * @param median the median
 * @param max the longest
 */
public record Times(double min, double median, double max) {
    static Times of(double[] samples) {
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        double median = n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
        return new Times(sorted[0], median, sorted[n - 1]);
    }
}
