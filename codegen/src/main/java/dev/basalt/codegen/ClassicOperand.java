package dev.basalt.codegen;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A vector or a matrix.
 *
 * @param name as BLAS writes it: a matrix ends in a capital
 * @param slots the operands a…m of the frame that it is put into
 * @param written whether the routine overwrites it
 * @param first rows of a matrix, elements of a vector
 * @param second columns of a matrix; elements of a vector that depends on an option, or null
 * @param below diagonals of a band below the main one, or those on the stored side of it; null if it is no band
 * @param above diagonals of a band above the main one; null if it is no band or only one side of it is stored
 * @param packed whether it is a triangle without what lies outside of it
 * @param option the option that, unless it is NONE, exchanges first and second; or null
 * @param contiguous whether it is a vector without increment
 * @param real whether its elements are real where the others are complex
 */
record ClassicOperand(String name, String slots, boolean written, String first, String second, String below,
        String above, boolean packed, String option, boolean contiguous, boolean real) implements ClassicArgument {
    /** Rows of what is a right-hand side first and a solution then: the larger of m and n. */
    static final String LONGEST = "longest";

    private static final String SIZE = "((?:min|max)\\(\\w+,\\w+\\)(?:-\\d)?|[\\w+*-]+)";

    private static final Pattern SYNTAX = Pattern.compile("(\\w+):([a-m]+)(\\*?)" + "(?:\\[" + SIZE + "(?:," + SIZE
            + ")?(?:;" + SIZE + "(?:," + SIZE + ")?)?]|\\{" + SIZE + "}|<" + SIZE + ">)(?:\\^(\\w+))?(:real)?");

    static ClassicOperand of(String text) {
        Matcher m = SYNTAX.matcher(text);
        if (!m.matches()) {
            throw new IllegalArgumentException("not an operand: " + text);
        }
        boolean packed = m.group(8) != null;
        boolean contiguous = m.group(9) != null;
        return new ClassicOperand(m.group(1), m.group(2), !m.group(3).isEmpty(),
                packed ? m.group(8) : contiguous ? m.group(9) : m.group(4), packed ? m.group(8) : m.group(5),
                m.group(6), m.group(7), packed, m.group(10), contiguous, m.group(11) != null);
    }

    boolean matrix() {
        return Character.isUpperCase(name.charAt(name.length() - 1));
    }

    boolean band() {
        return below != null;
    }

    /** Whether only the triangle {@code uplo} of a band is stored. */
    boolean halfBand() {
        return band() && above == null;
    }

    /** Whether a band has room above for what interchanges fill. */
    boolean fills() {
        return band() && !halfBand() && !above.equals("ku");
    }

    boolean square() {
        return matrix() && first.equals(second);
    }

    /** Its slots, 0…12 for a…m. */
    List<Integer> slotNumbers() {
        return slots.chars().mapToObj(slot -> slot - 'a').toList();
    }

    /** Its first slot. */
    int slot() {
        return slots.charAt(0) - 'a';
    }

    /** The operand of a launch. */
    String field() {
        char slot = slots.charAt(0);
        return slot <= 'g' ? "" + slot : "operand(" + (slot - 'a') + ")";
    }

    boolean hasSide(String dimension) {
        return first.equals(dimension) || dimension.equals(second);
    }

    /** The class of its view. */
    String viewType() {
        return packed ? "PackedView" : band() ? "BandView" : matrix() ? "MatrixView" : "VectorView";
    }

    /** The name as the routine reads it, such as {@code op(A)}. */
    String read() {
        return option == null || byRows() ? name : "op(" + name + ")";
    }

    /** What a dimension counts in this operand, or null. */
    String role(String dimension) {
        if (!matrix()) {
            return option == null && first.equals(dimension) ? "elements" : null;
        }
        if (band() && (dimension.equals(below) || above != null && above.matches("(kl\\+)?" + dimension))) {
            return halfBand() ? "diagonals besides the main one"
                    : dimension.equals(below) ? "diagonals below the main one"
                    : "diagonals above the main one";
        }
        if (first.equals(second)) {
            return first.equals(dimension) ? "order" : null;
        }
        return first.equals(dimension) ? "rows" : second.equals(dimension) ? "columns" : null;
    }

    @Override
    public void write(ClassicMethod method) {
        String java = java();
        boolean strided = method.form() == ClassicForm.STRIDED;
        method.parameter("DevicePointer", java, meaning(method.form()));
        String element = method.element(this, java, name);
        if (!packed && !fixed()) {
            method.parameter("long", distance(), matrix() ? leading(method.family()) : increment(method.family()));
        }
        if (strided) {
            method.parameter("long", stride(), "elements from one " + name + " to the next; may be negative");
        }
        for (int i = 0; i < slots.length(); i++) {
            int slot = slots.charAt(i) - 'a';
            List<String> values = new ArrayList<>(List.of("f", "" + slot, element, java, size()));
            if (!packed) {
                values.add(fixed() ? "1" : distance());
            }
            if (band()) {
                values.add(diagonalsBelow());
                values.add(diagonalsAbove());
            }
            values.add(strided ? stride() : "0");
            values.add(method.count());
            method.statement("Frame." + kind() + "(" + String.join(", ", values) + ");");
            if (method.form() == ClassicForm.BATCHED) {
                method.statement("Frame.pointers(f, " + slot + ");");
            }
            method.view(viewType());
        }
    }

    /** The method of Frame that takes it. */
    String kind() {
        return packed ? "packed" : band() ? "band" : matrix() ? "matrix" : "vector";
    }

    String diagonalsBelow() {
        return halfBand() ? "uplo == Uplo.LOWER ? " + below + " : 0" : below;
    }

    String diagonalsAbove() {
        return halfBand() ? "uplo == Uplo.LOWER ? 0 : " + below : Expression.java(above);
    }

    /** The Java name of its parameter. */
    String java() {
        return packed || name.equals(name.toUpperCase(Locale.ROOT)) ? name.toLowerCase(Locale.ROOT) : name;
    }

    /** The name of its leading dimension or increment. */
    String distance() {
        return (matrix() ? "ld" : "inc") + java();
    }

    /** Whether it is a vector of a few elements that the routine itself counts, one after the other. */
    boolean fixed() {
        return !matrix()
                && (contiguous || Character.isDigit(first.charAt(0)) || first.equals(ClassicDimension.INVERSES));
    }

    /** The parameters behind its pointer in a plain call. */
    List<String> distances() {
        return packed || fixed() ? List.of() : List.of(distance());
    }

    /** The parameter that says how far it is from one problem to the next. */
    String stride() {
        return "stride" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
    }

    /** How far it reaches, from dimensions, options and its parameters: what {@code SmallCall} looks at. */
    String extents() {
        String band = band() ? ", " + diagonalsBelow() + ", " + diagonalsAbove() : "";
        return size() + ", " + java() + (packed ? "" : fixed() ? ", 1" : ", " + distance()) + band;
    }

    /**
     * As a leaf takes it, from its address and its parameters: its first element and how far the next column is, or the next element. A stored triangle has the
     * element (0, 0), and by how much that distance grows, as {@code Operand} says it.
     */
    List<String> stored() {
        String upper = "uplo == Uplo.UPPER ? ";
        if (packed) {
            return List.of(java(), upper + "1 : n - 1", upper + "1 : -1");
        }
        if (halfBand()) {
            return List.of(upper + java() + " + " + below + " * type.bytes() : " + java(), distance() + " - 1", "0");
        }
        List<String> values = new ArrayList<>(List.of(java()));
        values.addAll(distances());
        return values;
    }

    /** The address of its first element, from its pointer. */
    String address(String element) {
        return matrix() || fixed()
                ? java() + ".address()"
                : "SmallCall.first(" + String.join(", ", java(), element, size(), distance()) + ")";
    }

    /** How many elements, or rows and columns, from dimensions and options. */
    String size() {
        if (packed) {
            return value(first);
        }
        if (option == null) {
            return value(first) + (matrix() ? ", " + value(second) : "");
        }
        return matrix() ? rows() + ", " + columns() : rows();
    }

    /** When its first and second size are not exchanged, in Java. */
    String plain() {
        return option + (byRows() ? " == Storev.COLUMNS" : " == Op.NONE");
    }

    /** Whether it holds reflectors, by columns or by rows. */
    private boolean byRows() {
        return "storev".equals(option);
    }

    /** Rows, or elements of a vector. */
    String rows() {
        return option == null ? value(first) : plain() + " ? " + value(first) + " : " + value(second);
    }

    /** Columns of a matrix. */
    String columns() {
        return option == null ? value(second) : plain() + " ? " + value(second) + " : " + value(first);
    }

    /** Whether its shape depends on the side of a product that it, or another matrix, stands on. */
    boolean sided() {
        return hasSide("order") || hasSide("over");
    }

    /** Whether its shape depends on which singular vectors or eigenvectors are asked for. */
    boolean vectorsOf(String svect) {
        String letter = switch (svect) {
            case "leftSvect" -> "u";
            case "rightSvect" -> "v";
            case "leftEvect" -> "l";
            case "rightEvect" -> "r";
            default -> "-";
        };
        boolean range = svect.equals("erange") && (hasSide("uchosen") || hasSide("vchosen"));
        return range || hasSide(letter + "rows") || hasSide(letter + "cols") || hasSide(letter + "chosen");
    }

    private static String value(String dimension) {
        return switch (dimension) {
            case "order" -> "side == Side.LEFT ? m : n";
            case "over" -> "side == Side.LEFT ? k : m";
            case "across" -> "side == Side.LEFT ? n : k";
            case LONGEST -> "Math.max(m, n)";
            default -> Expression.java(dimension);
        };
    }

    private String meaning(ClassicForm form) {
        String shape = shape();
        String all = name + ", " + shape + (written ? "; overwritten" : "");
        return switch (form) {
            case PLAIN -> all;
            case BATCHED -> "table in device memory with the address of every " + all;
            case STRIDED -> "the first " + all;
        };
    }

    /** Its shape for people. */
    String shape() {
        String kind =
                packed ? ", packed" : halfBand() ? ", a band of " + below + " diagonals besides the main one" : "";
        if (band() && !halfBand()) {
            kind = ", a band of " + below + " diagonals below and " + Expression.words(above) + " above the main one";
        }
        if (!matrix()) {
            return first.equals("1") ? "one element" : Expression.words(first) + otherwise(second) + " elements";
        }
        return (hasSide("over") ? "k×n (LEFT) or m×k (RIGHT)"
                : hasSide("order")
                        ? sided("m") + " (LEFT) or " + sided("n") + " (RIGHT)"
                                + (option == null ? "" : ", turned if " + option + " is ROWS")
                : words(first) + "×" + words(second) + otherwise(second + "×" + first)) + kind;
    }

    private static String words(String size) {
        String words = Expression.words(size.replace(LONGEST, "max(m,n)"));
        return words.contains(" ") && !words.endsWith(")") ? "(" + words + ")" : words;
    }

    private String sided(String order) {
        return first.replace("order", order) + "×" + second.replace("order", order);
    }

    private String otherwise(String other) {
        return option == null ? "" : " (" + other + " unless " + option + (byRows() ? " is COLUMNS)" : " is NONE)");
    }

    /** The least leading dimension for people, such as {@code max(1, n)}. */
    String leastLeading(ClassicFamily family) {
        if (band()) {
            return below + (halfBand() ? "" : " + " + Expression.words(above)) + " + 1";
        }
        return first.equals("order") ? "m (LEFT) or n (RIGHT)"
                : first.equals("over") ? "k (LEFT) or m (RIGHT)"
                : family.level().equals("2") ? "max(1, " + first + ")"
                : Expression.words(first.replace(LONGEST, "max(m,n)")) + otherwise(second);
    }

    /** The rows that the storage of a band needs, in Java. */
    String leastRows() {
        return below + (halfBand() ? "" : " + " + Expression.java(above)) + " + 1";
    }

    private String leading(ClassicFamily family) {
        return "leading dimension of " + name + ", at least " + leastLeading(family);
    }

    private String increment(ClassicFamily family) {
        String rule = family.level().equals("2") ? "not 0, negative to walk backwards"
                : family.walksForward() ? "a vector is empty unless it is positive"
                : "may be negative or 0";
        return "elements from one element of " + name + " to the next; " + rule;
    }
}
