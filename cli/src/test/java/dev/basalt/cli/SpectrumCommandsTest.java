package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code basalt svd} and {@code basalt eig}, against matrices whose values are known. */
class SpectrumCommandsTest {
    private static final String ARRAY = "%%MatrixMarket matrix array real general\n";

    @TempDir
    private Path folder;

    private static DenseMatrix read(Path file) {
        try (MarketReader reader = MarketReader.open(file, new Progress(null, false, 0, Progress.Amount.NONE))) {
            return DenseMatrix.of(reader.read(), reader.header().isComplex());
        }
    }

    /** Q D of 6×4 with D = 8, 4, 2, 0 and orthogonal columns, of signs in the manner of Hadamard. */
    private Path rankThree() {
        double[][] signs = {{1, 1, 1, 1}, {1, -1, 1, -1}, {1, 1, -1, -1}, {1, -1, -1, 1}};
        double[] d = {8, 4, 2, 0};
        StringBuilder text = new StringBuilder(ARRAY + "6 4\n");
        for (int j = 0; j < 4; j++) {
            for (int i = 0; i < 6; i++) {
                text.append(i < 4 ? signs[i][j] * d[j] / 2 : 0).append('\n');
            }
        }
        return CommandRun.file(folder, text.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "d", "c", "z"})
    void svdFindsKnownValuesRankAndCondition(String type) {
        double eps = type.equals("s") || type.equals("c") ? 1e-6 : 1e-14;
        Path values = folder.resolve("s.mtx");
        CommandRun run = CommandRun.of("svd", rankThree(), "--type", type, "--values", values).good();
        assertThat(run.value("rank")).startsWith("3 of 4 ");
        assertThat(run.value("method")).isEqualTo("gesvd, values");
        assertThat(Double.parseDouble(run.value("consistency").split(" ")[0])).isLessThan(eps);
        double[] s = read(values).column(0);
        assertThat(s).hasSize(4);
        assertThat(s[0]).isCloseTo(8, within(10 * eps));
        assertThat(s[1]).isCloseTo(4, within(10 * eps));
        assertThat(s[2]).isCloseTo(2, within(10 * eps));
        assertThat(s[3]).isCloseTo(0, within(10 * eps));
    }

    @ParameterizedTest
    @CsvSource({"7, 4, d", "4, 7, d", "5, 5, s", "6, 3, z", "3, 6, c", "1, 1, d", "1, 5, z"})
    void vectorsMakeTheMatrixAgain(int m, int n, String type) throws Exception {
        boolean complex = type.equals("z") || type.equals("c");
        double eps = type.equals("s") || type.equals("c") ? 1e-5 : 1e-13;
        Path a = random(m, n, complex);
        Path u = folder.resolve("u.mtx.gz");
        Path vt = folder.resolve("vt.mtx");
        Path s = folder.resolve("s.mtx");
        CommandRun run = CommandRun.of("svd", a, "--type", type, "--u", u, "--vt", vt, "--values", s).good();
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(eps);
        assertThat(Double.parseDouble(run.value("orthogonality").split(" ")[0])).isLessThan(eps);
        DenseMatrix left = read(u);
        DenseMatrix right = read(vt);
        double[] values = read(s).column(0);
        DenseMatrix matrix = read(a);
        int parts = complex ? 2 : 1;
        for (int j = 0; j < n; j++) {
            double[] sum = new double[2];
            for (int i = 0; i < m; i++) {
                sum[0] = 0;
                sum[1] = 0;
                for (int l = 0; l < values.length; l++) {
                    double ur = left.column(l)[i * parts] * values[l];
                    double ui = complex ? left.column(l)[2 * i + 1] * values[l] : 0;
                    double vr = right.column(j)[l * parts];
                    double vi = complex ? right.column(j)[2 * l + 1] : 0;
                    sum[0] += ur * vr - ui * vi;
                    sum[1] += ur * vi + ui * vr;
                }
                assertThat(sum[0]).isCloseTo(matrix.column(j)[i * parts], within(10 * eps));
                assertThat(sum[1]).isCloseTo(complex ? matrix.column(j)[2 * i + 1] : 0, within(10 * eps));
            }
        }
    }

    private Path random(int m, int n, boolean complex) throws Exception {
        Random random = new Random(7);
        StringBuilder text = new StringBuilder(
                "%%MatrixMarket matrix array " + (complex ? "complex" : "real") + " general\n" + m + " " + n + "\n");
        for (int i = 0; i < m * n; i++) {
            text.append(random.nextGaussian()).append(complex ? " " + random.nextGaussian() : "").append('\n');
        }
        return Files.writeString(folder.resolve("random.mtx"), text);
    }

    /** Moore and Penrose: A P A = A and P A P = P, also where A has not full rank. */
    @Test
    void thePseudoInverseIsOne() {
        Path a = rankThree();
        Path p = folder.resolve("p.mtx");
        CommandRun.of("svd", a, "--pinv", p).good();
        double[][] matrix = rows(read(a));
        double[][] inverse = rows(read(p));
        assertThat(inverse).hasDimensions(4, 6);
        same(times(times(matrix, inverse), matrix), matrix);
        same(times(times(inverse, matrix), inverse), inverse);
    }

    private static void same(double[][] a, double[][] b) {
        for (int i = 0; i < b.length; i++) {
            for (int j = 0; j < b[0].length; j++) {
                assertThat(a[i][j]).isCloseTo(b[i][j], within(1e-13));
            }
        }
    }

    private static double[][] rows(DenseMatrix a) {
        double[][] rows = new double[a.rows()][a.cols()];
        for (int j = 0; j < a.cols(); j++) {
            for (int i = 0; i < a.rows(); i++) {
                rows[i][j] = a.column(j)[i];
            }
        }
        return rows;
    }

    private static double[][] times(double[][] a, double[][] b) {
        double[][] c = new double[a.length][b[0].length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < b[0].length; j++) {
                for (int l = 0; l < b.length; l++) {
                    c[i][j] += a[i][l] * b[l][j];
                }
            }
        }
        return c;
    }

    @Test
    void theZeroMatrixHasRankZeroAndAPseudoInverseOfZeros() {
        Path zero = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n2 3 0\n");
        Path p = folder.resolve("p.mtx");
        CommandRun run = CommandRun.of("svd", zero, "--pinv", p, "--plot", folder.resolve("p.svg")).good();
        assertThat(run.value("rank")).startsWith("0 of 2");
        assertThat(run.value("condition")).startsWith("infinite");
        assertThat(read(p).column(1)).containsOnly(0).hasSize(3);
    }

    @Test
    void kAndJsonAndPlots() throws Exception {
        Path svg = folder.resolve("scree.svg");
        Path png = folder.resolve("scree.png");
        CommandRun run = CommandRun.of("svd", rankThree(), "-k", 2, "--json", "--plot", svg).good();
        @SuppressWarnings("unchecked")
        Map<String, Object> json = (Map<String, Object>) new JsonText(run.out()).value();
        assertThat((List<?>) json.get("values")).hasSize(2);
        assertThat(json).containsEntry("rank", 3.0).containsEntry("type", "d").containsKeys("workspace", "seconds");
        String text = Files.readString(svg);
        assertThat(text).contains("prefers-color-scheme: dark", "counted in the rank (3)", "taken for 0 (1)", "</svg>");
        assertThat(text.length()).isLessThan(20_000);
        CommandRun.of("eig", CommandRun.matrix(folder, "spd3.mtx"), "--plot", png, "--quiet").good();
        assertThat(Files.readAllBytes(png)).startsWith(0x89, 'P', 'N', 'G');
    }

    @Test
    void quietPrintsNothing() {
        assertThat(CommandRun.of("svd", rankThree(), "--quiet").good().out()).isEmpty();
    }

    @Test
    void verboseTellsTheSteps() {
        CommandRun run = CommandRun.of("svd", rankThree(), "--verbose");
        assertThat(run.code()).isZero();
        assertThat(run.err()).containsPattern("reading A.mtx: [0-9.]+ s").containsPattern("decomposing: [0-9.]+ s");
    }

    /** 2 -1 0; -1 2 -1; 0 -1 2 has the eigenvalues 2 - 2 cos(jπ/4). */
    @Test
    void eigFindsKnownValues() {
        Path a = CommandRun.file(folder,
                "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 2\n2 2 2\n3 3 2\n2 1 -1\n3 2 -1\n");
        Path values = folder.resolve("d.mtx");
        Path vectors = folder.resolve("v.mtx");
        CommandRun run = CommandRun.of("eig", a, "--values", values, "--vectors", vectors).good();
        assertThat(run.value("inertia")).isEqualTo("3 positive, 0 negative, 0 zero");
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(1e-14);
        double[] d = read(values).column(0);
        for (int j = 0; j < 3; j++) {
            assertThat(d[j]).isCloseTo(2 - 2 * Math.cos((j + 1) * Math.PI / 4), within(1e-14));
        }
        double[] middle = read(vectors).column(1);
        assertThat(Math.abs(middle[0] + middle[2])).isLessThan(1e-14);
        CommandRun.of("eig", a, "-k", 1, "--values", values).good();
        assertThat(read(values).column(0)).hasSize(1).satisfies(v -> assertThat(v[0]).isCloseTo(d[2], within(1e-14)));
    }

    @ParameterizedTest
    @CsvSource({
            "hermitian2.mtx, heevd, z",
            "hermitian2.mtx, heevd, c",
            "indefinite2.mtx, syevd, d",
            "spd3.mtx, heevd, z"})
    void eigInEveryType(String name, String routine, String type) {
        CommandRun run = CommandRun
                .of("eig", CommandRun.matrix(folder, name), "--type", type, "--vectors", folder.resolve("v.mtx"))
                .good();
        assertThat(run.value("method")).isEqualTo(routine + ", values and vectors");
        double eps = type.equals("c") ? 1e-5 : 1e-14;
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(eps);
        assertThat(Double.parseDouble(run.value("consistency").split(" ")[0])).isLessThan(eps);
    }

    /** A companion matrix of (x - 1)(x - 2)(x² + 4): its values are 1, 2 and ±2i. */
    private Path companion() {
        return CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n4 4 7\n"
                + "1 1 3\n1 2 -6\n1 3 12\n1 4 -8\n2 1 1\n3 2 1\n4 3 1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "d", "c", "z"})
    void eigFindsComplexValuesOfGeneralMatrices(String type) {
        double eps = type.equals("s") || type.equals("c") ? 1e-5 : 1e-13;
        Path values = folder.resolve("w.mtx");
        Path vectors = folder.resolve("v.mtx");
        CommandRun run =
                CommandRun.of("eig", companion(), "--type", type, "--values", values, "--vectors", vectors).good();
        assertThat(run.value("method")).isEqualTo("geev, values and vectors");
        String spectrum = run.value("spectrum");
        assertThat(Double.parseDouble(spectrum.substring(spectrum.lastIndexOf(' ')))).isCloseTo(2, within(100 * eps));
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(eps);
        assertThat(Double.parseDouble(run.value("consistency").split(" ")[0])).isLessThan(eps);
        assertThat(Double.parseDouble(run.value("condition").split(" ")[0])).isBetween(2.0, 100.0);
        double[] w = read(values).column(0);
        double[][] expected = {{0, -2}, {0, 2}, {1, 0}, {2, 0}};
        // Rounding may leave either of a pair first where elements are complex.
        boolean turned = w[1] > 0;
        for (int j = 0; j < 4; j++) {
            double[] should = expected[turned && j < 2 ? 1 - j : j];
            assertThat(Math.hypot(w[2 * j] - should[0], w[2 * j + 1] - should[1])).isLessThan(100 * eps);
        }
        // The vector of x is x³, x², x, 1.
        DenseMatrix v = read(vectors);
        assertThat(v.isComplex()).isTrue();
        double[] last = v.column(3);
        assertThat(Math.abs(last[0] / last[6])).isCloseTo(8, within(1000 * eps));
        assertThat(Math.abs(last[1])).isLessThan(100 * eps);
    }

    /** A Jordan block has but one vector, so no bound for the error of its values. */
    @Test
    void eigSaysThatADefectiveValueHasNoCondition() {
        Path a = CommandRun.file(folder,
                "%%MatrixMarket matrix coordinate real general\n3 3 5\n" + "1 1 2\n2 2 2\n3 3 2\n1 2 1\n2 3 1\n");
        CommandRun run = CommandRun.of("eig", a, "--vectors", folder.resolve("v.mtx")).good();
        String condition = run.value("condition").split(" ")[0];
        assertThat(condition.equals("infinite") || Double.parseDouble(condition) > 1e10).as(condition).isTrue();
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(1e-14);
        assertThat(run.value("spectrum")).startsWith("3 real, 0 complex; ");
    }

    @Test
    void theLargestOfGeneralMatricesAsJsonAndInThePlane() throws Exception {
        Path svg = folder.resolve("plane.svg");
        CommandRun run = CommandRun
                .of("eig", companion(), "-k", 3, "--json", "--plot", svg, "--vectors", folder.resolve("v.mtx"))
                .good();
        @SuppressWarnings("unchecked")
        Map<String, Object> json = (Map<String, Object>) new JsonText(run.out()).value();
        assertThat((List<?>) json.get("values")).hasSize(3).allSatisfy(value -> {
            List<?> parts = (List<?>) value;
            assertThat(parts).hasSize(2);
            assertThat(Math.hypot((Double) parts.get(0), (Double) parts.get(1))).isCloseTo(2, within(1e-13));
        });
        assertThat((List<?>) json.get("conditions")).hasSize(3);
        assertThat(json).containsKeys("radius", "abscissa", "departure", "condition", "residual", "workspace");
        assertThat(Files.readString(svg)).contains("imaginary part", "real (2)", "complex (2)", "</svg>");
        assertThat(read(folder.resolve("v.mtx")).cols()).isEqualTo(3);
    }

    @Test
    void refusesWhatItCannotDo() {
        assertThat(CommandRun.of("eig", rankThree()).failure(Failure.FAILED))
                .endsWith("a matrix of 6 x 4 has no eigenvalues; basalt svd computes its singular values");
        assertThat(CommandRun.of("svd", rankThree(), "--tolerance", 1).failure(Failure.USAGE))
                .contains("--tolerance is 1.0; accepted are numbers from 0 to below 1");
        assertThat(CommandRun.of("svd", rankThree(), "--plot", "a.pdf").failure(Failure.USAGE))
                .contains("--plot: a.pdf must end in .png or .svg");
        assertThat(CommandRun.of("svd", rankThree(), "--u", folder.resolve("no/u.mtx")).failure(Failure.FAILED))
                .contains("there is no directory");
        Path empty = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
        assertThat(CommandRun.of("svd", empty).failure(Failure.FAILED)).endsWith("there is nothing to decompose");
        Path vast =
                CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n9000000 9000000 1\n1 1 1\n");
        assertThat(CommandRun.of("svd", vast).failure(Failure.FAILED)).contains("not enough memory");
    }

    @Test
    void aFixedWorkspaceIsKept() throws Exception {
        CommandRun run =
                CommandRun.of("eig", symmetric(80), "--vectors", folder.resolve("v.mtx"), "--workspace", "100k").good();
        assertThat(run.value("workspace")).contains("held 100 KiB", "scheme MANUAL");
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(1e-13);
        assertThat(CommandRun.of("eig", symmetric(80), "--workspace", "1").failure(Failure.FAILED))
                .contains("not enough workspace: ", "use --workspace ");
    }

    private Path symmetric(int n) throws Exception {
        Random random = new Random(3);
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array real symmetric\n" + n + " " + n + "\n");
        for (int i = 0; i < n * (n + 1) / 2; i++) {
            text.append(random.nextGaussian()).append('\n');
        }
        return Files.writeString(folder.resolve("symmetric.mtx"), text);
    }
}
