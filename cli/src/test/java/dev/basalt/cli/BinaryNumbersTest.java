package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of NumPy larger than the pieces in which they are read, of every type, in both orders. */
class BinaryNumbersTest {
    private static final int ROWS = 211;
    private static final int COLS = 137;

    @TempDir
    private Path folder;

    /** What an element is: whole numbers that the type has, the least and the largest one among them. */
    private static long value(Random random, String type) {
        int bits = 8 * (type.charAt(1) - '0');
        if (type.charAt(0) == 'f') {
            return random.nextInt(-2000, 2001);
        }
        return random.nextLong() >> (64 - bits);
    }

    private static void put(ByteBuffer bytes, String type, long value) {
        switch (type) {
            case "f8" -> bytes.putDouble(value);
            case "f4" -> bytes.putFloat(value);
            case "f2" -> bytes.putShort(Float.floatToFloat16(value));
            case "i8", "u8" -> bytes.putLong(value);
            case "i4", "u4" -> bytes.putInt((int) value);
            case "i2", "u2" -> bytes.putShort((short) value);
            default -> bytes.put((byte) value);
        }
    }

    private static double expected(String type, long value) {
        if (!type.startsWith("u")) {
            return value;
        }
        return type.equals("u8")
                ? Double.parseDouble(Long.toUnsignedString(value))
                : value & (1L << 8 * (type.charAt(1) - '0')) - 1;
    }

    private static byte[] header(String descr, boolean fortran, int rows, int cols) {
        String text = "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': ("
                + rows + ", " + cols + "), }";
        ByteBuffer bytes = ByteBuffer.allocate(128);
        bytes.put(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0});
        return bytes.put((text + " ".repeat(117 - text.length()) + "\n").getBytes(StandardCharsets.US_ASCII)).array();
    }

    private static byte[] array(String order, String type, boolean fortran, Random random, double[][] expected) {
        int size = type.charAt(1) - '0';
        ByteBuffer bytes = ByteBuffer.allocate(128 + size * ROWS * COLS);
        bytes.put(header(order + type, fortran, ROWS, COLS));
        bytes.order(order.equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        for (int k = 0; k < ROWS * COLS; k++) {
            long value = value(random, type);
            put(bytes, type, value);
            int i = fortran ? k % ROWS : k / COLS;
            int j = fortran ? k / ROWS : k % COLS;
            expected[j][i] = expected(type, value);
        }
        return bytes.array();
    }

    private static void check(Path file, double[][] expected) {
        try (Progress progress = quiet(); MatrixFile opened = MatrixFile.open(file, progress)) {
            DenseMatrix matrix = (DenseMatrix) opened.read();
            for (int j = 0; j < expected.length; j++) {
                assertThat(matrix.column(j)).as("column %d", j).containsExactly(expected[j]);
            }
        }
    }

    private static Progress quiet() {
        return new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
    }

    @ParameterizedTest
    @CsvSource({
            "<,f8",
            "<,f4",
            "<,f2",
            "<,i8",
            "<,i4",
            "<,i2",
            "|,i1",
            "<,u8",
            "<,u4",
            "<,u2",
            "|,u1",
            ">,f8",
            ">,f4",
            ">,f2",
            ">,i8",
            ">,i4",
            ">,i2",
            ">,u8",
            ">,u4",
            ">,u2"})
    void everyTypeIsRead(String order, String type) throws IOException {
        for (boolean fortran : new boolean[] {false, true}) {
            double[][] expected = new double[COLS][ROWS];
            Path file = folder.resolve("A.npy");
            Files.write(file, array(order, type, fortran, new Random(5), expected));
            check(file, expected);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void complexOnesAreRead(boolean fortran) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(128 + 16 * ROWS * COLS);
        bytes.put(header("<c16", fortran, ROWS, COLS)).order(ByteOrder.LITTLE_ENDIAN);
        double[][] expected = new double[COLS][2 * ROWS];
        for (int k = 0; k < ROWS * COLS; k++) {
            int i = fortran ? k % ROWS : k / COLS;
            int j = fortran ? k / ROWS : k % COLS;
            bytes.putDouble(k + 0.5).putDouble(-k);
            expected[j][2 * i] = k + 0.5;
            expected[j][2 * i + 1] = -k;
        }
        Path file = folder.resolve("A.npy");
        Files.write(file, bytes.array());
        check(file, expected);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void theFirstElementThatIsNotFiniteIsNamed(double wrong) throws IOException {
        for (boolean fortran : new boolean[] {false, true}) {
            for (int at : new int[] {0, 1, 8191, 8192, ROWS * COLS - 2, ROWS * COLS - 1}) {
                byte[] array = array("<", "f8", fortran, new Random(5), new double[COLS][ROWS]);
                ByteBuffer.wrap(array)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putDouble(128 + 8 * at, wrong)
                        .putDouble(128 + 8 * (ROWS * COLS - 1), wrong);
                Path file = Files.write(folder.resolve("A.npy"), array);
                int row = 1 + (fortran ? at % ROWS : at / COLS);
                int col = 1 + (fortran ? at / ROWS : at % COLS);
                assertThat(CommandRun.of("solve", file).failure(1))
                        .contains("the element in row " + row + ", column " + col + " is " + wrong);
            }
        }
    }

    @Test
    void aFileThatEndsEarlyIsAnError() throws IOException {
        byte[] array = array("<", "f8", false, new Random(5), new double[COLS][ROWS]);
        Path file = Files.write(folder.resolve("A.npy"), Arrays.copyOf(array, array.length - 1));
        assertThat(CommandRun.of("solve", file).failure(1)).contains("the file ends before the last element");
        BinaryNumbers none = new BinaryNumbers(new ByteArrayInputStream(new byte[0]), 'f', 8, ByteOrder.LITTLE_ENDIAN);
        assertThat(none.read(new double[1], 1)).isEqualTo(BinaryNumbers.END);
        assertThat(none.read(new double[1], 0)).isEqualTo(-1);
    }

    /** Where an archive is read in large pieces, what was read of the next entry must go back. */
    @ParameterizedTest
    @ValueSource(ints = {ZipEntry.STORED, ZipEntry.DEFLATED})
    void anArrayBehindOthersOfAnArchiveIsRead(int method) throws IOException {
        double[][] expected = new double[COLS][ROWS];
        Path file = folder.resolve("A.npz");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            Random random = new Random(5);
            for (String name : new String[] {"x", "y", "B", "z"}) {
                byte[] bytes = array("<", "f8", false, random, name.equals("B") ? expected : new double[COLS][ROWS]);
                CRC32 sum = new CRC32();
                sum.update(bytes);
                ZipEntry entry = new ZipEntry(name + ".npy");
                entry.setMethod(method);
                entry.setSize(bytes.length);
                entry.setCrc(sum.getValue());
                zip.putNextEntry(entry);
                zip.write(bytes);
                zip.closeEntry();
            }
        }
        check(Path.of(file + "#B"), expected);
        assertThat(CommandRun.of("solve", file).failure(1)).contains("x, y, B, z");
    }
}
