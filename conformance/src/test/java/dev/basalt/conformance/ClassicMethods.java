package dev.basalt.conformance;

import dev.basalt.ClassicLapack;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.ClassicLevel3;
import dev.basalt.Status;
import dev.basalt.type.ElementType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** What the names and parameters of the classic methods say. */
final class ClassicMethods {
    private static final List<Class<?>> CLASSES =
            List.of(ClassicLevel1.class, ClassicLevel2.class, ClassicLevel3.class, ClassicLapack.class);

    private ClassicMethods() {}

    static Stream<Method> all() {
        return CLASSES.stream()
                .flatMap(c -> Arrays.stream(c.getDeclaredMethods()))
                .filter(m -> !m.isSynthetic());
    }

    static Stream<Method> plain() {
        return all().filter(m -> plainName(m).equals(m.getName()));
    }

    static boolean isTable(Method method) {
        return method.getName().endsWith("Batched") && !method.getName().endsWith("StridedBatched");
    }

    /** dgemm of dgemmStridedBatched. */
    static String plainName(Method method) {
        return method.getName().replaceFirst("(Strided)?Batched$", "");
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

    /** The type of a scalar; the cosine of a rotation is always real. */
    static ElementType scalarType(Method method, String name) {
        boolean real =
                family(method).equals("herk") || method.getName().matches("(cs|zd)(scal|rot).*") || name.equals("c");
        return real ? type(method).real() : type(method);
    }

    /** Of a rotation c and s, which elsewhere are matrices. */
    static boolean isScalar(Parameter p) {
        boolean rotation = family((Method) p.getDeclaringExecutable()).equals("rot");
        return p.getName().equals(rotation ? "c" : "alpha") || p.getName().equals(rotation ? "s" : "beta");
    }

    static boolean returnsValue(Method method) {
        return method.getReturnType() != Status.class;
    }

    /** The plain method with the same scalars and operands as one of a batch. */
    static Method single(Method batched) {
        List<String> wanted = parameters(batched);
        return plain().filter(m ->
                        m.getName().equals(plainName(batched)) && parameters(m).equals(wanted))
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
            return method.invoke(null, arguments);
        } catch (InvocationTargetException e) {
            throw (RuntimeException) e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
