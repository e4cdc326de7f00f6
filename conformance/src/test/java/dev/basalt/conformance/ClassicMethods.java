package dev.basalt.conformance;

import dev.basalt.ClassicLapack;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.ClassicLevel3;
import dev.basalt.Status;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.call.Signature;
import dev.basalt.internal.call.Typing;
import dev.basalt.internal.signature.Signatures;
import dev.basalt.type.ElementType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the names and parameters of the classic methods say. */
final class ClassicMethods {
    private static final List<Class<?>> CLASSES =
            List.of(ClassicLevel1.class, ClassicLevel2.class, ClassicLevel3.class, ClassicLapack.class);

    /** Whoever asks for a method's row asks for every argument. */
    private static final Map<Method, Signature> ROWS = new ConcurrentHashMap<>();

    private ClassicMethods() {}

    /** Names of calls whose operands are of several types, or of one that is in memory only: the suites of the table call them. */
    private static final Set<String> MIXED = Signatures.all()
            .stream()
            .map(Routine::signature)
            .flatMap(s -> s.mixed().stream().map(Typing::name).filter(name -> !name.endsWith("Ex")))
            .collect(Collectors.toUnmodifiableSet());

    private static final List<Method> ALL = CLASSES.stream()
            .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
            .filter(m -> !m.isSynthetic() && !MIXED.contains(plainName(m)))
            .filter(m -> !List.of(m.getParameterTypes()).contains(ElementType.class))
            .toList();

    private static final Map<String, List<Method>> PLAIN =
            ALL.stream().filter(m -> plainName(m).equals(m.getName())).collect(Collectors.groupingBy(Method::getName));

    /** The methods of one type. */
    static Stream<Method> all() {
        return ALL.stream();
    }

    /** What the table says of a method's family. */
    static Signature signature(Method method) {
        return ROWS.computeIfAbsent(method, ClassicMethods::row);
    }

    private static Signature row(Method method) {
        String name = plainName(method);
        return Signatures.all()
                .stream()
                .map(Routine::signature)
                .filter(s -> s.types().stream().anyMatch(type -> s.name(type).equals(name)))
                .filter(s -> tells(s) == names(method).contains("info"))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no row of the table is " + name));
    }

    /** Of two rows of one name one tells where a problem failed. */
    private static boolean tells(Signature signature) {
        return signature.arguments().stream().anyMatch(a -> a.name().equals("info"));
    }

    static Stream<Method> plain() {
        return PLAIN.values().stream().flatMap(List::stream);
    }

    /** Whether an argument lies at equal distances in every form of a batch. */
    static boolean isBeside(Method method, String name) {
        return signature(method).arguments()
                .stream()
                .anyMatch(
                        a -> a.name().equals(name) && (a instanceof Argument.Pivots || a instanceof Argument.Outcome));
    }

    /** The type of an operand that a parameter of the plain method is; that of the call where there is none. */
    static ElementType operandType(Method method, String parameter) {
        Signature signature = signature(method);
        for (Argument a : signature.arguments()) {
            int slot = switch (a) {
                case Argument.Array array when array.name().equals(parameter)
                        || array.name().toLowerCase(Locale.ROOT).equals(parameter) ->
                    array.slots().charAt(0) - 'a';
                case Argument.Pivots pivots when pivots.name().equals(parameter) -> pivots.slot();
                case Argument.Outcome outcome when outcome.name().equals(parameter) -> outcome.slot();
                default -> -1;
            };
            if (slot >= 0) {
                return signature.operandType(slot, type(method));
            }
        }
        return type(method);
    }

    static boolean isTable(Method method) {
        return isBatched(method) && !method.getName().contains("StridedBatched");
    }

    static boolean isBatched(Method method) {
        return !plainName(method).equals(method.getName());
    }

    /** dgemm of dgemmStridedBatched, dtrsmEx of dtrsmBatchedEx. */
    static String plainName(Method method) {
        return method.getName().replaceFirst("(Strided)?Batched(?=(Ex)?$)", "");
    }

    /** gemm of dgemmStridedBatched; the index routines are amax and amin. */
    static String family(Method method) {
        return plainName(method)
                .replaceFirst("^(i[sdcz]|sc(?=asum|nrm2)|dz(?=asum|nrm2)|cs(?=scal|rot)|zd(?=scal|rot)|[sdcz])", "");
    }

    static ElementType type(Method method) {
        String plain = plainName(method);
        String prefix = plain.substring(0, plain.length() - family(method).length());
        return switch (prefix) {
            case "s", "is" -> ElementType.F32;
            case "d", "id" -> ElementType.F64;
            case "c", "ic", "sc", "cs" -> ElementType.C32;
            case "z", "iz", "dz", "zd" -> ElementType.C64;
            default -> throw new AssertionError(method);
        };
    }

    static ElementType resultType(Method method) {
        String family = family(method);
        ElementType type = type(method);
        return family.startsWith("am") ? ElementType.I64 : family.startsWith("dot") ? type : type.real();
    }

    /** The type of a scalar, by the table. */
    static ElementType scalarType(Method method, String name) {
        boolean real = signature(method).arguments()
                .stream()
                .anyMatch(a -> a instanceof Argument.Scalar scalar && scalar.name().equals(name) && scalar.real());
        return real ? type(method).real() : type(method);
    }

    /** The names of a method's parameters. */
    static List<String> names(Method method) {
        return Arrays.stream(method.getParameters()).map(Parameter::getName).toList();
    }

    /** Whether a parameter is a scalar: of a rotation c and s, which elsewhere are matrices; not alpha of a reflector, which every problem has. */
    static boolean isScalar(Parameter p) {
        return signature((Method) p.getDeclaringExecutable()).arguments()
                .stream()
                .anyMatch(a -> a instanceof Argument.Scalar && a.name().equals(p.getName()));
    }

    static boolean returnsValue(Method method) {
        return method.getReturnType() != Status.class;
    }

    /** The plain method with the same scalars and operands as one of a batch. */
    static Method single(Method batched) {
        List<String> wanted = parameters(batched);
        return PLAIN.getOrDefault(plainName(batched), List.of())
                .stream()
                .filter(m -> parameters(m).equals(wanted))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no plain form of " + batched));
    }

    private static List<String> parameters(Method method) {
        return Arrays.stream(method.getParameters())
                .filter(p -> !p.getName().equals("batchCount") && !p.getName().startsWith("stride"))
                .map(p -> p.getType().getSimpleName() + " " + p.getName())
                .toList();
    }

    static Object call(Method method, Object... arguments) {
        try {
            // The methods of Blas are those of classes that are not public.
            method.setAccessible(true);
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
