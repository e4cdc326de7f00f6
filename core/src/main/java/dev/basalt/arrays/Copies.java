package dev.basalt.arrays;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import java.lang.foreign.MemorySegment;

/**
 * Copies operands between arrays and native memory. There a vector has increment 1, from its first element on, and a matrix has no gaps between its
 * columns. What lies in the gaps of an array is neither read nor written.
 */
final class Copies {
    /** Numbers that one call copies: the collector waits for it, some ten microseconds. */
    private static final int PIECE = 1 << 14;

    private Copies() {}

    /** Numbers of an element in an array. */
    static int parts(ElementType type) {
        return type == ElementType.C32 || type == ElementType.C64 ? 2 : 1;
    }

    /** The length of an array of numbers. */
    static int length(Object array) {
        return switch (array) {
            case double[] a -> a.length;
            case float[] a -> a.length;
            default -> ((int[]) array).length;
        };
    }

    /** The leading dimension or increment of an operand in native memory. */
    static long stagedStep(Operand shape) {
        if (shape.vector) {
            return shape.ld == 0 ? 0 : 1;
        }
        return shape.storage == Storage.PACKED ? 0 : Math.max(1, height(shape));
    }

    /** What an operand takes in native memory. */
    static long stagedBytes(Operand shape) {
        long elements = shape.vector && shape.ld == 0 ? 1
                : shape.storage == Storage.PACKED ? shape.span()
                : Math.multiplyExact(height(shape), shape.cols);
        return Math.multiplyExact(Math.max(0, elements), (long) shape.type.bytes());
    }

    /** Elements of a column. */
    private static long height(Operand shape) {
        return shape.storage == Storage.BAND ? shape.kl + shape.ku + 1 : Math.max(0, shape.rows);
    }

    /** Elements to native memory. */
    static void load(Operand shape, Object array, int offset, long address) {
        move(shape, array, offset, address, true);
    }

    /** Elements from native memory. */
    static void store(Operand shape, Object array, int offset, long address) {
        move(shape, array, offset, address, false);
    }

    private static void move(Operand shape, Object array, int offset, long address, boolean load) {
        int parts = parts(shape.type);
        int from = offset * parts;
        if (shape.rows <= 0 || shape.cols <= 0) {
            return;
        }
        if (shape.vector) {
            vector(shape, array, from, address, parts, load);
            return;
        }
        long size = shape.type.bytes();
        int height = (int) (shape.storage == Storage.PACKED ? shape.span() : height(shape));
        int cols = shape.storage == Storage.PACKED ? 1 : (int) shape.cols;
        if (shape.ld == height || cols == 1) {
            run(array, from, address, height * cols * parts, load);
            return;
        }
        for (int j = 0; j < cols; j++) {
            run(array, from + (int) (j * shape.ld) * parts, address + j * height * size, height * parts, load);
        }
    }

    private static void vector(Operand shape, Object array, int from, long address, int parts, boolean load) {
        int n = (int) shape.rows;
        int step = (int) shape.ld;
        if (step == 1 && !(array instanceof int[])) {
            run(array, from, address, n * parts, load);
            return;
        }
        int first = step < 0 ? from + (n - 1) * -step * parts : from;
        int count = step == 0 ? 1 : n;
        for (int i = 0; i < count; i++) {
            for (int part = 0; part < parts; part++) {
                one(array, first + i * step * parts + part, address, (long) i * parts + part, load);
            }
        }
    }

    private static void one(Object array, int at, long address, long i, boolean load) {
        switch (array) {
            case double[] a -> {
                if (load) {
                    Memory.f64(address + 8 * i, a[at]);
                } else {
                    a[at] = Memory.f64(address + 8 * i);
                }
            }
            case float[] a -> {
                if (load) {
                    Memory.f32(address + 4 * i, a[at]);
                } else {
                    a[at] = Memory.f32(address + 4 * i);
                }
            }
            default -> {
                int[] a = (int[]) array;
                if (load) {
                    Memory.i64(address + 8 * i, a[at]);
                } else {
                    a[at] = Math.toIntExact(Memory.i64(address + 8 * i));
                }
            }
        }
    }

    /** Numbers one after the other. */
    static void run(Object array, int from, long address, int count, boolean load) {
        int size = array instanceof float[] ? 4 : 8;
        for (int done = 0; done < count; done += PIECE) {
            piece(array, from + done, address + (long) done * size, Math.min(PIECE, count - done), load);
        }
    }

    private static void piece(Object array, int from, long address, int count, boolean load) {
        switch (array) {
            case double[] a -> {
                if (load) {
                    MemorySegment.copy(a, from, Memory.ALL, JAVA_DOUBLE_UNALIGNED, address, count);
                } else {
                    MemorySegment.copy(Memory.ALL, JAVA_DOUBLE_UNALIGNED, address, a, from, count);
                }
            }
            case float[] a -> {
                if (load) {
                    MemorySegment.copy(a, from, Memory.ALL, JAVA_FLOAT_UNALIGNED, address, count);
                } else {
                    MemorySegment.copy(Memory.ALL, JAVA_FLOAT_UNALIGNED, address, a, from, count);
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    one(array, from + i, address, i, load);
                }
            }
        }
    }
}
