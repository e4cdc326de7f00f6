package dev.basalt.host.assembled.reflect;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a new kernel of reflectors once beside scalar Java: results agree but for rounding, and what lies around stays as it was. */
final class ReflectCheck {
    private static final double OUTSIDE = 77;

    private final Shape shape;
    /** Real numbers of an element; in Java there are always two. */
    private final int unit;
    /** Bytes of a real number. */
    private final int size;
    private final int lanes;
    private final double tolerance;
    private final int rows;
    private final int columns;
    private final int ld;
    private final double[] a;
    private final double[] tau;

    ReflectCheck(Shape shape, boolean complex) {
        this.shape = shape;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.lanes = shape.lanes() / unit;
        this.tolerance = size == 8 ? 1e-12 : 1e-4;
        // The last vector is a part of one where it can be, and groups of all widths come up.
        this.rows = Math.max(3 * lanes - 1, 13);
        this.columns = 11;
        this.ld = rows + 2;
        this.a = new double[2 * ld * columns];
        this.tau = new double[2 * columns];
        for (int i = 0; i < ld * columns; i++) {
            boolean inside = i % ld < rows;
            a[2 * i] = inside ? (i * 7 % 13 - 6) / 4.0 + (i % ld == i / ld ? 4 : 0) : OUTSIDE;
            a[2 * i + 1] = inside ? (unit - 1) * (i * 5 % 11 - 5) / 4.0 : OUTSIDE;
        }
    }

    /** Frame and memory of a kernel. */
    private final class Trial {
        final long frame;
        final long matrix;
        final long factors;

        Trial(Arena arena, double[] content) {
            frame = arena.allocate(ReflectFrame.BYTES, 64).address();
            matrix = arena.allocate((long) content.length * size, 64).address();
            factors = arena.allocate(2L * columns * size, 64).address();
            for (int i = 0; i < content.length / 2; i++) {
                put(matrix, i, content, i);
            }
            for (int i = 0; i < columns; i++) {
                put(factors, i, tau, i);
            }
            int last = (rows - 1) / lanes;
            long step = (long) ld * size * unit;
            set(ReflectFrame.A, matrix);
            set(ReflectFrame.LD, step);
            set(ReflectFrame.LAST, last);
            set(ReflectFrame.MASK, shape.mask((rows - last * lanes) * unit));
            set(ReflectFrame.N, columns);
            set(ReflectFrame.TAU, factors);
            set(ReflectFrame.C, matrix);
            set(ReflectFrame.LDC, step);
        }

        void set(int slot, long value) {
            i64(frame + 8L * slot, value);
        }

        boolean holds(double[] expected) {
            boolean good = true;
            for (int i = 0; i < expected.length / 2; i++) {
                good &= near(matrix, i, expected, i);
            }
            return good;
        }
    }

    private void put(long at, int element, double[] from, int index) {
        for (int part = 0; part < unit; part++) {
            long to = at + ((long) element * unit + part) * size;
            if (size == 8) {
                f64(to, from[2 * index + part]);
            } else {
                f32(to, (float) from[2 * index + part]);
            }
        }
    }

    private boolean near(long at, int element, double[] expected, int index) {
        boolean good = true;
        for (int part = 0; part < unit; part++) {
            long from = at + ((long) element * unit + part) * size;
            double found = size == 8 ? f64(from) : f32(from);
            double right = expected[2 * index + part];
            good &= Math.abs(found - right) <= tolerance * Math.max(1, Math.abs(right));
        }
        return good;
    }

    /** The element at {@code to} += op(x)·y, op the conjugate with sign -1. */
    private static void add(double[] to, int at, double sign, double[] x, int i, double[] y, int j) {
        double re = x[2 * i];
        double im = sign * x[2 * i + 1];
        to[2 * at] += re * y[2 * j] - im * y[2 * j + 1];
        to[2 * at + 1] += re * y[2 * j + 1] + im * y[2 * j];
    }

    /** Column i of x, conjugated, times column j of y. */
    private double[] dot(double[] x, int from, int i, double[] y, int j) {
        double[] sum = new double[2];
        for (int row = from; row < rows; row++) {
            add(sum, 0, -1, x, row + i * ld, y, row + j * ld);
        }
        return sum;
    }

    /** LAPACK's geqr2. */
    private void factor() {
        for (int j = 0; j < columns; j++) {
            int at = 2 * (j + j * ld);
            double beta = -Math.copySign(Math.sqrt(dot(a, j, j, a, j)[0]), a[at]);
            tau[2 * j] = (beta - a[at]) / beta;
            tau[2 * j + 1] = -a[at + 1] / beta;
            double re = a[at] - beta;
            double square = re * re + a[at + 1] * a[at + 1];
            double[] scale = {re / square, -a[at + 1] / square};
            for (int i = j + 1; i < rows; i++) {
                double[] scaled = new double[2];
                add(scaled, 0, 1, scale, 0, a, i + j * ld);
                System.arraycopy(scaled, 0, a, 2 * (i + j * ld), 2);
            }
            a[at] = beta;
            a[at + 1] = 0;
            for (int k = j + 1; k < columns; k++) {
                reflect(j, -1, a, k);
            }
        }
    }

    /** Column k of c less what reflector j, or its conjugate transpose with sign -1, takes off. */
    private void reflect(int j, double sign, double[] c, int k) {
        double[] sum = dot(a, j + 1, j, c, k);
        sum[0] += c[2 * (j + k * ld)];
        sum[1] += c[2 * (j + k * ld) + 1];
        double[] off = new double[2];
        add(off, 0, sign, tau, j, sum, 0);
        c[2 * (j + k * ld)] -= off[0];
        c[2 * (j + k * ld) + 1] -= off[1];
        double[] minus = {-off[0], -off[1]};
        for (int i = j + 1; i < rows; i++) {
            add(c, i + k * ld, 1, minus, 0, a, i + j * ld);
        }
    }

    boolean panel(MemorySegment code) {
        try (Arena arena = Arena.ofConfined()) {
            Trial t = new Trial(arena, a);
            t.set(ReflectFrame.START, 1);
            t.set(ReflectFrame.FIRST, 0);
            t.set(ReflectFrame.END, columns);
            t.set(ReflectFrame.TRIANGLE, 1);
            boolean good = run(code, t) == columns;
            factor();
            good &= t.holds(a);
            int ldt = ReflectFrame.WIDEST;
            double[] triangle = new double[2 * ldt * columns];
            for (int j = 0; j < columns; j++) {
                good &= near(t.factors, j, tau, j);
                double[] minus = {-tau[2 * j], -tau[2 * j + 1]};
                triangle[2 * (j + j * ldt)] = tau[2 * j];
                triangle[2 * (j + j * ldt) + 1] = tau[2 * j + 1];
                for (int l = 0; l < j; l++) {
                    double[] product = dot(a, j + 1, l, a, j);
                    product[0] += a[2 * (j + l * ld)];
                    product[1] -= a[2 * (j + l * ld) + 1];
                    double[] factor = new double[2];
                    add(factor, 0, 1, minus, 0, product, 0);
                    for (int i = 0; i <= l; i++) {
                        add(triangle, i + j * ldt, 1, triangle, i + l * ldt, factor, 0);
                    }
                }
                for (int i = 0; i <= j; i++) {
                    good &= near(t.frame + ReflectFrame.T, i + j * ldt, triangle, i + j * ldt);
                }
            }
            return good;
        }
    }

    boolean apply(MemorySegment code, int variant) {
        factor();
        boolean ascending = variant == ApplyCode.ASCENDING;
        boolean form = variant == ApplyCode.FORM;
        int reflectors = form ? columns - 2 : columns;
        double[] c = content(form, reflectors);
        try (Arena arena = Arena.ofConfined()) {
            Trial t = new Trial(arena, c);
            if (!form) {
                Trial v = new Trial(arena, a);
                t.set(ReflectFrame.A, v.matrix);
                t.set(ReflectFrame.TAU, v.factors);
            }
            int first = ascending ? 0 : reflectors - 1;
            t.set(ReflectFrame.START, 1);
            t.set(ReflectFrame.FIRST, first);
            t.set(ReflectFrame.END, ascending ? reflectors : -1);
            t.set(ReflectFrame.LIMIT, ascending ? reflectors : -1);
            run(code, t);
            for (int k = 0; k < columns; k++) {
                for (int i = 0; form && k < reflectors && i < rows; i++) {
                    c[2 * (i + k * ld)] = i == k ? 1 : 0;
                    c[2 * (i + k * ld) + 1] = 0;
                }
                for (int step = 0; step < reflectors; step++) {
                    reflect(ascending ? step : reflectors - 1 - step, ascending ? -1 : 1, c, k);
                }
            }
            return t.holds(c);
        }
    }

    /** Products of the first columns with those behind them. */
    boolean gram(MemorySegment code) {
        int side = GramCode.side(shape, unit == 2);
        int bytes = GramCode.tileBytes(shape, unit == 2);
        int whole = rows / lanes;
        try (Arena arena = Arena.ofConfined()) {
            Trial t = new Trial(arena, a);
            long out = arena.allocate(bytes, 64).address();
            long step = (long) ld * size * unit;
            boolean good = true;
            for (int turn = 1; turn <= 2; turn++) {
                NativeCall.code(code, t.matrix, t.matrix + side * step, step, whole, out, 0);
                for (int i = 0; i < side; i++) {
                    for (int j = 0; j < side; j++) {
                        double[] sum = new double[2];
                        for (int row = 0; row < whole * lanes; row++) {
                            add(sum, 0, -1, a, row + i * ld, a, row + (side + j) * ld);
                        }
                        sum[0] *= turn;
                        sum[1] *= -turn;
                        good &= near(out, i * side + j, sum, 0);
                    }
                }
            }
            return good;
        }
    }

    /** What reflectors are applied to, or themselves and columns of the identity. */
    private double[] content(boolean form, int reflectors) {
        double[] c = form ? a.clone() : new double[a.length];
        for (int i = 0; i < c.length / 2; i++) {
            int column = i / ld;
            int row = i % ld;
            if (row >= rows) {
                c[2 * i] = OUTSIDE;
                c[2 * i + 1] = OUTSIDE;
            } else if (!form || column >= reflectors) {
                c[2 * i] = form ? row == column ? 1 : 0 : i * 5 % 11 - 5;
                c[2 * i + 1] = form ? 0 : (unit - 1) * (i * 3 % 7 - 3);
            }
        }
        return c;
    }

    private static long run(MemorySegment code, Trial t) {
        return NativeCall.code(code, t.frame, 0, 0, 0, 0, 0);
    }
}
