package dev.basalt.bench;

import static dev.basalt.bench.Slot.Access.BETA;
import static dev.basalt.bench.Slot.Access.READ;
import static dev.basalt.bench.Slot.Access.UPDATE;
import static dev.basalt.bench.Slot.Access.WRITE;
import static dev.basalt.bench.Slot.Content.FACTORS;
import static dev.basalt.bench.Slot.Content.GENERAL;
import static dev.basalt.bench.Slot.Content.HERMITIAN;
import static dev.basalt.bench.Slot.Content.POSITIVE_DEFINITE;
import static dev.basalt.bench.Slot.Content.TRIANGULAR;

import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * The table of routines: for each its name, its types, its argument list, its operands, and its operations. Everything that
 * measures takes its knowledge from here.
 *
 * <p>The argument list is the Fortran one of BLAS and LAPACK in short: {@code tA tB} are transpositions, a matrix stands for
 * its address and leading dimension, a vector for its address and increment, {@code cosine sine} for those of a fixed angle. It says what a user may set, and it is what other
 * libraries are called with.
 *
 * <p>Operations are multiplications and additions as the textbook algorithm does them (LAPACK Working Note 41, appendix C); in
 * complex arithmetic a multiplication counts 6 and an addition 2.
 */
@SuppressWarnings("ImmutableEnumChecker") // the lists cannot be changed and the functions remember nothing
public enum Routine {
    ASUM("sdcz", "n x", Unit.BYTES, w -> 0, w -> w.n, x(READ)),
    AXPY("sdcz", "n alpha x y", Unit.BYTES, w -> w.n, w -> w.n, x(READ), y(UPDATE)),
    COPY("sdcz", "n x y", Unit.BYTES, w -> 0, w -> 0, x(READ), y(WRITE)),
    DOT("sdcz", "n x y", Unit.BYTES, w -> w.n, w -> w.n, x(READ), y(READ)),
    DOTC("cz", "n x y", Unit.BYTES, w -> w.n, w -> w.n, x(READ), y(READ)),
    IAMAX("sdcz", "n x", Unit.BYTES, w -> 0, w -> w.n, x(READ)),
    IAMIN("sdcz", "n x", Unit.BYTES, w -> 0, w -> w.n, x(READ)),
    NRM2("sdcz", "n x", Unit.BYTES, w -> w.n, w -> w.n, x(READ)),
    /** In complex arithmetic two multiplications by the sine and 8 operations beside: two by the cosine, which is real, and two additions. */
    ROT("sdcz", "n x y cosine sine", Unit.BYTES, w -> w.type.isComplex() ? 2 * w.n : 4 * w.n,
            w -> w.type.isComplex() ? 4 * w.n : 2 * w.n, x(UPDATE), y(UPDATE)),
    SCAL("sdcz", "n alpha x", Unit.BYTES, w -> w.n, w -> 0, x(UPDATE)),
    SWAP("sdcz", "n x y", Unit.BYTES, w -> 0, w -> 0, x(UPDATE), y(UPDATE)),

    GEMV("sdcz", "tA m n alpha A x beta y", Unit.BYTES, w -> product(w.m, w.n), w -> product(w.m, w.n),
            new Slot(Slot.Name.A, w -> w.m, w -> w.n, GENERAL, READ),
            vector(Slot.Name.X, w -> w.transA == Op.NONE ? w.n : w.m, READ),
            vector(Slot.Name.Y, w -> w.transA == Op.NONE ? w.m : w.n, BETA)),
    GER("sdcz", "m n alpha x y A", Unit.BYTES, w -> product(w.m, w.n), w -> product(w.m, w.n), rankOne()),
    GERC("cz", "m n alpha x y A", Unit.BYTES, w -> product(w.m, w.n), w -> product(w.m, w.n), rankOne()),
    SYMV("sdcz", "uplo n alpha A x beta y", Unit.BYTES, Routine::square, Routine::square, symmetricVector()),
    HEMV("cz", "uplo n alpha A x beta y", Unit.BYTES, Routine::square, Routine::square, symmetricVector()),
    TRMV("sdcz", "uplo tA diag n A x", Unit.BYTES, w -> square(w) / 2, w -> square(w) / 2, triangleVector()),
    TRSV("sdcz", "uplo tA diag n A x", Unit.BYTES, w -> square(w) / 2, w -> square(w) / 2, triangleVector()),

    GEMM("sdcz", "tA tB m n k alpha A B beta C", Unit.FLOPS, w -> product(w.m, w.n) * w.k, w -> product(w.m, w.n) * w.k,
            new Slot(Slot.Name.A, w -> w.transA == Op.NONE ? w.m : w.k, w -> w.transA == Op.NONE ? w.k : w.m, GENERAL,
                    READ),
            new Slot(Slot.Name.B, w -> w.transB == Op.NONE ? w.k : w.n, w -> w.transB == Op.NONE ? w.n : w.k, GENERAL,
                    READ),
            new Slot(Slot.Name.C, w -> w.m, w -> w.n, GENERAL, BETA)),
    SYMM("sdcz", "side uplo m n alpha A B beta C", Unit.FLOPS, Routine::sided, Routine::sided, symmetricMatrix()),
    HEMM("cz", "side uplo m n alpha A B beta C", Unit.FLOPS, Routine::sided, Routine::sided, symmetricMatrix()),
    SYRK("sdcz", "uplo tA n k alpha A beta C", Unit.FLOPS, Routine::rankK, Routine::rankK, rankKOperands()),
    HERK("cz", "uplo tA n k ralpha A rbeta C", Unit.FLOPS, Routine::rankK, Routine::rankK, rankKOperands()),
    TRMM("sdcz", "side uplo tA diag m n alpha A B", Unit.FLOPS, w -> sided(w) / 2, w -> sided(w) / 2, triangleMatrix()),
    TRSM("sdcz", "side uplo tA diag m n alpha A B", Unit.FLOPS, w -> sided(w) / 2, w -> sided(w) / 2, triangleMatrix()),
    TRTRI("sdcz", "uplo diag n A info", Unit.FLOPS, w -> cube(w) / 6, w -> cube(w) / 6, order(TRIANGULAR, UPDATE)),

    GETRF("sdcz", "m n A ipiv info", Unit.FLOPS, w -> lu(w, 1), w -> lu(w, -1),
            new Slot(Slot.Name.A, w -> w.m, w -> w.n, GENERAL, UPDATE)),
    GETRS("sdcz", "tA n nrhs A ipiv B info", Unit.FLOPS, w -> square(w) * w.nrhs, w -> square(w) * w.nrhs,
            order(FACTORS, READ), sides()),
    GESV("sdcz", "n nrhs A ipiv B info", Unit.FLOPS, w -> lu(w, 1) + square(w) * w.nrhs,
            w -> lu(w, -1) + square(w) * w.nrhs, order(GENERAL, UPDATE), sides()),
    POTRF("sdcz", "uplo n A info", Unit.FLOPS, w -> cholesky(w, 1), w -> cholesky(w, -1),
            order(POSITIVE_DEFINITE, UPDATE)),
    POTRS("sdcz", "uplo n nrhs A B info", Unit.FLOPS, w -> square(w) * w.nrhs, w -> square(w) * w.nrhs,
            order(TRIANGULAR, READ), sides()),
    POSV("sdcz", "uplo n nrhs A B info", Unit.FLOPS, w -> cholesky(w, 1) + square(w) * w.nrhs,
            w -> cholesky(w, -1) + square(w) * w.nrhs, order(POSITIVE_DEFINITE, UPDATE), sides());

    /** What bounds a routine on large operands, and so how its speed is given. */
    public enum Unit {
        /** Arithmetic: 10⁹ operations a second. */
        FLOPS("GFLOP/s"),
        /** Memory: 10⁹ bytes a second. */
        BYTES("GB/s");

        private final String text;

        Unit(String text) {
            this.text = text;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    private final String types;
    private final List<String> arguments;
    private final Unit unit;
    private final ToDoubleFunction<Workload> multiplications;
    private final ToDoubleFunction<Workload> additions;
    private final List<Slot> slots;

    Routine(String types, String arguments, Unit unit, ToDoubleFunction<Workload> multiplications,
            ToDoubleFunction<Workload> additions, Slot... slots) {
        this.types = types;
        this.arguments = List.of(arguments.split(" "));
        this.unit = unit;
        this.multiplications = multiplications;
        this.additions = additions;
        this.slots = List.of(slots);
    }

    /**
     * BLAS's name without the letter of the type.
     *
     * @return such as {@code gemm}
     */
    public String family() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * What bounds it.
     *
     * @return unit of its speed
     */
    public Unit unit() {
        return unit;
    }

    /** The letters of the types it has. */
    String types() {
        return types;
    }

    /** Whether an argument is in its list. */
    boolean has(String argument) {
        return arguments.contains(argument);
    }

    List<String> arguments() {
        return arguments;
    }

    List<Slot> slots() {
        return slots;
    }

    /** Whether a reduction returns its value. */
    boolean reduces() {
        return this == ASUM || this == DOT || this == DOTC || this == IAMAX || this == IAMIN || this == NRM2;
    }

    /** Whether it runs on fresh input only: what a call leaves behind is another problem. */
    boolean consumes() {
        return ordinal() >= GETRF.ordinal();
    }

    double flops(Workload w) {
        boolean complex = w.type.isComplex();
        return (complex ? 6 : 1) * multiplications.applyAsDouble(w) + (complex ? 2 : 1) * additions.applyAsDouble(w);
    }

    /** The name in BLAS and LAPACK, such as {@code zdotu} or {@code scnrm2}. */
    String symbol(ElementType type) {
        char letter = type.letter();
        char real = type.real().letter();
        return switch (this) {
            case ASUM, NRM2 -> (type.isComplex() ? "" + real + letter : "" + letter) + family();
            case IAMAX, IAMIN -> "i" + letter + family().substring(1);
            case DOT, GER -> letter + family() + (type.isComplex() ? "u" : "");
            default -> letter + family();
        };
    }

    private static Slot vector(Slot.Name name, ToLongFunction<Workload> n, Slot.Access access) {
        return new Slot(name, n, w -> 1, GENERAL, access);
    }

    private static Slot x(Slot.Access access) {
        return vector(Slot.Name.X, w -> w.n, access);
    }

    private static Slot y(Slot.Access access) {
        return vector(Slot.Name.Y, w -> w.n, access);
    }

    private static Slot order(Slot.Content content, Slot.Access access) {
        return new Slot(Slot.Name.A, w -> w.n, w -> w.n, content, access);
    }

    private static Slot sides() {
        return new Slot(Slot.Name.B, w -> w.n, w -> w.nrhs, GENERAL, UPDATE);
    }

    private static Slot[] rankOne() {
        return new Slot[] {
                new Slot(Slot.Name.A, w -> w.m, w -> w.n, GENERAL, UPDATE),
                vector(Slot.Name.X, w -> w.m, READ),
                y(READ)};
    }

    private static Slot[] symmetricVector() {
        return new Slot[] {order(HERMITIAN, READ), x(READ), y(BETA)};
    }

    private static Slot[] triangleVector() {
        return new Slot[] {order(TRIANGULAR, READ), x(UPDATE)};
    }

    private static Slot[] symmetricMatrix() {
        return new Slot[] {
                new Slot(Slot.Name.A, Routine::sideOrder, Routine::sideOrder, HERMITIAN, READ),
                new Slot(Slot.Name.B, w -> w.m, w -> w.n, GENERAL, READ),
                new Slot(Slot.Name.C, w -> w.m, w -> w.n, GENERAL, BETA)};
    }

    private static Slot[] rankKOperands() {
        return new Slot[] {
                new Slot(Slot.Name.A, w -> w.transA == Op.NONE ? w.n : w.k, w -> w.transA == Op.NONE ? w.k : w.n,
                        GENERAL, READ),
                new Slot(Slot.Name.C, w -> w.n, w -> w.n, HERMITIAN, BETA)};
    }

    private static Slot[] triangleMatrix() {
        return new Slot[] {
                new Slot(Slot.Name.A, Routine::sideOrder, Routine::sideOrder, TRIANGULAR, READ),
                new Slot(Slot.Name.B, w -> w.m, w -> w.n, GENERAL, UPDATE)};
    }

    private static long sideOrder(Workload w) {
        return w.side == Side.LEFT ? w.m : w.n;
    }

    private static double product(double a, double b) {
        return a * b;
    }

    private static double square(Workload w) {
        return product(w.n, w.n);
    }

    private static double cube(Workload w) {
        return square(w) * w.n;
    }

    private static double sided(Workload w) {
        return product(w.m, w.n) * sideOrder(w);
    }

    private static double rankK(Workload w) {
        return (square(w) + w.n) / 2 * w.k;
    }

    /** Multiplications (sign 1) or additions (sign -1) of an m×n LU factorisation. */
    private static double lu(Workload w, int sign) {
        double l = Math.max(w.m, w.n);
        double s = Math.min(w.m, w.n);
        double half = s * s / 2 * (l - s / 3);
        return sign > 0 ? half + l * s / 2 - s * s / 2 + 2 * s / 3 : half - l * s / 2 + s / 6;
    }

    private static double cholesky(Workload w, int sign) {
        double n = w.n;
        return n * n * n / 6 + (sign > 0 ? n * n / 2 + n / 3 : -n / 6);
    }
}
