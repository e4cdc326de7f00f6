package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as NumPy, SciPy, h5py and MATLAB write them, and the way back through what Basalt writes. */
class FormatsTest {
    private static final double[][] GENERAL = {{4, 1, 0, 2}, {-1, 5, 2, 0}, {0, 1, 6, -3}, {1, 0, 2, 7}};

    @TempDir
    private Path folder;

    private static MatrixFile open(Path file) {
        return MatrixFile.open(file, new Progress(null, false, 0, Progress.Amount.NONE));
    }

    private static DenseMatrix read(Path file) {
        try (MatrixFile matrix = open(file)) {
            return DenseMatrix.of(matrix.read(), matrix.header().isComplex());
        }
    }

    private static void isGeneral(DenseMatrix matrix) {
        assertThat(matrix.cols()).isEqualTo(4);
        for (int j = 0; j < 4; j++) {
            assertThat(matrix.column(j)).containsExactly(GENERAL[j]);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "general4.mtx",
            "general4.mtx.bz2",
            "general4.mtx.xz",
            "general4.mtx.zst",
            "general4.npy",
            "general4_fortran.npy",
            "general4.npz#A",
            "general4_csr.npz",
            "general4_csc.npz",
            "general4_coo.npz",
            "general4_dia.npz",
            "general4.mat#A",
            "general4.mat#S",
            "general4.h5#group/A",
            "general4_v73.mat#A",
            "general4_v73.mat#S"})
    void readsWhatOthersWrite(String name) throws IOException {
        String file = name.replaceFirst("#.*", "");
        // The content decides, not the name.
        Path copy = CommandRun.matrix(folder, file);
        Path other = Files.copy(copy, folder.resolve("other"));
        isGeneral(read(folder.resolve(name)));
        isGeneral(read(Path.of(name.replaceFirst("[^#]*", other.toString()))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"hermitian2.npy", "general4.h5#H"})
    void readsComplexNumbers(String name) {
        CommandRun.matrix(folder, name.replaceFirst("#.*", ""));
        DenseMatrix matrix = read(folder.resolve(name));
        assertThat(matrix.isComplex()).isTrue();
        assertThat(matrix.column(0)).containsExactly(2, 0, 1, 1);
        assertThat(matrix.column(1)).containsExactly(1, -1, 3, 0);
    }

    @ParameterizedTest
    @CsvSource({
            ".mtx, z",
            ".npy, z",
            ".npz, z",
            ".mat, z",
            ".csv, d",
            ".tsv, d",
            ".h5, d",
            ".npy, c",
            ".mat, s",
            ".csv, s",
            ".mtx.gz, d",
            ".mtx.bz2, d",
            ".mtx.xz, d",
            ".mtx.zst, d",
            ".npy.zst, d",
            ".csv.gz, d"})
    void readsWhatItWrites(String end, char type) {
        boolean complex = type == 'z' || type == 'c';
        boolean single = type == 's' || type == 'c';
        Random random = new Random(end.hashCode());
        double[][] columns = new double[3][5 * (complex ? 2 : 1)];
        for (double[] column : columns) {
            for (int i = 0; i < column.length; i++) {
                column[i] = single ? (float) random.nextGaussian() : random.nextGaussian();
            }
        }
        Path file = folder.resolve("a" + end);
        MatrixWriter.write(file, new DenseMatrix(5, complex, columns), single, "a test", done -> {});
        DenseMatrix read = read(file);
        assertThat(read.rows()).isEqualTo(5);
        assertThat(read.isComplex()).isEqualTo(complex);
        for (int j = 0; j < 3; j++) {
            for (int i = 0; i < columns[j].length; i++) {
                assertThat(read.column(j)[i]).isCloseTo(columns[j][i], within(single ? 1e-7 : 0));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {
                    "1,2.5/-3,4e1|1,-3,2.5,40",
                    "a,b/1,2/3,4|1,3,2,4",
                    "# note/1 2/3  4/|1,3,2,4",
                    "1\t2/3\t4|1,3,2,4",
                    "1,5;2/3;4,25|1.5,3,2,4.25",
                    "\"1\",\"2\"/\"3\",\"4\"|1,3,2,4",
                    "\ufeff1,2/3,4|1,3,2,4"})
    void tables(String text, String columns) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), text.replace('/', '\n'));
        DenseMatrix matrix = read(file);
        String[] wanted = columns.split(",");
        for (int k = 0; k < 4; k++) {
            assertThat(matrix.column(k / 2)[k % 2]).isEqualTo(Double.parseDouble(wanted[k]));
        }
    }

    /** Numbers of every length, some quoted or with blanks around them, so that plain lines and others are in one table. */
    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t", " "})
    void largeTablesKeepEachNumber(String separator) throws IOException {
        int m = 77;
        int n = 41;
        SplittableRandom random = new SplittableRandom(Long.getLong("basalt.test.seed", 20261127));
        double[][] wanted = new double[n][m];
        StringBuilder text = new StringBuilder("# a table\n");
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(-30, 30));
                int kind = random.nextInt(200);
                String word = kind < 100 ? String.format(Locale.ROOT, "%.6f", value) : Double.toString(value);
                wanted[j][i] = Double.parseDouble(word);
                word = separator.equals(";") ? word.replace('.', ',') : word;
                word = kind == 0 && !separator.equals(" ") ? '"' + word + '"' : kind == 1 ? "  " + word + " " : word;
                text.append(j == 0 ? "" : separator).append(word);
            }
            text.append(i % 2 == 0 ? "\r\n" : "\n");
        }
        text.setLength(text.length() - 1);
        DenseMatrix matrix = read(Files.writeString(folder.resolve("t.csv"), text));
        for (int j = 0; j < n; j++) {
            assertThat(matrix.column(j)).as("column %s", j).containsExactly(wanted[j]);
        }
    }

    /** Lines longer than what is read at a time, and a comment that is longer still. */
    @Test
    void linesOfATableMayBeLong() throws IOException {
        int n = 30_000;
        StringBuilder text = new StringBuilder("#").append("-".repeat(300_000)).append('\n');
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < n; j++) {
                text.append(j == 0 ? "" : ",").append(i).append('.').append(j);
            }
            text.append('\n');
        }
        DenseMatrix matrix = read(Files.writeString(folder.resolve("long.csv"), text));
        assertThat(matrix.rows()).isEqualTo(3);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < 3; i++) {
                assertThat(matrix.column(j)[i]).isEqualTo(Double.parseDouble(i + "." + j));
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            value = {
                    "1,2/3|:2: the line has 1 field, but the first row has 2",
                    "1,2/3,4,|:2: \"\" where field 3 belongs is not a finite number",
                    "1,2/3,1e999|:2: field 2 \"1e999\" is beyond the range of double precision",
                    "1,2/3,x|:2: \"x\" where field 2 belongs is not a finite number",
                    "1,2/,4|:2: \"\" where field 1 belongs is not a finite number",
                    "a,b|: there is no row of numbers"})
    void brokenTables(String text, String message) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), text.replace('/', '\n'));
        CommandRun run = CommandRun.of("solve", file);
        assertThat(run.failure(Failure.FAILED)).contains("t.csv" + message);
    }

    @Test
    void aByteOrderMarkIsNoText() throws IOException {
        Path file =
                Files.writeString(folder.resolve("a.mtx"), "\ufeff%%MatrixMarket matrix array real general\n1 1\n2\n");
        assertThat(read(file).column(0)).containsExactly(2);
        Files.write(file, "%%MatrixMarket matrix array real general\n1 1\n2\n".getBytes(StandardCharsets.UTF_16));
        assertThat(CommandRun.of("solve", file).failure(Failure.FAILED)).contains("is UTF-16; save it as UTF-8");
    }

    @Test
    void ofSeveralMatricesOneIsNamed() {
        CommandRun.matrix(folder, "general4.npz");
        CommandRun.matrix(folder, "general4.mat");
        CommandRun.matrix(folder, "general4.h5");
        CommandRun.matrix(folder, "general4_v73.mat");
        for (String name : new String[] {"general4.mat", "general4_v73.mat"}) {
            assertThat(CommandRun.of("svd", folder.resolve(name)).failure(Failure.FAILED))
                    .endsWith(name + ": there are A, S; say which one, as in " + folder.resolve(name) + "#A");
        }
        assertThat(CommandRun.of("svd", folder.resolve("general4.npz")).failure(Failure.FAILED)).contains("#A");
        assertThat(CommandRun.of("svd", folder.resolve("general4.npz#names")).failure(Failure.FAILED))
                .contains("the type of the elements is \"U1\"");
        assertThat(CommandRun.of("svd", folder.resolve("general4.h5#none")).failure(Failure.FAILED))
                .contains("there is no matrix \"none\"; there are ");
    }

    @Test
    void whatIsNotReadSaysWhatToDo() {
        assertThat(CommandRun.of("svd", CommandRun.matrix(folder, "general4_bsr.npz")).failure(Failure.FAILED))
                .endsWith("is of the format bsr; accepted are csr, csc, coo and dia: tocsr() makes one");
        assertThat(CommandRun.of("svd", CommandRun.matrix(folder, "general4_v4.mat")).failure(Failure.FAILED))
                .contains("a MAT file of version 4; save it as version 5 or newer");
    }

    /** What is listed of a sparse matrix is known in every format. */
    @ParameterizedTest
    @CsvSource({
            "general4_csr.npz, 'NPZ, sparse'",
            "general4.mat#S, 'MAT, sparse, matrix S'",
            "general4_v73.mat#S, 'MAT 7.3, sparse, matrix S'"})
    void sparseMatricesTellHowManyElementsTheyList(String name, String kind) {
        CommandRun.matrix(folder, name.replaceFirst("#.*", ""));
        try (MatrixFile matrix = open(folder.resolve(name))) {
            assertThat(matrix.header().listed()).isEqualTo(12);
            assertThat(matrix.header()).hasToString("4 x 4 real, " + kind + ", 12 entries");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "general4.npy",
            "general4.npz#A",
            "general4_csr.npz",
            "general4.mat#A",
            "general4.h5#group/A",
            "general4.mtx.xz",
            "general4.mtx.zst",
            "general4.mtx.bz2"})
    void brokenFilesAreOneLine(String name) throws IOException {
        String file = name.replaceFirst("#.*", "");
        byte[] bytes = Files.readAllBytes(CommandRun.matrix(folder, file));
        // Behind the array an archive has its list of names, and an HDF5 file room, which nobody misses.
        boolean tail = !file.matches(".*\\.(npz|h5)");
        for (int length : new int[] {file.endsWith(".npz") ? 50 : bytes.length / 2, tail ? bytes.length - 9 : 60, 40}) {
            Files.write(folder.resolve(file), Arrays.copyOf(bytes, length));
            CommandRun run = CommandRun.of("svd", folder.resolve(name));
            assertThat(run.failure(Failure.FAILED)).as("%s of %d bytes", name, length).startsWith("basalt svd: ");
        }
    }

    @Test
    @SuppressWarnings("unchecked")
    void standardInputAndOutput() {
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream("%%MatrixMarket matrix array real general\n2 2\n4\n0\n0\n16\n"
                    .getBytes(StandardCharsets.US_ASCII)));
            CommandRun run = CommandRun.of("solve", "-", "--inverse", "-", "--json");
            assertThat(run.code()).isZero();
            assertThat(run.out().lines().filter(line -> !line.startsWith("%"))).containsExactly("2 2", "0.25", "0.0",
                    "0.0", "0.0625");
            Map<String, Object> report = (Map<String, Object>) new JsonText(run.err()).value();
            assertThat(report).containsEntry("n", 2.0)
                    .containsEntry("nrhs", 1.0)
                    .containsKeys("backwardError", "gflops");
        } finally {
            System.setIn(before);
        }
    }

    /** Of a stream the first array is only taken if there is no other. */
    @Test
    void anArchiveThroughAPipeMustSayWhichOfItsArrays() throws IOException {
        byte[] archive = Files.readAllBytes(CommandRun.matrix(folder, "general4.npz"));
        InputStream before = System.in;
        try {
            System.setIn(new ByteArrayInputStream(archive));
            assertThat(CommandRun.of("svd", "-").failure(Failure.FAILED))
                    .isEqualTo("basalt svd: -: there are A, names, B; say which one, as in /dev/stdin#A");
        } finally {
            System.setIn(before);
        }
    }

    /** A shell's process substitution has a name, and is a pipe all the same. */
    @ParameterizedTest
    @ValueSource(
            strings = {"general4.npy", "general4.npz#A", "general4_csr.npz", "general4.mat#A", "general4.h5#group/A"})
    void namedPipesAreReadOnce(String name) throws IOException, InterruptedException {
        Path file = CommandRun.matrix(folder, name.replaceFirst("#.*", ""));
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        Process writer =
                new ProcessBuilder("sh", "-c", "cat \"$0\" > \"$1\"", file.toString(), pipe.toString()).start();
        try {
            isGeneral(read(Path.of(name.replaceFirst("[^#]*", pipe.toString()))));
        } finally {
            writer.destroy();
        }
    }

    @Test
    void complexNumbersDoNotGoIntoATable() {
        Path file = CommandRun.matrix(folder, "hermitian2.npy");
        assertThat(CommandRun.of("solve", file, "--out", folder.resolve("x.csv")).failure(Failure.FAILED))
                .contains("this format has no complex numbers here");
    }

    @Test
    @SuppressWarnings("unchecked")
    void benchAsJson() {
        String out =
                CommandRun.of("bench", "-f", "dot", "-r", "d", "-n", "8,16", "-i", 1, "-j", 1, "--warmup", 1, "--json")
                        .good()
                        .out();
        assertThat(out.lines()).hasSize(2)
                .allSatisfy(line -> assertThat((Map<String, Object>) new JsonText(line).value())
                        .containsEntry("function", "dot")
                        .containsEntry("verified", "ok")
                        .containsKey("us"));
        assertThat(BenchLines.fields("a,\"b,\"\"c\",")).containsExactly("a", "b,\"c", "");
    }
}
