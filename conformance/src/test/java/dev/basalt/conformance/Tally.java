package dev.basalt.conformance;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What {@link Verify} has counted, and where its lines go: to standard output, or with {@code --json} beside it, and one object for programs there at the end. */
final class Tally {
    /** As the other commands have it. */
    private static final int LOST_OUTPUT = 4;

    private static final String FAILED = "FAILED ";

    /** Tests that passed. */
    final AtomicInteger passed = new AtomicInteger();
    /** Tests and suites that failed. */
    final AtomicInteger failed = new AtomicInteger();

    private final PrintStream out = System.out;
    private final boolean json;
    private final List<String> failures = new ArrayList<>();

    Tally(boolean json) {
        this.json = json;
        if (json) {
            // Suites say there with which seed they draw.
            System.setOut(System.err);
        }
    }

    /** Prints a line. What nobody can read is not worth an hour of a GPU: a closed pipe or a full disk ends the run. */
    synchronized void say(String line) {
        if (line.startsWith(FAILED)) {
            failures.add(line.substring(FAILED.length()));
        }
        print(System.out, line);
    }

    private static void print(PrintStream to, String line) {
        to.println(line);
        if (to.checkError()) {
            System.err.println("basalt verify: standard output cannot be written");
            Runtime.getRuntime().halt(LOST_OUTPUT);
        }
    }

    /** Says the end of a run; whether nothing failed and something ran. */
    synchronized boolean end(String device) {
        say(counts());
        if (json) {
            StringBuilder text = new StringBuilder("{\"device\":").append(quoted(device));
            text.append(",\"passed\":").append(passed).append(",\"failed\":").append(failed).append(",\"failures\":[");
            text.append(String.join(",", failures.stream().map(Tally::quoted).toList())).append("]}");
            print(out, text.toString());
        }
        return failed.get() == 0 && passed.get() > 0;
    }

    /** Both counts for people. */
    String counts() {
        return passed + " passed, " + failed + " failed";
    }

    /** A string of JSON. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
