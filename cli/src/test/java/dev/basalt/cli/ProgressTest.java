package dev.basalt.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.internal.call.Cores;
import dev.basalt.type.ElementType;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ProgressTest {
    private static final long MILLISECOND = 1_000_000;

    private final StringWriter text = new StringWriter();

    private Progress progress(boolean terminal, long patience) {
        return new Progress(new PrintWriter(text), terminal, patience, Progress.Amount.SLOW);
    }

    /** Waits until something was said, however long it takes beside other work. */
    private void await(String pattern) throws InterruptedException {
        Pattern what = Pattern.compile(pattern);
        while (!what.matcher(text.toString()).find()) {
            Thread.sleep(10);
        }
    }

    @Test
    void quickWorkIsSilent() {
        try (Progress progress = progress(true, Long.MAX_VALUE)) {
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
            await("\rreading\\.\\.\\. 35 %");
            progress.phase("factoring");
            await("\rfactoring\\.\\.\\. [0-9]+ s");
        }
        assertThat(text.toString()).doesNotContain("\n").endsWith("\r");
    }

    @Test
    void theTimeLeftFollowsFromTheShare() throws InterruptedException {
        try (Progress progress = progress(true, MILLISECOND)) {
            progress.phase("reading");
            Thread.sleep(20);
            progress.at(0.5);
            await("reading\\.\\.\\. 50 %, [0-9]+ (s|min) left");
        }
    }

    @Test
    void bytesHaveARate() throws InterruptedException {
        try (Progress progress = progress(true, MILLISECOND)) {
            progress.phase("reading");
            Thread.sleep(20);
            progress.at(0.5, 200_000_000);
            await("reading\\.\\.\\. 50 %, [0-9]+ MB/s, [0-9]+ (s|min) left");
            progress.phase("copying");
            progress.at(0.4);
            await("copying\\.\\.\\. 40 %, [0-9]+ (s|min) left");
        }
    }

    /** How long it takes does not matter: factorisations go on until it has been said. */
    @Test
    void aCallTellsItsShareAndRate() {
        int n = 300;
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena();
                Progress progress = progress(true, MILLISECOND)) {
            MatrixView a = arena.matrix(ElementType.F64, n, n);
            VectorView ipiv = arena.vector(ElementType.I64, n);
            VectorView info = arena.vector(ElementType.I32, 1);
            progress.call("factoring", handle, 1e6, 1e9);
            Pattern said = Pattern.compile("factoring\\.\\.\\. [0-9]+ %, [0-9]+ GFLOP/s, [0-9]+ (s|min) left");
            while (!said.matcher(text.toString()).find()) {
                Lapack.getrf(handle, a, ipiv, info);
            }
            progress.phase("solving");
            assertThat(Cores.of(handle).share()).isNegative();
        }
    }

    @Test
    void everyPhaseIsToldWithItsTimeWhereThatIsAsked() {
        try (Progress progress = new Progress(new PrintWriter(text), true, 0, Progress.Amount.ALL)) {
            progress.phase("reading");
            progress.phase("factoring");
        }
        assertThat(text.toString().lines()).hasSize(2);
        assertThat(text.toString()).matches("(?s)reading: [0-9.]+ s\\R.*factoring: [0-9.]+ s\\R");
    }

    @Test
    void nothingIsSaidWhereNothingIsAsked() throws InterruptedException {
        try (Progress progress = new Progress(new PrintWriter(text), true, 0, Progress.Amount.NONE)) {
            progress.phase("reading");
            Thread.sleep(10);
        }
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void aFileGetsLines() throws InterruptedException {
        try (Progress progress = progress(false, 5 * MILLISECOND)) {
            progress.phase("factoring");
            await("factoring\\.\\.\\. [0-9]+ s\\R");
            progress.phase("solving");
            await("solving\\.\\.\\. [0-9]+ s\\R");
        }
        assertThat(text.toString()).doesNotContain("\r\r");
        // Every line after twice the time, not at every tick.
        assertThat(text.toString().lines().count()).isLessThan(40);
    }
}
