package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;

/** Lines of a Java source that is being written. */
final class Source {
    private static final int WIDTH = 120;

    private final List<String> lines = new ArrayList<>();

    /**
     * Adds lines.
     *
     * @param more the lines
     * @return this
     */
    Source add(String... more) {
        lines.addAll(List.of(more));
        return this;
    }

    /**
     * Adds a documentation comment.
     *
     * @param indent blanks before it
     * @param paragraphs its paragraphs; those that begin with {@code @} are tags, an empty one is an empty line
     * @return this
     */
    Source comment(String indent, List<String> paragraphs) {
        lines.add(indent + "/**");
        for (String paragraph : paragraphs) {
            if (paragraph.isEmpty()) {
                lines.add(indent + " *");
            } else {
                wrap(indent + " *", paragraph);
            }
        }
        lines.add(indent + " */");
        return this;
    }

    /** Adds a paragraph broken into lines; those after the first are set in, as of a tag. */
    private void wrap(String start, String text) {
        StringBuilder line = new StringBuilder(start);
        for (String word : text.split(" ", -1)) {
            if (line.length() + 1 + word.length() > WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(text.startsWith("@") ? start + "    " : start);
            }
            line.append(' ').append(word);
        }
        lines.add(line.toString());
    }

    /**
     * Adds a call or a declaration, broken where the line would be too long.
     *
     * @param start up to and with the opening parenthesis
     * @param arguments what stands in the parentheses
     * @param end the closing parenthesis and what follows
     * @return this
     */
    Source call(String start, List<String> arguments, String end) {
        return fill(start, arguments, ",", end);
    }

    /**
     * Adds a condition, broken where the line would be too long.
     *
     * @param conditions what makes it true, each alone
     * @return this
     */
    Source whereAny(String indent, List<String> conditions) {
        return fill(indent + "if (", conditions, " ||", ") {");
    }

    private Source fill(String start, List<String> arguments, String separator, String end) {
        String indent = start.substring(0, start.length() - start.stripLeading().length()) + "        ";
        StringBuilder line = new StringBuilder(start);
        for (int i = 0; i < arguments.size(); i++) {
            String word = arguments.get(i) + (i + 1 < arguments.size() ? separator : end);
            boolean first = line.toString().equals(start);
            if (line.length() + 1 + word.length() > WIDTH && !line.toString().isBlank()) {
                lines.add(line.toString());
                line = new StringBuilder(indent);
                first = true;
            }
            line.append(first ? "" : " ").append(word);
        }
        if (arguments.isEmpty()) {
            line.append(end);
        }
        lines.add(line.toString());
        return this;
    }

    /** What was added. */
    List<String> lines() {
        return lines;
    }
}
