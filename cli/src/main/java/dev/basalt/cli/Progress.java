package dev.basalt.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * Says what a command is busy with, if it takes over a second: on a terminal a line that changes in place, elsewhere a line
 * now and then. Quick commands say nothing.
 */
final class Progress implements AutoCloseable {
    private static final long SECOND = 1_000_000_000L;
    private static final int WIDTH = 60;

    private final PrintWriter out;
    private final boolean terminal;
    private final long patience;
    private final long begun = System.nanoTime();
    private final Thread ticker;

    private volatile String phase = "";
    private volatile long phaseBegun = begun;
    private volatile double fraction = -1;
    private volatile boolean closed;

    /** Seen by the ticker only. */
    private long nextLine;

    private String shown = "";
    private boolean dirty;

    /**
     * Begins to watch.
     *
     * @param out standard error
     * @param terminal whether a line can be overwritten
     * @param patience nanoseconds without a word
     */
    Progress(PrintWriter out, boolean terminal, long patience) {
        this.out = out;
        this.terminal = terminal;
        this.patience = patience;
        this.ticker = Thread.ofPlatform().name("basalt-progress").daemon(true).start(this::tick);
    }

    /** Progress on standard error. */
    @SuppressWarnings("SystemConsoleNull") // it is null, where there is no terminal and no module jdk.internal.le
    static Progress to(PrintWriter out) {
        Console console = System.console();
        return new Progress(out, console != null && console.isTerminal(), SECOND);
    }

    /** Begins the next phase. */
    void phase(String name) {
        phase = name;
        fraction = -1;
        phaseBegun = System.nanoTime();
    }

    /** How much of the phase is done, from 0 to 1. */
    void at(double done) {
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
        if (dirty) {
            out.print("\r" + " ".repeat(WIDTH) + "\r");
            out.flush();
        }
    }

    private void overwrite(String text) {
        String cut = text.length() > WIDTH ? text.substring(0, WIDTH) : text;
        out.print("\r" + cut + " ".repeat(WIDTH - cut.length()));
        out.flush();
        dirty = true;
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
        double done = fraction;
        return done >= 0
                ? String.format(Locale.ROOT, "%s... %.0f %%", phase, 100 * Math.min(done, 1))
                : String.format(Locale.ROOT, "%s... %d s", phase, (now - phaseBegun) / SECOND);
    }

    /** Ends the watch and takes the line away. */
    @Override
    public void close() {
        closed = true;
        ticker.interrupt();
        try {
            ticker.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
