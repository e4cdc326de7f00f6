package dev.basalt.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.DoubleConsumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** How much a command says, and to whom: the same options for every command. */
final class Output {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--json", description = "Print one JSON object for programs.")
    private boolean json;

    @Option(names = "--quiet", description = "Print no report and no progress; errors and exit codes tell the rest.")
    private boolean quiet;

    @Option(names = "--verbose", description = "Say on standard error how long each step took.")
    private boolean verbose;

    private Progress watched;

    /** Whether a matrix has gone to standard output. */
    private boolean occupied;

    Output() {}

    /** Standard output of the command. */
    PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Standard error of the command. */
    PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Whether a program reads what is printed. */
    boolean json() {
        return json;
    }

    /** Whether nobody wants to read anything. */
    boolean quiet() {
        return quiet;
    }

    /** Progress on standard error. */
    Progress progress() {
        watched =
                Progress.to(err(), quiet ? Progress.Amount.NONE : verbose ? Progress.Amount.ALL : Progress.Amount.SLOW);
        return watched;
    }

    /**
     * Writes a matrix to a file, or to standard output; then the report goes to standard error.
     *
     * @param file file, or {@code -}
     * @param matrix matrix
     * @param single whether the numbers are of single precision
     * @param comment one line for people
     */
    void write(Path file, DenseMatrix matrix, boolean single, String comment) {
        long bytes = (long) matrix.rows() * matrix.cols() * (single ? 4 : 8) * (matrix.isComplex() ? 2 : 1);
        DoubleConsumer share = watched == null ? done -> {} : done -> watched.at(done, bytes);
        if (!file.toString().equals(Input.STANDARD)) {
            MatrixWriter.write(file, matrix, single, comment, share);
            return;
        }
        occupied = true;
        PrintWriter to = out();
        try (OutputStream stream = new OutputStream() {
            @Override
            public void write(int octet) {
                to.write(octet);
            }

            @Override
            public void write(byte[] octets, int from, int length) {
                to.write(new String(octets, from, length, StandardCharsets.US_ASCII));
            }
        }) {
            MarketWriter.write(stream, matrix, single, comment, share);
        } catch (IOException e) {
            throw MarketWriter.failure(file, e);
        }
        to.flush();
    }

    /** Prints a report as the options have it. How long files took to read is in none of its times, so it has a line of its own. */
    void print(Report report) {
        double reading = watched == null ? 0 : watched.readingSeconds();
        if (reading > 0) {
            report.add("reading", Figures.number("%.4f", reading) + " s", "readingSeconds", reading);
        }
        if (!quiet) {
            report.print(occupied ? err() : out(), json);
        }
    }
}
