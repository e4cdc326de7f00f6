package dev.basalt.codegen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of routines for readers: a page with every routine, and the short list of README.md. */
final class Reference {
    private Reference() {}

    /**
     * The page of all routines.
     *
     * @return lines of Markdown
     * @throws IOException if the table cannot be read
     */
    static List<String> page() throws IOException {
        List<String> out = new ArrayList<>(List.of("# Routines", "",
                "Made from the table of routines; a test holds it to that. The arguments are those of the plain classic name, behind the handle;"
                        + " `→` is a result. Every routine has the forms plain, `Batched` (tables of addresses) and `StridedBatched`."
                        + " *ws*: it uses workspace, and a size query tells how much."));
        for (Map.Entry<String, List<ClassicFamily>> branch : RoutineTable.branches().entrySet()) {
            out.addAll(List.of("", "## " + branch.getKey(), "", "| routine | types | arguments | computes |",
                    "|---|---|---|---|"));
            for (ClassicFamily family : branch.getValue()) {
                out.add("| `" + family.view() + "` | " + types(family) + " | " + arguments(family)
                        + (family.workspace() ? " *ws*" : "") + " | " + escaped(family.text()) + " |");
            }
        }
        return out;
    }

    /**
     * The short list.
     *
     * @return lines of Markdown: a table with a row for each branch
     * @throws IOException if the table cannot be read
     */
    static List<String> summary() throws IOException {
        List<String> out = new ArrayList<>(List.of("| | routines |", "|---|---|"));
        for (Map.Entry<String, List<ClassicFamily>> branch : RoutineTable.branches().entrySet()) {
            Set<String> names = new LinkedHashSet<>();
            branch.getValue().stream().filter(family -> family.has("views")).forEach(f -> names.add(f.view()));
            out.add("| " + branch.getKey() + " | " + String.join(", ", names) + " |");
        }
        return out;
    }

    private static String types(ClassicFamily family) {
        return family.types().stream().map(ClassicType::prefix).collect(Collectors.joining(" "));
    }

    private static String arguments(ClassicFamily family) {
        List<String> words = new ArrayList<>();
        String result = "";
        for (ClassicArgument argument : family.arguments()) {
            if (argument instanceof ClassicOutcome outcome && outcome.isResult()) {
                result = " → result";
            } else {
                words.add(argument.name());
                if (argument instanceof ClassicOperand operand) {
                    words.addAll(operand.distances());
                }
            }
        }
        return "`" + String.join(" ", words) + "`" + result;
    }

    /** A bar would end the cell. */
    private static String escaped(String text) {
        return text.replace("|", "\\|");
    }
}
