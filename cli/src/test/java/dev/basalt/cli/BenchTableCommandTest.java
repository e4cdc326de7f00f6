package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.bench.TableSweep;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.ElementType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code basalt bench table} measures every family there is, beside OpenBLAS, and says where that is not possible. */
class BenchTableCommandTest {
    private static final String HEAD = "family,type,shape,options,device,ours_us,peer_us,ratio,floor_us,peer,verified";

    @Test
    void everyFamilyOfEveryTypeHasALine() {
        List<String> lines = lines("all -r sdcz -n 17 -k 5 --peer openblas");
        List<String> missing = new ArrayList<>();
        for (Routine routine : Signatures.all()) {
            for (ElementType type : routine.signature().types()) {
                String start = routine.family() + "," + type.letter() + ",";
                boolean there = lines.stream().anyMatch(line -> line.startsWith(start) && sound(line));
                if (!there && !routine.signature().level().equals("L")) {
                    missing.add(start);
                }
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void everyFamilyOfLapackHasALineToo() {
        List<String> lines = lines("lapack -r sdcz -n 17 -k 5 --peer openblas");
        List<String> missing = new ArrayList<>();
        for (Routine routine : Signatures.all()) {
            for (ElementType type : routine.signature().types()) {
                String start = routine.family() + "," + type.letter() + ",";
                boolean there = lines.stream().anyMatch(line -> line.startsWith(start) && sound(line));
                if (!there && routine.signature().level().equals("L")) {
                    missing.add(start);
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(lines("getrf,getrs,gesv,potrf,posv,geqrf,ormqr,orgqr -r d -n 17 -k 5 --peer openblas")).hasSize(8)
                .allMatch(line -> line.endsWith(",yes"));
    }

    /** Verified with a ratio, or with a reason why not and without one. */
    private static boolean sound(String line) {
        String[] columns = line.split(",", -1);
        boolean timed = columns.length == 11 && Double.parseDouble(columns[5]) > 0;
        return timed && (columns[10].equals("yes")
                ? Double.parseDouble(columns[7]) > 0
                : columns[10].startsWith("no: ") && columns[7].isEmpty());
    }

    @Test
    void whatOpenBlasHasIsVerifiedInAllItsForms() {
        List<String> lines =
                lines("gbmv,sbmv,spmv,tpmv,tbmv,tpsv,tbsv,trsv,spr,spr2,syr2,syr2k,rotm,rotg,rotmg -r d -n 17"
                        + " -k 5 --uplo U,L --trans N,T --diag N,U --peer openblas");
        assertThat(lines).hasSizeGreaterThan(50).allMatch(line -> line.endsWith(",yes"));
        assertThat(
                lines("hpmv,hbmv,her,her2,hpr,hpr2,her2k,tpsv -r z -n 17 -k 5 --uplo U,L --trans N,C --peer openblas"))
                .hasSizeGreaterThan(16)
                .allMatch(line -> line.endsWith(",yes"));
    }

    /** What LAPACK has with work areas of its own, by the table of Fortran's interface. */
    @Test
    void whatOpenBlasHasOfEigenvaluesAndSingularValuesIsVerified() {
        assertThat(lines(
                "syev,syevd,sygv,sygvd,stev,spevd,sbev,orgtr,gehrd,geev,sytrf,sysv,spsv -r d -n 9 -k 3 --vectors V,N --uplo U,L"
                        + " --peer openblas"))
                .hasSizeGreaterThan(30)
                .allMatch(line -> line.endsWith(",yes"));
        assertThat(
                lines("heev,heevd,hegvd,hpev,hbevd,unghr,geev,hetrf,hesv,gesdd -r cz -n 9 -k 3 --vectors V,N --uplo U,L"
                        + " --peer openblas"))
                .hasSizeGreaterThan(50)
                .allMatch(line -> line.endsWith(",yes"));
        assertThat(lines(
                "gebrd,gebd2,orgbr,ormbr,ormtr,ormhr,gesvd,gesdd,gesvdj -r s -m 11 -n 7 -k 5 --side L,R --trans N,C"
                        + " --vectors V,N --peer openblas"))
                .hasSizeGreaterThan(20)
                .allMatch(line -> line.endsWith(",yes"));
    }

    @Test
    void aCaseThatFailsStopsNoOther() {
        CommandRun run = run("herk -r z -n 8 --trans T,N");
        assertThat(run.code()).isEqualTo(Failure.FAILED);
        assertThat(run.err()).contains("1 of 2 cases are wrong or failed");
        assertThat(run.out()).contains("FAILED: ", "no: there is no peer");
    }

    @Test
    void filesGrow(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("out.csv");
        run("geam -r d -n 8 --trans N,T -o " + file).good();
        run("dgmm -r d -n 8 --side L,R -o " + file).good();
        assertThat(Files.readAllLines(file)).hasSize(5).startsWith(HEAD);
    }

    @Test
    void whatThereIsNotIsRefused() {
        assertThat(run("gemmm -n 8").failure(2)).contains("there is no family \"gemmm\"");
        assertThat(run("gemm -n 8 --side X").failure(2)).contains("\"X\" is none of");
    }

    @Test
    void benchItselfKnowsEveryFamilyToo() {
        for (String family : TableSweep.others()) {
            String types = Signatures.all()
                    .stream()
                    .filter(routine -> routine.family().equals(family))
                    .flatMap(routine -> routine.signature().types().stream())
                    .map(type -> "" + type.letter())
                    .filter("sdcz"::contains)
                    .distinct()
                    .collect(Collectors.joining(","));
            CommandRun run = CommandRun.of("bench", "-f", family, "-r", types, "-n", "9:17:8", "-k", "5", "--device",
                    "host", "--threads", "1", "--warmup", "1", "-i", "2");
            assertThat(run.good().out().lines()).as(family)
                    .startsWith(HEAD)
                    .hasSizeGreaterThan(types.length() / 2 + 1)
                    .allMatch(line -> line.equals(HEAD) || line.startsWith(family + ",") && sound(line));
        }
        CommandRun refused = CommandRun.of("bench", "-f", "syr2", "--lda", "40");
        assertThat(refused.failure(2)).contains("lda = \"40\" is not accepted: syr2 is measured with the least");
        assertThat(CommandRun.of("bench", "-f", "gexx").failure(2)).contains("there are asum, axpy", "gbmv", "syr2k");
    }

    private static List<String> lines(String options) {
        List<String> lines = run(options).good().out().lines().toList();
        assertThat(lines.get(0)).isEqualTo(HEAD);
        return lines.subList(1, lines.size());
    }

    private static CommandRun run(String options) {
        List<Object> args = new ArrayList<>(List.of("bench", "table"));
        args.addAll(List.of(options.split(" ")));
        args.addAll(List.of("--device", "host", "--threads", "1", "--warmup", "1", "-i", "2"));
        return CommandRun.of(args.toArray());
    }
}
