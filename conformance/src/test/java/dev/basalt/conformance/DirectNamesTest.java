package dev.basalt.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.type.Complex;
import dev.basalt.type.Op;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** As {@link DirectCallsTest}, for the classic names: every plain call, and every way to make it a bad or an unusual one. */
class DirectNamesTest {
    private static final long[] SIZES = {-1, 0, 1, 2, -3, 1L << 40};

    /** All that have a small lane, and one that has none. */
    private static final Set<String> FAMILIES =
            Stream.concat(Stream.of("Level1", "Level2", "Level3", "Lapack").flatMap(DirectNamesTest::lanes),
                    Stream.of("trmv")).collect(Collectors.toUnmodifiableSet());

    /** The families that a generated class of small lanes has, by the names of its methods. */
    private static Stream<String> lanes(String level) {
        try {
            return Arrays.stream(Class.forName("dev.basalt.Small" + level).getDeclaredMethods())
                    .filter(m -> !m.isSynthetic())
                    .map(Method::getName)
                    .distinct();
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** One side of a comparison, with memory for one method. */
    private static final class Call implements AutoCloseable {
        private final DirectSide side;
        private final DeviceArena arena;
        private final ClassicMemory memory;
        private final Object[] arguments;

        Call(DirectSide side, Method method, ClassicOptions options) {
            this.side = side;
            arena = side.device.arena();
            memory = new ClassicMemory(arena, method);
            arguments = options.arguments(method, side.handle, memory, 0);
        }

        String run(Method method) {
            // Names of devices, arenas and addresses differ.
            return side.outcome(() -> ClassicMethods.call(method, arguments)).replaceAll("#\\d+|0x[0-9a-f]+", "");
        }

        String bits() {
            return memory.bits()
                    .entrySet()
                    .stream()
                    .map(e -> e.getKey() + Arrays.toString(e.getValue()))
                    .collect(Collectors.joining());
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    @TestFactory
    Stream<DynamicTest> bothWaysAreTheSame() {
        Map<String, List<Method>> methods = ClassicMethods.plain()
                .filter(m -> FAMILIES.contains(ClassicMethods.signature(m).family()))
                .collect(Collectors.groupingBy(Method::getName));
        assertThat(methods).hasSizeGreaterThan(50);
        return methods.entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), () -> {
            try (DirectSide direct = new DirectSide(false);
                    DirectSide hidden = new DirectSide(true);
                    DirectSide other = new DirectSide(false)) {
                for (Method method : e.getValue()) {
                    compare(method, direct, hidden, other);
                }
            }
        }));
    }

    private static void compare(Method method, DirectSide direct, DirectSide hidden, DirectSide other) {
        for (ClassicOptions options : ClassicOptions.of(method)) {
            same(method, options, direct, hidden, -1, null);
            Parameter[] parameters = method.getParameters();
            for (int i = 1; i < parameters.length && options.transA() == Op.NONE; i++) {
                Class<?> type = parameters[i].getType();
                if (type == long.class) {
                    for (long size : SIZES) {
                        same(method, options, direct, hidden, i, size);
                    }
                } else if (type == double.class) {
                    same(method, options, direct, hidden, i, 0.0);
                    same(method, options, direct, hidden, i, 1.0);
                } else if (type == float.class) {
                    same(method, options, direct, hidden, i, 0f);
                    same(method, options, direct, hidden, i, 1f);
                } else {
                    same(method, options, direct, hidden, i, null);
                }
                if (type == Complex.class) {
                    same(method, options, direct, hidden, i, new Complex(0, 0));
                    same(method, options, direct, hidden, i, new Complex(1, 0));
                    same(method, options, direct, hidden, i, new Complex(0, 1));
                }
                if (type == DevicePointer.class && !ClassicMethods.isScalar(parameters[i])) {
                    try (DeviceArena elsewhere = other.device.arena()) {
                        same(method, options, direct, hidden, i, elsewhere.allocate(4096).pointer());
                    }
                }
            }
        }
    }

    /** With one argument replaced, or none. */
    private static void same(Method method, ClassicOptions options, DirectSide direct, DirectSide hidden, int at,
            Object value) {
        try (Call one = new Call(direct, method, options); Call two = new Call(hidden, method, options)) {
            if (at >= 0) {
                one.arguments[at] = value;
                two.arguments[at] = value;
            }
            String what = method + " " + options + (at < 0 ? "" : ", argument " + at + " = " + value);
            assertThat(one.run(method)).as(what).isEqualTo(two.run(method));
            assertThat(one.bits()).as(what).isEqualTo(two.bits());
        }
    }
}
