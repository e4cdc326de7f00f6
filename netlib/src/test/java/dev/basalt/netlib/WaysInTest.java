package dev.basalt.netlib;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WaysInTest {
    private static final List<String> BASALT = List.of("BLAS BasaltBLAS", "LAPACK BasaltLAPACK", "ARPACK BasaltARPACK",
            "JavaBLAS VectorBLAS", "NativeBLAS BasaltBLAS", "ddot 14.0");

    @Test
    @DisplayName("First on the class path, Basalt is what netlib hands out, and netlib's own Java is still there by name")
    void firstOnTheClassPath() {
        assertThat(Child.run(List.of(), Child.classPath(true), WaysIn.class, "asked")).isEqualTo(BASALT);
    }

    @Test
    @DisplayName("Behind netlib on the class path, Basalt comes in by one call")
    void oneCall() {
        List<String> lines = Child.run(List.of(), Child.classPath(false), WaysIn.class, "installed");
        assertThat(lines.getFirst()).isEqualTo("installed [BLAS, LAPACK, ARPACK]");
        assertThat(lines.subList(1, lines.size())).isEqualTo(BASALT);
    }

    @Test
    @DisplayName("In a class loader below netlib's, as with Spark's --jars, Basalt comes in as well")
    void childLoader() {
        List<String> lines = Child.run(List.of(), Child.classPath(entry -> !Child.isOurs(entry)), WaysIn.class, "child",
                Child.classPath(Child::isOurs));
        assertThat(lines.getFirst()).isEqualTo("installed [BLAS, LAPACK, ARPACK]");
        assertThat(lines.subList(1, lines.size())).isEqualTo(BASALT);
    }

    @Test
    @DisplayName("Once netlib has been asked for BLAS, that stays its own, and install says so")
    void tooLate() {
        assertThat(Child.run(List.of("-Djava.util.logging.config.file=none"), Child.classPath(false), WaysIn.class,
                "late")).startsWith("installed [LAPACK, ARPACK]")
                .contains("LAPACK BasaltLAPACK", "ddot 14.0")
                .doesNotContain("BLAS BasaltBLAS");
    }

    /** As with a list of --jars that lacks one. */
    @Test
    @DisplayName("Without Basalt's CPU on the class path netlib keeps its own, and nothing ends in an exception later")
    void withoutTheCpu() {
        String ours = Child.classPath(entry -> Child.isOurs(entry) && !isHost(entry));
        String others = Child.classPath(entry -> !Child.isOurs(entry));
        String separator = java.io.File.pathSeparator;
        assertThat(Child.run(List.of(), ours + separator + others, WaysIn.class, "bare"))
                .contains("BLAS VectorBLAS", "ddot 14.0")
                .noneMatch(line -> line.contains("Basalt"));
        List<String> lines = Child.run(List.of(), others + separator + ours, WaysIn.class, "refused");
        assertThat(lines).startsWith("installed []").contains("ddot 14.0").noneMatch(line -> line.contains("Basalt"));
    }

    private static boolean isHost(String entry) {
        return entry.matches(".*(basalt-host[^/]*jar|/host/(target/)?classes/?)");
    }
}
