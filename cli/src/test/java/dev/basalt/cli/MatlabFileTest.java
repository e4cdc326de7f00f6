package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.DoubleStream;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of MATLAB, version 5, that this test writes byte by byte: every type of numbers, both orders, packed or not, and files that are wrong. */
class MatlabFileTest {
    private static final int MATRIX = 14;
    private static final int COMPRESSED = 15;
    private static final int DOUBLE = 9;
    private static final int DOUBLE_CLASS = 6;
    private static final int SPARSE_CLASS = 5;
    private static final int COMPLEX = 0x800;

    @TempDir
    private Path folder;

    private ByteOrder order = ByteOrder.LITTLE_ENDIAN;

    private ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(order);
    }

    /** An element of the file; of four bytes at most with its tag in eight, as MATLAB writes it. */
    private byte[] element(int type, byte[] data) {
        if (data.length > 0 && data.length <= 4) {
            ByteBuffer small = buffer(8);
            small.putInt(data.length << 16 | type).put(data);
            return small.array();
        }
        ByteBuffer bytes = buffer(8 + (type == COMPRESSED ? data.length : data.length + 7 & ~7));
        bytes.putInt(type).putInt(data.length).put(data);
        return bytes.array();
    }

    private byte[] numbers(int type, double... values) {
        ByteBuffer bytes = buffer(8 * values.length);
        for (double value : values) {
            switch (type) {
                case 1, 2 -> bytes.put((byte) value);
                case 3, 4 -> bytes.putShort((short) (int) value);
                case 5, 6 -> bytes.putInt((int) (long) value);
                case 7 -> bytes.putFloat((float) value);
                case DOUBLE -> bytes.putDouble(value);
                default -> bytes.putLong((long) value);
            }
        }
        return element(type, Arrays.copyOf(bytes.array(), bytes.position()));
    }

    private static byte[] together(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private byte[] array(int kind, String name, int rows, int cols, byte[]... data) {
        byte[] head = together(numbers(6, kind, 0), numbers(5, rows, cols),
                element(1, name.getBytes(StandardCharsets.US_ASCII)));
        return element(MATRIX, together(head, together(data)));
    }

    private byte[] packed(byte[] element) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(bytes)) {
            deflater.write(element);
        }
        return element(COMPRESSED, bytes.toByteArray());
    }

    private byte[] bytes(byte[]... elements) {
        ByteBuffer header = buffer(128);
        header.put("MATLAB 5.0 MAT-file".getBytes(StandardCharsets.US_ASCII));
        header.putShort(124, (short) 0x0100).putShort(126, (short) 0x4D49);
        return together(header.array(), together(elements));
    }

    private Path file(byte[]... elements) throws IOException {
        return Files.write(folder.resolve("A.mat"), bytes(elements));
    }

    private static Matrix read(Path file) {
        try (Progress progress = new Progress(new PrintWriter(Writer.nullWriter()), false, 0, Progress.Amount.NONE);
                MatrixFile opened = MatrixFile.open(file, progress)) {
            return opened.read();
        }
    }

    private static double[] all(Matrix matrix) {
        DenseMatrix dense = DenseMatrix.of(matrix, matrix.isComplex());
        DoubleStream.Builder all = DoubleStream.builder();
        for (int j = 0; j < dense.cols(); j++) {
            Arrays.stream(dense.column(j)).forEach(all);
        }
        return all.build().toArray();
    }

    /** MATLAB stores doubles as the smallest type that holds them. */
    @ParameterizedTest
    @CsvSource({
            "1, -3",
            "2, 250",
            "3, -300",
            "4, 65000",
            "5, -70000",
            "6, 4e9",
            "7, 0.5",
            "9, 0.1",
            "12, -5e9",
            "13, 5e9"})
    void everyTypeInBothOrders(int type, double value) throws IOException {
        for (ByteOrder each : new ByteOrder[] {ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN}) {
            order = each;
            byte[] one = array(DOUBLE_CLASS, "A", 1, 1, numbers(type, value));
            byte[] six = array(DOUBLE_CLASS, "six", 2, 3, numbers(type, 1, 2, 3, 4, 5, value));
            assertThat(all(read(file(one)))).containsExactly(value);
            assertThat(all(read(file(packed(six))))).containsExactly(1, 2, 3, 4, 5, value);
            file(one, packed(six), one);
            assertThat(all(read(folder.resolve("A.mat#six")))).containsExactly(1, 2, 3, 4, 5, value);
        }
    }

    @Test
    void partsOfComplexNumbersFollowOneAnother() throws IOException {
        byte[] array = array(DOUBLE_CLASS | COMPLEX, "A", 2, 2, numbers(DOUBLE, 1, 2, 3, 4), numbers(1, 5, 6, 7, 8));
        for (byte[] element : new byte[][] {array, packed(array)}) {
            Matrix matrix = read(file(element));
            assertThat(matrix.isComplex()).isTrue();
            assertThat(all(matrix)).containsExactly(1, 5, 2, 6, 3, 7, 4, 8);
        }
    }

    /** Room for more elements than there are is usual. */
    @Test
    void sparseMatricesListTheirElements() throws IOException {
        byte[] array = array(SPARSE_CLASS | COMPLEX, "S", 3, 2, numbers(5, 0, 2, 1, 0), numbers(5, 0, 2, 3),
                numbers(DOUBLE, 4, 5, 6), numbers(DOUBLE, -1, 0, 1));
        assertThat(all(read(file(packed(array))))).containsExactly(4, -1, 0, 0, 5, 0, 0, 0, 6, 1, 0, 0);
        byte[] beside = array(SPARSE_CLASS, "S", 3, 1, numbers(5, 0, 3), numbers(5, 0, 2), numbers(DOUBLE, 4, 5));
        assertThat(CommandRun.of("svd", file(beside)).failure(Failure.FAILED))
                .endsWith("cannot be read: matrix S has elements beside it");
    }

    @Test
    void whatIsNoMatrixIsLeftOut() throws IOException {
        byte[] cell = array(1, "cell", 1, 1, array(DOUBLE_CLASS, "", 1, 1, numbers(DOUBLE, 9)));
        byte[] text = array(4, "text", 1, 5, numbers(4, 'b', 'a', 's', 'a', 'l'));
        byte[] cube = element(MATRIX, together(numbers(6, DOUBLE_CLASS, 0), numbers(5, 1, 1, 1),
                element(1, new byte[] {'c'}), numbers(DOUBLE, 1)));
        byte[] own = array(9, "", 1, 4, numbers(2, 1, 2, 3, 4));
        byte[] a = array(DOUBLE_CLASS, "A", 1, 2, numbers(DOUBLE, 1, 2));
        assertThat(all(read(file(cell, packed(text), cube, a, packed(own))))).containsExactly(1, 2);
        assertThat(CommandRun.of("svd", file(cell, text)).failure(Failure.FAILED)).endsWith("there is no matrix");
        file(a, packed(array(DOUBLE_CLASS, "B", 1, 1, numbers(DOUBLE, 3))));
        assertThat(CommandRun.of("svd", folder.resolve("A.mat")).failure(Failure.FAILED))
                .endsWith("there are A, B; say which one, as in " + folder.resolve("A.mat") + "#A");
    }

    /** Nobody knows of a stream what follows. */
    @Test
    void throughAPipeTheFirstMustBeTheOnlyOne() throws IOException {
        byte[] a = array(DOUBLE_CLASS, "A", 1, 2, numbers(DOUBLE, 3, 4));
        byte[] b = array(DOUBLE_CLASS, "B", 1, 1, numbers(DOUBLE, 3));
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(bytes(packed(a))));
            assertThat(CommandRun.of("svd", "-").good().number("values")).isEqualTo(5);
            System.setIn(new ByteArrayInputStream(bytes(packed(a), b)));
            assertThat(CommandRun.of("svd", "-").failure(Failure.FAILED))
                    .isEqualTo("basalt svd: -: there are A, B; say which one, as in /dev/stdin#A");
        } finally {
            System.setIn(before);
        }
    }

    @Test
    void aWrongFileIsOneLine() throws IOException {
        byte[] few = array(DOUBLE_CLASS, "A", 2, 2, numbers(DOUBLE, 1, 2, 3));
        assertThat(CommandRun.of("svd", file(few)).failure(Failure.FAILED))
                .endsWith("cannot be read: matrix A has 3 elements where there should be 4");
        byte[] letters = array(DOUBLE_CLASS, "A", 1, 1, element(16, new byte[8]));
        assertThat(CommandRun.of("svd", file(letters)).failure(Failure.FAILED))
                .endsWith("cannot be read: the type 16 of some elements is not one of numbers");
        byte[] infinite = array(DOUBLE_CLASS, "A", 2, 1, numbers(DOUBLE, 1, Double.NEGATIVE_INFINITY));
        assertThat(CommandRun.of("svd", file(infinite)).failure(Failure.FAILED))
                .contains("the element in row 2, column 1 is -Infinity");
        byte[] sum = bytes(packed(array(DOUBLE_CLASS, "A", 1, 2, numbers(DOUBLE, 1, 2))));
        sum[sum.length - 1]++;
        assertThat(CommandRun.of("svd", Files.write(folder.resolve("A.mat"), sum)).failure(Failure.FAILED))
                .contains("the file's data is damaged");
    }
}
