package dev.basalt.bench;

import dev.basalt.ClassicLapack;
import dev.basalt.ClassicLevel1;
import dev.basalt.ClassicLevel2;
import dev.basalt.ClassicLevel3;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Routine;
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
        MethodHandle bound = bound(handle, c, o);
        // The proxy holds the handle as a constant, so the JIT compiler sees through it.
        return MethodHandleProxies.asInterfaceInstance(Runnable.class, bound.asType(MethodType.methodType(void.class)));
    }

    /** With null for every operand, as a plan takes it. */
    static void plan(Handle handle, TableCase c) {
        try {
            Status ignored = (Status) bound(handle, c, null).invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle bound(Handle handle, TableCase c, TableOperands o) {
        List<Object> values = new ArrayList<>(List.of(handle));
        for (Argument argument : c.arguments()) {
            switch (argument) {
                case Argument.Dimension d -> values.add(c.size(d.name()));
                case Argument.Choice option -> values.add(c.choice(option));
                case Argument.Scalar s -> values.add(scalar(c, s, TableOperands.scalar(c, s)));
                case Argument.Array a -> {
                    values.add(o == null ? null : o.pointer(a));
                    if (c.stepped(a)) {
                        values.add(c.step(a));
                    }
                    if (c.batch() > 0) {
                        values.add(c.stride(a));
                    }
                }
                case Argument.Pivots p -> {
                    values.add(o == null ? null : o.pointer(p));
                    if (c.batch() > 0) {
                        values.add(c.size(p.size()));
                    }
                }
                case Argument.Outcome outcome ->
                    values.add(o == null ? null : outcome.equals(c.outcome()) ? o.result() : o.info());
            }
        }
        if (c.batch() > 0) {
            values.add(c.batch());
        }
        return MethodHandles.insertArguments(method(c), 0, values.toArray());
    }

    private static Object scalar(TableCase c, Argument.Scalar s, Complex value) {
        if (c.type().isComplex() && !s.real()) {
            return value;
        }
        return c.type().real() == ElementType.F32 ? (Object) (float) value.re() : (Object) value.re();
    }

    /** The types of the parameters. */
    private static MethodType type(TableCase c) {
        List<Class<?>> types = new ArrayList<>(List.of(Handle.class));
        for (Argument argument : c.arguments()) {
            switch (argument) {
                case Argument.Dimension d -> types.add(long.class);
                case Argument.Choice option -> types.add(option.type());
                case Argument.Scalar s -> types.add(c.type().isComplex() && !s.real() ? Complex.class
                        : c.type().real() == ElementType.F32 ? float.class
                        : double.class);
                case Argument.Array a -> {
                    types.add(DevicePointer.class);
                    if (c.stepped(a)) {
                        types.add(long.class);
                    }
                    if (c.batch() > 0) {
                        types.add(long.class);
                    }
                }
                case Argument.Pivots p -> {
                    types.add(DevicePointer.class);
                    if (c.batch() > 0) {
                        types.add(long.class);
                    }
                }
                default -> types.add(DevicePointer.class);
            }
        }
        if (c.batch() > 0) {
            types.add(long.class);
        }
        return MethodType.methodType(Status.class, types);
    }

    /** Whether a row has classic names of its own: some are for methods on views alone. */
    static boolean has(TableCase c) {
        try {
            method(c);
            return true;
        } catch (IllegalStateException e) {
            return false;
        }
    }

    private static Class<?> home(Routine routine) {
        return switch (routine.signature().level()) {
            case "1" -> ClassicLevel1.class;
            case "2" -> ClassicLevel2.class;
            case "L" -> ClassicLapack.class;
            default -> ClassicLevel3.class;
        };
    }

    private static MethodHandle method(TableCase c) {
        MethodType type = type(c);
        Class<?> home = home(c.routine());
        try {
            return MethodHandles.publicLookup()
                    .findStatic(home, c.batch() > 0 ? c.name() + "StridedBatched" : c.name(), type);
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalStateException("there is no " + home.getSimpleName() + "." + c.name() + type, e);
        }
    }
}
