package dev.basalt.bench;

import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.signature.Operations;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.stream.Stream;

/**
 * A call of any routine that the table of routines has: what its arguments are follows from their description there. Leading
 * dimensions and increments are the least.
 *
 * @param routine the routine
 * @param type type of the elements
 * @param m rows
 * @param n columns, or order
 * @param k inner dimension, right-hand sides, or diagonals of a band
 * @param kl diagonals of a band below the main one, or a second such dimension
 * @param ku diagonals of a band above the main one, or a third
 * @param choices the options
 * @param batch problems of a strided batch, one after the other in memory; 0 for a plain call
 */
public record TableCase(Routine routine, ElementType type, long m, long n, long k, long kl, long ku,
        TableChoices choices, long batch) {
    /** Vectors that are not the usual ones. */
    private static final List<String> VECTORS = List.of("ALL", "OVERWRITE");

    /** Sweeps of an iteration, more than are ever needed. */
    private static final long SWEEPS = 60;

    /** Bound by memory, and what they write they do not read. */
    private static final List<String> FRESH = List.of("copy", "dgmm", "geam");

    /** Eigenvalues, singular values and what leads to them: a matrix with a large diagonal would be too easy. */
    private static final String SPECTRAL = "(sy|he)(ev|gv|trd|td2).*|la(trd|brd)|ge(svd|sdd|brd|bd2|ev).*";

    /** The arguments in the order of BLAS. */
    List<Argument> arguments() {
        return routine.signature().arguments();
    }

    /** The name of the plain call, such as {@code dgbmv}. */
    String name() {
        return routine.name(type);
    }

    /** How many problems a call has. */
    long problems() {
        return Math.max(1, batch);
    }

    /** The operands, in order. */
    List<Argument.Array> arrays() {
        return all(Argument.Array.class).toList();
    }

    private <T> Stream<T> all(Class<T> kind) {
        return arguments().stream().filter(kind::isInstance).map(kind::cast);
    }

    /** Whether there is such an option, scalar, dimension or operand. */
    boolean has(String name) {
        return arguments().stream().anyMatch(argument -> argument.name().equals(name));
    }

    /** Whether there are scalars. */
    boolean scaled() {
        return all(Argument.Scalar.class).findAny().isPresent();
    }

    /** The number the routine computes, or null. */
    Argument.Outcome outcome() {
        return all(Argument.Outcome.class).filter(o -> o.name().equals("result")).findAny().orElse(null);
    }

    /** Pivots, factors of reflectors, and other numbers beside the problem. */
    List<Argument.Pivots> pivots() {
        return all(Argument.Pivots.class).toList();
    }

    /** The type of numbers beside the problem. */
    ElementType type(Argument.Pivots p) {
        return routine.signature().operandType(p.slot(), type);
    }

    /** Whether it is a routine of LAPACK: it takes matrices that are far from singular, and its results are not its operands again. */
    boolean isLapack() {
        return routine.signature().level().equals("L");
    }

    /** Whether eigenvalues or singular values depend on the matrix. */
    boolean isSpectral() {
        return routine.family().matches(SPECTRAL);
    }

    /** Whether it factors, or solves by factors, without interchanges. */
    boolean isUnpivoted() {
        return routine.family().contains("Npvt");
    }

    /** Whether an operand is the triangle of a block reflector: what lies beside it is left by some libraries and cleared by others. */
    boolean isReflectorTriangle(Argument.Array a) {
        return a.written() && a.matrix() && has("storev") && a.first().equals(a.second());
    }

    /** Whether an operand is the main diagonal of a tridiagonal matrix, or of its factors, to be solved with. */
    boolean isTridiagonal(Argument.Array a) {
        return a.name().equals("d") && routine.family().matches("[gp]t(trf|trs|sv).*");
    }

    /** Whether the problems of a batch lie beside each other, element by element. */
    boolean interleaved() {
        return batch > 0 && routine.family().endsWith("Interleaved");
    }

    /** Whether vectors are computed, where that is an option. */
    boolean vectors() {
        return choices.vectors();
    }

    /** An operand or numbers beside the problem, by any of the names between slashes, in upper or lower case. */
    Argument named(String names) {
        return Arrays.stream(names.split("/"))
                .flatMap(name -> arguments().stream().filter(a -> a.name().equalsIgnoreCase(name)))
                .findFirst()
                .orElseThrow(() -> lacking(names));
    }

    /** An operand by any of the names between slashes. */
    Argument.Array array(String names) {
        if (named(names) instanceof Argument.Array a) {
            return a;
        }
        throw lacking(names);
    }

    UnsupportedOperationException lacking(String name) {
        return new UnsupportedOperationException(routine().family() + " has no " + name);
    }

    /** The product of numbers and sizes between stars; min and longest are the smaller and the larger of m and n. */
    long product(String names) {
        long product = 1;
        for (String name : names.split("\\*")) {
            product *= switch (name) {
                case "min" -> Math.min(size("m"), size("n"));
                case "longest" -> Math.max(size("m"), size("n"));
                default -> name.matches("\\d+") ? Long.parseLong(name) : size(name);
            };
        }
        return product;
    }

    /** What an option of that name is, if there is one. */
    Optional<Enum<?>> choice(String name) {
        return arguments().stream()
                .filter(a -> a instanceof Argument.Choice && a.name().equals(name))
                .<Enum<?>>map(a -> choice((Argument.Choice) a))
                .findFirst();
    }

    /** Whether a condition holds, such as {@code m>=n} or {@code trans=NONE}. */
    boolean holds(String condition) {
        String[] parts = condition.split("[<=>]+");
        if (parts[1].matches("[A-Z]+")) {
            return choice(parts[0]).map(Enum::name).filter(parts[1]::equals).isPresent();
        }
        long left = product(parts[0]);
        long right = product(parts[1]);
        return switch (condition.replaceAll("[^<=>]", "")) {
            case "<" -> left < right;
            case "<=" -> left <= right;
            case ">=" -> left >= right;
            case "=" -> left == right;
            default -> throw new IllegalArgumentException("\"" + condition + "\" has no sign of <, <=, >= and =");
        };
    }

    /** A dimension's size, or what an expression comes to. */
    long size(String dimension) {
        return switch (dimension) {
            case "m" -> m;
            case "n" -> n;
            case "k", "nrhs", "p", "nblocks" -> k;
            case "kl", "kd", "l", "k1" -> kl;
            case "ku", "nb", "k2" -> ku;
            case "ncvt", "urows" -> m;
            case "nru", "ncc" -> k;
            case "maxSweeps" -> SWEEPS;
            case "niters" -> 2;
            case "il" -> Math.min(1, n);
            case "iu" -> Math.min(n, Math.max(1, k));
            case "most" -> all(Argument.Choice.class).filter(option -> option.type() == Erange.class)
                    .map(option -> Erange.most((Erange) choice(option), n, size("il"), size("iu")))
                    .findAny()
                    .orElse(n);
            case "uchosen", "vchosen" -> vectors(dimension.equals("uchosen") ? "leftSvect" : "rightSvect", m, n) == 0
                    ? 0
                    : all(Argument.Choice.class).filter(option -> option.type() == Erange.class)
                            .map(option -> Erange.most((Erange) choice(option), Math.min(m, n), size("il"), size("iu")))
                            .findAny()
                            .orElse(Math.min(m, n));
            case "ilo", "ifst" -> 1;
            case "ihi", "ilst" -> n;
            case "lrows" -> eigenvectors("leftEvect");
            case "rrows" -> eigenvectors("rightEvect");
            case "ucols" -> vectors("leftSvect", m, n);
            case "vrows" -> vectors("rightSvect", n, m);
            case "vcols" -> n;
            case "longest" -> Math.max(m, n);
            case "order" -> has("side") && choices.side() == Side.LEFT ? m : n;
            case "over" -> choices.side() == Side.LEFT ? k : m;
            case "across" -> choices.side() == Side.LEFT ? n : k;
            case "sizeInv" -> TableOperands.INVERSE * size("order");
            default -> Argument.extent(dimension, this::size);
        };
    }

    private long vectors(String option, long own, long other) {
        return all(Argument.Choice.class).filter(o -> o.name().equals(option))
                .mapToLong(o -> ((Svect) choice(o)).columns(own, other))
                .sum();
    }

    private long eigenvectors(String option) {
        return all(Argument.Choice.class).filter(o -> o.name().equals(option))
                .mapToLong(o -> choice(o) == Evect.NONE ? 0 : n)
                .sum();
    }

    /** The constant of an option. */
    Enum<?> choice(Argument.Choice option) {
        if (option.type() == Side.class) {
            return choices.side();
        }
        if (option.type() == Uplo.class) {
            return choices.uplo();
        }
        if (option.type() == Diag.class) {
            return choices.diag();
        }
        if (option.type() == Op.class) {
            return option.name().equals("transB") ? choices.transB() : choices.trans();
        }
        List<? extends Enum<?>> taken =
                Arrays.stream(option.type().getEnumConstants()).filter(routine.signature()::takes).toList();
        boolean vectors = taken.stream().anyMatch(constant -> constant.name().equals("NONE"));
        // Of vectors the usual ones: neither a square matrix of them, nor in the place of the matrix.
        return taken.stream()
                .filter(constant -> !vectors || (choices.vectors()
                        ? !constant.name().equals("NONE") && !VECTORS.contains(constant.name())
                        : constant.name().equals("NONE")))
                .findFirst()
                .orElseThrow();
    }

    private boolean exchanged(Argument.Array a) {
        return a.option() != null && all(Argument.Choice.class)
                .anyMatch(option -> option.name().equals(a.option()) && choice(option).ordinal() != 0);
    }

    /** Rows of a matrix, elements of a vector. */
    long rows(Argument.Array a) {
        return size(exchanged(a) && a.second() != null ? a.second() : a.first());
    }

    /** Columns; 1 for a vector. */
    long cols(Argument.Array a) {
        return !a.matrix() || a.packed() ? 1 : size(exchanged(a) ? a.first() : a.second());
    }

    /** Whether a triangle of it counts. */
    boolean triangle(Argument.Array a) {
        return a.matrix() && has("uplo")
                && (a.packed() || (a.first().equals(a.second()) && (a.below() == null || a.above() == null)));
    }

    /** The same of a matrix that is neither packed nor a band. */
    boolean isDenseTriangle(Argument.Array a) {
        return triangle(a) && !a.packed() && a.below() == null;
    }

    /** Diagonals of a band that are stored; 0 if it is none. */
    private long diagonals(Argument.Array a) {
        if (a.below() == null) {
            return 0;
        }
        return size(a.below()) + (a.above() == null ? 0 : size(a.above())) + 1;
    }

    /** Whether an argument for the leading dimension or the increment follows. */
    boolean stepped(Argument.Array a) {
        boolean few = Character.isDigit(a.first().charAt(0)) || a.first().equals("sizeInv");
        return !a.packed() && !a.contiguous() && (a.matrix() || !few);
    }

    /** Leading dimension or increment. */
    long step(Argument.Array a) {
        if (!a.matrix()) {
            return interleaved() ? batch : 1;
        }
        return Math.max(1, a.below() != null ? diagonals(a) : rows(a));
    }

    /** Elements in memory of one problem. */
    long elements(Argument.Array a) {
        if (a.packed()) {
            return rows(a) * (rows(a) + 1) / 2;
        }
        return a.matrix() ? step(a) * cols(a) : rows(a);
    }

    /** From a problem of a batch to the next. */
    long stride(Argument.Array a) {
        return interleaved() ? 1 : elements(a);
    }

    /** The same of an operand or of numbers beside the problem. */
    long elements(Argument a) {
        return a instanceof Argument.Pivots p ? size(p.size()) : elements((Argument.Array) a);
    }

    /** The type of either. */
    ElementType type(Argument a) {
        return a instanceof Argument.Pivots p ? type(p) : type((Argument.Array) a);
    }

    /** The type of an operand's elements. */
    ElementType type(Argument.Array a) {
        return routine.signature().operandType(a.slots().charAt(0) - 'a', type);
    }

    /** Bytes that must move: what is stored and counts, once if it is read, twice if it is updated. */
    double bytes() {
        double sum = 0;
        for (Argument.Array a : arrays()) {
            double own = elements(a) * (double) type(a).bytes();
            boolean half = triangle(a) && !a.packed() && a.below() == null;
            boolean twice = a.written() && !FRESH.contains(routine.family());
            sum += own * (half ? 0.5 : 1) * (twice ? 2 : 1);
        }
        return sum * problems();
    }

    /** Operations of a call of level 3 by the table of routines, else 0: memory bounds those. */
    double flops() {
        if (!routine.signature().level().equals("3")) {
            return 0;
        }
        return (type.isComplex() ? 4 : 1) * Operations.of(routine.family(), this::size) * problems();
    }

    /** The longest sum that goes into an element of a result. */
    double terms() {
        long most = 1;
        for (Argument argument : arguments()) {
            if (argument instanceof Argument.Dimension d) {
                most = Math.max(most, size(d.name()));
            }
        }
        boolean elementwise = routine.signature().level().equals("1") && outcome() == null;
        return elementwise ? 1 : most;
    }

    /** The dimensions for people. */
    String shape() {
        StringJoiner text = new StringJoiner(" ");
        all(Argument.Dimension.class).filter(d -> !d.name().equals("sizeInv"))
                .forEach(d -> text.add(d.name() + "=" + size(d.name())));
        if (batch > 0) {
            text.add("batch=" + batch);
        }
        return text.toString();
    }

    /** The options for people. */
    String options() {
        StringJoiner text = new StringJoiner(" ");
        all(Argument.Choice.class).forEach(option -> text.add(option.name() + "=" + choice(option)));
        return text.toString();
    }
}
