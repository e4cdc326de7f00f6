package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A matrix that is singular as far as its type can tell is no success. */
class SingularMatrixTest {
    private static final String ARRAY = "%%MatrixMarket matrix array real general\n";

    @TempDir
    private Path folder;

    private Path file(String name, String text) {
        try {
            return Files.writeString(folder.resolve(name), text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Singular up to the last element. */
    private Path nine(String last) {
        return file("A.mtx", ARRAY + "3 3\n1\n4\n7\n2\n5\n8\n3\n6\n" + last + "\n");
    }

    private Path rightHandSide() {
        return file("B.mtx", ARRAY + "3 1\n1\n2\n4\n");
    }

    /** A path's Laplacian plus a multiple of the identity, whose condition number is known: (4 + shift) / shift. */
    private Path laplacian(int n, double shift) {
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix coordinate real symmetric\n");
        text.append(n).append(' ').append(n).append(' ').append(2 * n - 1).append('\n');
        for (int i = 1; i <= n; i++) {
            double degree = i == 1 || i == n ? 1 : 2;
            text.append(i).append(' ').append(i).append(' ').append(degree + shift).append('\n');
            if (i < n) {
                text.append(i + 1).append(' ').append(i).append(" -1\n");
            }
        }
        return file("laplacian.mtx", text.toString());
    }

    private static void refused(CommandRun run) {
        assertThat(CommandRun.words(run.err())).singleElement()
                .asString()
                .startsWith("basalt solve: ")
                .contains("singular to working precision", "condition number", "1/(n eps)", "--force");
        assertThat(run.value("warning")).contains("singular to working precision");
        assertThat(run.code()).isEqualTo(Failure.SINGULAR);
    }

    @Test
    void singularButForRounding() throws IOException {
        // Whether the last pivot is rounded to 0 depends on whether products are fused.
        CommandRun exact = CommandRun.of("solve", nine("9"), rightHandSide());
        assertThat(exact.code()).isIn(Failure.FAILED, Failure.SINGULAR);
        assertThat(exact.err()).contains("singular");
        Path x = folder.resolve("x.mtx");
        CommandRun near = CommandRun.of("solve", nine("9.000000000000004"), rightHandSide(), "--out", x);
        refused(near);
        assertThat(condition(near)).isBetween(1e16, 1e17);
        assertThat(near.value("written")).isEqualTo(x.toString());
        assertThat(Files.readAllLines(x)).hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"s", "d", "c", "z"})
    void choleskyPassesAndIsNotBelieved(String type) {
        boolean single = type.equals("s") || type.equals("c");
        double shift = single ? Math.ulp(1f) * 8 : Math.ulp(1d) * 8;
        CommandRun run = CommandRun.of("solve", laplacian(100, shift), "--type", type, "--method", "cholesky");
        assertThat(run.value("method")).startsWith("Cholesky");
        refused(run);
        assertThat(condition(run)).isBetween(4 / shift / 3, 4 / shift * 1.5);
        for (String method : List.of("lu", "ldl", "banded")) {
            CommandRun other = CommandRun.of("solve", laplacian(100, shift), "--type", type, "--method", method);
            refused(other);
            assertThat(condition(other)).as(method).isBetween(4 / shift / 3, 4 / shift * 1.5);
        }
    }

    @Test
    void aSingularLaplacianNeverPasses() {
        for (int n : new int[] {2, 3, 10, 100, 300}) {
            CommandRun run = CommandRun.of("solve", laplacian(n, 0));
            assertThat(run.code()).as("n = %s", n).isIn(Failure.FAILED, Failure.SINGULAR);
            assertThat(run.err()).contains("singular");
        }
    }

    @Test
    void forceAccepts() {
        CommandRun run = CommandRun.of("solve", nine("9.000000000000004"), rightHandSide(), "--force").good();
        assertThat(run.value("warning")).contains("singular to working precision");
    }

    @ParameterizedTest
    @CsvSource({"cholesky, s", "cholesky, d", "cholesky, c", "cholesky, z", "lu, s", "lu, d", "lu, c", "lu, z"})
    void whatIsWellConditionedPasses(String method, String type) {
        CommandRun run = CommandRun.of("solve", laplacian(30, 1), "--method", method, "--type", type).good();
        assertThat(condition(run)).isBetween(5 / 3.0, 5 * 1.001);
        assertThat(run.out()).doesNotContain("warning");
    }

    /** What is planned is what is used, with the solutions of the estimate. */
    @ParameterizedTest
    @CsvSource({"lu, 1", "lu, 200", "cholesky, 1", "cholesky, 200"})
    void theEstimateIsPlanned(String method, int nrhs) {
        Path a = laplacian(300, 1);
        CommandRun run = CommandRun.of("solve", a, "--method", method, "--nrhs", nrhs).good();
        String used = run.value("workspace").replaceFirst(",.*", "").replaceFirst("used ", "");
        assertThat(run.value("workspace")).startsWith("used " + used + ", planned " + used + " ");
        String plan = CommandRun.of("plan", "solve", "-n", 300, "--nrhs", nrhs, "--method", method).good().out();
        assertThat(plan).contains("n=300 k=1");
    }

    @Test
    void oneByOneAndScale() {
        for (String value : new String[] {"-4", "1e-300", "1e300", "1e-310"}) {
            Path one = file("one.mtx", ARRAY + "1 1\n" + value + "\n");
            assertThat(condition(CommandRun.of("solve", one).good())).isEqualTo(1);
        }
        Path tiny = file("tiny.mtx", ARRAY + "2 2\n3e-38\n1e-38\n-1e-38\n3e-38\n");
        assertThat(condition(CommandRun.of("solve", tiny, "--type", "s").good())).isBetween(1.2, 1.61);
        Path huge = file("huge.mtx", ARRAY + "2 2\n3e38\n1e38\n-1e38\n3e38\n");
        assertThat(condition(CommandRun.of("solve", huge, "--type", "s").good())).isBetween(1.2, 1.61);
    }

    private static double condition(CommandRun run) {
        return Double.parseDouble(run.value("condition").replaceFirst(" .*", ""));
    }
}
