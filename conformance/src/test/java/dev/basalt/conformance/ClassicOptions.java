package dev.basalt.conformance;

import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.internal.call.Argument;
import dev.basalt.spi.Semiring;
import dev.basalt.type.Balance;
import dev.basalt.type.Diag;
import dev.basalt.type.Direct;
import dev.basalt.type.Eform;
import dev.basalt.type.Eorder;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Fact;
import dev.basalt.type.Norm;
import dev.basalt.type.Op;
import dev.basalt.type.Region;
import dev.basalt.type.Schur;
import dev.basalt.type.Selection;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;
import dev.basalt.type.Sign;
import dev.basalt.type.Storev;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Options and sizes for the parameters of a classic method, which are recognised by their names. */
record ClassicOptions(Side side, Uplo uplo, Op transA, Op transB, Diag diag) {
    static final long M = 5;
    static final long N = 4;
    static final long K = 3;
    static final long NRHS = 2;

    /** Every value of every option in enough combinations. */
    private static List<ClassicOptions> all() {
        List<ClassicOptions> all = new ArrayList<>();
        for (Side side : Side.values()) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    for (Diag diag : Diag.values()) {
                        Op other = Op.values()[(op.ordinal() + side.ordinal()) % 3];
                        all.add(new ClassicOptions(side, uplo, op, other, diag));
                    }
                }
            }
        }
        return all;
    }

    /** Of those, one for each different call of a method. */
    static List<ClassicOptions> of(Method method) {
        List<String> names = Stream
                .concat(Arrays.stream(method.getParameters()).filter(p -> p.getType().isEnum()).map(Parameter::getName),
                        ClassicMethods.signature(method)
                                .arguments()
                                .stream()
                                .filter(Argument.Choice.class::isInstance)
                                .map(Argument::name))
                .distinct()
                .toList();
        Set<List<Object>> seen = new HashSet<>();
        return all().stream().filter(options -> seen.add(names.stream().map(options::option).toList())).toList();
    }

    /** The arguments of a call on one problem of the memory, or on both if the method takes a batch. */
    Object[] arguments(Method method, Handle handle, ClassicMemory memory, long problem) {
        Parameter[] parameters = method.getParameters();
        Object[] arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            Parameter p = parameters[i];
            if (p.getType() == Handle.class) {
                arguments[i] = handle;
            } else if (p.getType() == long.class) {
                arguments[i] = size(method, p.getName());
            } else if (ClassicMethods.isScalar(p)) {
                arguments[i] = scalar(method, p, memory);
            } else if (p.getType() == DevicePointer.class) {
                boolean table = ClassicMethods.isTable(method) && !ClassicMethods.isBeside(method, p.getName());
                arguments[i] = table ? memory.table(p.getName()) : memory.pointer(p.getName(), problem);
            } else {
                arguments[i] = taken(method, p.getName());
            }
        }
        return arguments;
    }

    /** A size of a method: where the table says that there are no more rows than columns, there are less. */
    static long size(Method method, String name) {
        boolean wide = ClassicMethods.signature(method).bounds().contains("m<=n");
        boolean side = name.equals("m") || name.equals("n");
        return size(!wide || !side ? name : name.equals("m") ? "n" : "m");
    }

    private static long size(String name) {
        return switch (name) {
            case "m", "ncvt", "nru" -> M;
            case "n" -> N;
            case "k", "p", "ncc" -> K;
            case "nrhs", "nb", "l", "k2", "iu", "nblocks" -> NRHS;
            case "maxSweeps" -> 60;
            case "niters" -> 1;
            case "ilo", "ifst" -> 1;
            case "ihi", "ilst" -> 2;
            case "kl", "kd" -> 2;
            case "ku", "k1", "il" -> 1;
            case "batchCount" -> 2;
            default -> name.startsWith("ld") ? ClassicMemory.LD
                    : name.startsWith("inc") ? ClassicMemory.INC
                    : ClassicMemory.STRIDE;
        };
    }

    private static Object scalar(Method method, Parameter p, ClassicMemory memory) {
        return switch (p.getType().getSimpleName()) {
            case "DevicePointer" -> memory.scalar(p.getName()).pointer();
            case "Complex" -> ClassicMemory.scalarValue(p.getName(), true);
            case "float" -> (float) ClassicMemory.scalarValue(p.getName(), false).re();
            case "double" -> ClassicMemory.scalarValue(p.getName(), false).re();
            default -> throw new AssertionError(p + " of " + method);
        };
    }

    /** The option, or one that the routine takes where it does not take that. */
    Object taken(Method method, String name) {
        Enum<?> option = (Enum<?>) option(name);
        return ClassicMethods.signature(method).takes(option)
                ? option
                : Stream.of(option.getDeclaringClass().getEnumConstants())
                        .map(o -> (Enum<?>) o)
                        .filter(ClassicMethods.signature(method)::takes)
                        .reduce((first, last) -> first instanceof Svect ? first : last)
                        .orElseThrow();
    }

    Object option(String name) {
        return switch (name) {
            case "side" -> side;
            case "uplo" -> uplo;
            case "diag" -> diag;
            case "semiring" -> Semiring.MIN_PLUS;
            case "evect" -> Evect.ORIGINAL;
            case "erange" -> Erange.values()[(side.ordinal() + 2 * uplo.ordinal() + diag.ordinal()) % 3];
            case "eorder" -> Eorder.values()[uplo.ordinal()];
            case "leftEvect" -> transA.ordinal() == 2 ? Evect.NONE : Evect.ORIGINAL;
            case "rightEvect" -> transA.ordinal() == 1 ? Evect.NONE : Evect.ORIGINAL;
            case "balance" -> Balance.values()[uplo.ordinal() + (side == Side.LEFT ? 2 : 0)];
            case "sense" -> Sense.values()[uplo.ordinal() + (side == Side.LEFT ? 2 : 0)];
            case "isgn" -> side == Side.LEFT ? Sign.PLUS : Sign.MINUS;
            case "job" -> side == Side.LEFT ? Schur.SCHUR : Schur.EIGENVALUES;
            case "select" -> side == Side.LEFT ? Selection.LEFT_HALF : Selection.NONE;
            case "itype" -> side == Side.LEFT ? Eform.AX : uplo == Uplo.UPPER ? Eform.ABX : Eform.BAX;
            case "norm" -> side == Side.LEFT ? Norm.ONE : Norm.INF;
            case "direct" -> side == Side.LEFT ? Direct.FORWARD : Direct.BACKWARD;
            case "storev" -> uplo == Uplo.UPPER ? Storev.COLUMNS : Storev.ROWS;
            case "leftSvect" -> transA.ordinal() == 2 ? Svect.NONE : Svect.values()[transA.ordinal()];
            case "rightSvect" -> transA.ordinal() == 1 ? Svect.NONE : Svect.values()[transA.ordinal() == 0 ? 1 : 0];
            case "fact" -> Fact.NOT_FACTORED;
            case "region" -> Region.values()[uplo.ordinal() + (side == Side.LEFT ? 1 : 0)];
            case "transB" -> transB;
            default -> transA;
        };
    }
}
