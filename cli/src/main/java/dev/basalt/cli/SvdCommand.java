package dev.basalt.cli;

import dev.basalt.Device;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code basalt svd}. */
@Command(name = "svd", description = {
        "The singular values of a matrix from a file, its rank and condition, and, where asked for, its singular vectors and"
                + " pseudo-inverse.",
        "With -k a large sparse matrix is never made dense: Lanczos' method finds the largest values.",
        "Vectors are computed only where a file for them, or the pseudo-inverse, is asked for; then residuals are measured."})
final class SvdCommand implements Runnable {
    @Mixin
    private SpectrumOptions options;

    @Option(names = "--u", paramLabel = "U.mtx", description = "Write the left singular vectors, as columns.")
    private Path u;

    @Option(names = "--vt", paramLabel = "VT.mtx",
            description = "Write the right singular vectors, as rows, conjugated.")
    private Path vt;

    @Option(names = "--pinv", paramLabel = "P.mtx", description = "Write the pseudo-inverse.")
    private Path pinv;

    @Option(names = "--tolerance", paramLabel = "RATIO",
            description = "Values below RATIO times the largest count as 0 (default: eps times the longer side).")
    private Double tolerance;

    SvdCommand() {}

    @Override
    public void run() {
        options.check(u, vt, pinv);
        if (pinv != null) {
            options.all("--pinv");
        }
        if (tolerance != null && !(tolerance >= 0 && tolerance < 1)) {
            throw Failure.usage("--tolerance is " + tolerance + "; accepted are numbers from 0 to below 1", null);
        }
        Output output = options.output();
        Report report = new Report();
        try (Progress progress = output.progress(); Device opened = options.open()) {
            boolean vectors = u != null || vt != null || pinv != null;
            MatrixInput input = options.read(vectors ? 2 : 1, true, opened, progress);
            boolean lanczos = options.isLanczos(input.header());
            report.add("matrix", input.name() + " (" + input.header() + ")");
            report.value("rows", input.m()).value("columns", input.n());
            report.add("type", String.valueOf(input.type().letter()));
            try (Workbench bench = options.bench(opened)) {
                if (lanczos) {
                    largest(report, input, bench, progress);
                } else {
                    all(report, input, vectors, bench, progress);
                }
            }
        }
        output.print(report);
    }

    private void all(Report report, MatrixInput input, boolean vectors, Workbench bench, Progress progress) {
        report.add("method", SingularValues.routine(vectors) + (vectors ? ", values and vectors" : ", values"));
        report.add("device", bench.handle().device().toString());
        SingularValues svd = new SingularValues(input, vectors, bench, progress);
        bench.fix(options.workspace());
        svd.run();
        describe(report, input, svd.values());
        if (vectors) {
            vectors(report, input, svd, progress);
        }
        Figures.outcome(report, bench.handle(), svd.outcome(), input.type().letter());
    }

    private void largest(Report report, MatrixInput input, Workbench bench, Progress progress) {
        int k = options.wanted(Math.min(input.m(), input.n()));
        LargestValues svd = new LargestValues(input, k, true, bench, progress);
        bench.fix(options.workspace());
        svd.run();
        double[] values = svd.values();
        report.add("method", svd.method());
        report.add("device", bench.handle().device().toString());
        SpectrumOptions.list(report, values, input.isSingle());
        double frobenius = norms(report, input, values[0]);
        double part = frobenius == 0 ? 1 : SampledPairs.euclidean(values) / frobenius;
        report.add("share", Figures.number("%.4f", part * part) + " (of the sum of all squares)", "share", part * part);
        progress.phase("measuring the error");
        DenseMatrix left = svd.left();
        DenseMatrix right = svd.right();
        SpectrumOptions.fit(report, input.a(), values, right, left, values[0]);
        write(report, input, values, values);
        options.write(u, left, input.isSingle(), "left singular vectors", report);
        options.write(vt, right.conjugateTransposed(), input.isSingle(), "right singular vectors", report);
        Figures.outcome(report, bench.handle(), svd.outcome(), input.type().letter());
    }

    private void describe(Report report, MatrixInput input, double[] values) {
        int rank = rank(input, values);
        double most = values[0];
        double least = values[values.length - 1];
        double[] shown = Arrays.copyOf(values, options.wanted(values.length));
        SpectrumOptions.list(report, shown, input.isSingle());
        report.add("rank",
                rank + " of " + values.length + " (values above " + Figures.number("%.1e", cut(input, values)) + ")",
                "rank", rank);
        double condition = most == 0 ? Double.POSITIVE_INFINITY : most / least;
        report.add("condition", Figures.number("%.4e", condition) + " (2-norm)", "condition", condition);
        double frobenius = norms(report, input, most);
        double apart = frobenius == 0 ? 0 : Math.abs(SampledPairs.euclidean(values) - frobenius) / frobenius;
        report.add("consistency",
                Figures.number("%.2e", apart) + " (of the Frobenius norm, by the matrix and by the values)",
                "consistency", apart);
        write(report, input, shown, values);
    }

    /** Adds the norms to the report; returns Frobenius'. */
    private static double norms(Report report, MatrixInput input, double most) {
        double frobenius = SampledPairs.frobenius(input.a());
        report.add("norms", "2-norm " + Figures.digits(most, 7) + ", Frobenius " + Figures.digits(frobenius, 7), "norm",
                most);
        return frobenius;
    }

    /** Writes values, and draws as many as there are. */
    private void write(Report report, MatrixInput input, double[] shown, double[] values) {
        DenseMatrix column = new DenseMatrix(shown.length, false, new double[][] {shown});
        options.write(options.values(), column, input.isSingle(), "singular values", report);
        if (options.plot() != null) {
            plot(input, values, rank(input, values));
            report.line("written", options.plot() + " (scree plot)").value("plot", options.plot().toString());
        }
    }

    /** From here on down a value may be nothing but rounding. */
    private double cut(MatrixInput input, double[] values) {
        double ratio = tolerance != null ? tolerance : input.epsilon() * Math.max(input.m(), input.n());
        return ratio * values[0];
    }

    private int rank(MatrixInput input, double[] values) {
        double cut = cut(input, values);
        int rank = 0;
        while (rank < values.length && values[rank] > cut) {
            rank++;
        }
        return rank;
    }

    private void vectors(Report report, MatrixInput input, SingularValues svd, Progress progress) {
        int k = options.wanted(svd.values().length);
        progress.phase("measuring the error");
        DenseMatrix left = svd.left(k);
        DenseMatrix rows = svd.rightTransposed(k);
        DenseMatrix right = rows.conjugateTransposed();
        SpectrumOptions.fit(report, input.a(), Arrays.copyOf(svd.values(), k), right, left, svd.values()[0]);
        options.write(u, left, input.isSingle(), "left singular vectors", report);
        options.write(vt, rows, input.isSingle(), "right singular vectors", report);
        if (pinv != null) {
            int rank = rank(input, svd.values());
            options.write(pinv, svd.pseudoInverse(Math.min(rank, k)), input.isSingle(), "pseudo-inverse", report);
        }
    }

    private void plot(MatrixInput input, double[] values, int rank) {
        TreeMap<Integer, Double> counted = new TreeMap<>();
        TreeMap<Integer, Double> rest = new TreeMap<>();
        for (int i = 0; i < values.length; i++) {
            (i < rank ? counted : rest).put(i + 1, values[i]);
        }
        Chart chart = new Chart("Singular values of " + input.name().getFileName(),
                "number of the value, " + input.m() + " x " + input.n() + " matrix", "singular value")
                .logarithmic(false, values[0] > 0)
                .curve(String.format(Locale.ROOT, "counted in the rank (%d)", rank), counted, true);
        if (!rest.isEmpty()) {
            chart.curve(String.format(Locale.ROOT, "taken for 0 (%d)", rest.size()), rest, true);
        }
        double cut = cut(input, values);
        if (cut > 0) {
            TreeMap<Integer, Double> level = new TreeMap<>();
            level.put(1, cut);
            chart.limit("rounding: " + Figures.number("%.1e", cut), level);
        }
        chart.write(options.plot());
    }
}
