package dev.basalt.conformance.numbers;

import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.util.StringJoiner;

/** Operands of an edge case in one element type, and its outcome as text. Complex numbers have no imaginary parts here. */
final class EdgeProbe {
    static final double NAN = Double.NaN;
    static final double INF = Double.POSITIVE_INFINITY;

    final Handle h;
    final ElementType type;
    private final DeviceArena arena;

    EdgeProbe(Handle h, DeviceArena arena, ElementType type) {
        this.h = h;
        this.arena = arena;
        this.type = type;
    }

    /** A vector of these numbers. */
    VectorView x(double... values) {
        VectorView view = arena.vector(type, Math.max(1, values.length));
        view.upload(host(values));
        return view.slice(0, values.length);
    }

    /** The memory of a vector, seen with another length and increment. */
    VectorView apart(int n, int inc, double... values) {
        return VectorView.of(type, x(values).pointer(), n, inc);
    }

    /** A matrix of these numbers, column by column. */
    MatrixView a(int m, int n, double... values) {
        return MatrixView.of(type, x(values).pointer(), m, n, Math.max(1, m));
    }

    /** A matrix in the memory of a vector. */
    MatrixView in(VectorView memory, int m, int n) {
        return MatrixView.of(type, memory.pointer(), m, n, Math.max(1, m));
    }

    /** A vector of these numbers in the real type. */
    VectorView real(double... values) {
        return new EdgeProbe(h, arena, type.real()).x(values);
    }

    VectorView info() {
        VectorView info = arena.vector(ElementType.I32, 1);
        info.upload(new int[] {-7});
        return info;
    }

    VectorView pivots(int n) {
        return arena.vector(ElementType.I64, n);
    }

    DevicePointer memory() {
        return x(1, 1, 1, 1).pointer();
    }

    /** Half of the largest number. */
    double huge() {
        return type.real() == ElementType.F32 ? Float.MAX_VALUE / 2 : Double.MAX_VALUE / 2;
    }

    /** Complex of type's kind. */
    Complex c(double re) {
        return Complex.of(re);
    }

    private Object host(double... values) {
        int parts = type.isComplex() ? 2 : 1;
        double[] wide = new double[Math.max(1, values.length) * parts];
        float[] narrow = new float[wide.length];
        for (int i = 0; i < values.length; i++) {
            wide[i * parts] = values[i];
            narrow[i * parts] = (float) values[i];
        }
        return type.real() == ElementType.F32 ? narrow : wide;
    }

    /** The real parts of a vector. */
    String text(VectorView x) {
        int parts = type.isComplex() ? 2 : 1;
        int n = (int) x.size();
        double[] wide = new double[n * parts];
        if (type.real() == ElementType.F32) {
            float[] narrow = new float[n * parts];
            x.download(narrow);
            for (int i = 0; i < wide.length; i++) {
                wide[i] = narrow[i];
            }
        } else {
            x.download(wide);
        }
        double[] real = new double[n];
        for (int i = 0; i < n; i++) {
            real[i] = wide[i * parts];
        }
        return text(real);
    }

    String text(MatrixView a) {
        return text(VectorView.of(type, a.pointer(), a.rows() * a.cols(), 1));
    }

    /** Numbers with commas between them. */
    static String text(double... values) {
        StringJoiner joiner = new StringJoiner(", ");
        for (double v : values) {
            boolean whole = v == Math.rint(v) && Math.abs(v) < 1e6;
            joiner.add(Double.isNaN(v) ? "NaN" : Double.isInfinite(v) ? "Inf" : whole ? "" + (long) v : "" + v);
        }
        return joiner.toString();
    }

    /** Whether every number of a vector is finite. */
    String finite(VectorView x) {
        return text(x).matches(".*(NaN|Inf).*") ? "not finite" : "finite";
    }

    static int value(VectorView info) {
        int[] value = new int[1];
        info.download(value);
        return value[0];
    }

    static String pivot(VectorView pivots) {
        long[] value = new long[1];
        pivots.slice(0, 1).download(value);
        return "pivot " + value[0];
    }
}
