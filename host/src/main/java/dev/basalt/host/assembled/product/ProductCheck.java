package dev.basalt.host.assembled.product;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.Numbers;
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

    /** Numbers of a fixed pattern. */
    private Numbers numbers(Arena arena, int count, int seed) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = (i * 7 + seed * 5) % 11 - 5;
        }
        return new Numbers(arena, size, values);
    }

    boolean tile(MemorySegment code, int rows, int columns, boolean masked) {
        int width = rows * shape.lanes();
        int height = masked ? width - 1 : width;
        long mask = masked ? shape.mask(shape.lanes() - 1) : 1;
        int ld = width + 1;
        try (Arena arena = Arena.ofConfined()) {
            Numbers a = numbers(arena, width * DEPTH, 1);
            Numbers b = numbers(arena, shape.columns() * DEPTH, 2);
            double[] product = product(height, columns, a.values(), width, b.values(), shape.columns(), 1, ld);
            boolean good = true;
            for (int beta = 0; beta <= 2; beta++) {
                Numbers c = numbers(arena, ld * columns, 3);
                NativeCall.tile(code, DEPTH, a.address(), b.address(), c.address(), (long) ld * size, mask, 3, beta);
                good &= same(product, c, ld, height, beta);
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
            Numbers a = numbers(arena, ld * DEPTH, 1);
            Numbers b = numbers(arena, tiles * columns * DEPTH, 2);
            double[] product = product(height, tiles * columns, a.values(), ld, b.values(), 1, DEPTH, ld);
            long next = (long) DEPTH * size;
            long bytes = (long) ld * size;
            boolean good = true;
            for (int beta = 0; beta <= 2; beta++) {
                Numbers c = numbers(arena, ld * tiles * columns, 3);
                NativeCall.direct(code, DEPTH, a.address(), bytes, b.address(), size, next, c.address(), bytes, mask,
                        tiles, 3, beta);
                good &= same(product, c, ld, height, beta);
            }
            return good;
        }
    }

    /** A·B, in columns of {@code ldc} numbers. */
    private static double[] product(int rows, int columns, double[] a, int lda, double[] b, int step, int next,
            int ldc) {
        double[] result = new double[ldc * columns];
        for (int j = 0; j < columns; j++) {
            for (int p = 0; p < DEPTH; p++) {
                double factor = b[p * step + j * next];
                for (int i = 0; i < rows; i++) {
                    result[i + j * ldc] += a[i + p * lda] * factor;
                }
            }
        }
        return result;
    }

    /** Whether the kernel made 3·product + beta·C, and left what is below the rows. */
    private static boolean same(double[] product, Numbers c, int ldc, int rows, double beta) {
        double[] before = c.values();
        double[] now = c.read();
        for (int at = 0; at < now.length; at++) {
            if (now[at] != (at % ldc < rows ? 3 * product[at] + beta * before[at] : before[at])) {
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
            Numbers a = numbers(arena, lda * DEPTH, 1);
            Numbers b = numbers(arena, direct ? next * half : shape.columns() * DEPTH, 2);
            long constants = arena.allocate(ComplexUpdate.bytes(shape), 64).address();
            boolean good = true;
            ComplexUpdate.mask(shape, constants, shape.mask(shape.lanes() - 2));
            for (int mode = 0; mode < 4; mode++) {
                double beta = Math.min(mode, 2);
                double betaIm = mode == 3 ? 3 : 0;
                int alphaIm = mode == 2 ? 0 : -1;
                ComplexUpdate.alpha(shape, constants, 2, alphaIm, mode == 1, mode >= 2);
                ComplexUpdate.beta(shape, constants, beta, betaIm);
                Numbers c = numbers(arena, ld * half, 3);
                double[] expected = c.values().clone();
                for (int at = 0; at < expected.length; at += 2) {
                    double re = expected[at];
                    double im = expected[at + 1];
                    int i = at % ld;
                    if (i < height) {
                        double sumRe = 0;
                        double sumIm = 0;
                        for (int p = 0; p < DEPTH; p++) {
                            double ar = a.values()[i + p * lda];
                            double ai = (mode == 1 ? -1 : 1) * a.values()[i + 1 + p * lda];
                            int bp = at / ld * next + p * step;
                            double br = b.values()[bp];
                            double bi = (mode >= 2 ? -1 : 1) * b.values()[bp + 1];
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
                    NativeCall.direct(code, DEPTH, a.address(), bytes, b.address(), 2L * size, column, c.address(), ldc,
                            constants, tiles, 0, 0);
                } else {
                    NativeCall.tile(code, DEPTH, a.address(), b.address(), c.address(), ldc, constants, 0, 0);
                }
                good &= c.are(expected);
            }
            return good;
        }
    }

    boolean copy(MemorySegment code, int vectors, boolean masked, boolean padded) {
        int width = vectors * shape.lanes();
        int count = masked ? width - 1 : width;
        int ld = width + 3;
        try (Arena arena = Arena.ofConfined()) {
            Numbers from = numbers(arena, ld * DEPTH, 1);
            Numbers to = numbers(arena, ld * DEPTH, 2);
            double[] expected = to.values().clone();
            for (int at = 0; at < expected.length; at++) {
                int i = at % ld;
                if (i < count) {
                    expected[at] = from.values()[at];
                } else if (i < width && padded) {
                    expected[at] = 0;
                }
            }
            long stride = (long) ld * size;
            NativeCall.code(code, DEPTH, from.address(), stride, to.address(), stride,
                    masked ? shape.mask(shape.lanes() - 1) : 0);
            return to.are(expected);
        }
    }

    boolean transpose(MemorySegment code, int unit, int halves) {
        // Two rounds, twice.
        int columns = 2 * PackCode.columns(unit, halves);
        int steps = 2 * PackCode.BLOCK;
        int stride = (steps + 1) * unit;
        int group = (columns + 1) * unit;
        try (Arena arena = Arena.ofConfined()) {
            byte[] from = new byte[stride * columns];
            for (int i = 0; i < from.length; i++) {
                from[i] = (byte) (i * 37 % 251 + 1);
            }
            MemorySegment source = arena.allocate(from.length, 64);
            MemorySegment.copy(from, 0, source, JAVA_BYTE, 0, from.length);
            MemorySegment to = arena.allocate((long) group * steps, 64);
            NativeCall.code(code, 2, source.address(), stride, to.address(), group, 2);
            byte[] found = to.toArray(JAVA_BYTE);
            for (int p = 0; p < steps; p++) {
                for (int i = 0; i < group; i++) {
                    int j = i / unit;
                    byte expected = j < columns ? from[j * stride + p * unit + i % unit] : 0;
                    if (found[p * group + i] != expected) {
                        return false;
                    }
                }
            }
            return true;
        }
    }
}
