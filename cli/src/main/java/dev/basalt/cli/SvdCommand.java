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
        if (tolerance != null && !(tolerance >= 0 && tolerance < 1)) {
            throw Failure.usage("--tolerance is " + tolerance + "; accepted are numbers from 0 to below 1", null);
        }
        Output output = options.output();
        Report report = new Report();
        try (Progress progress = output.progress(); Device opened = options.open()) {
            boolean vectors = u != null || vt != null || pinv != null;
            MatrixInput input = options.read(vectors ? 2 : 1, opened, progress);
            report.add("matrix", input.name() + " (" + input.header() + ")");
            report.value("rows", input.m()).value("columns", input.n());
            report.add("type", String.valueOf(input.type().letter()));
            report.add("method", "gesvd" + (vectors ? ", values and vectors" : ", values"));
            report.add("device", opened.toString());
            try (Workbench bench = options.bench(opened)) {
                SingularValues svd = new SingularValues(input, vectors, bench, progress);
                bench.fix(options.workspace());
                svd.run();
                describe(report, input, svd.values());
                if (vectors) {
                    vectors(report, input, svd, progress);
                }
                Figures.outcome(report, bench.handle(), svd.outcome(), input.type().letter());
            }
        }
        output.print(report);
    }

    private void describe(Report report, MatrixInput input, double[] values) {
        int rank = rank(input, values);
        double most = values[0];
        double least = values[values.length - 1];
        int k = options.wanted(values.length);
        double[] shown = Arrays.copyOf(values, k);
        SpectrumOptions.list(report, shown, input.isSingle());
        report.add("rank",
                rank + " of " + values.length + " (values above " + Figures.number("%.1e", cut(input, values)) + ")",
                "rank", rank);
        double condition = most == 0 ? Double.POSITIVE_INFINITY : most / least;
        report.add("condition", Figures.number("%.4e", condition) + " (2-norm)", "condition", condition);
        double frobenius = SampledPairs.frobenius(input.a());
        report.add("norms", "2-norm " + Figures.digits(most, 7) + ", Frobenius " + Figures.digits(frobenius, 7), "norm",
                most);
        double apart = frobenius == 0 ? 0 : Math.abs(SampledPairs.euclidean(values) - frobenius) / frobenius;
        report.add("consistency",
                Figures.number("%.2e", apart) + " (of the Frobenius norm, by the matrix and by the values)",
                "consistency", apart);
        DenseMatrix column = new DenseMatrix(k, false, new double[][] {shown});
        options.write(options.values(), column, input.isSingle(), "singular values", report);
        if (options.plot() != null) {
            plot(input, values, rank);
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
        SampledPairs pairs = new SampledPairs(input.a(), Arrays.copyOf(svd.values(), k));
        double residual = pairs.residual(right, left, svd.values()[0]);
        double orthogonality = Math.max(pairs.orthogonality(left), pairs.orthogonality(right));
        String of = " (worst of " + pairs.count() + (pairs.count() == 1 ? " pair)" : " pairs)");
        report.add("residual", Figures.number("%.2e", residual) + of, "residual", residual);
        report.add("orthogonality", Figures.number("%.2e", orthogonality) + of, "orthogonality", orthogonality);
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
