package dev.basalt.conformance.every;

import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The method on arrays of a call, and its arguments in their order. The arrays hold what {@link Loaded} has in device memory, margins and all. */
final class ArrayName {
    /** What the arrays are, by name. */
    final Map<String, Object> arrays = new LinkedHashMap<>();

    private final TableCall call;
    private final Loaded memory;
    private final boolean offsets;
    private final List<Class<?>> types = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    /** A call; without offsets arrays begin where their operands do. */
    ArrayName(TableCall call, Loaded memory, boolean offsets) {
        this.call = call;
        this.memory = memory;
        this.offsets = offsets;
        call.arguments().forEach(this::add);
    }

    private void add(Argument argument) {
        String name = argument.name();
        if (argument instanceof Argument.Choice choice) {
            add(choice.type(), call.option(name));
        } else if (argument instanceof Argument.Dimension) {
            add(int.class, call.size(name));
        } else if (argument instanceof Argument.Scalar scalar) {
            scalar(scalar);
        } else if (argument instanceof Argument.Pivots) {
            array(name);
        } else if (argument instanceof Argument.Array array) {
            array(name);
            if (Arguments.hasStep(array)) {
                add(int.class, (int) call.step(array));
            }
        }
    }

    private void scalar(Argument.Scalar scalar) {
        double[] v = call.scalar(scalar.name());
        if (call.type.isComplex() && !scalar.real()) {
            add(Complex.class, new Complex(v[0], v[1]));
        } else if (call.type.real() == ElementType.F32) {
            add(float.class, (float) v[0]);
        } else {
            add(double.class, v[0]);
        }
    }

    private void array(String name) {
        Stored s = call.stored.get(name);
        double[] before = memory.before(name);
        int skipped = offsets ? 0 : memory.start(name, 0) * s.parts();
        double[] numbers = java.util.Arrays.copyOfRange(before, skipped, before.length);
        Object array = switch (s.element().real()) {
            case F64 -> numbers;
            case F32 -> {
                float[] narrow = new float[numbers.length];
                for (int i = 0; i < narrow.length; i++) {
                    narrow[i] = (float) numbers[i];
                }
                yield narrow;
            }
            default -> {
                int[] narrow = new int[numbers.length];
                java.util.Arrays.setAll(narrow, i -> (int) numbers[i]);
                yield narrow;
            }
        };
        arrays.put(name, array);
        add(array.getClass(), array);
        if (offsets) {
            add(int.class, memory.start(name, 0));
        }
    }

    private void add(Class<?> type, Object value) {
        types.add(type);
        values.add(value);
    }

    /** Puts another array in the place of one. */
    void replace(String name, Object array) {
        values.set(values.indexOf(arrays.get(name)), array);
        arrays.put(name, array);
    }

    private Class<?> home() {
        return call.routine.signature().level().equals("L") ? ArrayLapack.class : ArrayBlas.class;
    }

    /** Whether there is a method with these arguments. */
    boolean exists() {
        try {
            return home().getMethod(call.typing.name(), types.toArray(Class<?>[]::new)) != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Calls it; what it returns is info, the result, or null. */
    Object run() {
        try {
            Method method = home().getMethod(call.typing.name(), types.toArray(Class<?>[]::new));
            return method.invoke(null, values.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
