package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of {@code basalt trace}, by what it holds and, where there is a Chromium, by what that makes of it. */
class TraceCommandTest {
    @TempDir
    private Path folder;

    /** Of an order at which LU takes workspace on every engine. */
    private Path recorded() throws IOException {
        Random random = new Random(5);
        StringBuilder text = new StringBuilder("%%MatrixMarket matrix array real general\n200 200\n");
        for (int i = 0; i < 200 * 200; i++) {
            text.append(random.nextGaussian()).append('\n');
        }
        Path matrix = Files.writeString(folder.resolve("random.mtx"), text);
        Path file = folder.resolve("run.jfr");
        try (Recording recording = new Recording()) {
            for (String event : List.of("Lease", "Plan", "Degraded", "Grow", "SchemeChange")) {
                recording.enable("dev.basalt.Workspace" + event).withoutThreshold();
            }
            recording.start();
            CommandRun.of("solve", matrix, "--method", "lu").good();
            CommandRun.of("solve", matrix, "--method", "lu", "--workspace", 64).good();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    @Test
    @SuppressWarnings("unchecked")
    void thePageHoldsTheRun() throws IOException {
        Path page = folder.resolve("run.html");
        CommandRun run = CommandRun.of("trace", recorded(), "-o", page).good();
        assertThat(Integer.parseInt(run.value("calls"))).isGreaterThanOrEqualTo(4);
        String html = Files.readString(page);
        assertThat(html).doesNotContain("@DATA@", "http:", "https:", "src=");
        String data = html.replaceFirst("(?s).*id=\"data\">", "").replaceFirst("(?s)</script>.*", "");
        Map<String, Object> json = (Map<String, Object>) new JsonText(data).value();
        List<Map<String, Object>> events = (List<Map<String, Object>>) json.get("events");
        assertThat(events).extracting(event -> event.get("kind")).contains("lease", "plan", "scheme");
        assertThat(events).filteredOn(event -> event.get("kind").equals("lease"))
                .allSatisfy(lease -> assertThat(lease).containsKeys("t", "d", "handle", "stream", "routine", "shape",
                        "tier", "asked", "capacity"))
                .extracting(event -> event.get("routine"))
                .contains("dgetrf", "dgetrs");
        inChromium(page, run.value("calls") + " calls");
    }

    private static void inChromium(Path page, String summary) throws IOException {
        Path chromium = Path.of("/usr/bin/chromium");
        Assumptions.assumeTrue(Files.isExecutable(chromium), "skipped: there is no Chromium to look at the page");
        Process browser = new ProcessBuilder(chromium.toString(), "--headless", "--no-sandbox", "--disable-gpu",
                "--dump-dom", page.toUri().toString()).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String dom = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            Assumptions.assumeTrue(browser.waitFor(1, TimeUnit.MINUTES) && dom.contains("<html"),
                    "skipped: Chromium does not run here");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        // Written by the script at its end: had it failed before, there would be nothing.
        assertThat(dom).contains(summary).containsPattern("<td>dgetrf</td><td>2</td>");
    }

    @Test
    void refusesWhatIsNoRecording() throws IOException {
        Path page = folder.resolve("run.html");
        assertThat(CommandRun.of("trace", folder.resolve("none.jfr"), "-o", page).failure(Failure.FAILED))
                .endsWith("none.jfr: no such file");
        Path text = Files.writeString(folder.resolve("text.jfr"), "hello");
        assertThat(CommandRun.of("trace", text, "-o", page).failure(Failure.FAILED))
                .contains("text.jfr: not a recording of the flight recorder");
        assertThat(CommandRun.of("trace", text).failure(Failure.USAGE)).contains("--out=FILE.html");
        assertThat(page).doesNotExist();
    }
}
