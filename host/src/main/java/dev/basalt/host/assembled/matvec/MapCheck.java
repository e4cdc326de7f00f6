package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Real;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Runs a new {@link MapCode} once over columns of small whole numbers and compares with scalar Java, with memory around the result. */
final class MapCheck {
    /** Those side by side, and one more. */
    private static final int COLUMNS = MapCode.BESIDE + 1;

    private final int size;
    private final boolean complex;
    private final int reals;

    /** A check of columns of so many elements. */
    MapCheck(Real precision, boolean complex, int rows) {
        this.size = precision.bytes;
        this.complex = complex;
        this.reals = complex ? 2 * rows : rows;
    }

    private double get(long at, int i) {
        return size == 8 ? f64(at + i * 8L) : f32(at + i * 4L);
    }

    private long numbers(Arena arena, int count, int seed) {
        long at = arena.allocate((long) count * size, 64).address();
        for (int i = 0; i < count; i++) {
            put(at, i, (i * 7 + seed * 5) % 11 - 5);
        }
        return at;
    }

    private void put(long at, int i, double value) {
        if (size == 8) {
            f64(at + i * 8L, value);
        } else {
            f32(at + i * 4L, (float) value);
        }
    }

    /**
     * Whether a kernel is right.
     *
     * @param beside whether columns that meet the same vector go side by side, 0 or 1
     */
    boolean agrees(MapCode.Kind kind, MemorySegment code, int beside) {
        int lda = reals + 2;
        int ldb = kind == MapCode.Kind.TIMES ? 0 : reals + 4;
        int ldc = beside == 0 ? reals + 6 : reals + 6 + 15 & -16;
        int parts = complex ? 2 : 1;
        int vector = MapCode.FACTOR_BYTES / size;
        try (Arena arena = Arena.ofConfined()) {
            long a = numbers(arena, lda * COLUMNS, 1);
            long b = numbers(arena, (reals + 4) * COLUMNS, 2);
            long c = numbers(arena, ldc * COLUMNS, 3);
            long factors = numbers(arena, 4 * vector, 4);
            double[] expected = new double[ldc * COLUMNS];
            for (int i = 0; i < expected.length; i++) {
                expected[i] = get(c, i);
            }
            for (int j = 0; j < COLUMNS; j++) {
                for (int i = 0; i < reals; i++) {
                    int mirror = complex ? i ^ 1 : i;
                    double av = get(a, i + j * lda);
                    double as = get(a, mirror + j * lda);
                    double bv = get(b, i + j * ldb);
                    double bs = get(b, mirror + j * ldb);
                    boolean real = !complex || i % 2 == 0;
                    double sum = switch (kind) {
                        case SCALE, ADD -> Double.NaN;
                        case TIMES -> !complex ? av * bv : real ? av * bv - as * bs : as * bv + av * bs;
                        case COLUMNS -> {
                            double re = get(factors, j * parts);
                            double im = complex ? get(factors, j * parts + 1) : 0;
                            yield !complex ? av * re : av * re + (real ? -as : as) * im;
                        }
                    };
                    if (kind == MapCode.Kind.SCALE || kind == MapCode.Kind.ADD) {
                        int lane = i % parts;
                        sum = av * get(factors, lane) + (complex ? as * get(factors, vector + lane) : 0);
                        if (kind == MapCode.Kind.ADD) {
                            sum += bv * get(factors, 2 * vector + lane)
                                    + (complex ? bs * get(factors, 3 * vector + lane) : 0);
                        }
                    }
                    expected[i + j * ldc] = sum;
                }
            }
            // All elements have one factor.
            for (int f = 0; f < 4 && kind != MapCode.Kind.COLUMNS; f++) {
                long at = factors + (long) f * MapCode.FACTOR_BYTES;
                for (int lane = parts; lane < vector; lane++) {
                    put(at, lane, get(at, lane % parts));
                }
            }
            NativeCall.direct(code, reals, COLUMNS, c, (long) ldc * size, a, factors, b - a, (long) lda * size,
                    (long) (ldb - lda) * size, kind == MapCode.Kind.COLUMNS ? (long) parts * size : beside, 0, 0);
            for (int i = 0; i < expected.length; i++) {
                if (expected[i] != get(c, i)) {
                    return false;
                }
            }
            return true;
        }
    }
}
