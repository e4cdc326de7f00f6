package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long MILLISECOND = 1_000_000;

    private final StringWriter text = new StringWriter();

    private Progress progress(boolean terminal, long patience) {
        return new Progress(new PrintWriter(text), terminal, patience);
    }

    /** Waits until something was said, at most ten seconds. */
    private void await(String what) throws InterruptedException {
        for (int i = 0; i < 1000 && !text.toString().contains(what); i++) {
            Thread.sleep(10);
        }
        assertThat(text.toString()).contains(what);
    }

    @Test
    void quickWorkIsSilent() {
        try (Progress progress = progress(true, 60_000 * MILLISECOND)) {
            progress.phase("reading");
            progress.at(0.5);
        }
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void aTerminalGetsOneLineThatGoesAway() throws InterruptedException {
        try (Progress progress = progress(true, 5 * MILLISECOND)) {
            progress.phase("reading");
            progress.at(0.35);
            await("\rreading... 35 %");
            progress.phase("factoring");
            await("\rfactoring... 0 s");
        }
        assertThat(text.toString()).doesNotContain("\n").endsWith(" \r");
    }

    @Test
    void aFileGetsLines() throws InterruptedException {
        try (Progress progress = progress(false, 5 * MILLISECOND)) {
            progress.phase("factoring");
            await("factoring... 0 s" + System.lineSeparator());
            progress.phase("solving");
            await("solving... 0 s" + System.lineSeparator());
        }
        assertThat(text.toString()).doesNotContain("\r\r");
        // Every line after twice the time, not at every tick.
        assertThat(text.toString().lines().count()).isLessThan(40);
    }
}
