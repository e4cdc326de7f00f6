package dev.basalt.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An axis of a chart: where a value is, and which values have labels. */
final class Axis {
    private final double[] values;
    private final boolean logarithmic;
    private final double least;
    private final double most;
    private final double from;
    private final double to;
    private final boolean own;

    private Axis(double[] values, boolean logarithmic, boolean own, double least, double most, double from, double to) {
        this.values = values;
        this.logarithmic = logarithmic;
        this.own = own;
        this.least = least;
        this.most = most;
        this.from = from;
        this.to = to;
    }

    /**
     * An axis.
     *
     * @param sorted all values
     * @param logarithmic whether it is
     * @param fromZero whether it begins at 0, with round labels; else the values themselves are labels where they are few
     * @param from place of the least value
     * @param to place of the greatest
     */
    static Axis of(double[] sorted, boolean logarithmic, boolean fromZero, double from, double to) {
        double first = sorted.length == 0 ? 0 : sorted[0];
        double last = sorted.length == 0 ? 1 : sorted[sorted.length - 1];
        boolean upright = from > to;
        if (fromZero) {
            first = Math.min(0, first * 1.05);
            last = last <= 0 && first < 0 ? 0 : last <= 0 ? 1 : 1.05 * last;
        } else if (logarithmic && upright) {
            first = Math.pow(10, Math.floor(Math.log10(first)));
            last = Math.max(10 * first, Math.pow(10, Math.ceil(Math.log10(last))));
        } else if (logarithmic) {
            // A little room on both sides, so that no marker lies on the border; one value alone is in the middle.
            double room = first == last ? 2 : Math.pow(last / first, 0.03);
            first /= room;
            last *= room;
        } else {
            double room = first == last ? Math.max(1, Math.abs(first) / 2) : 0.03 * (last - first);
            first -= room;
            last += room;
        }
        return new Axis(sorted, logarithmic, !fromZero && !upright, first, last, from, to);
    }

    /** An axis from a value to another, with round labels. */
    static Axis plain(double least, double most, double from, double to) {
        return new Axis(new double[0], false, false, least, most, from, to);
    }

    double place(double value) {
        double share = logarithmic
                ? (Math.log10(value) - Math.log10(least)) / (Math.log10(most) - Math.log10(least))
                : (value - least) / (most - least);
        return from + share * (to - from);
    }

    /** Values to be named, at least so many pixels from each other. */
    List<Double> ticks(double apart) {
        List<Double> chosen = new ArrayList<>();
        for (double value : candidates(apart)) {
            if (chosen.isEmpty() || Math.abs(place(value) - place(chosen.getLast())) >= apart) {
                chosen.add(value);
            }
        }
        return chosen;
    }

    private double[] candidates(double apart) {
        if (own && values.length <= 24) {
            return values;
        }
        return logarithmic ? powers() : steps(apart);
    }

    private double[] powers() {
        List<Double> all = new ArrayList<>();
        boolean few = Math.log10(most / least) < 3;
        for (int e = (int) Math.floor(Math.log10(least)); e <= Math.log10(most); e++) {
            for (int digit : few ? new int[] {1, 2, 5} : new int[] {1}) {
                double value = Double.parseDouble(digit + "e" + e);
                if (value >= least * 0.999 && value <= most * 1.001) {
                    all.add(value);
                }
            }
        }
        return all.stream().mapToDouble(v -> v).toArray();
    }

    private double[] steps(double apart) {
        double atLeast = (most - least) * apart / Math.abs(to - from);
        double power = Math.pow(10, Math.floor(Math.log10(atLeast)));
        double digit = atLeast / power;
        double step = power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
        List<Double> all = new ArrayList<>();
        for (double k = Math.ceil(least / step - 1e-9); k * step <= most * (1 + 1e-12); k++) {
            // No label is -0.
            all.add(k * step + 0.0);
        }
        return all.stream().mapToDouble(v -> v).toArray();
    }

    /** A value as people write it. */
    String label(double value) {
        double size = Math.abs(value);
        boolean wide = logarithmic && most / least > 1e6;
        if (value != 0 && (wide || size >= 1e6 || size < 1e-3)) {
            String text = String.format(Locale.ROOT, "%.1e", value);
            return text.replaceFirst("\\.0e", "e").replaceFirst("e([+-])0?", "e$1").replace("e+", "e");
        }
        if (value == Math.rint(value)) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return String.format(Locale.ROOT, "%.4f", value).replaceFirst("0+$", "");
    }
}
