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
 * Copies operands between arrays and native memory. There a vector has increment 1, from its first element on, and a matrix has gaps between its
 * columns only where they would crowd. What lies in the gaps of an array is neither read nor written.
 */
final class Copies {
    /** Numbers that one call copies: the collector waits for it, some ten microseconds. */
    private static final int PIECE = 1 << 14;

    /** Matrices of smaller order are copied as one piece sooner than a triangle column by column. */
    private static final long SQUARE = 128;

    /** Columns whose distance is a multiple of so many bytes meet in few sets of a cache, which costs a factorisation up to a tenth of its time. */
    private static final long CROWDED = 4096;

    /** From so many rows on a copy with gaps costs less than that. */
    private static final long TALL = 512;

    /** Bytes between columns that would crowd. */
    private static final long GAP = 128;

    private Copies() {}

    /** Whether a matrix with such a distance of columns is better off as a copy with gaps. */
    static boolean crowds(long rows, long ld, ElementType type) {
        return rows >= TALL && ld * type.bytes() % CROWDED == 0;
    }

    /** Numbers of an element in an array. */
    static int parts(ElementType type) {
        return type == ElementType.C32 || type == ElementType.C64 ? 2 : 1;
    }

    /** The length of an array of numbers. */
    static int length(Object array) {
        return array instanceof double[] a ? a.length : array instanceof float[] b ? b.length : ((int[]) array).length;
    }

    /**
     * The leading dimension or increment of an operand in native memory.
     *
     * @param gaps whether there may be some between columns
     */
    static long stagedStep(Operand shape, boolean gaps) {
        if (shape.vector) {
            return shape.ld == 0 ? 0 : 1;
        }
        if (shape.storage == Storage.PACKED) {
            return 0;
        }
        long height = Math.max(1, height(shape));
        return height + (gaps && crowds(height, height, shape.type) ? GAP / shape.type.bytes() : 0);
    }

    /** What an operand takes in native memory, as {@link #stagedStep}. */
    static long stagedBytes(Operand shape, boolean gaps) {
        long elements = shape.vector ? shape.ld == 0 ? 1 : shape.rows
                : shape.storage == Storage.PACKED ? shape.span()
                : Math.multiplyExact(stagedStep(shape, gaps), shape.cols);
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
        int there = shape.storage == Storage.PACKED ? height : (int) stagedStep(shape, true);
        columns(array, from, address, height * parts, cols, (int) shape.ld * parts, there * parts, load);
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
        long column = stagedStep(shape, true) * shape.type.bytes();
        for (int j = 0; j < n; j++) {
            int first = uplo == Uplo.LOWER ? j : 0;
            int count = uplo == Uplo.LOWER ? n - j : j + 1;
            run(array, offset * parts + j * step + first * parts,
                    address + j * column + (long) first * shape.type.bytes(), count * parts, load);
        }
    }

    /** Columns of so many numbers, {@code step} numbers apart in the array and {@code there} in native memory. */
    static void columns(Object array, int from, long address, int height, int cols, int step, int there, boolean load) {
        if (step == height && there == height || cols == 1) {
            run(array, from, address, height * cols, load);
            return;
        }
        long bytes = bytes(array);
        for (int j = 0; j < cols; j++) {
            run(array, from + j * step, address + j * there * bytes, height, load);
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
