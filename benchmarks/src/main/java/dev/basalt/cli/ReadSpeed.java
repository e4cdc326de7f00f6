package dev.basalt.cli;

import com.sun.management.OperatingSystemMXBean;
import io.jhdf.HdfFile;
import io.jhdf.WritableHdfFile;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.types.MatFile;
import us.hebi.matlab.mat.types.MatlabType;
import us.hebi.matlab.mat.types.Sink;
import us.hebi.matlab.mat.types.Sinks;

/**
 * How fast the command line reads files: bytes of a file by the processor time from opening it to the matrix. Of text that is the thread's, of binary files the
 * process's, since a library may have threads of its own. Bytes of packed files are those of the numbers. It is in the package of the readers, which no other
 * program may call.
 */
final class ReadSpeed {
    private static final String TITLE = "file,numbers,MB,first MB/s,median MB/s,best MB/s,median MB/s by the clock";
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final int ROUNDS = 15;
    private static final long SEED = 20281128;

    /** The name of a file, and how it is written. */
    private record Kind(String name, String numbers, String format, Writing writing) {}

    /** Writes a file of so many numbers. */
    private interface Writing {
        void write(PrintWriter out, int count, String format);
    }

    /** A binary file of a square matrix, the ending of its name, and how it is written. */
    private record Binary(String name, String numbers, String ending, BinaryWriting writing) {}

    /** Writes a matrix into a file. */
    private interface BinaryWriting {
        void write(Path file, DenseMatrix matrix) throws IOException;
    }

    private static final List<Binary> BINARIES = List.of(
            new Binary("NPY by columns", "doubles", ".npy", (file, matrix) -> write(file, matrix, false)),
            new Binary("NPY by columns", "floats", ".npy", (file, matrix) -> write(file, matrix, true)),
            new Binary("NPY by rows", "doubles", ".npy", (file, matrix) -> byRows(file, matrix, "<f8")),
            new Binary("NPY by rows", "floats", ".npy", (file, matrix) -> byRows(file, matrix, "<f4")),
            new Binary("NPY by rows", "big-endian doubles", ".npy", (file, matrix) -> byRows(file, matrix, ">f8")),
            new Binary("NPY by rows", "integers of 32 bits", ".npy", (file, matrix) -> byRows(file, matrix, "<i4")),
            new Binary("NPZ stored", "doubles", ".npz", (file, matrix) -> zipped(file, matrix, ZipEntry.STORED)),
            new Binary("NPZ packed", "doubles", ".npz", (file, matrix) -> zipped(file, matrix, ZipEntry.DEFLATED)),
            new Binary("MAT v5", "doubles", ".mat", (file, matrix) -> write(file, matrix, false)),
            new Binary("MAT v5", "floats", ".mat", (file, matrix) -> write(file, matrix, true)),
            new Binary("MAT v5 packed", "doubles", ".mat", ReadSpeed::packed),
            new Binary("HDF5", "doubles", ".h5", (file, matrix) -> write(file, matrix, false)),
            new Binary("HDF5", "floats", ".h5", (file, matrix) -> write(file, matrix, true)),
            new Binary("MAT v7.3", "doubles", ".h5", ReadSpeed::matlab73));

    private ReadSpeed() {}

    /**
     * Writes the rows, as comma-separated values.
     *
     * @param args the file for them, then how many numbers a file of text has, if not a million (binary files have nine times as many), then files of doubles that are measured, too
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
            // The clock of the process ticks every ten milliseconds.
            DenseMatrix matrix = random((int) Math.sqrt(9.0 * count));
            for (Binary binary : BINARIES) {
                String row = row(binary, matrix);
                out.println(row);
                System.out.println(row);
            }
            for (boolean rows : new boolean[] {true, false}) {
                String row = unpacking("zlib alone " + (rows ? "by rows" : "by columns"), matrix, rows);
                out.println(row);
                System.out.println(row);
            }
            for (String file : List.of(args).subList(Math.min(2, args.length), args.length)) {
                String row = row(file.replaceFirst(".*/", ""), "as they are", Path.of(file), matrixBytes(Path.of(file)),
                        true);
                out.println(row);
                System.out.println(row);
            }
        }
    }

    private static DenseMatrix random(int n) {
        Random random = new Random(SEED);
        double[][] columns = new double[n][];
        for (int j = 0; j < n; j++) {
            // Whole numbers of 24 bits, so that each type has them.
            columns[j] = random.ints(n, -(1 << 23), 1 << 23).asDoubleStream().toArray();
        }
        return new DenseMatrix(n, false, columns);
    }

    private static String row(Binary binary, DenseMatrix matrix) throws IOException {
        Path file = Files.createTempFile("basalt-read-speed", binary.ending);
        try {
            binary.writing.write(file, matrix);
            long bytes = binary.name.contains("packed") ? 8L * matrix.rows() * matrix.cols() : Files.size(file);
            return row(binary.name, binary.numbers, file, bytes, true);
        } finally {
            Files.delete(file);
        }
    }

    private static void write(Path file, DenseMatrix matrix, boolean single) {
        MatrixWriter.write(file, matrix, single, "", share -> {});
    }

    private static void byRows(Path file, DenseMatrix matrix, String type) throws IOException {
        int size = type.charAt(2) - '0';
        int n = matrix.cols();
        String header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + n + ", " + n + "), }";
        ByteBuffer bytes = ByteBuffer.allocate(128 + size * n * n);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
        bytes.put((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII));
        bytes.order(type.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double value = matrix.column(j)[i];
                switch (type.substring(1)) {
                    case "f8" -> bytes.putDouble(value);
                    case "f4" -> bytes.putFloat((float) value);
                    default -> bytes.putInt((int) value);
                }
            }
        }
        Files.write(file, bytes.array());
    }

    private static void zipped(Path file, DenseMatrix matrix, int method) throws IOException {
        Path array = Files.createTempFile("basalt-read-speed", ".npy");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            byRows(array, matrix, "<f8");
            byte[] bytes = Files.readAllBytes(array);
            CRC32 sum = new CRC32();
            sum.update(bytes);
            ZipEntry entry = new ZipEntry("A.npy");
            entry.setMethod(method);
            entry.setSize(bytes.length);
            entry.setCrc(sum.getValue());
            zip.setLevel(Deflater.BEST_SPEED);
            zip.putNextEntry(entry);
            zip.write(bytes);
            zip.closeEntry();
        } finally {
            Files.delete(array);
        }
    }

    private static void packed(Path file, DenseMatrix matrix) throws IOException {
        int n = matrix.cols();
        us.hebi.matlab.mat.types.Matrix to = Mat5.newMatrix(n, n, MatlabType.Double);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) {
                to.setDouble(i, j, matrix.column(j)[i]);
            }
        }
        try (Sink sink = Sinks.newStreamingFile(file.toFile()); MatFile mat = Mat5.newMatFile().addArray("A", to)) {
            Mat5.newWriter(sink).setDeflateLevel(Deflater.BEST_SPEED).writeMat(mat);
        }
    }

    /** As MATLAB does it without chunks: columns come first, and an attribute tells the class. */
    private static void matlab73(Path file, DenseMatrix matrix) {
        double[][] columns = new double[matrix.cols()][];
        Arrays.setAll(columns, matrix::column);
        try (WritableHdfFile hdf = HdfFile.write(file)) {
            hdf.putDataset("A", columns).putAttribute("MATLAB_class", "double");
        }
    }

    private static long matrixBytes(Path path) throws IOException {
        try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
                MatrixFile file = MatrixFile.open(path, progress)) {
            Matrix matrix = file.read();
            return 8L * matrix.rows() * matrix.cols();
        }
    }

    private static String row(Kind kind, int count) throws IOException {
        Path file = Files.createTempFile("basalt-read-speed", ".txt");
        try {
            try (PrintWriter out = new PrintWriter(new BufferedWriter(Files.newBufferedWriter(file)))) {
                kind.writing.write(out, count, kind.format);
            }
            return row(kind.name, kind.numbers, file, Files.size(file), false);
        } finally {
            Files.delete(file);
        }
    }

    private static String row(String name, String numbers, Path file, long bytes, boolean all) {
        return row(name, numbers, bytes, all, () -> read(file));
    }

    private static String row(String name, String numbers, long bytes, boolean all, Runnable reading) {
        double megabytes = bytes / 1e6;
        double[] rates = new double[ROUNDS];
        double[] clocked = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            long clock = System.nanoTime();
            long start = nanoseconds(all);
            reading.run();
            rates[round] = megabytes * 1e9 / (nanoseconds(all) - start);
            clocked[round] = megabytes * 1e9 / (System.nanoTime() - clock);
        }
        double first = rates[0];
        Arrays.sort(rates);
        Arrays.sort(clocked);
        return String.format(Locale.ROOT, "%s,%s,%.1f,%.0f,%.0f,%.0f,%.0f", name, numbers, megabytes, first,
                rates[ROUNDS / 2], rates[ROUNDS - 1], clocked[ROUNDS / 2]);
    }

    private static void read(Path path) {
        try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
                MatrixFile file = MatrixFile.open(path, progress)) {
            if (file.read().rows() == 0) {
                throw new IllegalStateException("the matrix is empty");
            }
        }
    }

    /** What packed files cannot do without: zlib unpacks the numbers, by rows or by columns, into a small buffer. */
    private static String unpacking(String name, DenseMatrix matrix, boolean rows) {
        int n = matrix.cols();
        ByteBuffer bytes = ByteBuffer.allocate(8 * n * n).order(ByteOrder.LITTLE_ENDIAN);
        for (int o = 0; o < n; o++) {
            for (int k = 0; k < n; k++) {
                bytes.putDouble(rows ? matrix.column(k)[o] : matrix.column(o)[k]);
            }
        }
        byte[] packed = new byte[bytes.capacity()];
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(bytes.array());
        deflater.finish();
        int length = deflater.deflate(packed);
        deflater.end();
        byte[] to = new byte[1 << 16];
        return row(name, "doubles", bytes.capacity(), true, () -> {
            Inflater inflater = new Inflater();
            inflater.setInput(packed, 0, length);
            try {
                while (!inflater.finished()) {
                    inflater.inflate(to);
                }
            } catch (DataFormatException e) {
                throw new IllegalStateException(e);
            } finally {
                inflater.end();
            }
        });
    }

    /** Processor time of this thread, or of all of them, the compiler's and the collector's, too. */
    private static long nanoseconds(boolean all) {
        return all ? PROCESS.getProcessCpuTime() : THREADS.getCurrentThreadCpuTime();
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
