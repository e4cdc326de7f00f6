package dev.basalt.cli;

import dev.basalt.Device;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code basalt eig}. */
@Command(name = "eig", description = {
        "The eigenvalues of a square matrix from a file and, where asked for, its eigenvectors.",
        "Values come least first, those of a matrix that is neither symmetric nor Hermitian by their real parts. With --k they"
                + " are those of largest modulus, largest first.",
        "With -k a large sparse matrix that is symmetric or Hermitian is never made dense: Lanczos' method finds the values.",
        "Vectors are computed only where a file for them is asked for; then residuals are measured, and the condition of"
                + " values that are not those of a symmetric or Hermitian matrix.",
        "--plot draws the moduli of a symmetric or Hermitian matrix, and all others in the complex plane."})
final class EigCommand implements Runnable {
    @Mixin
    private SpectrumOptions options;

    @Option(names = "--vectors", paramLabel = "V.mtx", description = "Write the eigenvectors, as columns.")
    private Path vectors;

    EigCommand() {}

    @Override
    public void run() {
        options.check(vectors);
        Output output = options.output();
        Report report = new Report();
        try (Progress progress = output.progress(); Device opened = options.open()) {
            MatrixInput input = options.read(1, false, opened, progress);
            report.add("matrix", input.name() + " (" + input.header() + ")").value("n", input.n());
            report.add("type", String.valueOf(input.type().letter()));
            square(input);
            int[] asymmetry = input.a().asymmetry();
            boolean lanczos = options.isLanczos(input.header());
            if (lanczos && asymmetry != null && !options.isAuto()) {
                throw new Failure(input.name() + ": Lanczos' method takes symmetric and Hermitian matrices, and row "
                        + (asymmetry[0] + 1) + ", column " + (asymmetry[1] + 1)
                        + " is not the conjugate of its mirror image; use --method dense");
            }
            try (Workbench bench = options.bench(opened)) {
                if (lanczos && asymmetry == null) {
                    largest(input, bench, report, progress);
                } else if (asymmetry == null) {
                    hermitian(input, bench, report, progress);
                } else {
                    general(input, bench, report, progress);
                }
            }
        }
        output.print(report);
    }

    private static void square(MatrixInput input) {
        if (input.m() != input.n()) {
            throw new Failure(input.name() + ": a matrix of " + input.m() + " x " + input.n()
                    + " has no eigenvalues; basalt svd computes its singular values");
        }
    }

    private void hermitian(MatrixInput input, Workbench bench, Report report, Progress progress) {
        Eigenvalues eigen = new Eigenvalues(input, vectors != null, bench, progress);
        begin(report, eigen.routine(), bench);
        eigen.run();
        describe(report, input, eigen, progress);
        Figures.outcome(report, bench.handle(), eigen.outcome(), input.type().letter());
    }

    private void largest(MatrixInput input, Workbench bench, Report report, Progress progress) {
        LargestValues eigen = new LargestValues(input, options.wanted(input.n()), false, bench, progress);
        bench.fix(options.workspace());
        eigen.run();
        double[] values = eigen.values();
        report.add("method", eigen.method());
        report.add("device", bench.handle().device().toString());
        SpectrumOptions.list(report, values, input.isSingle());
        progress.phase("measuring the error");
        DenseMatrix columns = eigen.right();
        SpectrumOptions.fit(report, input.a(), values, columns, columns, Math.abs(values[0]));
        write(report, input, values, values);
        options.write(vectors, columns, input.isSingle(), "eigenvectors", report);
        Figures.outcome(report, bench.handle(), eigen.outcome(), input.type().letter());
    }

    /** Writes values, and draws as many as there are. */
    private void write(Report report, MatrixInput input, double[] values, double[] all) {
        DenseMatrix column = new DenseMatrix(values.length, false, new double[][] {values});
        options.write(options.values(), column, input.isSingle(), "eigenvalues", report);
        if (options.plot() != null) {
            plot(input, all);
            report.line("written", options.plot() + " (scree plot)").value("plot", options.plot().toString());
        }
    }

    private void general(MatrixInput input, Workbench bench, Report report, Progress progress) {
        input.requireRoom(vectors != null ? 3 : 1, bench.handle().device());
        GeneralEigenvalues eigen = new GeneralEigenvalues(input, vectors != null, bench, progress);
        begin(report, "geev", bench);
        eigen.run();
        new GeneralSpectrum(input, options, eigen).describe(report, vectors, progress);
        Figures.outcome(report, bench.handle(), eigen.outcome(), input.type().letter());
    }

    private void begin(Report report, String routine, Workbench bench) {
        report.add("method", routine + (vectors != null ? ", values and vectors" : ", values"));
        report.add("device", bench.handle().device().toString());
        bench.fix(options.workspace());
    }

    private void describe(Report report, MatrixInput input, Eigenvalues eigen, Progress progress) {
        double[] all = eigen.values();
        int[] chosen = chosen(all);
        double[] values = IntStream.of(chosen).mapToDouble(i -> all[i]).toArray();
        double size = SampledPairs.euclidean(all);
        SpectrumOptions.list(report, values, input.isSingle());
        report.add("inertia", inertia(input, all));
        report.add("condition", Figures.number("%.4e", condition(all)) + " (2-norm)", "condition", condition(all));
        double trace = trace(input.a());
        double apart = size == 0 ? 0 : Math.abs(sum(all) - trace) / size;
        report.add("consistency", Figures.number("%.2e", apart) + " (of the trace, by the matrix and by the values)",
                "consistency", apart);
        if (vectors != null) {
            progress.phase("measuring the error");
            DenseMatrix columns = eigen.vectors().columns(chosen);
            SpectrumOptions.fit(report, input.a(), values, columns, columns,
                    Math.max(Math.abs(all[0]), Math.abs(all[all.length - 1])));
            options.write(vectors, columns, input.isSingle(), "eigenvectors", report);
        }
        write(report, input, values, all);
    }

    /** Which values are wanted, in which order. */
    private int[] chosen(double[] values) {
        int k = options.wanted(values.length);
        return k == values.length
                ? IntStream.range(0, k).toArray()
                : IntStream.range(0, values.length)
                        .boxed()
                        .sorted(Comparator.comparingDouble(i -> -Math.abs(values[i])))
                        .limit(k)
                        .mapToInt(i -> i)
                        .toArray();
    }

    /** How many values are of which sign, as far as the type can tell. */
    private static String inertia(MatrixInput input, double[] values) {
        double cut =
                input.epsilon() * values.length * Math.max(Math.abs(values[0]), Math.abs(values[values.length - 1]));
        int positive = 0;
        int negative = 0;
        for (double value : values) {
            positive += value > cut ? 1 : 0;
            negative += value < -cut ? 1 : 0;
        }
        return positive + " positive, " + negative + " negative, " + (values.length - positive - negative) + " zero";
    }

    private static double condition(double[] values) {
        double most = 0;
        double least = Double.POSITIVE_INFINITY;
        for (double value : values) {
            most = Math.max(most, Math.abs(value));
            least = Math.min(least, Math.abs(value));
        }
        return least == 0 ? Double.POSITIVE_INFINITY : most / least;
    }

    private static double trace(Matrix a) {
        double[] diagonal = new double[a.cols()];
        for (int j = 0; j < diagonal.length; j++) {
            int col = j;
            a.column(j, (i, re, im) -> diagonal[col] += i == col ? re : 0);
        }
        return sum(diagonal);
    }

    /** A sum with what rounding lost (Neumaier, 1974). */
    static double sum(double[] values) {
        double sum = 0;
        double lost = 0;
        for (double value : values) {
            double next = sum + value;
            lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
            sum = next;
        }
        return sum + lost;
    }

    /** Moduli, largest first, those of negative values apart; so a spectrum over many orders of magnitude can be seen. */
    private void plot(MatrixInput input, double[] values) {
        double[] sorted = IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingDouble(i -> -Math.abs(values[i])))
                .mapToDouble(i -> values[i])
                .toArray();
        TreeMap<Integer, Double> positive = new TreeMap<>();
        TreeMap<Integer, Double> negative = new TreeMap<>();
        for (int i = 0; i < sorted.length; i++) {
            (sorted[i] < 0 ? negative : positive).put(i + 1, Math.abs(sorted[i]));
        }
        Chart chart = new Chart("Eigenvalues of " + input.name().getFileName(), "number of the value, n = " + input.n(),
                "modulus").logarithmic(false, sorted[0] != 0);
        if (!positive.isEmpty()) {
            chart.curve("positive (" + positive.size() + ")", positive, false);
        }
        if (!negative.isEmpty()) {
            chart.curve("negative (" + negative.size() + ")", negative, false);
        }
        chart.write(options.plot());
    }
}
