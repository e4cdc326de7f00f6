package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Matrices from practice, of the SuiteSparse collection. They are not part of the project: the system property
 * {@code basalt.data} names their folder, or they lie in {@code shared/data} beside the project.
 */
class RealMatricesTest {
    private static final Path FOLDER = Path.of(System.getProperty("basalt.data", "../../shared/data"));

    @BeforeAll
    static void find() {
        if (!Files.isDirectory(FOLDER)) {
            String reason = "skipped: no real matrices in " + FOLDER + "; -Dbasalt.data=... says where they are";
            System.out.println(reason);
            Assumptions.abort(reason);
        }
    }

    @ParameterizedTest(name = "{0} in {1}")
    @CsvSource({
            "bcsstk13, d, Cholesky, 1e-9",
            "bcsstk13, z, Cholesky, 1e-9",
            "watt_2, d, banded LU, 1e-11",
            "west0479, d, LU, 1e-6",
            "west0479, s, LU, 1e9",
            "west0479, c, LU, 1e9",
            "young1c, z, banded LU, 1e-11",
            "young1c, c, banded LU, 1e-2"})
    void solves(String name, String type, String method, double forward) {
        // west0479 is singular to working precision in single.
        CommandRun run = solve(name, "--type", type, "--force");
        boolean single = type.equals("s") || type.equals("c");
        assertThat(run.value("method")).startsWith(method);
        assertThat(run.number("backward error")).isLessThan(single ? 1e-5 : 1e-14);
        assertThat(run.number("forward error")).isLessThan(forward);
    }

    @Test
    void theDefaultTypeFollowsTheFile() {
        assertThat(solve("west0479").value("type")).isEqualTo("d");
        assertThat(solve("young1c").value("type")).isEqualTo("z");
    }

    private static CommandRun solve(String name, Object... more) {
        Object[] args = new Object[more.length + 2];
        args[0] = "solve";
        args[1] = FOLDER.resolve(name + ".mtx");
        System.arraycopy(more, 0, args, 2, more.length);
        return CommandRun.of(args).good();
    }

    @Test
    void solvesTheRectangularOneByLeastSquares() {
        CommandRun run = solve("lp_e226_transposed");
        assertThat(run.value("method")).isEqualTo("QR (more equations than unknowns: least squares)");
        assertThat(run.number("backward error")).isLessThan(1e-13);
        assertThat(run.number("forward error")).isLessThan(1e-10);
    }

    @Test
    void theLargestValuesOfSparseMatrices() {
        CommandRun eig = CommandRun.of("eig", FOLDER.resolve("bcsstk13.mtx"), "-k", 5).good();
        assertThat(eig.value("method")).startsWith("Lanczos, the largest 5 of 2003, ");
        assertThat(eig.value("values"))
                .isEqualTo("3.114811969e+12 3.08818588e+12 2.284906013e+12 2.151303495e+12 2.042665952e+12");
        CommandRun svd = CommandRun.of("svd", FOLDER.resolve("west0479.mtx"), "-k", 5, "--method", "lanczos").good();
        assertThat(svd.value("values")).isEqualTo("318951.7598 317252.8998 316948.9798 316847.737 316687.7891");
    }
}
