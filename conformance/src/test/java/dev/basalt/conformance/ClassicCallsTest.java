package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.ClassicLapack;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel3;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every one of the classic names: a plain call does what the call on views does and is bounded by the same shapes, and both forms of
 * a batch do what the plain calls do, to the last bit.
 */
class ClassicCallsTest {
    private static final String NAME = System.getProperty("basalt.test.name", ".*");

    private interface Check {
        void run(Method method, Device device, Handle handle);
    }

    private static Stream<DynamicTest> each(Stream<Method> methods, Check check) {
        Map<String, List<Method>> byName =
                methods.collect(Collectors.groupingBy(Method::getName, TreeMap::new, Collectors.toList()));
        return byName.entrySet()
                .stream()
                .filter(e -> e.getKey().matches(NAME))
                .map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
                    try (Device device = Device.open("host"); Handle handle = device.createHandle()) {
                        for (Method method : e.getValue()) {
                            check.run(method, device, handle);
                        }
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> aBatchIsThePlainCallsOneByOne() {
        Stream<Method> batched = ClassicMethods.all().filter(ClassicMethods::isBatched);
        return each(batched, (method, device, handle) -> {
            Method single = ClassicMethods.single(method);
            for (ClassicOptions options : ClassicOptions.of(method)) {
                try (DeviceArena arena = device.arena()) {
                    ClassicMemory one = new ClassicMemory(arena, single);
                    ClassicMemory batch = new ClassicMemory(arena, method);
                    Throwable error = catchThrowable(() -> {
                        ClassicMethods.call(single, options.arguments(single, handle, one, 0));
                        ClassicMethods.call(single, options.arguments(single, handle, one, 1));
                    });
                    Throwable batchError = catchThrowable(
                            () -> ClassicMethods.call(method, options.arguments(method, handle, batch, 0)));
                    assertThat(status(batchError)).isEqualTo(status(error));
                    if (roundsApart(method)) {
                        close(batch, one, method + " " + options);
                    } else {
                        same(batch, one, method + " " + options);
                    }
                }
            }
        });
    }

    /** Small complex products have a kernel for any batch, but not for a single call; those of reflectors, blocks and residuals are of numbers that round. */
    private static boolean roundsApart(Method method) {
        String family = ClassicMethods.family(method);
        boolean rounds = ClassicMethods.names(method).contains("tau") || family.matches(
                "[a-z]?gels|he[eg]v[dx]?|h[bp]evd?|geblttr.*|c(ge|po)sv|(ge|po)rfs|gesvx|geqrt|labrd|tpm?qrt|gglse|ggglm|gesvd[pr]");
        return ClassicMethods.type(method).isComplex() && rounds;
    }

    /** Within rounding errors of the largest number there is. */
    private static void close(ClassicMemory actual, ClassicMemory expected, String what) {
        Map<String, double[]> numbers = actual.numbers();
        Map<String, int[]> bits = actual.bits();
        expected.bits().forEach((name, words) -> {
            if (!expected.element(name).isFloating()) {
                assertThat(bits.getOrDefault(name, words)).as("%s after %s", name, what).isEqualTo(words);
            }
        });
        double largest =
                expected.numbers().values().stream().flatMapToDouble(Arrays::stream).map(Math::abs).max().orElse(0);
        expected.numbers().forEach((name, values) -> {
            double[] found = numbers.getOrDefault(name, values);
            for (int i = 0; i < values.length; i++) {
                assertThat(found[i]).as("number %d of %s after %s", i, name, what)
                        .isCloseTo(values[i], within(100 * expected.unit() * largest));
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> aPlainCallIsTheCallOnViews() {
        return each(ClassicMethods.plain(), (method, device, handle) -> {
            for (ClassicOptions options : ClassicOptions.of(method)) {
                try (DeviceArena arena = device.arena()) {
                    ClassicMemory views = new ClassicMemory(arena, method);
                    ClassicMemory classic = new ClassicMemory(arena, method);
                    Object[] value = new Object[2];
                    Throwable viewError =
                            catchThrowable(() -> value[0] = new ClassicOnViews(method, handle, views, options).run());
                    Object[] arguments = options.arguments(method, handle, classic, 0);
                    if (viewError == null) {
                        tooShort(method, arguments, views.spans, classic);
                    }
                    Throwable error = catchThrowable(() -> value[1] = ClassicMethods.call(method, arguments));
                    assertThat(status(error)).isEqualTo(status(viewError));
                    same(classic, views, method + " " + options);
                    assertThat(value[1] instanceof Float f ? (Object) f.doubleValue() : value[1]).isEqualTo(value[0]);
                }
            }
        });
    }

    /** Refuses every operand that is one byte shorter than the view; leaves arguments that are just as long. */
    private static void tooShort(Method method, Object[] arguments, Map<String, Long> spans, ClassicMemory memory) {
        for (int i = 1; i < arguments.length; i++) {
            Parameter p = method.getParameters()[i];
            // A matrix of vectors that nobody asks for has no length.
            boolean empty = !spans.containsKey(p.getName()) && p.getName().matches("u|vt|vl|vr|vs|vsl|vsr");
            if (p.getType() != DevicePointer.class || ClassicMethods.isScalar(p) || empty) {
                continue;
            }
            long bytes = spans.get(p.getName());
            arguments[i] = memory.bounded(p.getName(), bytes - 1);
            Throwable error = catchThrowable(() -> ClassicMethods.call(method, arguments));
            assertThat(status(error)).as("%s of %s", p, method).isEqualTo(Status.INVALID_POINTER);
            assertThat(((BlasException) error).position()).as("%s of %s", p, method).isEqualTo(i);
            arguments[i] = memory.bounded(p.getName(), bytes);
        }
    }

    private static Status status(Throwable error) {
        if (error != null && !(error instanceof BlasException)) {
            throw new AssertionError(error);
        }
        return error == null ? null : ((BlasException) error).status();
    }

    private static void same(ClassicMemory actual, ClassicMemory expected, String what) {
        Map<String, int[]> bits = actual.bits();
        expected.bits().forEach((name, words) -> {
            int at = Arrays.mismatch(bits.getOrDefault(name, words), words);
            assertThat(at).as("first different word of %s after %s", name, what).isEqualTo(-1);
        });
    }

    /** Level 1 has no wrong sizes. */
    @TestFactory
    Stream<DynamicTest> aWrongArgumentIsReportedAtItsPosition() {
        Stream<Method> checked = ClassicMethods.plain().filter(m -> m.getDeclaringClass() != ClassicLevel1.class);
        ClassicOptions options = new ClassicOptions(Side.LEFT, Uplo.LOWER, Op.NONE, Op.NONE, Diag.NON_UNIT);
        return each(checked, (method, device, handle) -> {
            for (int i = 1; i < method.getParameterCount(); i++) {
                Parameter p = method.getParameters()[i];
                boolean anyIncrement =
                        p.getName().startsWith("inc") && method.getDeclaringClass() == ClassicLevel3.class;
                if (ClassicMethods.isScalar(p) || anyIncrement || p.getName().equals("inv")) {
                    continue;
                }
                try (DeviceArena arena = device.arena()) {
                    Object[] arguments = options.arguments(method, handle, new ClassicMemory(arena, method), 0);
                    arguments[i] = p.getType() == long.class ? wrongSize(p.getName()) : null;
                    Throwable error = catchThrowable(() -> ClassicMethods.call(method, arguments));
                    assertThat(error).as("%s of %s", p, method).isInstanceOf(BlasException.class);
                    assertThat(((BlasException) error).position()).as(error.getMessage()).isEqualTo(i);
                }
            }
        });
    }

    private static long wrongSize(String name) {
        return name.startsWith("ld") ? 1 : name.startsWith("inc") ? 0 : -1;
    }

    @Test
    void aNumberThatEverybodyKnows() {
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView x = arena.vector(ElementType.F64, 3);
            x.upload(new double[] {3, 0, -4});
            assertThat(ClassicLevel1.dnrm2(handle, 3, x.pointer(), 1)).isEqualTo(5);
            assertThat(ClassicLevel1.dasum(handle, 2, x.pointer(), 2)).isEqualTo(7);
            assertThat(ClassicLevel1.idamax(handle, 3, x.pointer(), 1)).isEqualTo(3);
            MatrixView a = arena.matrix(ElementType.F64, 2, 2);
            VectorView b = arena.vector(ElementType.F64, 2);
            VectorView ipiv = arena.vector(ElementType.I64, 2);
            VectorView info = arena.vector(ElementType.I32, 1);
            a.upload(new double[] {1, 3, 2, 4});
            b.upload(new double[] {5, 11});
            ClassicLapack.dgesv(handle, 2, 1, a.pointer(), 2, ipiv.pointer(), b.pointer(), 2, info.pointer());
            double[] solution = new double[2];
            b.download(solution);
            assertThat(solution).containsExactly(1, 2);
        }
    }

    @Test
    void aNullPointerIsAllowedInAQuery() {
        try (Device device = Device.open("host"); Handle handle = device.createHandle()) {
            handle.startDeviceMemorySizeQuery();
            ClassicLevel3.dgemm(handle, Op.NONE, Op.NONE, 300, 300, 300, 1.0, null, 300, null, 300, 0.0, null, 300);
            long bytes = handle.stopDeviceMemorySizeQuery();
            assertThat(bytes).isPositive();
            MatrixView shape = MatrixView.shape(ElementType.F64, 300, 300);
            handle.startDeviceMemorySizeQuery();
            Blas.gemm(handle, Op.NONE, Op.NONE, 1, shape, shape, 0, shape);
            assertThat(handle.stopDeviceMemorySizeQuery()).isEqualTo(bytes);
        }
    }
}
