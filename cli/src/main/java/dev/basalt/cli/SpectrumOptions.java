package dev.basalt.cli;

import dev.basalt.Device;
import dev.basalt.type.ElementType;
import java.nio.file.Path;
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

    @Parameters(index = "0", paramLabel = "A.mtx", description = "The matrix (Matrix Market, .gz too).")
    private Path matrix;

    @Option(names = "--type", paramLabel = "s|d|c|z", converter = TypeOption.class,
            description = "Compute in this type (default: d for real matrices, z for complex ones).")
    private ElementType type;

    @Option(names = {"-k", "--k"}, paramLabel = "COUNT", converter = CountOption.class,
            description = "Only so many of the largest values and their vectors (default: all; 10 are printed).")
    private Long k;

    @Option(names = "--values", paramLabel = "FILE", description = "Write the values, one column.")
    private Path values;

    @Option(names = "--plot", paramLabel = "FILE", description = "Draw the values as .png or .svg (a scree plot).")
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

    MatrixInput read(double copies, Device opened, Progress progress) {
        return MatrixInput.read(matrix, type, copies, opened, progress);
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
            MarketWriter.write(file, columns, single, what + " of " + matrix.getFileName() + " by basalt");
            report.line("written", file + " (" + what + ")").value(Report.name(what), file.toString());
        }
    }

    /** So many values as a line of a report, and all as a value. */
    static void list(Report report, double[] values, boolean single) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < Math.min(values.length, SHOWN); i++) {
            text.append(i == 0 ? "" : " ").append(Figures.digits(values[i], single ? 7 : 10));
        }
        if (values.length > SHOWN) {
            text.append(" ... (").append(values.length).append(" in all; --values writes them)");
        }
        report.add("values", text.toString(), "values", values);
    }
}
