package dev.basalt.bench;

import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.ClassicLevel3;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/** Binds cases to the classic names of Basalt, as a user would call them. */
final class TableCalls {
    private TableCalls() {}

    /**
     * A call with everything bound.
     *
     * @param handle handle
     * @param c routine and arguments
     * @param o operands of the case
     * @return the call; its result stays on the device
     */
    static Runnable bind(Handle handle, TableCase c, TableOperands o) {
        List<Class<?>> types = new ArrayList<>(List.of(Handle.class));
        List<Object> values = new ArrayList<>(List.of(handle));
        for (Argument argument : c.arguments()) {
            if (argument instanceof Argument.Dimension d) {
                add(types, values, long.class, c.size(d.name()));
            } else if (argument instanceof Argument.Choice option) {
                add(types, values, option.type(), c.choice(option));
            } else if (argument instanceof Argument.Scalar s) {
                scalar(c, s, o.scalar(s), types, values);
            } else if (argument instanceof Argument.Array a) {
                add(types, values, DevicePointer.class, o.pointer(a));
                if (c.stepped(a)) {
                    add(types, values, long.class, c.step(a));
                }
            } else {
                add(types, values, DevicePointer.class, o.result());
            }
        }
        MethodHandle method = method(c, MethodType.methodType(Status.class, types));
        MethodHandle bound = MethodHandles.insertArguments(method, 0, values.toArray());
        // The proxy holds the handle as a constant, so the JIT compiler sees through it.
        return MethodHandleProxies.asInterfaceInstance(Runnable.class, bound.asType(MethodType.methodType(void.class)));
    }

    private static void scalar(TableCase c, Argument.Scalar s, Complex value, List<Class<?>> types,
            List<Object> values) {
        if (c.type().isComplex() && !s.real()) {
            add(types, values, Complex.class, value);
        } else if (c.type().real() == ElementType.F32) {
            add(types, values, float.class, (float) value.re());
        } else {
            add(types, values, double.class, value.re());
        }
    }

    private static void add(List<Class<?>> types, List<Object> values, Class<?> type, Object value) {
        types.add(type);
        values.add(value);
    }

    private static MethodHandle method(TableCase c, MethodType type) {
        Class<?> home = switch (c.routine().signature().level()) {
            case "1" -> ClassicLevel1.class;
            case "2" -> ClassicLevel2.class;
            default -> ClassicLevel3.class;
        };
        try {
            return MethodHandles.publicLookup().findStatic(home, c.name(), type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalStateException("there is no " + home.getSimpleName() + "." + c.name() + type, e);
        }
    }
}
