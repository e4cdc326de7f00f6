package dev.basalt.codegen;

import java.util.Arrays;
import java.util.List;

/**
 * One line of the table of routines.
 *
 * @param level 1, 2, 3 or L
 * @param name with a question mark for the type
 * @param types the types it exists for
 * @param room the package of the routine in dev.basalt.internal
 * @param routine the object that runs it
 * @param workspace whether it uses workspace
 * @param arguments in the order of BLAS, after the handle
 * @param text what it computes
 */
record ClassicFamily(
        String level,
        String name,
        List<ClassicType> types,
        String room,
        String routine,
        boolean workspace,
        List<ClassicArgument> arguments,
        String text) {

    /**
     * Reads a line.
     *
     * @param line the line
     * @return the family
     */
    static ClassicFamily of(String line) {
        String[] columns = line.split("\\s*\\|\\s*", 6);
        if (columns.length < 6) {
            throw new IllegalArgumentException("six columns are required: " + line);
        }
        String[] routine = columns[3].split(" ", -1);
        int room = routine[0].indexOf('.');
        return new ClassicFamily(
                columns[0],
                columns[1],
                words(columns[2]).stream().map(ClassicType::of).toList(),
                routine[0].substring(0, room),
                routine[0].substring(room + 1),
                routine.length > 1,
                words(columns[4]).stream().map(ClassicArgument::of).toList(),
                columns[5].strip());
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.strip().split("\\s+", -1));
    }

    /** The name of a type's method without the form. */
    String name(ClassicType type) {
        return name.replace("?", type.prefix());
    }

    /** The method on views. */
    String view() {
        return name.replace("?", "");
    }

    /** The class of the routine. */
    String routineClass() {
        return routine.substring(0, routine.indexOf('.'));
    }

    boolean hasScalars() {
        return arguments.stream().anyMatch(ClassicScalar.class::isInstance);
    }

    /** The result of a reduction, or null. */
    ClassicOutcome result() {
        return arguments.stream()
                .filter(argument -> argument instanceof ClassicOutcome outcome && outcome.isResult())
                .map(ClassicOutcome.class::cast)
                .findFirst()
                .orElse(null);
    }

    boolean isReduction() {
        return result() != null;
    }

    /** Whether vectors count as empty unless their increment is positive: in level 1, where there is only one vector. */
    boolean walksForward() {
        return level.equals("1")
                && arguments.stream().filter(ClassicOperand.class::isInstance).count() == 1;
    }

    /** The matrix of which only a triangle is stored: A, or the result of a rank-k update. */
    String triangle() {
        return routineClass().equals("Syrk") ? "C" : "A";
    }
}
