package dev.basalt.docs;

import java.util.ArrayList;
import java.util.List;

/** What the search looks through: every section of every page, as a script, since a page from disk may not read other files. */
final class SearchIndex {
    private final List<String> entries = new ArrayList<>();

    void add(String page, String title, List<Markdown.Section> sections) {
        for (Markdown.Section section : sections) {
            entries.add("[" + text(page + "#" + section.anchor()) + "," + text(title) + "," + text(section.title())
                    + "," + text(section.text()) + "]");
        }
    }

    /** The script. */
    String script() {
        return "// Page and anchor, title of the page, heading, words.\nconst sections = [\n"
                + String.join(",\n", entries) + "\n];\n";
    }

    private static String text(String words) {
        StringBuilder out = new StringBuilder("\"");
        words.strip().replaceAll("\\s+", " ").chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                out.append('\\');
            }
            // A script may not hold the end of a script.
            out.append(c == '<' ? "\\u003c" : c < ' ' ? " " : String.valueOf((char) c));
        });
        return out.append('"').toString();
    }
}
