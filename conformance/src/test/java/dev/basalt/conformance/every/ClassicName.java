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

/** The classic method of a call in one of its forms, and its arguments in their order. */
final class ClassicName {
    private static final Map<String, Class<?>> CLASSES = Map.of("1", ClassicLevel1.class, "2", ClassicLevel2.class, "3",
            ClassicLevel3.class, "L", ClassicLapack.class);

    private final TableCall call;
    private final boolean deviceScalars;
    private final List<Class<?>> types = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    private ClassicName(TableCall call, Loaded memory, Handle handle, boolean deviceScalars) {
        this.call = call;
        this.deviceScalars = deviceScalars;
        add(Handle.class, handle);
        call.arguments().forEach(argument -> add(argument, memory));
        // A reduction's result comes after the count of the batch, the info of LAPACK before it.
        outcome("info", memory);
        if (call.form != Form.PLAIN) {
            add(long.class, (long) call.count);
        }
        outcome("result", memory);
        if (mixed()) {
            add(ElementType.class, call.typing.compute());
        }
    }

    /** Whether the caller names the types. */
    private boolean mixed() {
        return call.typing.compute() != null;
    }

    private void outcome(String name, Loaded memory) {
        if (call.stored.containsKey(name)) {
            operand(name, memory);
        }
    }

    private void operand(String name, Loaded memory) {
        add(DevicePointer.class, memory == null ? null : memory.pointer(name));
        if (mixed()) {
            add(ElementType.class, call.stored.get(name).element());
        }
    }

    /** Whether there is a classic method with these arguments. */
    static boolean has(TableCall call) {
        return new ClassicName(call, null, null, false).method() != null;
    }

    /** Calls it on memory; with none the operands are null. */
    static Status run(TableCall call, Loaded memory, Handle handle, boolean deviceScalars) {
        ClassicName name = new ClassicName(call, memory, handle, deviceScalars);
        try {
            return (Status) name.method().invoke(null, name.values.toArray());
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
        String suffix = switch (call.form) {
            case PLAIN -> "";
            case STRIDED -> "StridedBatched";
            case POINTERS -> "Batched";
        };
        try {
            return CLASSES.get(call.routine.signature().level())
                    .getMethod(name(call.typing.name(), suffix), types.toArray(Class<?>[]::new));
        } catch (NoSuchMethodException e) {
            return null;
        }
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
            add(choice.type(), call.options.get(name));
        } else if (argument instanceof Argument.Dimension) {
            add(long.class, (long) call.size(name));
        } else if (argument instanceof Argument.Scalar scalar) {
            scalar(scalar, memory);
        } else if (argument instanceof Argument.Pivots) {
            add(DevicePointer.class, memory == null ? null : memory.pointer(name));
            if (call.form != Form.PLAIN) {
                stride(name, memory);
            }
        } else if (argument instanceof Argument.Array array) {
            operand(name, memory);
            if (call.hasStep(array)) {
                add(long.class, (long) call.stored.get(name).step());
            }
            if (call.form == Form.STRIDED) {
                stride(name, memory);
            }
        }
    }

    private void stride(String name, Loaded memory) {
        add(long.class, memory == null ? (long) call.stored.get(name).span() : memory.stride(name));
    }

    private void scalar(Argument.Scalar scalar, Loaded memory) {
        boolean complex = call.type.isComplex() && !scalar.real();
        if (deviceScalars) {
            add(DevicePointer.class, memory.scalar(scalar.name(), complex));
            return;
        }
        double[] v = call.scalars.get(scalar.name());
        if (complex) {
            add(Complex.class, new Complex(v[0], v[1]));
        } else if (call.single() && !mixed()) {
            add(float.class, (float) v[0]);
        } else {
            add(double.class, v[0]);
        }
    }
}
