package dev.basalt.conformance.every;

import dev.basalt.BandView;
import dev.basalt.Blas;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PackedView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.internal.call.Argument;
import dev.basalt.type.Complex;
import dev.basalt.type.Uplo;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The method on views of a plain call with scalars on the host, and its arguments in their order. */
final class ViewName {
    private final TableCall call;
    private final Loaded memory;
    private final List<Class<?>> types = new ArrayList<>(List.of(Handle.class));
    private final List<Object> values = new ArrayList<>();

    ViewName(TableCall call, Loaded memory, Handle handle) {
        this.call = call;
        this.memory = memory;
        values.add(handle);
        call.arguments().forEach(this::add);
    }

    private void add(Argument argument) {
        String name = argument.name();
        switch (argument) {
            case Argument.Choice choice -> add(choice.type(), call.option(name));
            case Argument.Dimension dimension when dimension.told() -> {
                // The operands tell it.
            }
            case Argument.Dimension dimension -> add(long.class, call.dimension(dimension.name()));
            case Argument.Scalar scalar -> {
                double[] v = call.scalar(name);
                boolean complex = call.type.isComplex() && !scalar.real();
                add(complex ? Complex.class : double.class, complex ? new Complex(v[0], v[1]) : (Object) v[0]);
            }
            case Argument.Pivots pivots -> add(VectorView.class, vector(name));
            case Argument.Outcome outcome -> add(VectorView.class, vector(name));
            case Argument.Array array -> add(array);
        }
    }

    private void add(Argument.Array array) {
        Stored s = call.stored.get(array.name());
        DevicePointer pointer = memory.pointer(array.name());
        if (array.packed()) {
            VectorView storage = VectorView.of(s.element(), pointer, PackedView.elements(s.rows()), 1);
            add(PackedView.class, PackedView.of(storage, s.rows()));
        } else if (array.below() != null) {
            boolean half = array.above() == null;
            int k = call.size(array.below());
            int kl = half && call.uplo() == Uplo.UPPER ? 0 : k;
            int ku = half ? k - kl : call.size(array.above());
            MatrixView storage = MatrixView.of(s.element(), pointer, kl + ku + 1, s.cols(), s.step());
            add(BandView.class, BandView.of(storage, s.rows(), kl, ku));
        } else if (array.matrix()) {
            add(MatrixView.class, MatrixView.of(s.element(), pointer, s.rows(), s.cols(), Math.max(1, s.step())));
        } else {
            add(VectorView.class, vector(array.name()));
        }
    }

    private VectorView vector(String name) {
        Stored s = call.stored.get(name);
        return VectorView.of(s.element(), memory.pointer(name), s.rows(), s.step() == 0 ? 1 : s.step());
    }

    private void add(Class<?> type, Object value) {
        types.add(type);
        values.add(value);
    }

    private Method method() {
        Class<?> home = call.routine.signature().level().equals("L") ? Lapack.class : Blas.class;
        return Arrays.stream(home.getMethods())
                .filter(m -> m.getName().equals(call.family()) && List.of(m.getParameterTypes()).equals(types))
                .findFirst()
                .orElse(null);
    }

    /** Whether there is a method with these arguments. */
    boolean exists() {
        return method() != null;
    }

    /** Calls it. */
    Status run() {
        Method method = method();
        // Methods of BLAS are in classes that are not public.
        method.setAccessible(true);
        return ClassicName.invoke(method, values);
    }
}
