package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.ElementType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanCommandTest {
    @TempDir
    private Path folder;

    private static CommandRun plan(Object... args) {
        Object[] all = new Object[args.length + 2];
        all[0] = "plan";
        all[1] = "solve";
        System.arraycopy(args, 0, all, 2, args.length);
        return CommandRun.of(all).good();
    }

    @ParameterizedTest
    @CsvSource({
            "s, lu, sgetrf, sgetrs",
            "d, lu, dgetrf, dgetrs",
            "c, cholesky, cpotrf, cpotrs",
            "z, cholesky, zpotrf, zpotrs",
            "s, qr, sgels, strsm",
            "z, mixed, zcgesv, zcgesv"})
    void showsEveryCall(String type, String method, String factor, String solve) {
        String out = plan("-n", 4000, "--nrhs", 10, "--type", type, "--method", method).out();
        assertThat(out).contains(factor, solve, "minimum", "optimum", "tiers", "the peak call", "total:");
    }

    @Test
    @SuppressWarnings("unchecked")
    void jsonTellsTheSame() {
        String text = plan("-n", 4000, "--nrhs", 10, "--json").out();
        Map<String, Object> json = (Map<String, Object>) new JsonText(text).value();
        assertThat(json).containsOnlyKeys("deviceClass", "hash", "minimum", "optimal", "peak", "calls");
        List<Map<String, Object>> calls = (List<Map<String, Object>>) json.get("calls");
        assertThat(calls).extracting(call -> call.get("routine"))
                .containsExactly("dgetrf", "dgetrs", "dgetrs", "dgetrs");
        double most = 0;
        for (Map<String, Object> call : calls) {
            List<Map<String, Object>> tiers = (List<Map<String, Object>>) call.get("tiers");
            assertThat(tiers.get(0)).containsEntry("bytes", call.get("optimal"));
            assertThat(tiers.get(tiers.size() - 1)).containsEntry("bytes", call.get("minimum"));
            most = Math.max(most, (double) call.get("optimal"));
        }
        assertThat(json).containsEntry("optimal", most);
    }

    @Test
    void everyRoutineOfTheTableHasAPlan() {
        for (Routine routine : Signatures.all()) {
            for (ElementType type : routine.signature().types()) {
                if ("sdcz".indexOf(type.letter()) >= 0) {
                    CommandRun run = CommandRun.of("plan", "routine", routine.family(), "-n", 300, "-k", 20, "--type",
                            type.letter());
                    assertThat(run.good().out()).as(routine.name(type)).contains(routine.name(type), "total:");
                }
            }
        }
        assertThat(CommandRun.of("plan", "routine", "gexx", "-n", 9).failure(Failure.USAGE))
                .contains("there is no family \"gexx\"");
        assertThat(CommandRun.of("plan", "routine", "getrf", "-n", -9).failure(Failure.USAGE)).contains("m >= 0");
    }

    @Test
    void aTallMatrixHasItsOwnRows() {
        assertThat(plan("-n", 50, "-m", 9000, "--method", "qr").out()).contains("m = 9000, n = 50", "dgels");
        assertThat(CommandRun.of("plan", "solve", "-n", 50, "-m", 90).failure(Failure.USAGE))
                .contains("LU needs as many rows as columns");
        assertThat(CommandRun.of("plan", "solve", "-n", 5, "--type", "s", "--method", "mixed").failure(Failure.USAGE))
                .contains("mixed refines to double precision");
    }

    @Test
    void batchesAndLargeSizesArePlanned() {
        assertThat(plan("-n", 50, "--batch", 1000).out()).contains("batch of 1000");
        assertThat(plan("-n", 1_000_000).out()).contains("operands: 7.3 TiB");
    }

    @Test
    void drawsAPicture() throws IOException {
        Path file = folder.resolve("plan.svg");
        assertThat(plan("-n", 4000, "--svg", file).out()).contains("picture: " + file);
        String svg = Files.readString(file);
        assertThat(svg).startsWith("<svg ")
                .contains("dgetrf", "dgetrs", "peak", "total optimum", "total minimum", "MiB");
        assertThat(svg).doesNotContain("NaN", "Infinity");
        balanced(svg);
    }

    /** Every element that is opened is closed, in the right order. */
    private static void balanced(String svg) {
        Deque<String> open = new ArrayDeque<>();
        Matcher tags = Pattern.compile("<(/?)([a-z]+)[^<>]*?(/?)>").matcher(svg);
        while (tags.find()) {
            if (!tags.group(1).isEmpty()) {
                assertThat(open.pop()).isEqualTo(tags.group(2));
            } else if (tags.group(3).isEmpty()) {
                open.push(tags.group(2));
            }
        }
        assertThat(open).isEmpty();
        assertThat(svg.replaceAll("<(/?)([a-z]+)[^<>]*?(/?)>", "")).doesNotContain("<", ">");
    }

    @Test
    void aPictureThatCannotBeWritten() {
        assertThat(CommandRun.of("plan", "solve", "-n", 9, "--svg", folder).failure(Failure.FAILED))
                .endsWith("cannot be written: is a directory");
    }
}
