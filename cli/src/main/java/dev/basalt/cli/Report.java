package dev.basalt.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a command found out: lines with labels for people, and the same values under names for programs. */
final class Report {
    private static final String LINE = "%-16s%s";

    private final List<String> lines = new ArrayList<>();
    private final Map<String, Object> values = new LinkedHashMap<>();

    Report() {}

    /**
     * A line for both.
     *
     * @param label label of the line
     * @param text what people read
     * @param name name of the value
     * @param value what programs read
     */
    Report add(String label, String text, String name, Object value) {
        lines.add(String.format(LINE, label, text));
        return value(name, value);
    }

    /** A line that is the same for both, under its label without spaces: {@code backward error} is {@code backwardError}. */
    Report add(String label, String text) {
        return add(label, text, name(label), text);
    }

    /** A line for people. */
    Report line(String label, String text) {
        lines.add(String.format(LINE, label, text));
        return this;
    }

    /** A value for programs. */
    Report value(String name, Object value) {
        values.put(name, value);
        return this;
    }

    /** A label as a name: {@code backward error} is {@code backwardError}. */
    static String name(String label) {
        StringBuilder name = new StringBuilder();
        boolean upper = false;
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            if (!Character.isLetterOrDigit(c)) {
                upper = true;
            } else {
                name.append(upper ? Character.toUpperCase(c) : c);
                upper = false;
            }
        }
        return name.toString();
    }

    /** Prints the lines, or the values as one JSON object. */
    void print(PrintWriter to, boolean json) {
        if (json) {
            to.println(Json.of(values));
        } else {
            lines.forEach(to::println);
        }
        to.flush();
    }
}
