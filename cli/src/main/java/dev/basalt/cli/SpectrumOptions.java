package dev.basalt.cli;

import dev.basalt.Device;
import dev.basalt.type.ElementType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What the commands have in common that compute values of a matrix. */
final class SpectrumOptions {
    /** So many values are printed where nobody says how many. */
    private static final int SHOWN = 10;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A.mtx", description = "The matrix; formats are those of basalt solve.")
    private Path matrix;

    @Option(names = "--type", paramLabel = "s|d|c|z", converter = TypeOption.class,
            completionCandidates = TypeOption.class,
            description = "Compute in this type (default: d for real matrices, z for complex ones).")
    private ElementType type;

    @Option(names = {"-k", "--k"}, paramLabel = "COUNT", converter = CountOption.class,
            description = "Only so many of the largest values and their vectors (default: all; 10 are printed).")
    private Long k;

    @Option(names = "--method", paramLabel = "auto|dense|lanczos", converter = SpectrumMethod.Converter.class,
            completionCandidates = SpectrumMethod.Converter.class, defaultValue = "auto",
            description = "dense computes all values; lanczos the -k largest, and a matrix with few elements that are not zero"
                    + " stays as it is (default: lanczos where that is much less work).")
    private SpectrumMethod method;

    @Option(names = "--values", paramLabel = "FILE", description = "Write the values, one column.")
    private Path values;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw the values as .png or .svg.")
    private Path plot;

    @Option(names = "--workspace", paramLabel = "SIZE",
            description = "Fix the workspace, such as 64m; 0: let the library manage it (default: see basalt doctor).")
    private String workspace;

    @Mixin
    private DeviceOption device;

    @Mixin
    private Output output;

    SpectrumOptions() {}

    /** Refuses what cannot be written before anything is computed. */
    void check(Path... others) {
        Workbench.workspace(spec, workspace);
        if (method == SpectrumMethod.LANCZOS && k == null) {
            throw Failure.usage("--method lanczos finds some of the values; -k says how many", null);
        }
        if (plot != null) {
            Chart.check("--plot", plot);
        }
        if (values != null) {
            MarketWriter.check(values);
        }
        for (Path file : others) {
            if (file != null) {
                MarketWriter.check(file);
            }
        }
    }

    Device open() {
        return device.open();
    }

    Workbench bench(Device opened) {
        return new Workbench(opened, workspace());
    }

    long workspace() {
        return Workbench.workspace(spec, workspace);
    }

    /**
     * Reads the matrix, if the device has the memory.
     *
     * @param copies how many dense matrices of its size all values take
     * @param singular whether the values are singular values
     */
    MatrixInput read(double copies, boolean singular, Device opened, Progress progress) {
        return MatrixInput.read(matrix, type, header -> {
            long m = header.rows();
            long n = header.cols();
            return isLanczos(header)
                    ? LargestValues.elements(m, n, Math.min(k, Math.min(m, n)), singular)
                    : copies * m * n;
        }, opened, progress);
    }

    /** Whether some values are looked for, and the matrix stays as it was read. */
    boolean isLanczos(MatrixHeader header) {
        return method.isLanczos(header, k);
    }

    /** For what takes all values: not if some were asked for by the method, and otherwise all are computed. */
    void all(String option) {
        if (method == SpectrumMethod.LANCZOS) {
            throw Failure.usage(option + " takes all values, not those of --method lanczos", null);
        }
        method = SpectrumMethod.DENSE;
    }

    /** Whether the method was left open. */
    boolean isAuto() {
        return method == SpectrumMethod.AUTO;
    }

    Path matrix() {
        return matrix;
    }

    Output output() {
        return output;
    }

    /** How many values of so many are wanted. */
    int wanted(int all) {
        return k == null ? all : (int) Math.min(k, all);
    }

    Path values() {
        return values;
    }

    Path plot() {
        return plot;
    }

    /** Writes columns to a file, if there is one, and says so. */
    void write(Path file, DenseMatrix columns, boolean single, String what, Report report) {
        if (file != null) {
            output.write(file, columns, single, what + " of " + matrix.getFileName() + " by basalt");
            report.line("written", file + " (" + what + ")").value(Report.name(what), file.toString());
        }
    }

    /**
     * Adds how well values and vectors fit the matrix to a report.
     *
     * @param a matrix
     * @param values values
     * @param right a vector for each
     * @param left what the matrix makes of them; the same for eigenvectors
     * @param norm the 2-norm of the matrix
     */
    static void fit(Report report, Matrix a, double[] values, DenseMatrix right, DenseMatrix left, double norm) {
        SampledPairs pairs = new SampledPairs(a, values);
        double residual = pairs.residual(right, left, norm);
        double orthogonality = pairs.orthogonality(left);
        if (left != right) {
            orthogonality = Math.max(orthogonality, pairs.orthogonality(right));
        }
        String of = " (worst of " + pairs.count() + (pairs.count() == 1 ? " pair)" : " pairs)");
        report.add("residual", Figures.number("%.2e", residual) + of, "residual", residual);
        report.add("orthogonality", Figures.number("%.2e", orthogonality) + of, "orthogonality", orthogonality);
    }

    /** So many values as a line of a report, and all as a value. */
    static void list(Report report, double[] values, boolean single) {
        report.add("values", line(values.length, i -> Figures.digits(values[i], single ? 7 : 10)), "values", values);
    }

    /** The same of complex values; each is a list of its two parts. */
    static void list(Report report, double[] re, double[] im, boolean single) {
        List<double[]> values = new ArrayList<>();
        for (int i = 0; i < re.length; i++) {
            values.add(new double[] {re[i], im[i]});
        }
        report.add("values", line(re.length, i -> complex(re[i], im[i], single ? 7 : 10)), "values", values);
    }

    private static String line(int count, IntFunction<String> value) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(count, SHOWN); i++) {
            text.append(i == 0 ? "" : " ").append(value.apply(i));
        }
        if (count > SHOWN) {
            text.append(" ... (").append(count).append(" in all; --values writes them)");
        }
        return text.toString();
    }

    /** A complex number as people write it, without an imaginary part of 0. */
    static String complex(double re, double im, int digits) {
        if (im == 0) {
            return Figures.digits(re, digits);
        }
        return Figures.digits(re, digits) + (im < 0 ? "-" : "+") + Figures.digits(Math.abs(im), digits) + "i";
    }
}
