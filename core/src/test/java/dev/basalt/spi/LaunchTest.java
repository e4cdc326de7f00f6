package dev.basalt.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.type.ElementType;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A launch is copied by devices that run it later, and used again by frames: no field is forgotten, whoever adds one. */
class LaunchTest {
    private static Stream<Field> fields(Class<?> type) {
        return Stream.of(type.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                .filter(field -> type == Scalar.class || Modifier.isPublic(field.getModifiers()))
                .peek(field -> field.setAccessible(true));
    }

    /** Gives every field a value that it has not by itself. */
    private static void fill(Object object) throws IllegalAccessException {
        long number = 3;
        for (Field field : fields(object.getClass()).toList()) {
            number += 2;
            Object value = field.get(object);
            switch (value) {
                case Boolean is -> field.set(object, !is);
                case Integer is -> field.set(object, is + (int) number);
                case Long is -> field.set(object, is + number);
                case Double is -> field.set(object, is + number);
                case Enum<?> is -> {
                    Enum<?>[] all = is.getDeclaringClass().getEnumConstants();
                    field.set(object, all[(is.ordinal() + 1) % all.length]);
                }
                default -> fill(value);
            }
        }
    }

    private static Map<String, Object> values(Object object) throws IllegalAccessException {
        Map<String, Object> values = new TreeMap<>();
        for (Field field : fields(object.getClass()).toList()) {
            Object value = field.get(object);
            boolean inner = value instanceof Scalar || value instanceof Operand;
            values.put(field.getName(), inner ? values(value) : value);
        }
        return values;
    }

    @Test
    void aCopyHasEveryField() throws IllegalAccessException {
        Launch filled = new Launch();
        fill(filled);
        Map<String, Object> defaults = values(new Launch());
        assertThat(values(filled)).hasSizeGreaterThan(50)
                .allSatisfy((name, value) -> assertThat(value).as(name).isNotEqualTo(defaults.get(name)));
        assertThat(values(new Launch().set(filled))).isEqualTo(values(filled));
    }

    @Test
    void anOldLaunchIsAsGoodAsANewOne() throws IllegalAccessException {
        Launch old = new Launch();
        fill(old);
        // An absent operand keeps its type, and a host value that of the last scalar in device memory: nobody reads either.
        Launch made = new Launch();
        for (int i = 0; i < Launch.OPERANDS; i++) {
            made.operand(i).type = old.operand(i).type;
        }
        Map<String, Object> expected = values(made.reset(Kernel.GEMM, ElementType.C32, 5));
        Map<String, Object> found = values(old.reset(Kernel.GEMM, ElementType.C32, 5));
        for (Map<String, Object> all : List.of(expected, found)) {
            for (String scalar : List.of("alpha", "beta", "gamma")) {
                ((Map<?, ?>) all.get(scalar)).keySet().removeAll(List.of("type", "gateValue"));
            }
        }
        assertThat(found).isEqualTo(expected);
    }
}
