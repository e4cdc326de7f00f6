package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Numbers;
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
            for (int i = 0; i < x.length; i++) {
                x[i] = i * 7 % 11 - 5;
            }
            Numbers panel = new Numbers(arena, size, x);
            double[] signs = new double[lanes];
            for (int i = 0; i < lanes; i++) {
                signs[i] = (i & 1) == 0 ? -1 : 1;
            }
            Numbers constants = new Numbers(arena, size, signs);
            Numbers t = new Numbers(arena, size, packed());
            solve(order);
            long tile = panel.address() + (backward ? (long) (order - block) * width * size : 0);
            NativeCall.tile(code, BLOCKS, panel.address(), t.address(), tile, block, constants.address(), ALPHA, 0);
            if (!panel.are(x)) {
                return false;
            }
            return rows > 0;
        }
    }

    private double[] packed() {
        double[] t = new double[6 * block * block * unit];
        int at = 0;
        for (int s = 0; s < BLOCKS; s++) {
            int column = (backward ? BLOCKS - 1 - s : s) * block;
            int end = backward ? BLOCKS * block : column + block;
            for (int p = backward ? column : 0; p < end; p++) {
                for (int q = column; q < column + block; q++) {
                    t[at++] = real(p, q);
                    if (unit == 2) {
                        t[at++] = imaginary(p, q);
                    }
                }
            }
        }
        return t;
    }

    private void solve(int order) {
        for (int s = 0; s < order; s++) {
            int q = backward ? order - 1 - s : s;
            double[] re = new double[width];
            double[] im = new double[width];
            for (int i = 0; i < width; i += unit) {
                re[i] = ALPHA * x[q * width + i];
                im[i] = unit == 2 ? ALPHA * x[q * width + i + 1] : 0;
            }
            for (int r = 0; r < s; r++) {
                int p = backward ? order - 1 - r : r;
                int tr = real(p, q);
                int ti = unit == 2 ? imaginary(p, q) : 0;
                for (int i = 0; (tr | ti) != 0 && i < width; i += unit) {
                    double xr = x[p * width + i];
                    double xi = unit == 2 ? x[p * width + i + 1] : 0;
                    re[i] -= xr * tr - xi * ti;
                    im[i] -= xr * ti + xi * tr;
                }
            }
            int dr = real(q, q);
            int di = unit == 2 ? imaginary(q, q) : 0;
            for (int i = 0; i < width; i += unit) {
                x[q * width + i] = re[i] * dr - im[i] * di;
                if (unit == 2) {
                    x[q * width + i + 1] = re[i] * di + im[i] * dr;
                }
            }
        }
    }
}
