package dev.basalt.conformance.every;

import dev.basalt.ClassicLapack;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.ClassicLevel3;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.conformance.support.Form;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classic method of a call in one of its forms, and its arguments in their order. */
final class ClassicName {
    private static final Map<String, Class<?>> CLASSES = Map.of("1", ClassicLevel1.class, "2", ClassicLevel2.class, "3",
            ClassicLevel3.class, "L", ClassicLapack.class);

    /** Methods of a class by name: reflection looks through some thousands for each. */
    private static final Map<Class<?>, Map<String, List<Method>>> NAMED =
            CLASSES.values().stream().collect(Collectors.toMap(home -> home, ClassicName::byName));

    /** Methods by class, name and parameters: to find one takes longer than to call it. */
    private static final Map<List<Object>, Optional<Method>> METHODS = new ConcurrentHashMap<>();

    private final Arguments call;
    private final boolean deviceScalars;
    private final List<Class<?>> types = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    private ClassicName(Arguments call, Loaded memory, Handle handle, boolean deviceScalars) {
        this.call = call;
        this.deviceScalars = deviceScalars;
        add(Handle.class, handle);
        call.arguments().forEach(argument -> add(argument, memory));
        // A reduction's result comes after the count of the batch, the info of LAPACK before it.
        outcome("info", memory);
        if (call.form() != Form.PLAIN) {
            add(long.class, call.count());
        }
        outcome("result", memory);
        if (mixed()) {
            add(ElementType.class, call.typing().compute());
        }
    }

    /** Whether the caller names the types. */
    private boolean mixed() {
        return call.typing().compute() != null;
    }

    private void outcome(String name, Loaded memory) {
        for (Argument argument : call.arguments()) {
            if (argument instanceof Argument.Outcome o && o.name().equals(name)) {
                operand(name, o.slot(), memory);
            }
        }
    }

    private void operand(String name, int slot, Loaded memory) {
        add(DevicePointer.class, memory == null ? null : memory.pointer(name));
        if (mixed()) {
            add(ElementType.class, call.typing().operands().get(slot));
        }
    }

    /** Whether there is a classic method with these arguments. */
    static boolean has(Arguments call) {
        return method(call) != null;
    }

    /** The classic method with these arguments and host scalars, null if there is none. */
    static Method method(Arguments call) {
        return new ClassicName(call, null, null, false).method();
    }

    /** Calls it without memory, where the caller has looked it up before: a query takes less time than that. */
    static Status run(Arguments call, Method method, Handle handle) {
        return invoke(method, new ClassicName(call, null, handle, false).values);
    }

    /** Calls it on memory; with none the operands are null. */
    static Status run(Arguments call, Loaded memory, Handle handle, boolean deviceScalars) {
        ClassicName name = new ClassicName(call, memory, handle, deviceScalars);
        return invoke(name.method(), name.values);
    }

    /** Calls a static method, whose exceptions are those of this. */
    static Status invoke(Method method, List<Object> values) {
        try {
            return (Status) method.invoke(null, values.toArray());
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) e.getCause();
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private Method method() {
        String suffix = switch (call.form()) {
            case PLAIN -> "";
            case STRIDED -> "StridedBatched";
            case POINTERS -> "Batched";
        };
        Class<?> home = CLASSES.get(call.routine().signature().level());
        String name = name(call.typing().name(), suffix);
        return METHODS.computeIfAbsent(List.of(home, name, types), k -> find(home, name, types)).orElse(null);
    }

    private static Optional<Method> find(Class<?> home, String name, List<Class<?>> types) {
        return NAMED.get(home)
                .getOrDefault(name, List.of())
                .stream()
                .filter(m -> List.of(m.getParameterTypes()).equals(types))
                .findFirst();
    }

    private static Map<String, List<Method>> byName(Class<?> home) {
        return Stream.of(home.getMethods()).collect(Collectors.groupingBy(Method::getName));
    }

    /** The form stands before Ex. */
    private static String name(String name, String suffix) {
        return name.endsWith("Ex") ? name.substring(0, name.length() - 2) + suffix + "Ex" : name + suffix;
    }

    private void add(Class<?> type, Object value) {
        types.add(type);
        values.add(value);
    }

    private void add(Argument argument, Loaded memory) {
        String name = argument.name();
        if (argument instanceof Argument.Choice choice) {
            add(choice.type(), call.option(name));
        } else if (argument instanceof Argument.Dimension) {
            add(long.class, call.dimension(name));
        } else if (argument instanceof Argument.Scalar scalar) {
            scalar(scalar, memory);
        } else if (argument instanceof Argument.Pivots) {
            add(DevicePointer.class, memory == null ? null : memory.pointer(name));
            if (call.form() != Form.PLAIN) {
                stride(name, memory);
            }
        } else if (argument instanceof Argument.Array array) {
            operand(name, array.slots().charAt(0) - 'a', memory);
            if (Arguments.hasStep(array)) {
                add(long.class, call.step(array));
            }
            if (call.form() == Form.STRIDED) {
                stride(name, memory);
            }
        }
    }

    private void stride(String name, Loaded memory) {
        add(long.class, memory == null ? call.span(name) : memory.stride(name));
    }

    private void scalar(Argument.Scalar scalar, Loaded memory) {
        boolean complex = call.typing().type().isComplex() && !scalar.real();
        if (deviceScalars) {
            add(DevicePointer.class, memory.scalar(scalar.name(), complex));
            if (mixed() && call.routine().signature().level().equals("1")) {
                add(ElementType.class, memory.scalarType(complex));
            }
            return;
        }
        double[] v = call.scalar(scalar.name());
        if (complex) {
            add(Complex.class, new Complex(v[0], v[1]));
        } else if (call.typing().type().real().computed() == ElementType.F32 && !mixed()) {
            add(float.class, (float) v[0]);
        } else {
            add(double.class, v[0]);
        }
    }
}
