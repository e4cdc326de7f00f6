package dev.basalt.arrays;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * Copies operands between arrays and native memory. There a vector has increment 1, from its first element on, and a matrix has no gaps between its
 * columns. What lies in the gaps of an array is neither read nor written.
 */
final class Copies {
    /** Numbers that one call copies: the collector waits for it, some ten microseconds. */
    private static final int PIECE = 1 << 14;

    /** Matrices of smaller order are copied as one piece sooner than a triangle column by column. */
    private static final long SQUARE = 128;

    private Copies() {}

    /** Numbers of an element in an array. */
    static int parts(ElementType type) {
        return type == ElementType.C32 || type == ElementType.C64 ? 2 : 1;
    }

    /** The length of an array of numbers. */
    static int length(Object array) {
        return array instanceof double[] a ? a.length : array instanceof float[] b ? b.length : ((int[]) array).length;
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
            vector(array, from, address, (int) shape.rows, (int) shape.ld, parts, load);
            return;
        }
        int height = (int) (shape.storage == Storage.PACKED ? shape.span() : height(shape));
        int cols = shape.storage == Storage.PACKED ? 1 : (int) shape.cols;
        columns(array, from, address, height * parts, cols, (int) shape.ld * parts, load);
    }

    /** Elements of one triangle of a matrix; all of it where that is sooner done. The rest is not defined in native memory. */
    static void triangle(Uplo uplo, Operand shape, Object array, int offset, long address, boolean load) {
        if (shape.rows < SQUARE) {
            move(shape, array, offset, address, load);
            return;
        }
        int parts = parts(shape.type);
        int n = (int) shape.rows;
        int step = (int) shape.ld * parts;
        long column = (long) n * shape.type.bytes();
        for (int j = 0; j < n; j++) {
            int first = uplo == Uplo.LOWER ? j : 0;
            int count = uplo == Uplo.LOWER ? n - j : j + 1;
            run(array, offset * parts + j * step + first * parts,
                    address + j * column + (long) first * shape.type.bytes(), count * parts, load);
        }
    }

    /** Columns of so many numbers, one after the other in native memory, {@code step} numbers apart in the array. */
    static void columns(Object array, int from, long address, int height, int cols, int step, boolean load) {
        if (step == height || cols == 1) {
            run(array, from, address, height * cols, load);
            return;
        }
        long bytes = bytes(array);
        for (int j = 0; j < cols; j++) {
            run(array, from + j * step, address + j * height * bytes, height, load);
        }
    }

    /** A vector, which has increment 1 in native memory, or one element for all. */
    static void vector(Object array, int from, long address, int n, int step, int parts, boolean load) {
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
        // No switch over types: it asks a method handle, which costs as much as a short copy.
        if (array instanceof double[] a) {
            if (load) {
                Memory.f64(address + 8 * i, a[at]);
            } else {
                a[at] = Memory.f64(address + 8 * i);
            }
        } else if (array instanceof float[] a) {
            if (load) {
                Memory.f32(address + 4 * i, a[at]);
            } else {
                a[at] = Memory.f32(address + 4 * i);
            }
        } else {
            int[] a = (int[]) array;
            if (load) {
                Memory.i64(address + 8 * i, a[at]);
            } else {
                a[at] = Math.toIntExact(Memory.i64(address + 8 * i));
            }
        }
    }

    /** Bytes of a number in native memory. */
    static int bytes(Object array) {
        return array instanceof float[] ? 4 : 8;
    }

    /** Numbers one after the other. */
    static void run(Object array, int from, long address, int count, boolean load) {
        if (count <= PIECE) {
            piece(array, from, address, count, load);
            return;
        }
        int size = bytes(array);
        for (int done = 0; done < count; done += PIECE) {
            piece(array, from + done, address + (long) done * size, Math.min(PIECE, count - done), load);
        }
    }

    private static void piece(Object array, int from, long address, int count, boolean load) {
        if (array instanceof double[] a) {
            if (load) {
                MemorySegment.copy(a, from, Memory.ALL, JAVA_DOUBLE_UNALIGNED, address, count);
            } else {
                MemorySegment.copy(Memory.ALL, JAVA_DOUBLE_UNALIGNED, address, a, from, count);
            }
        } else if (array instanceof float[] a) {
            if (load) {
                MemorySegment.copy(a, from, Memory.ALL, JAVA_FLOAT_UNALIGNED, address, count);
            } else {
                MemorySegment.copy(Memory.ALL, JAVA_FLOAT_UNALIGNED, address, a, from, count);
            }
        } else {
            for (int i = 0; i < count; i++) {
                one(array, from + i, address, i, load);
            }
        }
    }
}
