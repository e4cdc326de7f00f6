package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a new {@link SolveCode} on three blocks of small whole numbers, which scalar Java must solve to the same bits. */
final class SolveCheck {
    private static final int BLOCKS = 3;
    private static final int ALPHA = 2;

    private final int size;
    private final int unit;
    private final int lanes;
    private final int block;
    private final int width;
    private final boolean backward;
    private final double[] x;

    private SolveCheck(Shape shape, int rows, boolean backward, boolean complex) {
        this.size = shape.precision().bytes;
        this.unit = complex ? 2 : 1;
        this.lanes = shape.lanes();
        this.block = shape.columns() / unit;
        this.width = rows * lanes;
        this.backward = backward;
        this.x = new double[BLOCKS * block * width];
    }

    static boolean good(Shape shape, MemorySegment code, int rows, boolean backward, boolean complex) {
        return new SolveCheck(shape, rows, backward, complex).run(code, rows);
    }

    /** Coefficient of unknown p in equation q, 0 where there is none; reciprocals of the diagonal. */
    private int real(int p, int q) {
        boolean stored = backward ? p > q : p < q;
        return p == q ? 1 - p % 3 : stored && (3 * p + 2 * q) % 7 == 0 ? 1 : 0;
    }

    private int imaginary(int p, int q) {
        boolean stored = backward ? p > q : p < q;
        return p == q ? p % 2 : stored && (2 * p + 5 * q) % 11 == 0 ? -1 : 0;
    }

    private boolean run(MemorySegment code, int rows) {
        int order = BLOCKS * block;
        try (Arena arena = Arena.ofConfined()) {
            long panel = arena.allocate((long) order * width * size, 64).address();
            for (int i = 0; i < order * width; i++) {
                x[i] = i * 7 % 11 - 5;
                set(panel + (long) i * size, x[i]);
            }
            long constants = arena.allocate((long) lanes * size, 64).address();
            for (int i = 0; i < lanes; i++) {
                set(constants + (long) i * size, (i & 1) == 0 ? -1 : 1);
            }
            long t = arena.allocate(6L * block * block * unit * size, 64).address();
            pack(t);
            solve(order);
            long tile = panel + (backward ? (long) (order - block) * width * size : 0);
            NativeCall.tile(code, BLOCKS, panel, t, tile, block, constants, ALPHA, 0);
            for (int i = 0; i < order * width; i++) {
                if (get(panel + (long) i * size) != x[i]) {
                    return false;
                }
            }
            return rows > 0;
        }
    }

    private void pack(long to) {
        long at = to;
        for (int s = 0; s < BLOCKS; s++) {
            int column = (backward ? BLOCKS - 1 - s : s) * block;
            int end = backward ? BLOCKS * block : column + block;
            for (int p = backward ? column : 0; p < end; p++) {
                for (int q = column; q < column + block; q++) {
                    set(at, real(p, q));
                    at += size;
                    if (unit == 2) {
                        set(at, imaginary(p, q));
                        at += size;
                    }
                }
            }
        }
    }

    private void solve(int order) {
        for (int s = 0; s < order; s++) {
            int q = backward ? order - 1 - s : s;
            for (int i = 0; i < width; i += unit) {
                double re = ALPHA * x[q * width + i];
                double im = unit == 2 ? ALPHA * x[q * width + i + 1] : 0;
                for (int r = 0; r < s; r++) {
                    int p = backward ? order - 1 - r : r;
                    double xr = x[p * width + i];
                    double xi = unit == 2 ? x[p * width + i + 1] : 0;
                    int ti = unit == 2 ? imaginary(p, q) : 0;
                    re -= xr * real(p, q) - xi * ti;
                    im -= xr * ti + xi * real(p, q);
                }
                int di = unit == 2 ? imaginary(q, q) : 0;
                x[q * width + i] = re * real(q, q) - im * di;
                if (unit == 2) {
                    x[q * width + i + 1] = re * di + im * real(q, q);
                }
            }
        }
    }

    private double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }
}
