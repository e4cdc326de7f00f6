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

class SolveCommandTest {
    @TempDir
    private Path folder;

    private CommandRun solve(Object... args) {
        Object[] all = new Object[args.length + 1];
        all[0] = "solve";
        System.arraycopy(args, 0, all, 1, args.length);
        return CommandRun.of(all).good();
    }

    private Path matrix(String name) {
        return CommandRun.matrix(folder, name);
    }

    @Test
    void reportsEverything() {
        CommandRun run = solve(matrix("general4.mtx"));
        assertThat(run.value("n")).isEqualTo("4");
        assertThat(run.value("type")).isEqualTo("d");
        assertThat(run.value("method")).isEqualTo("LU (not symmetric: entry (2, 1) does not match (1, 2))");
        assertThat(run.value("condition")).matches("[3-9]\\.[0-9]e\\+00 \\(1-norm, estimated in [0-9.]+ s\\)");
        assertThat(run.number("backward error")).isBetween(0.0, 1e-15);
        assertThat(run.number("forward error")).isBetween(0.0, 1e-14);
        assertThat(run.value("time")).matches("[0-9.]+ s \\(factor [0-9.]+, solve [0-9.]+\\)");
        assertThat(run.value("rate")).endsWith(" GFLOP/s");
        assertThat(run.value("workspace")).contains("used", "planned", "minimum", "scheme MANAGED");
        assertThat(run.value("right-hand side")).isEqualTo("1 column from a random solution, seed 42");
        assertThat(run.out()).doesNotContain("degraded", "warning");
    }

    @ParameterizedTest
    @ValueSource(strings = {"spd3.mtx", "hermitian2.mtx", "skew4.mtx", "general4.mtx", "indefinite2.mtx"})
    void everyMatrixInEveryType(String name) {
        Path a = matrix(name);
        boolean complex = name.startsWith("hermitian");
        for (String type : complex ? List.of("c", "z") : List.of("s", "d", "c", "z")) {
            boolean single = type.equals("s") || type.equals("c");
            CommandRun run = solve(a, "--type", type, "--nrhs", 3);
            assertThat(run.value("type")).isEqualTo(type);
            assertThat(run.number("backward error")).isLessThan(single ? 1e-6 : 1e-15);
            assertThat(run.number("forward error")).isLessThan(single ? 1e-5 : 1e-14);
        }
    }

    @Test
    void autoTakesCholeskyWhereItCan() {
        assertThat(solve(matrix("spd3.mtx")).value("method")).isEqualTo("Cholesky (symmetric, positive diagonal)");
        assertThat(solve(matrix("hermitian2.mtx")).value("method"))
                .isEqualTo("Cholesky (Hermitian, positive diagonal)");
    }

    @Test
    void autoTakesLdlForIndefiniteMatricesAndSaysSo() {
        CommandRun run = solve(matrix("indefinite2.mtx"));
        assertThat(run.value("method")).matches(
                "LDL \\(symmetric, not positive definite: Cholesky stopped at the leading minor of order 2 after .* s\\)");
        assertThat(run.number("forward error")).isLessThan(1e-14);
        Path zero = CommandRun.file(folder, "%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 1 1\n");
        assertThat(solve(zero).value("method"))
                .isEqualTo("LDL (symmetric, not positive definite: diagonal entry (1, 1) is not positive)");
        assertThat(solve(zero, "--det").value("method"))
                .isEqualTo("LU (not positive definite: diagonal entry (1, 1) is not positive)");
    }

    @Test
    void autoTakesANarrowBandForOne() {
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real general\n40 40 156\n");
        for (int i = 1; i <= 40; i++) {
            for (int j = Math.max(1, i - 2); j <= Math.min(40, i + 1); j++) {
                text.append(i).append(' ').append(j).append(' ').append(i == j ? 3 : 1.0 / (i + j)).append('\n');
            }
        }
        Path band = CommandRun.file(folder, text.toString());
        CommandRun run = solve(band, "--nrhs", "3");
        assertThat(run.value("method")).isEqualTo("banded LU (2 diagonals below the main one, 1 above)");
        assertThat(run.number("forward error")).isLessThan(1e-14);
        CommandRun dense = solve(band, "--method", "lu");
        assertThat(run.value("condition")).startsWith(dense.value("condition").substring(0, 6));
        assertThat(solve(matrix("spd3.mtx"), "--method", "banded").value("method"))
                .startsWith("banded LU (as asked for");
    }

    @Test
    void theMethodCanBeAskedFor() {
        Path a = matrix("spd3.mtx");
        assertThat(solve(a, "--method", "LU").value("method")).isEqualTo("LU (as asked for)");
        assertThat(solve(a, "--method", "cholesky").value("method")).isEqualTo("Cholesky (as asked for)");
    }

    @Test
    void solvesForGivenRightHandSides() throws IOException {
        Path x = folder.resolve("x.mtx");
        CommandRun run = solve(matrix("general4.mtx"), matrix("ones4.mtx"), "--out", x);
        assertThat(run.value("forward error")).isEqualTo("unknown (B was given)");
        assertThat(run.value("right-hand side")).isEqualTo("2 columns, given");
        assertThat(run.value("written")).isEqualTo(x.toString());
        List<String> lines = Files.readAllLines(x);
        assertThat(lines.get(0)).isEqualTo("%%MatrixMarket matrix array real general");
        assertThat(lines.get(2)).isEqualTo("4 2");
        double[] first = lines.subList(3, 7).stream().mapToDouble(Double::parseDouble).toArray();
        double[][] rows = {{4, -1, 0, 1}, {1, 5, 1, 0}, {0, 2, 6, 2}, {2, 0, -3, 7}};
        for (double[] row : rows) {
            double sum = 0;
            for (int j = 0; j < 4; j++) {
                sum += row[j] * first[j];
            }
            assertThat(Math.abs(sum - 1)).isLessThan(1e-14);
        }
    }

    @Test
    void aComplexRightHandSideMakesTheSystemComplex() {
        Path b = CommandRun.file(folder, "%%MatrixMarket matrix array complex general\n3 1\n1 1\n0 2\n0 0\n");
        Path x = folder.resolve("x.mtx.gz");
        assertThat(solve(matrix("spd3.mtx"), b, "--out", x).value("type")).isEqualTo("z");
        assertThat(solve(folder.resolve("spd3.mtx"), x).value("type")).isEqualTo("z");
    }

    @Test
    void theSeedDecides() {
        Path x = folder.resolve("x.mtx");
        Path a = matrix("general4.mtx");
        String once = solution(a, x, 7);
        assertThat(solution(a, x, 7)).isEqualTo(once);
        assertThat(solution(a, x, 8)).isNotEqualTo(once);
    }

    private String solution(Path a, Path x, int seed) {
        assertThat(solve(a, "--seed", seed, "--out", x).value("right-hand side")).endsWith("seed " + seed);
        try {
            return Files.readString(x);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aFixedWorkspaceIsManualAndMayDegrade() throws IOException {
        Path a = random(300);
        CommandRun managed = solve(a);
        CommandRun small = solve(a, "--workspace", 64);
        assertThat(small.value("workspace")).contains("held 64 B", "scheme MANUAL");
        if (!managed.value("workspace").contains("planned 0 B")) {
            assertThat(small.value("degraded")).startsWith("dgetrf ran ");
        }
        assertThat(small.number("forward error")).isLessThan(1e-9);
        CommandRun large = solve(a, "--workspace", "64m");
        assertThat(large.value("workspace")).contains("held 64 MiB", "scheme MANUAL");
        assertThat(large.out()).doesNotContain("degraded");
        assertThat(solve(a, "--workspace", "0").value("workspace")).contains("scheme MANAGED");
    }

    private Path random(int n) throws IOException {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array real general\n" + n + " " + n + "\n");
        for (int i = 0; i < n * n; i++) {
            text.append(random.nextGaussian()).append('\n');
        }
        return Files.writeString(folder.resolve("random.mtx"), text);
    }

    @Test
    void aDeviceCanBeNamed() {
        assertThat(solve(matrix("spd3.mtx"), "--device", "host:threads=1").value("device"))
                .startsWith("host:threads=1: ");
    }

    @Test
    void worksOnOneByOne() {
        Path one = CommandRun.file(folder, "%%MatrixMarket matrix array integer general\n1 1\n-4\n");
        assertThat(solve(one).number("forward error")).isZero();
    }

    /** What files took to read is in no other time. */
    @ParameterizedTest
    @ValueSource(strings = {"solve", "svd", "eig"})
    void readingIsALineOfItsOwn(String command) {
        Path file = CommandRun.matrix(folder, "spd3.mtx");
        assertThat(CommandRun.of(command, file).good().value("reading")).matches("[0-9.]+ s");
        assertThat(CommandRun.of(command, file, "--json").good().out()).containsPattern("\"readingSeconds\":[0-9]");
    }
}
