package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor --netlib} makes of a class path; the module netlib tests what is said there. */
class NetlibDoctorTest {
    @TempDir
    private Path folder;

    private void compile(String body) throws IOException {
        Path source = folder.resolve("Doctor.java");
        Files.writeString(source,
                "package dev.basalt.netlib; public class Doctor { public static void main(String[] a) {" + body
                        + "} }");
        assertThat(ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(System.out, System.err, "-d", folder.toString(), "" + source)).isZero();
    }

    @Test
    void printsWhatTheOtherJavaSays() throws IOException {
        compile("System.out.println(\"BLAS.getInstance() is it\");");
        assertThat(CommandRun.of("doctor", "--netlib", folder).good().out().strip())
                .isEqualTo("BLAS.getInstance() is it");
        assertThat(CommandRun.of("doctor", "--json", "--netlib", folder).good().out().strip())
                .isEqualTo("{\"netlib\":{\"BLAS\":{\"instance\":\"it\"}}}");
        assertThat(Json.of(NetlibDoctor.values(List.of("ARPACK.getInstance() is a.b.C", "  by Basalt: 2: dsaupd dseupd",
                "  by netlib's own Java: 0")))).isEqualTo(
                        "{\"ARPACK\":{\"instance\":\"a.b.C\",\"Basalt\":[\"dsaupd\",\"dseupd\"],\"netlib's own Java\":[]}}");
    }

    @Test
    void saysWhatIsMissing() throws IOException {
        assertThat(CommandRun.of("doctor", "--netlib", folder).failure(Failure.FAILED)).contains("has no basalt-netlib",
                "docs/netlib.md");
        compile("throw new NoClassDefFoundError(\"dev/ludovic/netlib/blas/BLAS\");");
        assertThat(CommandRun.of("doctor", "--netlib", folder).failure(Failure.FAILED)).contains("has no netlib");
    }
}
