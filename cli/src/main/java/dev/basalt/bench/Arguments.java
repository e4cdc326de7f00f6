package dev.basalt.bench;

import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The arguments of a workload by their names on the command line of rocblas-bench, as text; what is missing has the default
 * that is documented there, but sizes follow one another: with n alone given a matrix is square.
 */
public final class Arguments {
    /** The names that are known. */
    public static final Set<String> NAMES = new LinkedHashSet<>(Arrays.asList(
            "function precision m n k nrhs lda ldb ldc incx incy stride_a stride_b stride_c stride_x stride_y alpha alphai beta betai transposeA transposeB side uplo diag batch_count promised"
                    .split(" ")));

    /** A size that nothing tells. */
    static final long DEFAULT_SIZE = 128;

    /** What a precision may be. */
    static final String TYPES = "accepted are s d c z, or f32_r f64_r f32_c f64_c";

    private static final long MOST = 1L << 31;

    /** Sizes of one problem: routines take 64 bits. */
    private static final long MOST_ELEMENTS = (1L << 40) + 1;

    private static final Set<String> SIZES = Set.of("m", "n", "k", "nrhs");

    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Set<String> used = new LinkedHashSet<>();

    /** Without any argument. */
    public Arguments() {}

    /**
     * Arguments as on a command line.
     *
     * @param line such as {@code function=gemm precision=d n=512}
     * @return the arguments
     */
    public static Arguments of(String line) {
        Arguments args = new Arguments();
        for (String word : line.strip().split("\\s+")) {
            int equals = word.indexOf('=');
            args.set(word.substring(0, equals), word.substring(equals + 1));
        }
        return args;
    }

    /**
     * Sets an argument.
     *
     * @param name one of {@link #NAMES}
     * @param text its value
     * @return this
     */
    public Arguments set(String name, String text) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("there is no argument \"" + name + "\"");
        }
        texts.put(name, text);
        return this;
    }

    /**
     * A copy with one argument changed.
     *
     * @param name one of {@link #NAMES}
     * @param text its value
     * @return the copy
     */
    public Arguments with(String name, String text) {
        Arguments copy = new Arguments();
        copy.texts.putAll(texts);
        return copy.set(name, text);
    }

    /**
     * The text of an argument.
     *
     * @param name its name
     * @return null if it is not set
     */
    public String get(String name) {
        return texts.get(name);
    }

    /**
     * What is set.
     *
     * @return texts by name
     */
    public Map<String, String> given() {
        return new LinkedHashMap<>(texts);
    }

    /**
     * Reads all arguments.
     *
     * @return the workload
     * @throws IllegalArgumentException that names the argument, its text and what is accepted
     */
    public Workload workload() {
        used.clear();
        return new Workload(this);
    }

    String text(String name, String otherwise) {
        used.add(name);
        return texts.getOrDefault(name, otherwise);
    }

    Routine routine(String family) {
        for (Routine routine : Routine.values()) {
            if (routine.family().equals(family)) {
                return routine;
            }
        }
        String all = Arrays.stream(Routine.values()).map(Routine::family).collect(Collectors.joining(", "));
        throw texts.containsKey("function")
                ? wrong("function", "there are " + all
                        + ", each also with _batched or _strided_batched; and on the command line of one problem "
                        + String.join(", ", TableSweep.others()) + ", and all of LAPACK" + TableSweep.meant(family))
                : new IllegalArgumentException("no function is given; there are " + all);
    }

    /** The type of that name. */
    static Optional<ElementType> type(String text) {
        return Optional.ofNullable(switch (text) {
            case "s", "f32_r" -> ElementType.F32;
            case "d", "f64_r" -> ElementType.F64;
            case "c", "f32_c" -> ElementType.C32;
            case "z", "f64_c" -> ElementType.C64;
            default -> null;
        });
    }

    ElementType type(Routine routine) {
        String text = text("precision", "f32_r");
        ElementType type = type(text).orElseThrow(() -> wrong("precision", TYPES));
        if (routine.types().indexOf(type.letter()) < 0) {
            throw wrong("precision", routine.family() + " has the types " + routine.types().replace("", " ").strip());
        }
        return type;
    }

    Op op(String name) {
        return switch (letter(name, "N", "NTC")) {
            case "T" -> Op.TRANS;
            case "C" -> Op.CONJ_TRANS;
            default -> Op.NONE;
        };
    }

    String letter(String name, String otherwise, String accepted) {
        String text = text(name, otherwise).toUpperCase(Locale.ROOT);
        if (text.length() != 1 || accepted.indexOf(text) < 0) {
            throw wrong(name, "accepted are " + String.join(", ", accepted.split("")));
        }
        return text;
    }

    /** A size; where it is not given, the first of the others that is. */
    long size(String name, String... others) {
        used.add(name);
        if (texts.containsKey(name)) {
            return count(name, 0);
        }
        for (String other : others) {
            if (texts.containsKey(other)) {
                return count(other, 0);
            }
        }
        return DEFAULT_SIZE;
    }

    long count(String name, long otherwise) {
        long value = number(name, otherwise);
        boolean size = SIZES.contains(name);
        if (value < 1 || value >= (size ? MOST_ELEMENTS : MOST)) {
            throw wrong(name, "it must be from 1 to " + (size ? "2^40" : "2^31-1"));
        }
        return value;
    }

    /** A number that is raised to the least that makes sense, as rocblas-bench does. */
    long least(String name, long least) {
        long value = number(name, least);
        if (value >= MOST_ELEMENTS && name.startsWith("ld")) {
            throw wrong(name, "it must be from 1 to 2^40");
        }
        return Math.max(value, least);
    }

    long increment(String name) {
        long value = number(name, 1);
        if (value == 0 || Math.abs(value) >= MOST) {
            throw wrong(name, "an increment is not 0 and below 2^31");
        }
        return value;
    }

    private long number(String name, long otherwise) {
        String text = text(name, null);
        if (text == null) {
            return otherwise;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw wrong(name, "it must be a whole number");
        }
    }

    /** A factor; the imaginary part of a real one is an argument that it does not have. */
    Complex scalar(String name, double otherwise, boolean real) {
        return new Complex(real(name, otherwise), real ? 0 : real(name + "i", 0));
    }

    /** A number that must be positive; NaN if it is not given. */
    double positive(String name) {
        double value = real(name, Double.NaN);
        if (value <= 0) {
            throw wrong(name, "it must be positive");
        }
        return value;
    }

    private double real(String name, double otherwise) {
        String text = text(name, null);
        try {
            return text == null ? otherwise : Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw wrong(name, "it must be a number");
        }
    }

    /** Refuses what nobody asked for: a misspelt combination would be measured as something else. */
    void requireUsed() {
        for (String name : texts.keySet()) {
            if (!used.contains(name)) {
                throw wrong(name, texts.get("function") + " has no such operand");
            }
        }
    }

    IllegalArgumentException wrong(String name, String accepted) {
        return new IllegalArgumentException(name + " = \"" + texts.get(name) + "\" is not accepted: " + accepted);
    }
}
