package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.XZInputStream;

/** Binary files are read into nothing but their matrix: in a JVM whose heap has room for the matrix once, and not for half of it more. */
class ReadMemoryTest {
    private static final int ORDER = 2400;
    private static final long BYTES = 8L * ORDER * ORDER;
    /** What a JVM and the reader need besides, in MiB. */
    private static final int ROOM = 18;

    @TempDir
    private Path folder;

    /** Writes an element of the matrix of all files. */
    private static double element(int i, int j) {
        return i / 100 - 7 * (j / 200);
    }

    /** A program that reads a matrix and says its order and the sum of its elements. */
    static final class Reader {
        private Reader() {}

        /** Reads the file that is named. */
        public static void main(String[] args) {
            try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
                    MatrixFile file = MatrixFile.open(Path.of(args[0]), progress)) {
                DenseMatrix matrix = (DenseMatrix) file.read();
                double sum = 0;
                for (int j = 0; j < matrix.cols(); j++) {
                    for (double value : matrix.column(j)) {
                        sum += value;
                    }
                }
                System.out.println(matrix.rows() + " " + sum);
            }
        }
    }

    private static void elements(OutputStream to) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        for (int j = 0; j < ORDER; j++) {
            for (int i = 0; i < ORDER; i++) {
                out.writeDouble(element(i, j));
            }
        }
        out.flush();
    }

    private static void npy(OutputStream to) throws IOException {
        String header = "{'descr': '>f8', 'fortran_order': True, 'shape': (" + ORDER + ", " + ORDER + "), }";
        to.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
        to.write((header + " ".repeat(117 - header.length()) + "\n").getBytes(StandardCharsets.US_ASCII));
        elements(to);
    }

    /** Of version 5, its bytes in the order of a {@link DataOutputStream}. */
    private static void mat(OutputStream to, boolean packed) throws IOException {
        DataOutputStream out = new DataOutputStream(to);
        out.writeBytes("MATLAB 5.0 MAT-file" + " ".repeat(105));
        out.writeShort(0x0100);
        out.writeShort(0x4D49);
        if (packed) {
            Path part = Files.createTempFile("basalt-mat", ".z");
            try (OutputStream array = new BufferedOutputStream(new DeflaterOutputStream(Files.newOutputStream(part)))) {
                array(new DataOutputStream(array));
            }
            out.writeInt(15);
            out.writeInt((int) Files.size(part));
            Files.copy(part, out);
            Files.delete(part);
        } else {
            array(out);
        }
        out.flush();
    }

    private static void array(DataOutputStream out) throws IOException {
        int[] head = {14, 48 + (int) BYTES, 6, 8, 6, 0, 5, 8, ORDER, ORDER, 1 << 16 | 1, 'A' << 24, 9, (int) BYTES};
        for (int word : head) {
            out.writeInt(word);
        }
        elements(out);
    }

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        if (name.equals("chunked.h5")) {
            try (InputStream in = new XZInputStream(Files.newInputStream(CommandRun.matrix(folder, name + ".xz")))) {
                Files.copy(in, file);
            }
            return folder.resolve("chunked.h5#large");
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            switch (name) {
                case "A.npy" -> npy(out);
                case "A.npz" -> {
                    ZipOutputStream zip = new ZipOutputStream(out);
                    zip.putNextEntry(new ZipEntry("A.npy"));
                    npy(zip);
                    zip.finish();
                }
                case "A.mat" -> mat(out, false);
                case "packed.mat" -> mat(out, true);
                default -> {
                    GZIPOutputStream gzip = new GZIPOutputStream(out);
                    mat(gzip, false);
                    gzip.finish();
                }
            }
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(strings = {"A.npy", "A.npz", "A.mat", "packed.mat", "A.mat.gz", "chunked.h5"})
    void thereIsNothingBesideTheMatrix(String name) throws IOException, InterruptedException {
        Path file = file(name);
        long heap = (BYTES >> 20) + ROOM;
        assertThat(heap << 20).isLessThan(BYTES * 3 / 2);
        List<String> command = CommandRun.java(List.of("-Xmx" + heap + "m", "-XX:MaxDirectMemorySize=4m",
                "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:ActiveProcessorCount=2"), Reader.class);
        command.add(file.toString());
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        Process process = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor()).as(() -> read(err)).isZero();
        double sum = 0;
        for (int j = 0; j < ORDER; j++) {
            for (int i = 0; i < ORDER; i++) {
                sum += element(i, j);
            }
        }
        assertThat(read(out)).isEqualTo(ORDER + " " + sum + "\n");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
