package dev.basalt.cli;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.bench.Peer;
import dev.basalt.bench.Settings;
import dev.basalt.bench.Site;
import dev.basalt.bench.TableBench;
import dev.basalt.bench.TableCase;
import dev.basalt.bench.TableLine;
import dev.basalt.bench.TableSweep;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code basalt bench table}: every routine that the table of routines has. */
@Command(name = "table", description = {
        "Measures routines of BLAS and LAPACK straight from the table of routines, one line of comma-separated values a case.",
        "Every list is combined with every other; results are held against the peer's, and a case that fails stops no other."})
final class BenchTableCommand implements Callable<Integer> {
    /** Where lines go. */
    @FunctionalInterface
    interface Lines {
        void take(String line) throws IOException;
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private DeviceOption device;

    @Mixin
    private Output output;

    @Parameters(paramLabel = "FAMILY", arity = "1..*", split = ",", completionCandidates = Families.class,
            description = "Such as gbmv,getrf; or all: levels 1 to 3; or lapack.")
    private List<String> families;

    @Option(names = {"-r", "--precision"}, paramLabel = "TYPES", defaultValue = "d",
            description = "Letters of s d c z, such as dz (default: ${DEFAULT-VALUE}).")
    private String types;

    @Option(names = "-m", paramLabel = "M", split = ",", description = "Rows (default: n).")
    private List<Long> m = new ArrayList<>();

    @Option(names = "-n", paramLabel = "N", split = ",", defaultValue = "128",
            description = "Columns, order or length (default: ${DEFAULT-VALUE}).")
    private List<Long> n = new ArrayList<>();

    @Option(names = "-k", paramLabel = "K", split = ",",
            description = "Inner dimension, right-hand sides or diagonals (default: n).")
    private List<Long> k = new ArrayList<>();

    @Option(names = "--kl", paramLabel = "KL", split = ",", description = "Diagonals below (default: k).")
    private List<Long> kl = new ArrayList<>();

    @Option(names = "--ku", paramLabel = "KU", split = ",", description = "Diagonals above (default: k).")
    private List<Long> ku = new ArrayList<>();

    @Option(names = "--side", paramLabel = "L|R", split = ",", defaultValue = "L", description = "Side (default: L).")
    private List<String> side;

    @Option(names = "--uplo", paramLabel = "U|L", split = ",", defaultValue = "U",
            description = "Triangle (default: U).")
    private List<String> uplo;

    @Option(names = "--diag", paramLabel = "N|U", split = ",", defaultValue = "N",
            description = "Diagonal (default: N).")
    private List<String> diag;

    @Option(names = "--trans", paramLabel = "N|T|C", split = ",", defaultValue = "N",
            description = "How A is read (default: N).")
    private List<String> trans;

    @Option(names = "--transB", paramLabel = "N|T|C", split = ",", defaultValue = "N",
            description = "How B is read, where it has an option of its own (default: N).")
    private List<String> transB;

    @Option(names = "--vectors", paramLabel = "V|N", split = ",", defaultValue = "V",
            description = "Whether eigenvectors or singular vectors are computed (default: V).")
    private List<String> vectors;

    @Option(names = "--batch", paramLabel = "COUNT", split = ",", defaultValue = "0",
            description = "Problems of a strided batch, one after the other; 0 for a plain call (default: 0).")
    private List<Long> batches;

    @Option(names = {"-i", "--iters"}, paramLabel = "COUNT", defaultValue = "10", converter = CountOption.class,
            description = "Timed samples (default: ${DEFAULT-VALUE}); short calls are repeated within a sample.")
    private long iters;

    @Option(names = "--warmup", paramLabel = "MS", defaultValue = "100", converter = CountOption.class,
            description = "Milliseconds of warming up, at least (default: ${DEFAULT-VALUE}).")
    private long warmUp;

    @Option(names = "--threads", paramLabel = "COUNT", converter = CountOption.class,
            description = "Threads at work in a call, of the peer too (default: all processors; peer: 1).")
    private Long threads;

    @Option(names = "--peer", paramLabel = "openblas|mkl|cublas|none", defaultValue = "none",
            description = "Measure another library in turns with Basalt, on the same operands; cublas brings cuSOLVER and cuSPARSE along,"
                    + " and the best of their calls counts (default: ${DEFAULT-VALUE}).")
    private String peerName;

    @Option(names = "--peer-library", paramLabel = "PATH", description = "As of basalt bench.")
    private Path peerLibrary;

    @Option(names = "--processor_time", description = "As of basalt bench.")
    private boolean processorTime;

    @Option(names = "--limits", description = "Measure what the machine can do at most, for the column floor_us.")
    private boolean limits;

    @Option(names = {"-o", "--out"}, paramLabel = "FILE",
            description = "Append the lines to a file, too; a new one begins with the names of the columns.")
    private Path file;

    BenchTableCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        List<TableCase> cases;
        try {
            cases = new TableSweep(families, types, m, n, k, kl, ku, side, uplo, diag, trans, transB, vectors, batches)
                    .cases();
        } catch (IllegalArgumentException e) {
            throw Failure.usage(e.getMessage(), e);
        }
        return BenchCommand.onLargeStack(() -> measure(cases));
    }

    private int measure(List<TableCase> cases) throws IOException {
        Settings settings = new Settings(Math.toIntExact(Math.min(iters, 1 << 20)), 2,
                Math.min(warmUp, 1 << 20) * 1_000_000, 0, 1, true, limits);
        int own = threads == null ? 1 : Math.toIntExact(threads);
        try (Device opened = device.open(threads);
                Handle handle = opened.createHandle();
                Site site = BenchCommand.clock(opened, handle, threads, processorTime);
                Peer peer = peerName.equals("none")
                        ? null
                        : BenchCommand.peer(peerName, peerLibrary, "", own, opened, site)) {
            TableBench bench = new TableBench(opened, handle, peer, settings, site);
            boolean begun = file != null && Files.exists(file) && Files.size(file) > 0;
            if (peer != null && BenchCommand.isCuda(opened) && !output.quiet()) {
                spec.commandLine().getErr().println(opened + "; " + peer.description());
            }
            BenchLines lines = new BenchLines(output, TableLine.HEAD);
            if (!begun) {
                keep(TableLine.HEAD);
            }
            measure(bench, cases, line -> {
                lines.print(line);
                keep(line);
            });
        }
        return 0;
    }

    /** A line each; those that are wrong or failed are told at the end. */
    static void measure(TableBench bench, List<TableCase> cases, Lines out) throws IOException {
        int bad = 0;
        for (TableCase c : cases) {
            TableLine line = bench.run(c);
            out.take(line.csv());
            bad += line.bad() ? 1 : 0;
        }
        if (bad > 0) {
            throw new Failure(bad + " of " + cases.size() + " cases are wrong or failed: see the column verified");
        }
    }

    /** Written line by line: what was measured is kept, whatever comes later. */
    private void keep(String line) throws IOException {
        if (file != null) {
            try (Writer to = Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND)) {
                to.write(line + System.lineSeparator());
            }
        }
    }
}
