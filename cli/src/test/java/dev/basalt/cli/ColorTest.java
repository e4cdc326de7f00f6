package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colours go to terminals, and to nobody who says NO_COLOR. */
class ColorTest {
    private static final String ESCAPE = "\u001b[";

    @TempDir
    private Path folder;

    private String help(Map<String, String> environment) throws IOException, InterruptedException {
        CommandRun run = CommandRun.inChild(folder, List.of(), environment, "solve", "--help");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("solve");
        return run.out();
    }

    @Test
    void aPipeGetsNone() throws IOException, InterruptedException {
        assertThat(help(Map.of())).doesNotContain(ESCAPE);
    }

    @Test
    void whoeverForcesThemGetsThem() throws IOException, InterruptedException {
        assertThat(help(Map.of("CLICOLOR_FORCE", "1"))).contains(ESCAPE);
    }

    @Test
    void noColorIsKept() throws IOException, InterruptedException {
        assertThat(help(Map.of("NO_COLOR", "1"))).doesNotContain(ESCAPE);
    }
}
