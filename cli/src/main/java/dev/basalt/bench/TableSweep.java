package dev.basalt.bench;

import dev.basalt.Handle;
import dev.basalt.Plan;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Which cases of the table of routines are measured: every value of a list with every one of the others. A routine that lacks an
 * argument has one case for all its values.
 *
 * @param families names without type letter; {@code all} for every one of levels 1 to 3, {@code lapack} for every one of LAPACK
 * @param types type letters
 * @param m rows; empty for n
 * @param n columns, orders or lengths
 * @param k inner dimensions, right-hand sides or diagonals; empty for n
 * @param kl diagonals below, or a second such dimension; empty for k
 * @param ku diagonals above, or a third; empty for k
 * @param side letters
 * @param uplo letters
 * @param diag letters
 * @param trans letters
 * @param transB letters
 * @param vectors V for eigenvectors or singular vectors, N for none
 * @param batches problems of strided batches, 0 for plain calls
 */
public record TableSweep(List<String> families, String types, List<Long> m, List<Long> n, List<Long> k, List<Long> kl,
        List<Long> ku, List<String> side, List<String> uplo, List<String> diag, List<String> trans, List<String> transB,
        List<String> vectors, List<Long> batches) {

    private static final List<String> TAKEN =
            List.of("function", "precision", "m", "n", "k", "side", "uplo", "diag", "transposeA", "transposeB");

    /**
     * The families that only the table of routines has: {@link Routine} knows the others, in batches and with all their arguments.
     *
     * @return names without type letter
     */
    public static List<String> others() {
        return unknown(Signatures.all().stream().filter(routine -> !isLapack(routine)));
    }

    /**
     * The same with those of LAPACK.
     *
     * @return names without type letter
     */
    public static List<String> othersAndLapack() {
        return unknown(Signatures.all().stream());
    }

    private static List<String> unknown(Stream<Routine> of) {
        List<String> known =
                Stream.of(dev.basalt.bench.Routine.values()).map(dev.basalt.bench.Routine::family).toList();
        return of.map(Routine::family).distinct().filter(family -> !known.contains(family)).toList();
    }

    /**
     * The cases that arguments of rocblas-bench stand for, of one of {@link #othersAndLapack()}.
     *
     * @param arguments some of which may be lists or ranges
     * @return the sweep
     * @throws IllegalArgumentException if one is not accepted
     */
    public static TableSweep of(Arguments arguments) {
        for (String name : Arguments.NAMES) {
            if (arguments.get(name) != null && !TAKEN.contains(name)) {
                throw arguments.wrong(name, arguments.get("function")
                        + " is measured with the least distances and factors of absolute value 1 or less");
            }
        }
        StringBuilder types = new StringBuilder();
        for (String precision : texts(arguments, "precision", "s")) {
            types.append(Arguments.type(precision)
                    .orElseThrow(() -> arguments.wrong("precision", Arguments.TYPES))
                    .letter());
        }
        List<Long> m = sizes(arguments, "m");
        List<Long> n = sizes(arguments, "n");
        return new TableSweep(texts(arguments, "function", ""), types.toString(), m,
                !n.isEmpty() ? n : or(m, Arguments.DEFAULT_SIZE), sizes(arguments, "k"), List.of(), List.of(),
                texts(arguments, "side", "L"), texts(arguments, "uplo", "U"), texts(arguments, "diag", "N"),
                texts(arguments, "transposeA", "N"), texts(arguments, "transposeB", "N"), List.of("V"), List.of(0L));
    }

    private static List<String> texts(Arguments arguments, String name, String otherwise) {
        String text = arguments.get(name);
        return text == null ? List.of(otherwise) : Sweep.values(name, text);
    }

    private static List<Long> sizes(Arguments arguments, String name) {
        List<Long> sizes = new ArrayList<>();
        if (arguments.get(name) != null) {
            for (String value : Sweep.values(name, arguments.get(name))) {
                sizes.add(arguments.with(name, value).count(name, 0));
            }
        }
        return sizes;
    }

    private static boolean isLapack(Routine routine) {
        return routine.signature().level().equals("L");
    }

    /** Whether a name means a routine, or the group that the name stands for does. */
    private static boolean isMeant(String family, Routine routine) {
        return switch (family) {
            case "all" -> !isLapack(routine);
            case "lapack" -> isLapack(routine);
            default -> routine.family().equals(family);
        };
    }

    /**
     * The cases.
     *
     * @return in the order of the families, types, then sizes
     * @throws IllegalArgumentException if there is no such family, type or option
     */
    public List<TableCase> cases() {
        List<TableCase> all = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Routine routine : routines()) {
            for (ElementType type : routine.signature().types()) {
                if (types.indexOf(type.letter()) < 0) {
                    continue;
                }
                for (TableCase c : cases(routine, type)) {
                    // Some rows of LAPACK have their classic names from another.
                    if ((isLapack(routine) || c.batch() > 0) && !TableCalls.has(c)) {
                        continue;
                    }
                    if (seen.add(c.name() + c.arguments() + c.shape() + c.options())) {
                        all.add(c);
                    }
                }
            }
        }
        return all;
    }

    /**
     * What calls of the cases ask for, one after another.
     *
     * @param handle where
     * @return the plan
     */
    public Plan plan(Handle handle) {
        List<TableCase> cases = cases();
        if (cases.isEmpty()) {
            throw new IllegalArgumentException("there is no " + families.get(0) + " of type " + types);
        }
        return handle.plan(h -> cases.forEach(c -> TableCalls.plan(h, c)));
    }

    private List<Routine> routines() {
        List<Routine> chosen = new ArrayList<>();
        for (String family : families) {
            List<Routine> found = Signatures.all().stream().filter(routine -> isMeant(family, routine)).toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException("there is no family \"" + family + "\"" + meant(family));
            }
            chosen.addAll(found);
        }
        return chosen;
    }

    /** People write a routine's name with the letter of its type. */
    static String meant(String typed) {
        String without = typed.replaceFirst("^[sdcz]", "");
        if (Signatures.all().stream().anyMatch(routine -> isMeant(without, routine))) {
            return "; it is named without the letter of its type: " + without;
        }
        List<String> close = Typo.closest(typed, names());
        return close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?";
    }

    /**
     * The names of all families.
     *
     * @return each once
     */
    public static List<String> names() {
        return Signatures.all().stream().map(Routine::family).distinct().toList();
    }

    private List<TableCase> cases(Routine routine, ElementType type) {
        List<TableCase> cases = new ArrayList<>();
        for (TableChoices choices : choices()) {
            for (long columns : n) {
                for (long rows : or(m, columns)) {
                    for (long inner : or(k, columns)) {
                        for (long below : or(kl, inner)) {
                            for (long above : or(ku, inner)) {
                                for (long batch : batches) {
                                    cases.add(new TableCase(routine, type, rows, columns, inner, below, above, choices,
                                            batch));
                                }
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static List<Long> or(List<Long> given, long otherwise) {
        return given.isEmpty() ? List.of(otherwise) : given;
    }

    private List<TableChoices> choices() {
        List<TableChoices> all =
                List.of(new TableChoices(Side.LEFT, Uplo.UPPER, Diag.NON_UNIT, Op.NONE, Op.NONE, true));
        all = each(all,
                c -> of(side, Side.values()).stream()
                        .map(s -> new TableChoices(s, c.uplo(), c.diag(), c.trans(), c.transB(), c.vectors()))
                        .toList());
        all = each(all,
                c -> of(uplo, Uplo.values()).stream()
                        .map(u -> new TableChoices(c.side(), u, c.diag(), c.trans(), c.transB(), c.vectors()))
                        .toList());
        all = each(all,
                c -> of(diag, Diag.values()).stream()
                        .map(d -> new TableChoices(c.side(), c.uplo(), d, c.trans(), c.transB(), c.vectors()))
                        .toList());
        all = each(all,
                c -> of(trans, Op.values()).stream()
                        .map(t -> new TableChoices(c.side(), c.uplo(), c.diag(), t, c.transB(), c.vectors()))
                        .toList());
        all = each(all,
                c -> vectors.stream()
                        .map(v -> new TableChoices(c.side(), c.uplo(), c.diag(), c.trans(), c.transB(), isAsked(v)))
                        .toList());
        return each(all,
                c -> of(transB, Op.values()).stream()
                        .map(t -> new TableChoices(c.side(), c.uplo(), c.diag(), c.trans(), t, c.vectors()))
                        .toList());
    }

    private static boolean isAsked(String vectors) {
        if (!vectors.matches("[vVnN]")) {
            throw new IllegalArgumentException("\"" + vectors + "\" is neither V nor N");
        }
        return vectors.equalsIgnoreCase("V");
    }

    private static List<TableChoices> each(List<TableChoices> all, Function<TableChoices, List<TableChoices>> by) {
        return all.stream().flatMap(c -> by.apply(c).stream()).toList();
    }

    /** The constants that begin with the letters. */
    private static <E extends Enum<E>> List<E> of(List<String> letters, E[] constants) {
        List<E> chosen = new ArrayList<>();
        for (String letter : letters) {
            String wanted = letter.toUpperCase(Locale.ROOT);
            List<E> found = List.of(constants)
                    .stream()
                    .filter(constant -> wanted.length() == 1 && constant.name().startsWith(wanted))
                    .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException("\"" + letter + "\" is none of " + List.of(constants));
            }
            chosen.addAll(found);
        }
        return chosen;
    }
}
