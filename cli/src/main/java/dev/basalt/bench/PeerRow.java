package dev.basalt.bench;

import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * What another library has for a routine: calls that do together what one of Basalt's does.
 *
 * @param names names of Basalt's calls, with ? for the type's letter or in full
 * @param batch whether it is for batches
 * @param conditions such as {@code m>=n}, which must all hold
 * @param steps calls in turn
 * @param compared operands that are compared, empty for all that are overwritten; after {@code norm} only what they are made of
 */
record PeerRow(List<String> names, boolean batch, List<String> conditions, List<PeerStep> steps,
        List<String> compared) {
    /** Before operands that are not unique. */
    static final String NORM = "norm";

    private static final String HAS = "has:";
    private static final String LACKS = "lacks:";

    static PeerRow of(String line) {
        String[] cells = line.split("\\|", -1);
        if (cells.length < 3 || cells.length > 4) {
            throw new IllegalArgumentException("\"" + line + "\" has " + cells.length + " cells");
        }
        List<String> form = List.of(cells[1].strip().split("\\s+"));
        if (!List.of("plain", "batch").contains(form.get(0))) {
            throw new IllegalArgumentException("\"" + line + "\" is neither plain nor batch");
        }
        List<PeerStep> steps = Arrays.stream(cells[2].split(";")).map(PeerStep::of).toList();
        String compared = cells.length == 4 ? cells[3].strip() : "";
        return new PeerRow(List.of(cells[0].strip().split(",")), form.get(0).equals("batch"),
                form.subList(1, form.size()), steps, compared.isEmpty() ? List.of() : List.of(compared.split("\\s+")));
    }

    /** Whether a call has this name: in full it counts more. */
    boolean isFor(String name) {
        return names.contains(name);
    }

    /** Whether a family has this name with one letter of a type before it. */
    boolean isForFamily(String family) {
        return names.contains("?" + family);
    }

    /** Whether a row has the operands that {@code has:} and {@code lacks:} ask for: rows of one name may differ in them. */
    boolean fits(Predicate<String> operands) {
        return conditions.stream()
                .allMatch(condition -> !isOfOperand(condition)
                        || operands.test(condition.substring(condition.indexOf(':') + 1)) == condition.startsWith(HAS));
    }

    /** The conditions that sizes and options must meet. */
    List<String> limits() {
        return conditions.stream().filter(condition -> !isOfOperand(condition)).toList();
    }

    private static boolean isOfOperand(String condition) {
        return condition.startsWith(HAS) || condition.startsWith(LACKS);
    }

    /** Whether only what operands are made of is compared. */
    boolean norm() {
        return !compared.isEmpty() && compared.get(0).equals(NORM);
    }

    /** The names of the operands that are compared; empty for all that are overwritten. */
    List<String> operands() {
        return norm() ? compared.subList(1, compared.size()) : compared;
    }
}
