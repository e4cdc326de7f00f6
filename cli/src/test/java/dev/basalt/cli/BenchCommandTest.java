package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.bench.Arguments;
import dev.basalt.bench.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Measuring from the command line. */
class BenchCommandTest {
    private static final String QUICK = " -i 3 -j 1 --warmup 1 --threads 1";

    @TempDir
    private Path folder;

    @Test
    void sizesBeyond32BitsAreMeasuredWithoutACheck() {
        assertThat(CommandRun.of("bench", "-f", "scal", "-r", "d", "-n", "1099511627776").failure(Failure.USAGE))
                .contains("beyond 2^31-1", "add -v 0");
        assertThat(CommandRun.of("bench", "-f", "scal", "-n", "1099511627777", "-v", "0").failure(Failure.USAGE))
                .contains("from 1 to 2^40");
    }

    @Test
    void oneLineACase() {
        List<Map<String, String>> lines = bench("-f gemm -r d -n 8,16 -k 4 --transposeA T --lda 20");
        assertThat(lines).hasSize(2);
        assertThat(lines.get(1)).containsEntry("function", "gemm")
                .containsEntry("precision", "d")
                .containsEntry("transposeA", "T")
                .containsEntry("m", "16")
                .containsEntry("n", "16")
                .containsEntry("k", "4")
                .containsEntry("lda", "20")
                .containsEntry("ldb", "4")
                .containsEntry("cache", "hot")
                .containsEntry("iters", "3")
                .containsEntry("threads", "1")
                .containsEntry("uplo", "")
                .containsEntry("peer", "")
                .containsEntry("verified", "ok");
        for (Map<String, String> line : lines) {
            double min = Double.parseDouble(line.get("us_min"));
            double median = Double.parseDouble(line.get("us"));
            double n = Double.parseDouble(line.get("n"));
            assertThat(min).isPositive().isLessThanOrEqualTo(median);
            assertThat(Double.parseDouble(line.get("us_max"))).isGreaterThanOrEqualTo(median);
            assertThat(Double.parseDouble(line.get("gflops")) * median * 1e3).isCloseTo(2 * n * n * 4,
                    Percentage.withPercentage(2));
        }
    }

    @ParameterizedTest
    @CsvSource({"dot -n 1000", "getrf -n 40", "trsv_batched -n 20 --batch_count 3 --uplo L", "posv -n 30 --nrhs 2"})
    void otherRoutines(String function) {
        for (String type : "sdcz".split("")) {
            assertThat(bench("-f " + function + " -r " + type)).singleElement()
                    .satisfies(line -> assertThat(line).containsEntry("verified", "ok"));
        }
    }

    @Test
    void coldCaches() {
        assertThat(bench("-f trsm -r d -n 32 --flush_memory_size 1m")).singleElement()
                .satisfies(line -> assertThat(line).containsEntry("cache", "cold").containsEntry("verified", "ok"));
    }

    @Test
    void aSmallWorkspaceDegrades() {
        Map<String, String> best = bench("-f gemm -r d -n 300").get(0);
        assertThat(best).containsEntry("degraded", "no");
        long needed = Long.parseLong(best.get("workspace_bytes"));
        assertThat(needed).isPositive();
        Map<String, String> less = bench("-f gemm -r d -n 300 --workspace 64").get(0);
        assertThat(less).containsEntry("degraded", "yes").containsEntry("verified", "ok");
        assertThat(Long.parseLong(less.get("workspace_bytes"))).isLessThanOrEqualTo(64);
    }

    @Test
    void besideOpenBlas() {
        Map<String, String> line = bench("-f gemv -r z -m 30 -n 20 --peer openblas").get(0);
        assertThat(line).containsEntry("peer", "openblas").containsEntry("verified", "ok");
        double ratio = Double.parseDouble(line.get("peer_us")) / Double.parseDouble(line.get("us"));
        assertThat(Double.parseDouble(line.get("ratio"))).isCloseTo(ratio, Percentage.withPercentage(5));
    }

    @Test
    void theLimitAndWhatIsPromised() {
        Map<String, String> line = bench("-f gemm -r d -n 64 --limits --promised 1.5").get(0);
        assertThat(line).containsEntry("promised", "1.5").containsEntry("limit_unit", "GFLOP/s");
        double limit = Double.parseDouble(line.get("limit"));
        assertThat(Double.parseDouble(line.get("share"))).isCloseTo(Double.parseDouble(line.get("gflops")) / limit,
                Percentage.withPercentage(5));
        assertThat(bench("-f gemm -r d -n 64").get(0)).containsEntry("promised", "").containsEntry("limit", "");
    }

    /** Long enough that filling and checking are shared out to several threads. */
    @Test
    void longOperands() {
        assertThat(bench("-f trsv -r d -n 1100 --uplo L"))
                .allSatisfy(line -> assertThat(line).containsEntry("verified", "ok"));
        assertThat(bench("-f dot -r c -n 1100000"))
                .allSatisfy(line -> assertThat(line).containsEntry("verified", "ok"));
    }

    @Test
    void theCasesOfTheTableForGpus() {
        Path table = Path.of("..", "benchmarks", "gpu", "table.yaml");
        List<Workload> cases = new Cases(table, new Arguments()).read();
        assertThat(cases).hasSize(92);
        assertThat(cases).anyMatch(w -> w.name().equals("dtrsm_batched") && w.batch == 2000 && w.promised == 4);
    }

    @Test
    void aRandomSweep() throws IOException {
        Path file = folder.resolve("sweep.csv");
        String sweep = "bench --sweep 11 --count 10 -f gemv,dot -r sd --peer openblas --out " + file + QUICK;
        assertThat(CommandRun.of((Object[]) sweep.split(" ")).good().out()).contains("OpenBLAS")
                .contains("level 1")
                .contains("batches")
                .contains("the worst 10:")
                .contains("basalt bench --threads 1 --peer openblas -f ");
        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(11).first().isEqualTo("class,type,us,peer_us,ratio,verified,options");
        assertThat(lines.subList(1, 11)).allMatch(line -> line.split(",", -1)[5].equals("yes"));
        String options = lines.get(3).split(",", -1)[6];
        assertThat(bench(options)).singleElement().satisfies(line -> assertThat(line).containsEntry("verified", "ok"));
        assertThat(CommandRun.of("bench", "-f", "dot", "--processor_time", "--threads", "2").failure(2))
                .contains("needs the host and");
        assertThat(bench("-f dot -n 100 --processor_time")).singleElement()
                .satisfies(line -> assertThat(Double.parseDouble(line.get("us"))).isPositive());
        assertThat(CommandRun.of("bench", "--sweep", "1", "-n", "5").failure(2)).contains("only -f and -r narrow it");
        assertThat(CommandRun.of("bench", "--sweep", "1", "-f", "gemw").failure(2)).contains("gemw");
    }

    /** Programs get a line a case, each an object, and no report. */
    @Test
    void aSweepForPrograms() {
        String sweep = "bench --sweep 11 --count 3 -f dot -r d --json" + QUICK;
        assertThat(CommandRun.of((Object[]) sweep.split(" ")).good().out().lines()).hasSize(3)
                .allSatisfy(line -> assertThat(new JsonText(line).value()).asString()
                        .contains("type=d", "us=", "verified=", "options=-f dot"));
        assertThat(CommandRun.of((Object[]) sweep.replace("--json", "--quiet").split(" ")).good().out()).isEmpty();
    }

    @Test
    void modesOfProducts() {
        assertThat(bench("-f gemm -r d -n 130 --math_mode emulated").get(0)).containsEntry("verified", "ok");
        assertThat(CommandRun.of("bench", "-f", "gemm", "--math_mode", "tf23").failure(2)).contains("tf32", "emulated");
    }

    @Test
    void withoutVerification() {
        assertThat(bench("-f axpy -n 10 -v 0").get(0)).containsEntry("verified", "");
    }

    @Test
    void casesOfAFile() throws IOException {
        Path yaml = Files.writeString(folder.resolve("cases.yaml"),
                "- {function: gemm, n: [4, 8]}\n- function: trsm\n  side: R\n  precision: z\n  n: 4:12:4\n");
        List<Map<String, String>> lines = bench("--yaml " + yaml + " -r d");
        assertThat(lines.stream().map(line -> line.get("function") + " " + line.get("precision") + line.get("n")))
                .containsExactly("gemm d4", "gemm d8", "trsm z4", "trsm z8", "trsm z12");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(delimiter = '|', value = {
            "- {function: gemm}\\n- {function: gemm, n: -4}|:2: n = \"-4\" is not accepted",
            "- {function: gemm}\\n- function: gemm\\n  size: 4|:3: there is no argument \"size\"; there are function",
            "- {function: gexx}|:1: function = \"gexx\" is not accepted: there are asum",
            "- {function: gemm, n: {a: 4}}|:1: a single value is expected",
            "- {function: gemm, n: 4:1}|:1: n = \"4:1\" is not accepted: a range is",
            "- gemm|:1: a case is a mapping",
            "function: gemm|:1: a list of cases is expected",
            "- {function: gemm, uplo: L}|:1: uplo = \"L\" is not accepted: gemm has no such operand",
            "- {function: gemm\\n- |:2: expected ',' or '}'",
            "[]|:1: there is no case",
            "''|the file is empty"})
    void errorsInFilesNameTheLine(String text, String message) throws IOException {
        Path yaml = Files.writeString(folder.resolve("cases.yaml"), text.replace("\\n", "\n"));
        String failure = CommandRun.of("bench", "--yaml", yaml).failure(Failure.FAILED);
        assertThat(failure).startsWith("basalt bench: " + yaml).contains(message);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"png", "svg"})
    void pictures(String ending) throws IOException {
        Path picture = folder.resolve("speed." + ending);
        bench("-f gemm -r d -n 4,8,16 --plot " + picture);
        if (ending.equals("png")) {
            assertThat(ImageIO.read(picture.toFile()).getWidth()).isGreaterThan(500);
        } else {
            assertThat(Files.readString(picture)).contains("<svg", "</svg>");
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
            "-f gexx|2|function = \"gexx\" is not accepted: there are asum, axpy",
            "-r d|2|no function is given; there are asum",
            "-f gemm -r q|2|precision = \"q\" is not accepted",
            "-f hemv -r d|2|precision = \"d\" is not accepted: hemv has the types c z",
            "-f gemm -n 0|2|n = \"0\" is not accepted: it must be from 1",
            "-f gemm -n 1e3|2|n = \"1e3\" is not accepted: it must be a whole number",
            "-f gemm --transposeA X|2|transposeA = \"X\" is not accepted: accepted are N, T, C",
            "-f dot --incx 0|2|incx = \"0\" is not accepted: an increment is not 0",
            "-f asum --incx -1|2|incx = \"-1\" is not accepted: with a negative increment asum does nothing",
            "-f dot --lda 4|2|lda = \"4\" is not accepted: dot has no such operand",
            "-f gemm --batch_count 4|2|batch_count = \"4\" is not accepted: only gemm_batched",
            "-f gemm -r d --alphai 1|2|alphai = \"1\" is not accepted: gemm has no such operand",
            "-f gemm -i 0|2|Invalid value for option '--iters'",
            "-f gemm -v 2|2|Invalid value for option '--verify': \"2\" is not accepted; it must be 0 or 1",
            "-f gemm --workspace big|2|--workspace = \"big\" is not a size",
            "-f gemm --flush_memory_size big|2|--flush_memory_size = \"big\" is not a size",
            "-f gemm --device gpu|2|--device: there is no device \"gpu\"",
            "-f gemm --peer blis|2|--peer: there is no peer \"blis\"; there are openblas and mkl",
            "-f gemm --device host --peer cublas|2|--peer: cublas computes on a cuda device, not on host",
            "-f gemm --promised -2|2|promised = \"-2\" is not accepted: it must be positive",
            "-f gemm --peer-core Zen|2|--peer-library and --peer-core need --peer",
            "-f gemm --peer openblas --peer-library none.so|1|--peer: there is no none.so to load openblas from",
            "-f gemm --plot a.pdf|2|--plot: a.pdf must end in .png or .svg",
            "-f gemm --plot no/such/folder/a.png|1|no/such/folder/a.png: cannot be written: there is no directory",
            "--yaml none.yaml|1|none.yaml: no such file"})
    void oneLineErrors(String line, int code, String message) {
        List<Object> args = new ArrayList<>(List.of("bench"));
        args.addAll(Arrays.asList((Object[]) line.split(" ")));
        assertThat(CommandRun.of(args.toArray()).failure(code)).startsWith("basalt bench: " + message);
    }

    @Test
    void aFolderWithoutThePeer() {
        String failure =
                CommandRun.of("bench", "-f", "gemm", "--peer", "mkl", "--peer-library", folder).failure(Failure.FAILED);
        assertThat(failure).contains("there is no mkl in " + folder);
    }

    /** The lines of a run by the names of their columns. */
    private static List<Map<String, String>> bench(String options) {
        List<Object> args = new ArrayList<>(List.of("bench"));
        args.addAll(Arrays.asList((Object[]) (options + QUICK).split(" ")));
        List<String> lines = CommandRun.of(args.toArray()).good().out().lines().toList();
        String[] names = lines.get(0).split(",", -1);
        List<Map<String, String>> all = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] values = line.split(",", -1);
            assertThat(values).hasSameSizeAs(names);
            Map<String, String> one = new HashMap<>();
            for (int i = 0; i < names.length; i++) {
                one.put(names[i], values[i]);
            }
            all.add(one);
        }
        return all;
    }

    /** Two vectors of 3 TiB are more than any machine has. */
    @Test
    void refusesOperandsThatTheDeviceHasNoRoomFor() {
        CommandRun run = CommandRun.of("bench", "-f", "dot", "-r", "d", "-n", "400000000000", "-v", "0");
        assertThat(run.failure(Failure.FAILED)).contains("not enough memory: the operands take", " free");
    }
}
