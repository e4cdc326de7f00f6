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

/** {@code -k} by Lanczos' method, against known values and against all values of a dense matrix. */
class LargestValuesTest {
    private static final int LARGE = 300_000;

    @TempDir
    private Path folder;

    private DenseMatrix read(String name) {
        Path file = folder.resolve(name);
        try (MarketReader reader = MarketReader.open(file, new Progress(null, false, 0, Progress.Amount.NONE))) {
            return DenseMatrix.of(reader.read(), reader.header().isComplex());
        }
    }

    /** Blocks [a b; b a] on the diagonal have the values a ± b. As a dense matrix it would take 720 GB. */
    private Path blocks() throws Exception {
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real symmetric\n" + LARGE + " " + LARGE
                + " " + (LARGE + LARGE / 2) + "\n");
        for (int i = 0; i < LARGE; i += 2) {
            double a = (i % 4 == 0 ? 1 : -1) * 1000.0 / (1 + i / 2);
            text.append(i + 1).append(' ').append(i + 1).append(' ').append(a).append('\n');
            text.append(i + 2).append(' ').append(i + 1).append(' ').append(a / 10).append('\n');
            text.append(i + 2).append(' ').append(i + 2).append(' ').append(a).append('\n');
        }
        return Files.writeString(folder.resolve("blocks.mtx"), text);
    }

    @Test
    void aLargeSparseMatrixIsNeverDense() throws Exception {
        Path a = blocks();
        CommandRun eig = CommandRun
                .of("eig", a, "-k", 4, "--values", folder.resolve("w.mtx"), "--vectors", folder.resolve("v.mtx"))
                .good();
        assertThat(eig.value("method")).startsWith("Lanczos, the largest 4 of 300000, ");
        assertThat(read("w.mtx").column(0)).containsExactly(new double[] {1100, 900, -550, -450}, within(1e-9));
        double[] last = read("v.mtx").column(3);
        assertThat(last[2] + last[3]).isCloseTo(0, within(1e-12));
        assertThat(last[2] * last[2]).isCloseTo(0.5, within(1e-12));
        CommandRun svd = CommandRun.of("svd", a, "-k", 3, "--values", folder.resolve("s.mtx")).good();
        assertThat(read("s.mtx").column(0)).containsExactly(new double[] {1100, 900, 550}, within(1e-9));
        for (CommandRun run : List.of(eig, svd)) {
            assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(1e-13);
            assertThat(Double.parseDouble(run.value("orthogonality").split(" ")[0])).isLessThan(1e-13);
        }
        for (String command : List.of("eig", "svd")) {
            assertThat(CommandRun.of(command, a, "-k", 4, "--method", "dense").failure(Failure.FAILED))
                    .contains("not enough memory");
        }
    }

    /** About four elements a row. */
    private Path random(int m, int n, boolean complex, boolean symmetric) throws Exception {
        Random random = new Random(5);
        int entries = 0;
        StringBuilder text = new StringBuilder();
        for (int j = 0; j < n; j++) {
            for (int i = symmetric ? j : 0; i < m; i++) {
                if (i == j || random.nextInt(n) < 4) {
                    text.append(i + 1).append(' ').append(j + 1).append(' ').append(random.nextGaussian());
                    text.append(!complex ? "" : symmetric && i == j ? " 0" : " " + random.nextGaussian()).append('\n');
                    entries++;
                }
            }
        }
        String kind = (complex ? "complex " : "real ") + (!symmetric ? "general" : complex ? "hermitian" : "symmetric");
        return Files.writeString(folder.resolve("random.mtx"),
                "%%MatrixMarket matrix coordinate " + kind + "\n" + m + " " + n + " " + entries + "\n" + text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "d", "c", "z"})
    void eigenvaluesAreThoseOfTheDenseMatrix(String type) throws Exception {
        boolean complex = type.equals("c") || type.equals("z");
        double eps = type.equals("s") || type.equals("c") ? 1e-5 : 1e-13;
        Path a = random(70, 70, complex, true);
        CommandRun.of("eig", a, "-k", 6, "--type", type, "--values", folder.resolve("all.mtx")).good();
        CommandRun run = CommandRun
                .of("eig", a, "-k", 6, "--type", type, "--method", "lanczos", "--values", folder.resolve("some.mtx"))
                .good();
        double[] all = read("all.mtx").column(0);
        assertThat(read("some.mtx").column(0)).hasSize(6).containsExactly(all, within(10 * eps));
        assertThat(Double.parseDouble(run.value("residual").split(" ")[0])).isLessThan(eps);
        assertThat(Double.parseDouble(run.value("orthogonality").split(" ")[0])).isLessThan(eps);
    }

    @ParameterizedTest
    @CsvSource({"60, 45, d", "45, 60, d", "50, 50, s", "60, 45, z", "45, 60, c", "5, 3, d", "1, 1, z"})
    void singularValuesAreThoseOfTheDenseMatrix(int m, int n, String type) throws Exception {
        double eps = type.equals("s") || type.equals("c") ? 1e-5 : 1e-13;
        int k = Math.min(4, Math.min(m, n));
        Path a = random(m, n, type.equals("c") || type.equals("z"), false);
        CommandRun.of("svd", a, "-k", 4, "--type", type, "--values", folder.resolve("all.mtx")).good();
        CommandRun run = CommandRun
                .of("svd", a, "-k", 4, "--type", type, "--method", "lanczos", "--values", folder.resolve("some.mtx"),
                        "--u", folder.resolve("u.mtx"), "--vt", folder.resolve("vt.mtx"), "--json")
                .good();
        assertThat(read("some.mtx").column(0)).containsExactly(read("all.mtx").column(0), within(10 * eps));
        assertThat(read("u.mtx")).returns(m, DenseMatrix::rows).returns(k, DenseMatrix::cols);
        assertThat(read("vt.mtx")).returns(k, DenseMatrix::rows).returns(n, DenseMatrix::cols);
        @SuppressWarnings("unchecked")
        Map<String, Object> json = (Map<String, Object>) new JsonText(run.out()).value();
        assertThat((List<?>) json.get("values")).hasSize(k);
        assertThat((Double) json.get("residual")).isLessThan(eps);
        assertThat((Double) json.get("orthogonality")).isLessThan(eps);
        assertThat((Double) json.get("share")).isBetween(0.1, 1 + eps);
    }

    @Test
    void smallMatricesAndAllValuesAreDense() throws Exception {
        Path a = random(40, 40, false, true);
        assertThat(CommandRun.of("eig", a, "-k", 2).good().value("method")).isEqualTo("syevd, values");
        assertThat(CommandRun.of("svd", a).good().value("method")).isEqualTo("gesvd, values");
        assertThat(CommandRun.of("svd", a, "-k", 2, "--method", "dense").good().value("rank")).startsWith("40 of 40");
    }

    @Test
    void whatDoesNotGoTogetherIsRefused() throws Exception {
        Path a = random(30, 30, false, false);
        assertThat(CommandRun.of("eig", a, "--method", "lanczos", "-k", 2).failure(Failure.FAILED))
                .contains("Lanczos' method takes symmetric and Hermitian matrices", "use --method dense");
        assertThat(CommandRun.of("svd", a, "--method", "lanczos").failure(Failure.USAGE)).contains("-k says how many");
        assertThat(CommandRun.of("svd", a, "--method", "lanczos", "-k", 2, "--pinv", folder.resolve("p.mtx"))
                .failure(Failure.USAGE)).contains("--pinv takes all values");
        assertThat(CommandRun.of("svd", a, "--method", "best").failure(Failure.USAGE))
                .contains("\"best\" is not a method; accepted are auto, dense and lanczos");
    }
}
