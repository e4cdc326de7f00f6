package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import java.lang.foreign.Arena;

/**
 * Operands of a check of new code: small whole numbers, so that machine code and scalar Java must agree in every bit.
 *
 * @param size bytes of a number, 4 or 8
 */
record WholeNumbers(int size) {
    /** So many numbers, others for another seed. */
    static double[] of(int count, int seed) {
        double[] result = new double[count];
        for (int i = 0; i < count; i++) {
            result[i] = (i * 7 + seed * 5) % 11 - 5;
        }
        return result;
    }

    /** Where they lie in memory now. */
    long place(Arena arena, double[] values) {
        long at = arena.allocate((long) values.length * size, 64).address();
        for (int i = 0; i < values.length; i++) {
            if (size == 8) {
                f64(at + i * 8L, values[i]);
            } else {
                f32(at + i * 4L, (float) values[i]);
            }
        }
        return at;
    }

    /** Whether these lie there. */
    boolean same(double[] expected, long at) {
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != (size == 8 ? f64(at + i * 8L) : f32(at + i * 4L))) {
                return false;
            }
        }
        return true;
    }
}
