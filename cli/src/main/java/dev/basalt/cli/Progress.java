package dev.basalt.cli;

import dev.basalt.Handle;
import dev.basalt.internal.call.Cores;
import dev.basalt.internal.call.HandleCore;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Says what a command is busy with, if it takes over a second: on a terminal a line that changes in place, elsewhere a line
 * now and then. Quick commands say nothing. Where the share that is done is known, the time left follows from it.
 */
final class Progress implements AutoCloseable {
    /** How much is said. */
    enum Amount {
        /** Nothing. */
        NONE,
        /** What takes long. */
        SLOW,
        /** Every phase with its time, once it is over. */
        ALL
    }

    private static final long SECOND = 1_000_000_000L;
    private static final int USUAL_WIDTH = 80;
    /** Below this share the time left would be a guess. */
    private static final double ENOUGH = 0.02;
    /** Elements of a matrix from which on a call may take a second. */
    private static final double LARGE = 1 << 16;

    private final PrintWriter out;
    private final boolean terminal;
    private final long patience;
    private final Amount told;
    private final IntSupplier columns;
    private final long begun = System.nanoTime();
    private final Thread ticker;

    private volatile String phase = "";
    private volatile long phaseBegun = begun;
    private volatile double fraction = -1;
    private volatile HandleCore calls;
    private volatile double amount;
    private volatile String unit = "";
    private volatile boolean closed;

    private long reading;

    /** Seen by the ticker only. */
    private long nextLine;

    private String shown = "";
    private int dirty;
    private int width;

    /**
     * Begins to watch.
     *
     * @param out standard error
     * @param terminal whether a line can be overwritten
     * @param patience nanoseconds without a word
     * @param amount how much is said
     */
    Progress(PrintWriter out, boolean terminal, long patience, Amount amount) {
        this(out, terminal, patience, amount, Progress::columns);
    }

    /** The same on a terminal of so many columns; they are asked for when there is something to say. */
    Progress(PrintWriter out, boolean terminal, long patience, Amount amount, IntSupplier columns) {
        this.out = out;
        this.terminal = terminal;
        this.patience = patience;
        this.told = amount;
        this.columns = columns;
        this.ticker = amount == Amount.SLOW
                ? Thread.ofPlatform().name("basalt-progress").daemon(true).start(this::tick)
                : null;
    }

    /** Progress on standard error. */
    static Progress to(PrintWriter out) {
        return to(out, Amount.SLOW);
    }

    /** So much progress on standard error. */
    @SuppressWarnings("SystemConsoleNull") // it is null, where there is no terminal and no module jdk.internal.le
    static Progress to(PrintWriter out, Amount amount) {
        Console console = amount == Amount.SLOW ? System.console() : null;
        return new Progress(out, console != null && console.isTerminal(), SECOND, amount);
    }

    /** Begins the next phase. */
    void phase(String name) {
        end();
        phase = name;
        fraction = -1;
        calls = null;
        amount = 0;
        phaseBegun = System.nanoTime();
    }

    /**
     * Begins the next phase, a call that may take long.
     *
     * @param name what it is
     * @param handle who runs it, and tells how far it is if the device lets it know
     * @param elements of its largest matrix: small ones take no second
     * @param flops its operations; 0 if no formula tells
     */
    void call(String name, Handle handle, double elements, double flops) {
        phase(name);
        if (told == Amount.SLOW && elements >= LARGE) {
            HandleCore core = Cores.of(handle);
            core.watch();
            unit = "GFLOP/s";
            amount = flops / 1e9;
            calls = core;
        }
    }

    private void end() {
        if (phase.startsWith("reading ")) {
            reading += System.nanoTime() - phaseBegun;
        }
        if (told == Amount.ALL && !phase.isEmpty()) {
            out.println(String.format(Locale.ROOT, "%s: %.3f s", phase, (System.nanoTime() - phaseBegun) / 1e9));
            out.flush();
        }
    }

    /** Seconds that phases of reading took, so far as they are over. */
    double readingSeconds() {
        return reading / (double) SECOND;
    }

    /** How much of the phase is done, from 0 to 1. */
    void at(double done) {
        fraction = done;
    }

    /** The same of so many bytes, whose rate is said. */
    void at(double done, long all) {
        at(done, all / 1e6, "MB/s");
    }

    /** The same of so many operations. */
    void operations(double done, double all) {
        at(done, all / 1e9, "GFLOP/s");
    }

    private void at(double done, double all, String of) {
        unit = of;
        amount = all;
        fraction = done;
    }

    private void tick() {
        while (!closed) {
            try {
                Thread.sleep(Math.max(1, Math.min(patience, SECOND) / 5_000_000));
            } catch (InterruptedException e) {
                break;
            }
            long now = System.nanoTime();
            if (!closed && terminal && now - begun >= patience) {
                overwrite(text(now));
            } else if (!closed && !terminal) {
                line(now);
            }
        }
        if (dirty > 0) {
            out.print("\r" + " ".repeat(dirty) + "\r");
            out.flush();
        }
    }

    private void overwrite(String text) {
        // The last column stays free: some terminals wrap once it is written.
        width = width == 0 ? columns.getAsInt() - 1 : width;
        String cut = text.length() > width ? text.substring(0, width) : text;
        out.print("\r" + cut + " ".repeat(Math.max(0, dirty - cut.length())));
        out.flush();
        dirty = cut.length();
    }

    /** The terminal's width: the shell may say it, the terminal itself knows it. */
    private static int columns() {
        String said = System.getenv("COLUMNS");
        if (said != null && said.matches("[1-9][0-9]{1,3}")) {
            return Integer.parseInt(said);
        }
        Path terminal = Path.of("/dev/tty");
        if (!Files.exists(terminal)) {
            return USUAL_WIDTH;
        }
        try {
            Process stty = new ProcessBuilder("stty", "size").redirectInput(terminal.toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            boolean over = stty.waitFor(1, TimeUnit.SECONDS);
            return over && answer.matches("[0-9]+ [1-9][0-9]{1,3}")
                    ? Integer.parseInt(answer.substring(answer.indexOf(' ') + 1))
                    : USUAL_WIDTH;
        } catch (IOException e) {
            // No such tool, or no terminal: the usual width does no harm.
            return USUAL_WIDTH;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL_WIDTH;
        }
    }

    /** A line for a phase that has lasted long, then again whenever that time has doubled. */
    private void line(long now) {
        String current = phase;
        long lasted = now - phaseBegun;
        if (!shown.equals(current)) {
            nextLine = patience;
        }
        if (!current.isEmpty() && lasted >= nextLine) {
            shown = current;
            nextLine = 2 * lasted;
            out.println(text(now));
            out.flush();
        }
    }

    private String text(long now) {
        HandleCore call = calls;
        double done = Math.min(call == null ? fraction : call.share(), 1);
        double lasted = (now - phaseBegun) / (double) SECOND;
        if (done < 0) {
            return String.format(Locale.ROOT, "%s... %d s", phase, (long) lasted);
        }
        String share = String.format(Locale.ROOT, "%s... %.0f %%", phase, 100 * done);
        if (amount > 0 && lasted > 0) {
            share += String.format(Locale.ROOT, ", %.0f %s", done * amount / lasted, unit);
        }
        return done < ENOUGH || done >= 1
                ? share
                : share + String.format(Locale.ROOT, ", %s left", time(lasted / done - lasted));
    }

    private static String time(double seconds) {
        return seconds < 100
                ? String.format(Locale.ROOT, "%.0f s", seconds)
                : String.format(Locale.ROOT, "%.0f min", seconds / 60);
    }

    /** Ends the watch and takes the line away. */
    @Override
    public void close() {
        end();
        phase = "";
        closed = true;
        if (ticker == null) {
            return;
        }
        ticker.interrupt();
        try {
            ticker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
