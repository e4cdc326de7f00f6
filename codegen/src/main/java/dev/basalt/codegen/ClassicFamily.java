package dev.basalt.codegen;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

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
 * @param facts what does not follow from the arguments
 */
record ClassicFamily(String level, String name, List<ClassicType> types, String room, String routine, boolean workspace,
        List<ClassicArgument> arguments, String text, Map<String, String> facts) {

    private static final Set<String> FACTS = Set.of("as", "only", "where", "trans", "norm", "svect", "evect", "none",
            "unread", "quick", "small", "signature", "classic", "views", "view", "more", "mixed", "flops", "after");

    private static final String ROUTINE = "ROUTINE";

    /**
     * Reads a line, and the lines of facts below it.
     *
     * @param line the line
     * @param facts what the lines below it say, without their dots
     * @return the family
     */
    static ClassicFamily of(String line, List<String> facts) {
        String[] columns = line.split("\\s*\\|\\s*", 6);
        if (columns.length < 6) {
            throw new IllegalArgumentException("six columns are required: " + line);
        }
        String[] routine = columns[3].split(" ", -1);
        int room = routine[0].indexOf('.');
        return new ClassicFamily(columns[0], columns[1], words(columns[2]).stream().map(ClassicType::of).toList(),
                routine[0].substring(0, room), routine[0].substring(room + 1), routine.length > 1,
                words(columns[4]).stream().map(ClassicArgument::of).toList(), columns[5].strip(), facts(line, facts));
    }

    private static Map<String, String> facts(String line, List<String> lines) {
        Map<String, String> facts = new LinkedHashMap<>();
        for (String fact : lines) {
            String[] parts = fact.split(" ", 2);
            if (!FACTS.contains(parts[0]) || parts.length < 2 || facts.put(parts[0], parts[1].strip()) != null) {
                throw new IllegalArgumentException("not a fact, or given twice: " + fact + " below " + line);
            }
        }
        return facts;
    }

    /** A fact, or null. */
    String fact(String key) {
        return facts.get(key);
    }

    /** Whether a fact is not denied. */
    boolean has(String key) {
        return !"no".equals(fact(key));
    }

    /** The class of its signature without the suffix: {@code ScalReal} of {@code Elementwise.SCAL_REAL}. */
    String signature() {
        String constant = routine.substring(routine.indexOf('.') + 1);
        if (constant.equals(ROUTINE)) {
            return routineClass();
        }
        StringBuilder name = new StringBuilder();
        for (String word : constant.split("_", -1)) {
            name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
        }
        return constant.replace("_", "").startsWith(view().toUpperCase(Locale.ROOT))
                ? name.toString()
                : routineClass() + name;
    }

    /** Whether it has a form whose operands' types the caller names. */
    boolean isMixed() {
        return fact("mixed") != null;
    }

    /** The operands in the order of BLAS. */
    List<ClassicOperand> operands() {
        return of(ClassicOperand.class);
    }

    /** The dimensions in the order of BLAS. */
    List<String> dimensions() {
        return of(ClassicDimension.class).stream().map(ClassicDimension::name).toList();
    }

    /** The scalars in the order of BLAS. */
    List<ClassicScalar> scalars() {
        return of(ClassicScalar.class);
    }

    /** The arguments of a kind in the order of BLAS. */
    <T extends ClassicArgument> List<T> of(Class<T> kind) {
        return arguments.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** Whether it has an argument of a name. */
    boolean has(Class<? extends ClassicArgument> kind, String name) {
        return of(kind).stream().anyMatch(argument -> argument.name().equals(name));
    }

    /** Whether a dimension is one that only operands have that are read: the inner one of a product. */
    boolean isInner(String dimension) {
        return dimension.equals("k")
                && operands().stream().anyMatch(operand -> !operand.written() && operand.hasSide("k"));
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.strip().split("\\s+", -1));
    }

    /** The name of a type's method without the form. */
    String name(ClassicType type) {
        return name.replace("?", type.prefix());
    }

    /** The name of a method in one of its forms; as in rocBLAS the form stands before {@code Ex}. */
    static String name(String name, ClassicForm form) {
        return name.endsWith("Ex") ? name.substring(0, name.length() - 2) + form.suffix + "Ex" : name + form.suffix;
    }

    /** The method on views. */
    String view() {
        return fact("view") == null ? name.replace("?", "") : fact("view");
    }

    /** The name under which the caller tells the types. */
    String mixedName() {
        return view().endsWith("Ex") ? view() : view() + "Ex";
    }

    /** The class of the routine. */
    String routineClass() {
        return routine.substring(0, routine.indexOf('.'));
    }

    boolean hasScalars() {
        return !scalars().isEmpty();
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
        return level.equals("1") && operands().size() == 1;
    }

    /** The matrix of which only a triangle is stored: A, or the result of a rank-k update. */
    String triangle() {
        return operands().stream()
                .filter(operand -> operand.matrix() && operand.square() && !operand.hasSide("order"))
                .map(ClassicOperand::name)
                .findFirst()
                .orElse("A");
    }
}
