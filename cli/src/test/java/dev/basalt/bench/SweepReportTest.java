package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a random sweep reports. */
class SweepReportTest {
    private static SweepLine line(SweepCase.Group group, String arguments, double us, double peerUs, String verdict) {
        return new SweepLine(new SweepCase(group, Arguments.of(arguments)), us, peerUs, verdict);
    }

    @Test
    void meansAndShares() {
        assertThat(SweepReport.mean(2, 0.5, 1)).isCloseTo(1, within(1e-15));
        assertThat(SweepReport.mean(4, 1)).isCloseTo(2, within(1e-15));
        assertThat(SweepReport.share(new double[] {0.9, 0.95, 1, 0.2}, 0.95)).isEqualTo(50);
    }

    @Test
    void classesAndTheWorst() {
        List<SweepLine> lines = new ArrayList<>();
        lines.add(line(SweepCase.Group.LEVEL2, "function=gemv precision=d m=7 n=9 incx=2", 10, 5, "yes"));
        lines.add(line(SweepCase.Group.LEVEL2, "function=gemv precision=d m=70 n=9", 10, 20, "yes"));
        lines.add(line(SweepCase.Group.LEVEL2, "function=trsv precision=s n=9", 10, 8, "yes"));
        lines.add(line(SweepCase.Group.BATCHES, "function=dot_batched precision=z n=9", 1, 4, "yes"));
        lines.add(
                line(SweepCase.Group.LEVEL3, "function=geam precision=s n=9", 1, Double.NaN, "no: the peer has none"));
        lines.add(line(SweepCase.Group.LEVEL3, "function=gemm precision=s n=9", 1, 100, "WRONG, by far"));
        List<String> text = new SweepReport(lines, "basalt bench").text();
        assertThat(text).anySatisfy(row -> assertThat(row).matches("level 2 +d +2 +1\\.00 +50% +50%"))
                .anySatisfy(row -> assertThat(row).matches("level 2 +s +1 +0\\.80 +100% +0%"))
                .anySatisfy(row -> assertThat(row).matches("level 2 +all +3 +0\\.93 +67% +33%"))
                .anySatisfy(row -> assertThat(row).matches("batches +z +1 +4\\.00 +0% +0%"))
                .anySatisfy(row -> assertThat(row).matches("all +all +4 +1\\.34 +50% +25%"))
                .contains("1 cases have no peer", "WRONG, by far: basalt bench -f gemm -r s -n 9", "the worst 4:")
                .noneMatch(row -> row.startsWith("level 3"));
        int worst = text.indexOf("the worst 4:");
        assertThat(text.get(worst + 1)).contains("0.500").endsWith("basalt bench -f gemv -r d -m 7 -n 9 --incx 2");
        assertThat(text.get(worst + 2)).contains("0.800").endsWith("-f trsv -r s -n 9");
        assertThat(text).hasSize(worst + 5);
    }

    @Test
    void noMoreThanTwenty() {
        List<SweepLine> lines = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            lines.add(line(SweepCase.Group.LEVEL1, "function=dot precision=d n=" + i, i, 10, "yes"));
        }
        List<String> text = new SweepReport(lines, "b").text();
        assertThat(text).contains("the worst 20:");
        assertThat(text.getLast()).contains("n 31").contains("0.323");
    }

    @Test
    void linesAreSevenColumns() {
        SweepLine line = line(SweepCase.Group.LAPACK, "function=getrf precision=c n=9", 2, 3, "yes");
        assertThat(line.csv()).isEqualTo("LAPACK,c,2.000,3.000,1.500,yes,-f getrf -r c -n 9");
        assertThat(
                line(SweepCase.Group.LAPACK, "function=getrf precision=c n=9", 2, Double.NaN, "FAILED: a, b\nc").csv())
                .isEqualTo("LAPACK,c,2.000,,,FAILED: a; b c,-f getrf -r c -n 9");
        assertThat(SweepLine.HEAD.split(",")).hasSize(7);
    }
}
