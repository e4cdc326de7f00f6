package dev.basalt.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What was found out about a machine, in sections, and what ought to be done about it. */
final class Findings {
    private record Line(String text, String name, Object value) {}

    /** A section has a name for programs and a title for people. */
    private record Section(String name, String title, List<Line> lines) {}

    private final List<Section> sections = new ArrayList<>();
    private final List<String> troubles = new ArrayList<>();

    Findings() {}

    void section(String name, String title) {
        sections.add(new Section(name, title, new ArrayList<>()));
    }

    void line(String label, String text) {
        line(String.format("  %-15s %s", label, text), label, text);
    }

    /** A line that is laid out already, and what programs see of it. */
    void line(String text, String name, Object value) {
        sections.getLast().lines.add(new Line(text, name, value));
    }

    /** Something that ought to be done. */
    void trouble(String text) {
        troubles.add(text);
    }

    boolean isWell() {
        return troubles.isEmpty();
    }

    /** Prints all for people. */
    void print(PrintWriter out) {
        for (Section section : sections) {
            out.println(section.title);
            section.lines.forEach(line -> out.println(line.text));
        }
        printTroubles(out);
    }

    /** Prints only what ought to be done. */
    void printTroubles(PrintWriter out) {
        out.println(isWell() ? "all is well" : "to do");
        troubles.forEach(trouble -> out.println("  - " + trouble));
    }

    /** All for programs. */
    Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        for (Section section : sections) {
            Map<String, Object> lines = new LinkedHashMap<>();
            section.lines.forEach(line -> lines.put(line.name, line.value));
            values.put(section.name, lines);
        }
        values.put("well", isWell());
        values.put("toDo", troubles);
        return values;
    }
}
