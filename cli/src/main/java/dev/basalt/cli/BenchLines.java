package dev.basalt.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Lines of a measurement as they come: comma-separated values under a heading, or a JSON object each. */
final class BenchLines {
    private final PrintWriter out;
    private final List<String> names;
    private final boolean json;

    /** Prints the heading, where there is one. */
    BenchLines(Output output, String head) {
        this.out = output.out();
        this.json = output.json();
        this.names = fields(head);
        if (!json) {
            out.println(head);
        }
    }

    void print(String line) {
        out.println(json ? Json.of(values(line)) : line);
        out.flush();
    }

    private Map<String, Object> values(String line) {
        List<String> texts = fields(line);
        Map<String, Object> values = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String text = i < texts.size() ? texts.get(i) : "";
            values.put(names.get(i), text.isEmpty() ? null : value(text));
        }
        return values;
    }

    private static Object value(String text) {
        if (!text.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?")) {
            return text;
        }
        return text.matches("-?[0-9]{1,18}") ? (Object) Long.valueOf(text) : (Object) Double.valueOf(text);
    }

    /** Fields between commas; quotes keep commas together, and two of them are one. */
    static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"') {
                if (quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    field.append('"');
                    i++;
                } else {
                    quoted = !quoted;
                }
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
