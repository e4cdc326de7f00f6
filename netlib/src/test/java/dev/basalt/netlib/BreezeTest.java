package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BreezeTest {
    @Test
    @DisplayName("Breeze's solve, inv, svd, eig, qr and cholesky are the same with Basalt first on the class path, and reach Basalt")
    void sameResults() {
        List<String> options = List.of("-Dbasalt.netlib.counts=true", "-XX:TieredStopAtLevel=1");
        String[] size = {"20", "1"};
        List<String> alone = List.of(options.get(0), options.get(1), Child.JAVA_ALONE);
        List<String> plain = Child.run(alone, Child.classPath(false), BreezeCalls.class, size);
        List<String> basalt = Child.run(options, Child.classPath(true), BreezeCalls.class, size);
        assertThat(plain.getLast()).isEqualTo("served {}");
        assertThat(basalt.getLast()).contains("dgesv=", "dgetrf=", "dgetri=", "dgesdd=", "dgeqrf=", "dpotrf=");
        compare(plain, basalt, 6);
    }

    /** Fails if numbers differ. */
    static void compare(List<String> plain, List<String> basalt, int fewest) {
        List<String> wanted = plain.stream().filter(line -> line.startsWith("learnt ")).toList();
        List<String> found = basalt.stream().filter(line -> line.startsWith("learnt ")).toList();
        assertThat(found).hasSameSizeAs(wanted).hasSizeGreaterThanOrEqualTo(fewest);
        for (int i = 0; i < wanted.size(); i++) {
            String[] x = wanted.get(i).split(" ");
            String[] y = found.get(i).split(" ");
            assertThat(y).hasSameSizeAs(x).startsWith(x[0], x[1]);
            for (int j = 2; j < x.length; j++) {
                double number = Double.parseDouble(x[j]);
                assertThat(Double.parseDouble(y[j])).as(x[1] + " " + (j - 2))
                        .isCloseTo(number, within(1e-8 * Math.max(1, Math.abs(number))));
            }
        }
    }
}
