package dev.basalt.all;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.all.Installed.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The samples of the Javadoc are files that compile, and what they print is right. */
class JavadocSampleTest {
    private static final Path SAMPLES = Readme.ROOT.resolve("core/src/main/snippets/app");

    @TempDir
    private Path folder;

    @Test
    void theSampleOfThePackageRuns() {
        Installed installed = Installed.in(folder).program(Readme.read(SAMPLES.resolve("SolveSample.java")));
        Outcome outcome =
                installed.java("--enable-native-access=ALL-UNNAMED", "-cp", "app.jar:lib/*", "app.SolveSample");
        assertThat(outcome.complaints()).isEmpty();
        assertThat(outcome.out()).isEqualTo("[1.0, 2.0, 3.0]\n");
    }

    @Test
    void thePackageShowsRegionsThatAreThere() {
        String shown = Readme.read(Readme.ROOT.resolve("core/src/main/java/dev/basalt/package-info.java"));
        List<String> regions = Pattern.compile("file=\"app/SolveSample\\.java\" region=\"(\\w+)\"")
                .matcher(shown)
                .results()
                .map(result -> result.group(1))
                .toList();
        String sample = Readme.read(SAMPLES.resolve("SolveSample.java"));
        assertThat(regions).isNotEmpty()
                .allSatisfy(region -> assertThat(sample).contains("@start region=\"" + region + "\""));
    }
}
