package dev.basalt.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What {@code basalt eig} says of a matrix that is neither symmetric nor Hermitian: its values are complex, and its vectors are at angles. */
final class GeneralSpectrum {
    private final MatrixInput input;
    private final SpectrumOptions options;
    private final GeneralEigenvalues eigen;
    private final int[] chosen;

    /**
     * A spectrum.
     *
     * @param input the matrix
     * @param options what is wanted of it
     * @param eigen its values, computed
     */
    GeneralSpectrum(MatrixInput input, SpectrumOptions options, GeneralEigenvalues eigen) {
        this.input = input;
        this.options = options;
        this.eigen = eigen;
        this.chosen = eigen.chosen(options.wanted(input.n()));
    }

    /**
     * Adds what is known to a report, and writes files.
     *
     * @param report the report
     * @param vectors file of the vectors; null if they are not wanted
     * @param progress is told what goes on
     */
    void describe(Report report, Path vectors, Progress progress) {
        double[] re = pick(eigen.re());
        double[] im = pick(eigen.im());
        SpectrumOptions.list(report, re, im, input.isSingle());
        double[] all = moduli();
        double radius = Arrays.stream(all).max().orElse(0);
        double abscissa = Arrays.stream(eigen.re()).max().orElse(0);
        report.add("spectrum", describe(radius, abscissa), "radius", radius).value("abscissa", abscissa);
        double norm = SampledPairs.frobenius(input.a());
        double size = SampledPairs.euclidean(all);
        report.add("normality", Figures.number("%.2e", departure(norm, size)) + " (departure from normal, of the norm)",
                "departure", departure(norm, size));
        double apart = size == 0 ? 0 : traceApart() / size;
        report.add("consistency", Figures.number("%.2e", apart) + " (of the trace, by the matrix and by the values)",
                "consistency", apart);
        if (vectors != null) {
            progress.phase("measuring the error");
            DenseMatrix right = eigen.right(chosen);
            condition(report, right, eigen.left(chosen));
            SampledPairs pairs = new SampledPairs(input.a(), re, im);
            double residual = pairs.residual(right, right, norm);
            report.add("residual", Figures.number("%.2e", residual) + " (worst of " + pairs.count()
                    + (pairs.count() == 1 ? " pair)" : " pairs)"), "residual", residual);
            options.write(vectors, right, input.isSingle(), "eigenvectors", report);
        }
        options.write(options.values(), column(re, im), input.isSingle(), "eigenvalues", report);
        if (options.plot() != null) {
            plot();
            report.line("written", options.plot() + " (spectrum)").value("plot", options.plot().toString());
        }
    }

    private String describe(double radius, double abscissa) {
        int real = 0;
        for (double part : eigen.im()) {
            real += part == 0 ? 1 : 0;
        }
        // Rounding leaves no value of a complex matrix on the real axis.
        String kinds = input.type().isComplex() ? "" : real + " real, " + (input.n() - real) + " complex; ";
        return kinds + "largest modulus " + Figures.digits(radius, 7) + ", largest real part "
                + Figures.digits(abscissa, 7);
    }

    private double[] pick(double[] of) {
        return IntStream.of(chosen).mapToDouble(i -> of[i]).toArray();
    }

    private double[] moduli() {
        return IntStream.range(0, input.n()).mapToDouble(eigen::modulus).toArray();
    }

    /** How far a matrix is from one with orthogonal vectors: what its triangular form has above the diagonal (Henrici, 1962), of the norm of all. */
    private static double departure(double norm, double size) {
        return norm == 0 ? 0 : Math.sqrt(Math.max(0, (1 - size / norm) * (1 + size / norm)));
    }

    private double traceApart() {
        int n = input.n();
        double[] re = new double[n];
        double[] im = new double[n];
        for (int j = 0; j < n; j++) {
            int col = j;
            input.a().column(j, (i, x, y) -> {
                re[col] += i == col ? x : 0;
                im[col] += i == col ? y : 0;
            });
        }
        return Accuracy.modulus(EigCommand.sum(eigen.re()) - EigCommand.sum(re),
                EigCommand.sum(eigen.im()) - EigCommand.sum(im));
    }

    /** A change of A by ε moves a simple value by at most about ε / |yᴴx|, with left and right vectors of length 1. */
    private void condition(Report report, DenseMatrix right, DenseMatrix left) {
        double[] conditions = new double[chosen.length];
        int worst = 0;
        for (int j = 0; j < conditions.length; j++) {
            conditions[j] = Math.max(1, 1 / SampledPairs.product(left.column(j), right.column(j), true, 0));
            worst = conditions[j] > conditions[worst] ? j : worst;
        }
        int at = chosen[worst];
        report.add("condition",
                Figures.number("%.4e", conditions[worst]) + " (largest of a value: "
                        + SpectrumOptions.complex(eigen.re()[at], eigen.im()[at], input.isSingle() ? 7 : 10) + ")",
                "condition", conditions[worst]);
        report.value("conditions", conditions);
    }

    private static DenseMatrix column(double[] re, double[] im) {
        double[] numbers = new double[2 * re.length];
        for (int i = 0; i < re.length; i++) {
            numbers[2 * i] = re[i];
            numbers[2 * i + 1] = im[i];
        }
        return new DenseMatrix(re.length, true, new double[][] {numbers});
    }

    /** All values in the complex plane. */
    private void plot() {
        Chart chart = new Chart("Eigenvalues of " + input.name().getFileName(), "real part, n = " + input.n(),
                "imaginary part").plane();
        boolean complex = input.type().isComplex();
        add(chart, "real", i -> !complex && eigen.im()[i] == 0);
        add(chart, "complex", i -> complex || eigen.im()[i] != 0);
        chart.write(options.plot());
    }

    private void add(Chart chart, String name, IntPredicate which) {
        List<double[]> points = new ArrayList<>();
        for (int i = 0; i < input.n(); i++) {
            if (which.test(i)) {
                points.add(new double[] {eigen.re()[i], eigen.im()[i]});
            }
        }
        if (!points.isEmpty()) {
            chart.points(name + " (" + points.size() + ")", points);
        }
    }
}
