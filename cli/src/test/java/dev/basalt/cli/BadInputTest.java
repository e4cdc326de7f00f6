package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every bad input ends in one line that says what is wrong and where. */
class BadInputTest {
    private static final String COORDINATE = "%%MatrixMarket matrix coordinate real general\n";
    private static final String ARRAY = "%%MatrixMarket matrix array real general\n";

    @TempDir
    private Path folder;

    private String failure(Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = "solve";
        System.arraycopy(args, 0, all, 1, args.length);
        return CommandRun.of(all).failure(Failure.FAILED);
    }

    /** The message after the file's name: with {@code /} for line breaks in the text. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "hello/1 1 1/|:1: not a Matrix Market file: it begins with \"hello\", not with %%MatrixMarket",
            "/%%MatrixMarket/|:1: not a Matrix Market file: it begins with \"\", not with %%MatrixMarket",
            "%%MatrixMarket/|:1: the line ends where \"matrix\" belongs",
            "%%MatrixMarket vector|:1: the object is \"vector\"; only \"matrix\" can be read",
            "%%MatrixMarket matrix|:1: the line ends where the format belongs",
            "%%MatrixMarket matrix dense|:1: the format is \"dense\"; accepted are coordinate, array",
            "%%MatrixMarket matrix array|:1: the line ends where the field belongs",
            "%%MatrixMarket matrix array quaternion|:1: the field is \"quaternion\"; accepted are real, complex, integer, pattern",
            "%%MatrixMarket matrix array real|:1: the line ends where the symmetry belongs",
            "%%MatrixMarket matrix array real odd|:1: the symmetry is \"odd\"; accepted are general, symmetric, hermitian, skew-symmetric",
            "%%MatrixMarket matrix array real general x|:1: matrix, format, field and symmetry are all that is expected on the line, but \"x\" follows",
            "%%MatrixMarket matrix array pattern general|:1: an array has no pattern; pattern goes with coordinate",
            "%%MatrixMarket matrix coordinate pattern hermitian|:1: a pattern is general or symmetric, not hermitian",
            "%%MatrixMarket matrix coordinate real hermitian|:1: hermitian goes with complex; a matrix that is real is called symmetric",
            "%%MatrixMarket matrix array real general/%/|:2: the file ends before the line with the size"})
    void banner(String text, String message) {
        assertThat(body(text, "")).isEqualTo(message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "2 2|:2: the line ends where the number of entries belongs",
            "2 2 1 1|:2: rows, columns and entries are all that is expected on the line, but \"1\" follows",
            "2.0 2 1|:2: \"2.0\" where the number of rows belongs is not an integer",
            "2 -2 1|:2: the number of columns is \"-2\"; it cannot be negative",
            "2 2 99999999999999999999|:2: the number of entries is \"99999999999999999999\"; at most 2147483639 can be read",
            "9223372036854775808 2 1|:2: the number of rows is \"9223372036854775808\"; at most 2147483639 can be read",
            "3 0 0|: the matrix is 3 x 0, there is nothing to solve",
            "0 0 0|: the matrix is 0 x 0, there is nothing to solve",
            "2 2 2/1 1 1|:3: the file ends after 1 of 2 values",
            "2 2 2147483639/1 1 1|:3: the file ends after 1 of 2147483639 values",
            "2 2 1/1 1|:3: the line ends where the value belongs",
            "2 2 1/1 1 1 1|:3: 3 numbers are all that is expected on the line, but \"1\" follows",
            "2 2 1/0 1 1|:3: the row index \"0\" is outside 1..2",
            "2 2 1/1 3 1|:3: the column index \"3\" is outside 1..2",
            "2 2 1/1 99999999999999999999 1|:3: the column index \"99999999999999999999\" is outside 1..2",
            "2 2 1/1 -1 1|:3: the column index \"-1\" is outside 1..2",
            "2 2 1/a 1 1|:3: \"a\" where the row index belongs is not an integer",
            "2 2 1/1.5 1 1|:3: \"1.5\" where the row index belongs is not an integer",
            "2 2 1/%/1 1 NaN|:4: \"NaN\" where the value belongs is not a finite number",
            "2 2 1/1 1 -inf|:3: \"-inf\" where the value belongs is not a finite number",
            "2 2 1/1 1 one|:3: \"one\" where the value belongs is not a finite number",
            "2 2 1/1 1 1e999|:3: the value \"1e999\" is beyond the range of double precision",
            "2 2 1/1 1 1/2 2 1|:4: more follows after the 1 values that the size line tells of",
            "2 2 2/1 1 1.7e308/1 1 1.7e308|: the values given for row 1, column 1 add up to more than double precision holds"})
    void coordinate(String text, String message) {
        assertThat(body(text, COORDINATE)).isEqualTo(message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "array real general|2 2 4|:2: rows and columns are all that is expected on the line, but \"4\" follows",
            "array real general|2 2/1/2/3|:5: the file ends after 3 of 4 values",
            "array real general|2 2/1/2/x/4|:5: \"x\" where the value belongs is not a finite number",
            "array real general|2 2/1 2/3 4|:3: one number is all that is expected on the line, but \"2\" follows",
            "array real general|2 2/1/2/3/4/5|:7: more follows after the 4 values that the size line tells of",
            "array complex general|1 1/1|:3: the line ends where the imaginary part belongs",
            "array integer general|1 1/1.5|:3: \"1.5\" where the value belongs is not an integer",
            "array complex hermitian|1 1/1 2|:3: the diagonal of a hermitian matrix is real, but the imaginary part is 2.0",
            "array real symmetric|2 3|:2: a matrix that is symmetric is square, not 2 x 3",
            "coordinate complex general|2 2 1/1 1 1|:3: the line ends where the imaginary part belongs",
            "coordinate pattern general|2 2 1/1 1 1|:3: 2 numbers are all that is expected on the line, but \"1\" follows",
            "coordinate integer general|2 2 1/1 1 1e2|:3: \"1e2\" where the value belongs is not an integer",
            "coordinate real symmetric|2 2 1/1 2 1|:3: row 1, column 2 is in the upper triangle; a symmetric file gives the lower triangle only",
            "coordinate real skew-symmetric|2 2 1/1 1 1|:3: the diagonal of a skew-symmetric matrix is 0, but the value is not",
            "coordinate complex hermitian|2 2 1/2 2 1 1|:3: the diagonal of a hermitian matrix is real, but the imaginary part is 1.0"})
    void otherKinds(String kind, String text, String message) {
        assertThat(body(text, "%%MatrixMarket matrix " + kind + "\n")).isEqualTo(message);
    }

    private String body(String text, String before) {
        Path file = CommandRun.file(folder, before + text.replace('/', '\n'));
        String line = failure(file);
        assertThat(line).startsWith("basalt solve: " + file);
        return line.substring(("basalt solve: " + file).length());
    }

    @Test
    void missingFile() {
        assertThat(failure(folder.resolve("none.mtx"))).endsWith("none.mtx: no such file");
    }

    @Test
    void directory() {
        assertThat(failure(folder)).endsWith(folder + ": is a directory, not a Matrix Market file");
    }

    @Test
    void emptyFile() {
        assertThat(failure(CommandRun.file(folder, ""))).endsWith("A.mtx: the file is empty");
    }

    @Test
    void binaryFile() throws IOException {
        byte[] junk = new byte[200_000];
        new Random(2).nextBytes(junk);
        Path file = Files.write(folder.resolve("junk"), junk);
        assertThat(failure(file)).matches(".*junk:1: not a Matrix Market file: it begins with \"[ -~]*\", not with .*");
        Arrays.fill(junk, (byte) 'x');
        Files.write(file, junk);
        assertThat(failure(file))
                .endsWith("junk:1: the line is longer than 65536 bytes; this is not a Matrix Market file");
    }

    @Test
    void badGzip() throws IOException {
        Path plain = Files.writeString(folder.resolve("plain.mtx.gz"), ARRAY + "1 1\n1\n");
        assertThat(failure(plain)).endsWith("plain.mtx.gz: the name ends in .gz, but it is not a gzip file");
        byte[] packed = packed(ARRAY + "2 2\n1\n2\n3\n4\n");
        Path cut = Files.write(folder.resolve("cut.mtx.gz"), Arrays.copyOf(packed, packed.length / 2));
        assertThat(failure(cut)).endsWith("cut.mtx.gz: the gzip data is truncated");
        packed[packed.length - 6] ^= 1;
        Path damaged = Files.write(folder.resolve("damaged.mtx.gz"), packed);
        assertThat(failure(damaged)).contains("damaged.mtx.gz: the gzip data is damaged (");
    }

    private static byte[] packed(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream out = new GZIPOutputStream(bytes)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
        return bytes.toByteArray();
    }

    @Test
    void tooLargeForTheMachine() {
        Path file = CommandRun.file(folder, COORDINATE + "2000000000 2000000000 1\n1 1 1\n");
        assertThat(failure(file)).matches(
                ".*A.mtx: not enough memory: a dense 2000000000 x 2000000000 matrix of type d and 1 right-hand side"
                        + " need .*iB, host has .*iB free; the file lists 1 elements .* of all\\): a solver for sparse matrices .*");
        assertThat(failure(CommandRun.file(folder, ARRAY + "3000000 3000000\n1\n")))
                .contains("not enough memory: a dense 3000000 x 3000000 matrix");
    }

    @Test
    void tooLargeForTheHeapIsSaidOnce() {
        Path file = CommandRun.file(folder, ARRAY + "2000000000 2000000000\n");
        try (Progress progress = Progress.to(new PrintWriter(new StringWriter()));
                MarketReader reader = MarketReader.open(file, progress)) {
            assertThat(catchThrowable(reader::read)).isInstanceOf(Failure.class)
                    .hasMessageContaining("iB of Java heap, which may grow to")
                    .hasMessageContaining("BASALT_JAVA_OPTS=-Xmx");
        }
    }

    @Test
    void aRightHandSideThatDoesNotFit() {
        Path a = CommandRun.matrix(folder, "spd3.mtx");
        Path b = CommandRun.matrix(folder, "ones4.mtx");
        assertThat(failure(a, b)).endsWith(
                "ones4.mtx: the right-hand side is 4 x 2, but 3 rows and at least one column are needed for the"
                        + " 3 x 3 matrix " + a);
        assertThat(failure(a, CommandRun.file(folder, ARRAY + "3 0\n"))).contains("the right-hand side is 3 x 0");
        assertThat(failure(a, folder.resolve("none.mtx"))).endsWith("none.mtx: no such file");
    }

    @Test
    void complexValuesInARealType() {
        Path a = CommandRun.matrix(folder, "hermitian2.mtx");
        assertThat(failure(a, "--type", "d"))
                .endsWith("hermitian2.mtx: the values are complex and do not fit --type d; use --type z");
        assertThat(failure(a, "--type", "s")).endsWith("do not fit --type s; use --type c");
        Path b = CommandRun.file(folder, "%%MatrixMarket matrix array complex general\n3 1\n1 0\n0 0\n0 0\n");
        assertThat(failure(CommandRun.matrix(folder, "spd3.mtx"), b, "--type", "d"))
                .endsWith("A.mtx: the values are complex and do not fit --type d; use --type z");
    }

    @Test
    void valuesBeyondSinglePrecision() {
        Path a = CommandRun.file(folder, ARRAY + "1 1\n1e300\n");
        assertThat(failure(a, "--type", "s"))
                .endsWith("A.mtx: the value 1.0E300 is beyond the range of single precision; use --type d (or z)");
    }

    @Test
    void singular() {
        for (String type : new String[] {"s", "d", "c", "z"}) {
            assertThat(failure(CommandRun.file(folder, COORDINATE + "3 3 2\n1 1 1\n2 2 1\n"), "--type", type))
                    .endsWith("A.mtx: the matrix is singular: pivot 3 of 3 is exactly 0");
        }
        assertThat(failure(CommandRun.matrix(folder, "singular3.mtx"))).endsWith("pivot 3 of 3 is exactly 0");
    }

    @Test
    void notPositiveDefinite() {
        assertThat(failure(CommandRun.matrix(folder, "indefinite2.mtx"), "--method", "cholesky"))
                .endsWith("not positive definite: the leading minor of order 2 of 2 is not positive; use --method lu");
        assertThat(failure(CommandRun.matrix(folder, "general4.mtx"), "--method", "cholesky"))
                .endsWith("not symmetric: entry (2, 1) does not match (1, 2); use --method lu");
    }

    @Test
    void infiniteSolution() {
        Path a = CommandRun.file(folder, ARRAY + "1 1\n1e-300\n");
        Path b = Path.of(folder.toString(), "B.mtx");
        MatrixWriter.write(b, new DenseMatrix(1, false, new double[][] {{1e300}}), false, "large", done -> {});
        assertThat(failure(a, b)).contains("the solution is not finite");
    }

    @Test
    void moreWorkspaceThanThereIs() {
        assertThat(failure(CommandRun.matrix(folder, "spd3.mtx"), "--workspace", "900000g"))
                .matches(".*not enough memory: --workspace asks for 879 TiB, and beside the matrix host has .*iB free");
    }

    @Test
    void whereNothingCanBeWritten() {
        Path a = CommandRun.matrix(folder, "spd3.mtx");
        assertThat(failure(a, "--out", folder)).endsWith("cannot be written: is a directory");
        assertThat(failure(a, "--out", folder.resolve("none/x.mtx")))
                .endsWith("cannot be written: there is no directory " + folder.resolve("none"));
    }
}
