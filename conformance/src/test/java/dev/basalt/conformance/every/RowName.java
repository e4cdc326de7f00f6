package dev.basalt.conformance.every;

import dev.basalt.arrays.RowMajorBlas;
import dev.basalt.arrays.RowMajorLapack;
import dev.basalt.internal.call.Argument;
import dev.basalt.internal.call.Signature;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A call on matrices by rows with the numbers of one by columns. */
final class RowName {
    /** What lies between rows and behind them. */
    private static final double GAP = 0x1.8p30;

    /** The arrays of matrices, by name. */
    final Map<String, Object> matrices = new LinkedHashMap<>();

    /** The arrays of vectors, by name. */
    final Map<String, Object> vectors = new LinkedHashMap<>();

    private final TableCall call;
    private final boolean arrays;
    private final int pad;
    private final List<Class<?>> types = new ArrayList<>();
    private final List<Object> values = new ArrayList<>();

    /**
     * Copies the arrays of a call by columns.
     *
     * @param columns its arrays, which begin where their operands do
     * @param arrays whether each row is an array
     * @param pad elements between rows
     */
    RowName(TableCall call, Map<String, Object> columns, boolean arrays, int pad) {
        this.call = call;
        this.arrays = arrays;
        this.pad = pad;
        for (Argument argument : call.arguments()) {
            String name = argument.name();
            switch (argument) {
                case Argument.Choice choice -> add(choice.type(), call.option(name));
                case Argument.Dimension dimension -> add(int.class, call.size(name));
                case Argument.Scalar scalar -> scalar(scalar);
                case Argument.Pivots pivots -> vector(name, columns.get(name));
                case Argument.Array array -> array(array, columns.get(name));
                case Argument.Outcome outcome -> {
                    // It is what the method returns.
                }
            }
        }
    }

    /** Whether there are methods for a family: those of dense matrices. */
    static boolean has(Signature signature) {
        boolean dense = signature.arguments()
                .stream()
                .allMatch(a -> !(a instanceof Argument.Array array) || array.below() == null && !array.packed());
        return dense && Arrays.stream(home(signature).getMethods())
                .map(Method::getName)
                .anyMatch(name -> signature.typings().stream().anyMatch(typing -> typing.name().equals(name)));
    }

    private static Class<?> home(Signature signature) {
        return signature.level().equals("L") ? RowMajorLapack.class : RowMajorBlas.class;
    }

    private void add(Class<?> type, Object value) {
        types.add(type);
        values.add(value);
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

    private void vector(String name, Object array) {
        vectors.put(name, array);
        add(array.getClass(), array);
    }

    private void array(Argument.Array argument, Object columns) {
        String name = argument.name();
        if (!argument.matrix()) {
            vector(name, columns);
            if (Arguments.hasStep(argument)) {
                add(int.class, (int) call.step(argument));
            }
            return;
        }
        Stored s = call.stored.get(name);
        Class<?> number = columns.getClass().componentType();
        int width = (s.cols() + pad) * s.parts();
        Object rows = arrays ? Array.newInstance(number, s.rows(), width) : Array.newInstance(number, s.rows() * width);
        for (int i = 0; i < s.rows(); i++) {
            for (int j = 0; j < width; j++) {
                put(rows, width, i, j, GAP);
            }
            for (int j = 0; j < s.cols() * s.parts(); j++) {
                put(rows, width, i, j, Array.getDouble(columns, at(s, i, j)));
            }
        }
        matrices.put(name, rows);
        add(rows.getClass(), rows);
        if (!arrays) {
            add(int.class, Math.max(1, s.cols() + pad));
        }
    }

    /** The place by columns of a number of a row. */
    private static int at(Stored s, int row, int number) {
        int j = number / s.parts();
        return (row + j * s.step()) * s.parts() + number % s.parts();
    }

    private void put(Object rows, int width, int i, int j, double value) {
        Object row = arrays ? Array.get(rows, i) : rows;
        int at = arrays ? j : i * width + j;
        if (row instanceof double[] a) {
            a[at] = value;
        } else {
            ((float[]) row)[at] = (float) value;
        }
    }

    /** A number of a row. */
    double get(String name, int i, int j) {
        Stored s = call.stored.get(name);
        Object rows = matrices.get(name);
        return arrays
                ? Array.getDouble(Array.get(rows, i), j)
                : Array.getDouble(rows, i * (s.cols() + pad) * s.parts() + j);
    }

    /** Compares matrices with those by columns, and what lies between rows with what was there. */
    void compare(String name, Object columns, Comparison comparison) {
        Stored s = call.stored.get(name);
        for (int i = 0; i < s.rows(); i++) {
            for (int j = 0; j < (s.cols() + pad) * s.parts(); j++) {
                String what = name + ", row " + i + ", number " + j;
                double actual = get(name, i, j);
                if (j < s.cols() * s.parts()) {
                    comparison.compare(what, actual, Array.getDouble(columns, at(s, i, j)));
                } else if (actual != GAP) {
                    throw new AssertionError(what + ", behind the row, is " + actual);
                }
            }
        }
    }

    /** What holds between two numbers. */
    @FunctionalInterface
    interface Comparison {
        void compare(String what, double actual, double expected);
    }

    private Method method() throws NoSuchMethodException {
        return home(call.routine.signature()).getMethod(call.typing.name(), types.toArray(Class<?>[]::new));
    }

    /** Whether there is a method with these arguments. */
    boolean exists() {
        try {
            return method() != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Calls it; what it returns is info, the result, or null. */
    Object run() {
        try {
            return method().invoke(null, values.toArray());
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
