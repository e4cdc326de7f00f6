package dev.basalt.host.assembled.mixed;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.i16;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i8;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.product.Lane;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Conversion;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a new kernel of {@link MixedTable} once and compares with scalar Java, exactly: operands are small whole numbers. */
final class MixedCheck {
    /** Numbers of a vector: every loop runs, and something is left over. */
    private static final int COUNT = 4 * 64 + 32 + 16 + 8 + 5;

    private static final int ROWS = 2 * 16 + 16 + 8 + 3;
    private static final int DEPTH = 6;
    private static final ElementType[] IN_LANES = {ElementType.F32, ElementType.BF16, null, ElementType.I8};

    private final Shape shape;

    MixedCheck(Shape shape) {
        this.shape = shape;
    }

    private static double number(int i, int seed) {
        return (i * 7 + seed * 5) % 11 - 5;
    }

    /** Numbers of a fixed pattern. */
    private static long numbers(Arena arena, ElementType type, int count, int seed) {
        long at = arena.allocate((long) count * type.bytes(), 64).address();
        for (int i = 0; i < count; i++) {
            Conversion.store(type, at + (long) i * type.bytes(), number(i, seed));
        }
        return at;
    }

    private static boolean same(double[] expected, ElementType type, long at) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != Conversion.load(type, at + (long) i * type.bytes())) {
                return false;
            }
        }
        return true;
    }

    boolean stream(MemorySegment code, MixedStreamCode.Kind kind, Format fx, Format fy) {
        try (Arena arena = Arena.ofConfined()) {
            long x = numbers(arena, fx.type, COUNT + 1, 1);
            long y = numbers(arena, fy.type, COUNT + 1, 2);
            double[] newX = new double[COUNT + 1];
            double[] newY = new double[COUNT + 1];
            double sum = 0;
            for (int i = 0; i <= COUNT; i++) {
                double xi = number(i, 1);
                double yi = number(i, 2);
                newX[i] = xi;
                newY[i] = yi;
                if (i < COUNT) {
                    switch (kind) {
                        case SET -> newY[i] = 3 * xi;
                        case COMBINE -> newY[i] = 3 * xi + 2 * yi;
                        case ROT -> {
                            newX[i] = 3 * xi + 2 * yi;
                            newY[i] = 3 * yi - 2 * xi;
                        }
                        case DOT -> sum += xi * yi;
                        case SQUARES -> sum += xi * xi;
                    }
                }
            }
            double found = NativeCall.stream(code, COUNT, x, y, 3, 2);
            return (!kind.sums || found == sum) && same(newX, fx.type, x) && same(newY, fy.type, y);
        }
    }

    boolean panel(MemorySegment code, Format format, boolean trans, int columns) {
        int ld = ROWS + 1;
        int sums = MixedPanelCode.SUM / 4;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, format.type, ld * columns, 1);
            long x = numbers(arena, ElementType.F32, ld, 2);
            long y = numbers(arena, ElementType.F32, ld + sums * columns, 3);
            double[] expected = new double[trans ? columns : ld];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = trans ? 0 : number(i, 3);
            }
            for (int j = 0; j < columns; j++) {
                for (int i = 0; i < ROWS; i++) {
                    expected[trans ? j : i] += number(i + j * ld, 1) * number(trans ? i : j, 2);
                }
            }
            NativeCall.code(code, ROWS, a, (long) ld * format.bytes, x, y, 0);
            boolean good = true;
            for (int i = 0; i < expected.length; i++) {
                good &= f32(y + (trans ? MixedPanelCode.SUM : 4L) * i) == expected[i];
            }
            return good;
        }
    }

    boolean copy(MemorySegment code, Lane lane, Format format, int columns, int vectors, boolean masked) {
        ElementType type = lane == Lane.NUMBER ? format.type : lane == Lane.HALVES ? ElementType.BF16 : ElementType.I8;
        int width = vectors * shape.lanes();
        int rows = masked ? width - 3 : width;
        int ld = width + 1;
        int groups = columns == lane.numbers ? 3 : 1;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, type, ld * columns * groups, 1);
            long to = arena.allocate(4L * (width * groups + 1), 64).address();
            NativeCall.code(code, groups, a, (long) ld * type.bytes(), to, 4L * width, shape.mask(shape.lanes() - 3));
            boolean good = i32(to + 4L * width * groups) == 0;
            for (int g = 0; g < groups; g++) {
                for (int i = 0; i < width; i++) {
                    for (int p = 0; p < lane.numbers; p++) {
                        boolean there = p < columns && i < rows;
                        double expected = there ? number(i + (g * lane.numbers + p) * ld, 1) : 0;
                        good &= get(lane, to, (g * width + i) * lane.numbers + p) == expected;
                    }
                }
            }
            return good;
        }
    }

    /** A number in lanes that follow each other. */
    private static double get(Lane lane, long at, int i) {
        return lane == Lane.WORDS
                ? i16(at + 2L * i)
                : Conversion.load(IN_LANES[lane.ordinal()], at + 4L / lane.numbers * i);
    }

    private static void set(Lane lane, long at, int i, double value) {
        if (lane == Lane.WORDS) {
            i16(at + 2L * i, (short) value);
        } else {
            Conversion.store(IN_LANES[lane.ordinal()], at + 4L / lane.numbers * i, value);
        }
    }

    boolean extend(MemorySegment code) {
        int count = 2 * shape.isa().bytes / 2;
        try (Arena arena = Arena.ofConfined()) {
            long from = numbers(arena, ElementType.I8, count, 1);
            long to = arena.allocate(2L * count, 64).address();
            NativeCall.code(code, 2, from, to, 0, 0, 0);
            boolean good = true;
            for (int i = 0; i < count; i++) {
                good &= i16(to + 2L * i) == number(i, 1);
            }
            return good;
        }
    }

    boolean lower(MemorySegment code) {
        int nr = shape.columns();
        try (Arena arena = Arena.ofConfined()) {
            long panel = numbers(arena, ElementType.I8, 4 * nr * (DEPTH + 1), 1);
            NativeCall.code(code, DEPTH, panel, 0, 0, 0, 0);
            boolean good = true;
            for (int j = 0; j < nr; j++) {
                int sum = 0;
                for (int p = 0; p < 4 * DEPTH; p++) {
                    sum += i8(panel + 4L * (p / 4 * nr + j) + p % 4);
                }
                good &= i32(panel + 4L * (DEPTH * nr + j)) == -128 * sum;
            }
            return good;
        }
    }

    boolean tile(MemorySegment code, Lane lane, int vectors, int columns, boolean masked) {
        int width = vectors * shape.lanes();
        int height = masked ? width - 1 : width;
        long mask = masked ? shape.mask(shape.lanes() - 1) : 1;
        int ld = width + 1;
        int nr = shape.columns();
        ElementType out = lane.integers() ? ElementType.I32 : ElementType.F32;
        try (Arena arena = Arena.ofConfined()) {
            long a = arena.allocate(4L * width * DEPTH, 64).address();
            long b = arena.allocate(4L * nr * (DEPTH + 1), 64).address();
            for (int i = 0; i < width * DEPTH * lane.numbers; i++) {
                set(lane, a, i, number(i, 1));
            }
            for (int i = 0; i < nr * DEPTH * lane.numbers; i++) {
                set(lane, b, i, number(i, 2));
            }
            boolean good = true;
            for (int beta = 0; beta <= 2; beta++) {
                for (int alpha = 1; alpha <= 3; alpha += 2) {
                    long c = numbers(arena, out, ld * columns, 3);
                    double[] expected = new double[ld * columns];
                    for (int j = 0; j < columns; j++) {
                        int raised = 0;
                        for (int i = 0; i < ld; i++) {
                            double sum = 0;
                            raised = 0;
                            for (int p = 0; i < height && p < DEPTH * lane.numbers; p++) {
                                int q = p / lane.numbers;
                                int r = p % lane.numbers;
                                double bp = get(lane, b, (q * nr + j) * lane.numbers + r);
                                sum += get(lane, a, (q * width + i) * lane.numbers + r) * bp;
                                raised += (int) bp;
                            }
                            double old = number(i + j * ld, 3);
                            expected[i + j * ld] = i < height ? alpha * sum + beta * old : old;
                            if (i == 0) {
                                i32(b + 4L * (nr * DEPTH + j), -128 * raised);
                            }
                        }
                    }
                    NativeCall.tile(code, DEPTH, a, b, c, 4L * ld, mask, alpha, beta);
                    good &= same(expected, out, c);
                }
            }
            return good;
        }
    }
}
