package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Least squares, mixed precision, determinants and inverses by {@code basalt solve}. */
class SolveMethodsTest {
    @TempDir
    private Path folder;

    private static CommandRun run(Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = "solve";
        System.arraycopy(args, 0, all, 1, args.length);
        return CommandRun.of(all);
    }

    private Path matrix(String name) {
        return CommandRun.matrix(folder, name);
    }

    private Path random(int m, int n, boolean complex) throws IOException {
        Random random = new Random(m + 31L * n);
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array ").append(complex ? "complex" : "real")
                .append(" general\n")
                .append(m)
                .append(' ')
                .append(n)
                .append('\n');
        for (int i = 0; i < m * n; i++) {
            text.append(2 * random.nextDouble() - 1);
            text.append(complex ? " " + (2 * random.nextDouble() - 1) : "").append('\n');
        }
        return Files.writeString(folder.resolve("random.mtx"), text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "d", "c", "z"})
    void aTallMatrixIsSolvedByLeastSquares(String type) throws IOException {
        Path a = random(40, 7, type.equals("c") || type.equals("z"));
        boolean single = type.equals("s") || type.equals("c");
        CommandRun run = run(a, "--type", type, "--nrhs", 3).good();
        assertThat(run.value("method")).isEqualTo("QR (more equations than unknowns: least squares)");
        assertThat(run.value("n")).isEqualTo("7, 40 equations");
        assertThat(run.value("condition")).contains("of the triangle");
        assertThat(run.number("backward error")).isLessThan(single ? 1e-6 : 1e-15);
        assertThat(run.number("forward error")).isLessThan(single ? 1e-5 : 1e-14);
    }

    /** The line through (0, 1), (1, 2), (2, 6), (3, 7): 0.7 + 2.2 x. */
    @Test
    void aLineThroughPoints() throws IOException {
        Path a = CommandRun.file(folder, "%%MatrixMarket matrix array real general\n4 2\n1\n1\n1\n1\n0\n1\n2\n3\n");
        Path b = Files.writeString(folder.resolve("b.mtx"),
                "%%MatrixMarket matrix array real general\n4 1\n1\n2\n6\n7\n");
        Path x = folder.resolve("x.mtx");
        CommandRun run = run(a, b, "--out", x).good();
        assertThat(run.value("residual")).isEqualTo("1.29e-01 of the right-hand side");
        assertThat(run.number("backward error")).isLessThan(1e-15);
        List<String> lines = Files.readAllLines(x);
        assertThat(lines.get(2)).isEqualTo("2 1");
        assertThat(Math.abs(Double.parseDouble(lines.get(3)) - 0.7)).isLessThan(1e-14);
        assertThat(Math.abs(Double.parseDouble(lines.get(4)) - 2.2)).isLessThan(1e-14);
    }

    @Test
    void aWideMatrixHasTheSolutionOfLeastNorm() throws IOException {
        Path a = CommandRun.file(folder, "%%MatrixMarket matrix array real general\n1 2\n3\n4\n");
        Path b = Files.writeString(folder.resolve("b.mtx"), "%%MatrixMarket matrix array real general\n1 1\n25\n");
        Path x = folder.resolve("x.mtx");
        CommandRun run = run(a, b, "--out", x).good();
        assertThat(run.value("method")).isEqualTo("QR (fewer equations than unknowns: the solution of least norm)");
        List<String> lines = Files.readAllLines(x);
        assertThat(Math.abs(Double.parseDouble(lines.get(3)) - 3)).isLessThan(1e-14);
        assertThat(Math.abs(Double.parseDouble(lines.get(4)) - 4)).isLessThan(1e-14);
        assertThat(run(random(5, 30, false)).good().value("forward error"))
                .isEqualTo("unknown (there are many solutions)");
    }

    @Test
    void aMatrixWithoutFullRankIsRefused() {
        Path a = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 1\n2 1 1\n");
        assertThat(run(a).failure(Failure.FAILED))
                .endsWith("the matrix has not full rank: element 2 of the triangle's diagonal is exactly 0");
    }

    @Test
    void squareMatricesByQr() {
        CommandRun run = run(matrix("general4.mtx"), "--method", "qr").good();
        assertThat(run.value("method")).isEqualTo("QR (as asked for, square)");
        assertThat(run.number("forward error")).isLessThan(1e-14);
    }

    @Test
    void indefiniteMatricesByLdl() {
        CommandRun run = run(matrix("indefinite2.mtx"), "--method", "ldl", "--nrhs", 2).good();
        assertThat(run.value("method")).isEqualTo("LDL (as asked for)");
        assertThat(run.number("forward error")).isLessThan(1e-14);
        assertThat(run(matrix("hermitian2.mtx"), "--method", "ldl").good().number("forward error")).isLessThan(1e-14);
        assertThat(run(matrix("general4.mtx"), "--method", "ldl").failure(Failure.FAILED))
                .contains("not symmetric: entry (2, 1)", "use --method lu");
    }

    @Test
    void mixedPrecisionIsAsGoodAsDouble() throws IOException {
        CommandRun run = run(random(60, 60, false), "--method", "mixed", "--nrhs", 2).good();
        assertThat(run.value("method")).isEqualTo("mixed (as asked for)");
        assertThat(run.value("refinement")).matches("[0-9]+ steps?");
        assertThat(run.value("condition")).isEqualTo("not estimated (mixed leaves no factors)");
        assertThat(run.number("backward error")).isLessThan(1e-15);
        assertThat(run(random(60, 60, true), "--method", "mixed", "--cond").good().value("condition"))
                .contains("1-norm, estimated");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tf32", "f16", "bf16"})
    void roundedProductsAreRefinedByGmres(String precision) throws IOException {
        for (boolean complex : new boolean[] {false, true}) {
            CommandRun run = run(random(60, 60, complex), "--method", "mixed-" + precision, "--nrhs", 2).good();
            assertThat(run.value("method")).isEqualToIgnoringCase("mixed, " + precision + " (as asked for)");
            assertThat(run.value("refinement")).matches("[0-9]+ steps?");
            assertThat(run.number("backward error")).isLessThan(1e-15);
        }
        Path singular = CommandRun.file(folder,
                "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n2 1 1\n1 2 1\n2 2 1.000000000001\n");
        assertThat(run(singular, "--method", "mixed-" + precision).good().value("refinement"))
                .isEqualTo("singular in low precision; factored in double precision");
    }

    @Test
    void mixedPrecisionFallsBackAndSaysSo() {
        Path a = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e200\n2 2 1\n");
        assertThat(run(a, "--method", "mixed").good().value("refinement"))
                .isEqualTo("a number was too large for single precision; factored in double precision");
    }

    @Test
    void mixedPrecisionIsOfDoublesAlone() {
        assertThat(run(matrix("general4.mtx"), "--method", "mixed", "--type", "s").failure(Failure.FAILED))
                .endsWith("mixed refines to double precision; use --type d (or z)");
    }

    @Test
    void determinants() {
        Path definite = matrix("spd3.mtx");
        assertThat(run(definite, "--det", "--method", "cholesky").good().value("determinant"))
                .isEqualTo(run(definite, "--det", "--method", "lu").good().value("determinant"));
        Path swapped = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 3\n2 1 4\n");
        assertThat(run(swapped, "--det").good().value("determinant")).isEqualTo("-1.200000e+01");
        Path large =
                CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1e300\n2 2 1e300\n");
        assertThat(run(large, "--det").good().value("determinant")).isEqualTo("1.000000e+600");
        Path complex =
                CommandRun.file(folder, "%%MatrixMarket matrix coordinate complex general\n2 2 2\n1 1 0 2\n2 2 1 1\n");
        assertThat(run(complex, "--det").good().value("determinant")).isEqualTo("-2.000000e+00 +2.000000e+00 i");
    }

    @Test
    void inverses() throws IOException {
        Path inverse = folder.resolve("inverse.mtx");
        Path a = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 2\n1 2 1\n2 2 4\n");
        CommandRun run = run(a, "--inverse", inverse).good();
        assertThat(run.value("inverse")).startsWith(inverse + ", backward error ");
        assertThat(Files.readAllLines(inverse).stream().skip(3).map(Double::parseDouble)).containsExactly(0.5, 0.0,
                -0.125, 0.25);
        Path definite = matrix("spd3.mtx");
        run(definite, "--inverse", inverse).good();
        assertThat(run(inverse, definite).good().number("backward error")).isLessThan(1e-14);
    }

    @Test
    void whatHasNoDeterminantOrInverse() throws IOException {
        assertThat(run(random(3, 2, false), "--det").failure(Failure.FAILED))
                .endsWith("a matrix of 3 x 2 has neither determinant nor inverse");
        assertThat(run(matrix("general4.mtx"), "--det", "--method", "qr").failure(Failure.FAILED))
                .endsWith("--det and --inverse take the factors of --method lu or cholesky");
        assertThat(run(random(3, 2, false), "--method", "lu").failure(Failure.FAILED)).endsWith(
                "the matrix is not square but 3 x 2; LU needs as many equations as unknowns, use --method qr");
    }
}
