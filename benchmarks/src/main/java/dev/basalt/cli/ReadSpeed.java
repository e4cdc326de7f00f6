package dev.basalt.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * How fast the command line reads files of text: bytes of a file by the processor time of the thread from opening it to the matrix. It is in the package of the
 * readers, which no other program may call.
 */
final class ReadSpeed {
    private static final String TITLE = "file,numbers,MB,first MB/s,median MB/s,best MB/s";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 15;
    private static final long SEED = 20281128;

    /** The name of a file, and how it is written. */
    private record Kind(String name, String numbers, String format, Writing writing) {}

    /** Writes a file of so many numbers. */
    private interface Writing {
        void write(PrintWriter out, int count, String format);
    }

    private ReadSpeed() {}

    /**
     * Writes the rows, as comma-separated values.
     *
     * @param args the file for them, then how many numbers a file has, if not a million
     * @throws IOException if a file cannot be written
     */
    public static void main(String[] args) throws IOException {
        int count = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        List<Kind> kinds = new ArrayList<>();
        for (String[] numbers : new String[][] {
                {"17 digits", "%.16e"},
                {"16 decimals", "%.16f"},
                {"6 digits", "%.5f"},
                {"3 digits", "%.2f"}}) {
            kinds.add(new Kind("coordinate real", numbers[0], numbers[1], ReadSpeed::coordinate));
            kinds.add(new Kind("array real", numbers[0], numbers[1], ReadSpeed::array));
            kinds.add(new Kind("CSV", numbers[0], numbers[1], (out, k, format) -> table(out, k, format, ",")));
            kinds.add(new Kind("TSV", numbers[0], numbers[1], (out, k, format) -> table(out, k, format, "\t")));
        }
        kinds.add(new Kind("coordinate pattern", "none", "", ReadSpeed::coordinate));
        try (PrintStream out = new PrintStream(Files.newOutputStream(Path.of(args[0])), true)) {
            out.println(TITLE);
            System.out.println(TITLE);
            for (Kind kind : kinds) {
                String row = row(kind, count);
                out.println(row);
                System.out.println(row);
            }
        }
    }

    private static String row(Kind kind, int count) throws IOException {
        Path file = Files.createTempFile("basalt-read-speed", ".txt");
        try {
            try (PrintWriter out = new PrintWriter(new BufferedWriter(Files.newBufferedWriter(file)))) {
                kind.writing.write(out, count, kind.format);
            }
            double megabytes = Files.size(file) / 1e6;
            double[] rates = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                rates[round] = megabytes / seconds(file);
            }
            double first = rates[0];
            Arrays.sort(rates);
            return String.format(Locale.ROOT, "%s,%s,%.1f,%.0f,%.0f,%.0f", kind.name, kind.numbers, megabytes, first,
                    rates[ROUNDS / 2], rates[ROUNDS - 1]);
        } finally {
            Files.delete(file);
        }
    }

    private static double seconds(Path path) {
        try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE)) {
            long start = THREADS.getCurrentThreadCpuTime();
            try (MatrixFile file = MatrixFile.open(path, progress)) {
                Matrix matrix = file.read();
                if (matrix.rows() == 0) {
                    throw new IllegalStateException("the matrix is empty");
                }
            }
            return (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
        }
    }

    /** Elements by columns, ten in each. */
    private static void coordinate(PrintWriter out, int count, String format) {
        int n = count / 10;
        boolean pattern = format.isEmpty();
        out.printf(Locale.ROOT, "%%%%MatrixMarket matrix coordinate %s general%n%d %d %d%n",
                pattern ? "pattern" : "real", n, n, 10 * n);
        Random random = new Random(SEED);
        for (int j = 1; j <= n; j++) {
            int[] rows = random.ints(10, 1, n + 1).sorted().toArray();
            for (int i : rows) {
                out.print(i + " " + j);
                if (!pattern) {
                    out.printf(Locale.ROOT, " " + format, random.nextGaussian());
                }
                out.print('\n');
            }
        }
    }

    private static void array(PrintWriter out, int count, String format) {
        int rows = count / 100;
        out.printf(Locale.ROOT, "%%%%MatrixMarket matrix array real general%n%d 100%n", rows);
        Random random = new Random(SEED);
        for (int i = 0; i < rows * 100; i++) {
            out.printf(Locale.ROOT, format + "%n", random.nextGaussian());
        }
    }

    private static void table(PrintWriter out, int count, String format, String separator) {
        Random random = new Random(SEED);
        for (int i = 0; i < count / 100; i++) {
            for (int j = 0; j < 100; j++) {
                out.printf(Locale.ROOT, (j == 0 ? "" : separator) + format, random.nextGaussian());
            }
            out.print('\n');
        }
    }
}
