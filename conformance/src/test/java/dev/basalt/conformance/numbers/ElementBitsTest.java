package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import java.lang.reflect.Array;
import java.util.Random;

/**
 * What axpy, scal and rot make of an element depends on that element alone: its bits are the same however long the vector is, whatever
 * the increments are, wherever the element lies, and in a batch.
 */
class ElementBitsTest {
    /** Elements: long loops, their ends, and several threads see them. */
    private static final int N = 3000;

    private static final int ROUNDS = 400;
    private static final int[] INCREMENTS = {1, 1, -1, 2, -2, 3};
    private static final double COSINE = 0.6180339887;
    private static final Complex FACTOR = new Complex(0.7071067812, -0.3183098862);

    private enum Routine {
        AXPY, SCAL, ROT, AXPY_REAL, SCAL_REAL, ROT_REAL;

        Status on(Handle h, VectorView x, VectorView y) {
            Complex factor = x.type().isComplex() ? FACTOR : Complex.of(FACTOR.re());
            return switch (this) {
                case AXPY -> Blas.axpy(h, factor, x, y);
                case SCAL -> Blas.scal(h, factor, y);
                case ROT -> Blas.rot(h, x, y, COSINE, factor);
                case AXPY_REAL -> Blas.axpy(h, factor.re(), x, y);
                case SCAL_REAL -> Blas.scal(h, factor.re(), y);
                case ROT_REAL -> Blas.rot(h, x, y, COSINE, factor.re());
            };
        }
    }

    /** The device memory of one vector, and what is in it. */
    private static final class Line {
        final ElementType type;
        final Object data;
        final VectorView memory;

        Line(DeviceArena arena, ElementType type, int elements) {
            this.type = type;
            int numbers = elements * (type.isComplex() ? 2 : 1);
            this.data = type.real() == ElementType.F32 ? new float[numbers] : new double[numbers];
            this.memory = arena.vector(type, elements);
        }

        /** Lays elements of another line out with an increment. */
        void put(Line from, int first, int n, int inc, int at) {
            int parts = type.isComplex() ? 2 : 1;
            for (int i = 0; i < n; i++) {
                System.arraycopy(from.data, (first + i) * parts, data, place(i, n, inc, at) * parts, parts);
            }
        }

        /** Where element {@code i} lies. */
        static int place(int i, int n, int inc, int at) {
            return at + (inc > 0 ? i * inc : (n - 1 - i) * -inc);
        }
    }

    @EveryTarget
    void dependOnTheElementAlone(Target target) {
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (Routine routine : Routine.values()) {
                try (DeviceArena arena = device.arena()) {
                    sweep(target, handle, arena, routine);
                }
            }
        }
    }

    private static void sweep(Target target, Handle handle, DeviceArena arena, Routine routine) {
        Random random = new Random(17 + routine.ordinal());
        ElementType type = target.type();
        Line x = random(new Line(arena, type, N), random);
        Line y = random(new Line(arena, type, N), random);
        Line newX = new Line(arena, type, N);
        Line newY = new Line(arena, type, N);
        newX.memory.upload(x.data);
        newY.memory.upload(y.data);
        routine.on(handle, newX.memory, newY.memory);
        newX.memory.download(newX.data);
        newY.memory.download(newY.data);
        int spread = 3 * N;
        Line p = new Line(arena, type, spread);
        Line q = new Line(arena, type, spread);
        int rounds = target.device().startsWith("sim") ? ROUNDS / 8 : ROUNDS;
        for (int round = 0; round < rounds; round++) {
            int n = 1 + random.nextInt(random.nextInt(20) == 0 ? N : 40);
            int count = random.nextInt(4) == 0 && n < 100 ? 2 + random.nextInt(3) : 1;
            int first = random.nextInt(N - n + 1);
            int incx = INCREMENTS[random.nextInt(INCREMENTS.length)];
            int incy = INCREMENTS[random.nextInt(INCREMENTS.length)];
            boolean scales = routine == Routine.SCAL || routine == Routine.SCAL_REAL;
            incy = scales ? Math.abs(incy) : incy;
            int stride = 3 * n;
            int room = spread - count * stride;
            int atX = random.nextInt(room + 1);
            int atY = random.nextInt(room + 1);
            for (int problem = 0; problem < count; problem++) {
                p.put(x, first, n, incx, atX + problem * stride);
                q.put(y, first, n, incy, atY + problem * stride);
            }
            p.memory.upload(p.data);
            q.memory.upload(q.data);
            routine.on(handle, view(p, atX, n, incx, count, stride), view(q, atY, n, incy, count, stride));
            p.memory.download(p.data);
            q.memory.download(q.data);
            String what =
                    routine + " n=" + n + " incx=" + incx + " incy=" + incy + " count=" + count + " from " + first;
            for (int problem = 0; problem < count; problem++) {
                if (!scales) {
                    check(what + ", x", newX, first, p, n, incx, atX + problem * stride);
                }
                check(what + ", y", newY, first, q, n, incy, atY + problem * stride);
            }
        }
    }

    private static VectorView view(Line line, int at, int n, int inc, int count, int stride) {
        return VectorView.strided(line.type, line.memory.pointer().plus(line.type, at), n, inc, count, stride);
    }

    private static void check(String what, Line expected, int first, Line actual, int n, int inc, int at) {
        int parts = expected.type.isComplex() ? 2 : 1;
        for (int i = 0; i < n * parts; i++) {
            Object want = Array.get(expected.data, first * parts + i);
            Object is = Array.get(actual.data, Line.place(i / parts, n, inc, at) * parts + i % parts);
            assertThat(is).as("%s: part %d", what, i).isEqualTo(want);
        }
    }

    private static Line random(Line line, Random random) {
        int numbers = Array.getLength(line.data);
        for (int i = 0; i < numbers; i++) {
            double value = 2 * random.nextDouble() - 1;
            if (line.type.real() == ElementType.F32) {
                Array.setFloat(line.data, i, (float) value);
            } else {
                Array.setDouble(line.data, i, value);
            }
        }
        return line;
    }
}
