package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i8;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Runs a new kernel once on a small problem and compares with scalar Java. Operands are small whole numbers, so both are exact
 * and must agree in every bit; memory around the result must stay as it was.
 */
final class ProductCheck {
    /** Steps of the inner dimension: both loops of a kernel run. */
    private static final int DEPTH = 6;

    private final Shape shape;
    private final int size;

    ProductCheck(Shape shape) {
        this.shape = shape;
        this.size = shape.precision().bytes;
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

    /** Numbers of a fixed pattern. */
    private long numbers(Arena arena, int count, int seed) {
        long at = arena.allocate((long) count * size, 64).address();
        for (int i = 0; i < count; i++) {
            set(at + (long) i * size, (i * 7 + seed * 5) % 11 - 5);
        }
        return at;
    }

    boolean tile(MemorySegment code, int rows, int columns, boolean masked) {
        int width = rows * shape.lanes();
        int height = masked ? width - 1 : width;
        long mask = masked ? shape.mask(shape.lanes() - 1) : 1;
        int ld = width + 1;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, width * DEPTH, 1);
            long b = numbers(arena, shape.columns() * DEPTH, 2);
            boolean good = true;
            for (int beta = 0; beta <= 2; beta++) {
                long c = numbers(arena, ld * columns, 3);
                double[] expected = product(height, columns, a, width, b, shape.columns(), 1, c, ld, 3, beta);
                NativeCall.tile(code, DEPTH, a, b, c, (long) ld * size, mask, 3, beta);
                good &= same(expected, c);
            }
            return good;
        }
    }

    boolean direct(MemorySegment code, int rows, int columns, boolean masked) {
        int width = rows * shape.lanes();
        int height = masked ? width - 1 : width;
        long mask = masked ? shape.mask(shape.lanes() - 1) : 1;
        int ld = width + 1;
        int tiles = columns == shape.columns() ? 2 : 1;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, ld * DEPTH, 1);
            long b = numbers(arena, tiles * columns * DEPTH, 2);
            boolean good = true;
            for (int beta = 0; beta <= 2; beta++) {
                long c = numbers(arena, ld * tiles * columns, 3);
                double[] expected = product(height, tiles * columns, a, ld, b, 1, DEPTH, c, ld, 3, beta);
                long next = (long) DEPTH * size;
                long bytes = (long) ld * size;
                NativeCall.direct(code, DEPTH, a, bytes, b, size, next, c, bytes, mask, tiles, 3, beta);
                good &= same(expected, c);
            }
            return good;
        }
    }

    private double[] product(int rows, int columns, long a, int lda, long b, int step, int next, long c, int ldc,
            double alpha, double beta) {
        double[] result = new double[ldc * columns];
        for (int j = 0; j < columns; j++) {
            for (int i = 0; i < ldc; i++) {
                int at = i + j * ldc;
                double old = get(c + (long) at * size);
                double sum = 0;
                for (int p = 0; p < DEPTH && i < rows; p++) {
                    sum += get(a + (long) (i + p * lda) * size) * get(b + (long) (p * step + j * next) * size);
                }
                result[at] = i < rows ? alpha * sum + beta * old : old;
            }
        }
        return result;
    }

    private boolean same(double[] expected, long at) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != get(at + (long) i * size)) {
                return false;
            }
        }
        return true;
    }

    boolean complexTile(MemorySegment code, int rows, int columns, boolean masked) {
        return complex(code, rows, columns, masked, false);
    }

    boolean complexDirect(MemorySegment code, int rows, int columns, boolean masked) {
        return complex(code, rows, columns, masked, true);
    }

    /** On packed operands, or on operands in place. */
    private boolean complex(MemorySegment code, int rows, int columns, boolean masked, boolean direct) {
        int width = rows * shape.lanes();
        int height = masked ? width - 2 : width;
        int ld = width + 2;
        int tiles = direct && columns == shape.columns() ? 2 : 1;
        int half = tiles * columns / 2;
        // Real numbers from one step to the next, and from one column of B to the next.
        int lda = direct ? ld : width;
        int step = direct ? 2 : shape.columns();
        int next = direct ? 2 * DEPTH + 2 : 2;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, lda * DEPTH, 1);
            long b = numbers(arena, direct ? next * half : shape.columns() * DEPTH, 2);
            long constants = arena.allocate(ComplexUpdate.bytes(shape), 64).address();
            boolean good = true;
            ComplexUpdate.mask(shape, constants, shape.mask(shape.lanes() - 2));
            for (int mode = 0; mode < 4; mode++) {
                double beta = Math.min(mode, 2);
                double betaIm = mode == 3 ? 3 : 0;
                int alphaIm = mode == 2 ? 0 : -1;
                ComplexUpdate.alpha(shape, constants, 2, alphaIm, mode == 1, mode >= 2);
                ComplexUpdate.beta(shape, constants, beta, betaIm);
                long c = numbers(arena, ld * half, 3);
                double[] expected = new double[ld * half];
                for (int at = 0; at < expected.length; at += 2) {
                    double re = get(c + (long) at * size);
                    double im = get(c + (long) (at + 1) * size);
                    expected[at] = re;
                    expected[at + 1] = im;
                    int i = at % ld;
                    if (i < height) {
                        double sumRe = 0;
                        double sumIm = 0;
                        for (int p = 0; p < DEPTH; p++) {
                            double ar = get(a + (long) (i + p * lda) * size);
                            double ai = (mode == 1 ? -1 : 1) * get(a + (long) (i + 1 + p * lda) * size);
                            long bp = b + (long) (at / ld * next + p * step) * size;
                            double br = get(bp);
                            double bi = (mode >= 2 ? -1 : 1) * get(bp + size);
                            sumRe += ar * br - ai * bi;
                            sumIm += ar * bi + ai * br;
                        }
                        expected[at] = 2 * sumRe - alphaIm * sumIm + beta * re - betaIm * im;
                        expected[at + 1] = 2 * sumIm + alphaIm * sumRe + beta * im + betaIm * re;
                    }
                }
                long ldc = (long) ld * size;
                if (direct) {
                    long bytes = (long) lda * size;
                    long column = (long) next * size;
                    NativeCall.direct(code, DEPTH, a, bytes, b, 2L * size, column, c, ldc, constants, tiles, 0, 0);
                } else {
                    NativeCall.tile(code, DEPTH, a, b, c, ldc, constants, 0, 0);
                }
                good &= same(expected, c);
            }
            return good;
        }
    }

    boolean copy(MemorySegment code, int vectors, boolean masked, boolean padded) {
        int width = vectors * shape.lanes();
        int count = masked ? width - 1 : width;
        int ld = width + 3;
        try (Arena arena = Arena.ofConfined()) {
            long from = numbers(arena, ld * DEPTH, 1);
            long to = numbers(arena, ld * DEPTH, 2);
            double[] expected = new double[ld * DEPTH];
            for (int at = 0; at < expected.length; at++) {
                int i = at % ld;
                expected[at] =
                        i < count ? get(from + (long) at * size) : i < width && padded ? 0 : get(to + (long) at * size);
            }
            long stride = (long) ld * size;
            NativeCall.code(code, DEPTH, from, stride, to, stride, masked ? shape.mask(shape.lanes() - 1) : 0);
            return same(expected, to);
        }
    }

    boolean transpose(MemorySegment code, int unit, int halves, boolean unpack) {
        int taken = PackCode.columns(unit, halves);
        int columns = unpack ? 2 * taken : taken;
        int steps = unpack ? PackCode.BLOCK : 2 * PackCode.BLOCK;
        int stride = (steps + 1) * unit;
        int group = (columns + 1) * unit;
        try (Arena arena = Arena.ofConfined()) {
            long from = arena.allocate((long) stride * columns, 64).address();
            for (int i = 0; i < stride * columns; i++) {
                dev.basalt.spi.Memory.fill(from + i, 1, (byte) (i * 37 % 251 + 1));
            }
            long to = arena.allocate((long) group * steps, 64).address();
            NativeCall.code(code, 2, from, stride, to, group, 0);
            for (int p = 0; p < steps; p++) {
                for (int i = 0; i < group; i++) {
                    int j = i / unit;
                    byte expected = j < columns ? i8(from + (long) j * stride + (long) p * unit + i % unit) : 0;
                    if (i8(to + (long) p * group + i) != expected) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
