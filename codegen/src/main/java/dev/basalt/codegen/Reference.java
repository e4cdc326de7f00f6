package dev.basalt.codegen;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The table of routines for readers: a page with every routine, the short list of docs/index.md, and what the pages of the site say. */
public final class Reference {
    /**
     * A routine as a reader wants to know it.
     *
     * @param branch the heading it belongs under
     * @param view the method on views, or the part of its names without the type
     * @param names its plain classic names, one a type
     * @param forms what the names of its batches end in; none if it has no classic names
     * @param types the types of its elements in words, one a name
     * @param arguments the arguments of the classic names behind the handle, with their shapes
     * @param result whether the call returns a number
     * @param workspace whether it uses workspace
     * @param operations how many operations it takes on real elements
     * @param read the operands that are only read, with their elements
     * @param overwritten the operands that are overwritten, with their elements
     * @param example a call on views, lines of Java; none if it has no method there
     * @param results the views of the example that it overwrites
     * @param text what it computes
     * @param source the file of the class that runs it, below the sources of core
     */
    public record Entry(String branch, String view, List<String> names, List<String> forms, List<String> types,
            List<String> arguments, boolean result, boolean workspace, String operations, String read,
            String overwritten, List<String> example, List<String> results, String text, String source) {}

    private Reference() {}

    /**
     * Every row of the table.
     *
     * @return in the order of the table
     * @throws IOException if the table cannot be read
     */
    public static List<Entry> entries() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<String, List<ClassicFamily>> branch : RoutineTable.branches().entrySet()) {
            for (ClassicFamily family : branch.getValue()) {
                boolean classic = family.has("classic");
                List<String> names =
                        family.types().stream().map(type -> family.name().replace("?", type.prefix())).toList();
                Complexity cost = new Complexity(family);
                Example example = family.has("views") ? new Example(family) : null;
                boolean result = family.of(ClassicOutcome.class).stream().anyMatch(ClassicOutcome::isResult);
                entries.add(new Entry(branch.getKey(), family.view(), classic ? names : List.of(),
                        classic ? List.of("Batched", "StridedBatched") : List.of(),
                        family.types().stream().map(ClassicType::words).toList(),
                        family.arguments().stream().flatMap(argument -> described(argument).stream()).toList(), result,
                        family.workspace(), cost.operations(), cost.read(), cost.overwritten(),
                        example == null ? List.of() : example.lines(), example == null ? List.of() : example.written(),
                        family.text(), "dev/basalt/internal/" + family.room() + "/" + family.routineClass() + ".java"));
            }
        }
        return entries;
    }

    private static List<String> described(ClassicArgument argument) {
        if (argument instanceof ClassicOutcome outcome && outcome.isResult()) {
            return List.of();
        }
        if (!(argument instanceof ClassicOperand operand)) {
            return List.of(argument.name());
        }
        StringBuilder text = new StringBuilder(operand.name()).append(": ");
        if (operand.packed()) {
            text.append("packed triangle of order ").append(operand.first());
        } else if (operand.band()) {
            text.append(operand.first()).append('×').append(operand.second()).append(" band");
        } else if (operand.matrix()) {
            text.append(operand.first()).append('×').append(operand.second());
            if (operand.option() != null) {
                text.append(", or the other way round by ").append(operand.option());
            }
        } else {
            text.append(operand.first());
            if (operand.option() != null && operand.second() != null) {
                text.append(" or ").append(operand.second()).append(" by ").append(operand.option());
            }
            text.append(operand.first().equals("1") ? " element" : " elements");
        }
        if (operand.real()) {
            text.append(", real");
        }
        if (operand.written()) {
            text.append(", overwritten");
        }
        List<String> words = new ArrayList<>(List.of(text.toString()));
        words.addAll(operand.distances());
        return words;
    }

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
                        + " *ws*: it uses workspace, and a size query tells how much. Operations are additions and multiplications on real elements, the terms of highest order;"
                        + " complex elements take up to four times as many. *order* is m if side is LEFT, else n."));
        for (Map.Entry<String, List<ClassicFamily>> branch : RoutineTable.branches().entrySet()) {
            out.addAll(List.of("", "## " + branch.getKey(), "",
                    "| routine | types | arguments | computes | operations |", "|---|---|---|---|---|"));
            for (ClassicFamily family : branch.getValue()) {
                out.add("| `" + family.view() + "` | " + types(family) + " | " + arguments(family)
                        + (family.workspace() ? " *ws*" : "") + " | " + escaped(family.text()) + " | "
                        + new Complexity(family).operations() + " |");
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
