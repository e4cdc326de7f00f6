package dev.basalt.arrays;

import dev.basalt.spi.Memory;

/**
 * Copies matrices by rows between arrays and native memory, where they lie without gaps: by columns, or as they lie in the arrays, which is the
 * transposed matrix by columns.
 */
final class RowCopies {
    /** Rows and columns that are transposed at a time: a cache line of doubles. */
    private static final int TILE = 8;

    private RowCopies() {}

    /**
     * Transposes.
     *
     * @param array one of numbers, or of arrays for each row
     * @param from the first number of the matrix
     * @param step numbers from one row to the next
     * @param rows rows of the matrix
     * @param cols its columns
     * @param parts numbers of an element
     * @param address where it is by columns
     * @param load whether elements go there
     */
    static void transpose(Object array, long from, long step, int rows, int cols, int parts, long address,
            boolean load) {
        for (int j = 0; j < cols; j += TILE) {
            int width = Math.min(TILE, cols - j);
            for (int i = 0; i < rows; i += TILE) {
                for (int r = i; r < Math.min(rows, i + TILE); r++) {
                    long first = (r + (long) j * rows) * parts;
                    if (array instanceof Object[] arrays) {
                        part(arrays[r], j * parts, width, parts, address, first, (long) rows * parts, load);
                    } else {
                        part(array, Math.toIntExact(from + r * step + (long) j * parts), width, parts, address, first,
                                (long) rows * parts, load);
                    }
                }
            }
        }
    }

    /** A few elements of a row: each is one of the next column there. */
    private static void part(Object row, int from, int count, int parts, long address, long first, long height,
            boolean load) {
        if (row instanceof double[] a) {
            for (int j = 0; j < count; j++) {
                for (int p = 0; p < parts; p++) {
                    long at = address + 8 * (first + j * height + p);
                    if (load) {
                        Memory.f64(at, a[from + j * parts + p]);
                    } else {
                        a[from + j * parts + p] = Memory.f64(at);
                    }
                }
            }
            return;
        }
        float[] a = (float[]) row;
        for (int j = 0; j < count; j++) {
            for (int p = 0; p < parts; p++) {
                long at = address + 4 * (first + j * height + p);
                if (load) {
                    Memory.f32(at, a[from + j * parts + p]);
                } else {
                    a[from + j * parts + p] = Memory.f32(at);
                }
            }
        }
    }

    /** Rows of so many numbers, one behind the other. */
    static void asTheyLie(Object[] arrays, int rows, int numbers, long address, boolean load) {
        for (int r = 0; r < rows; r++) {
            int size = arrays[r] instanceof float[] ? 4 : 8;
            Copies.run(arrays[r], 0, address + (long) r * numbers * size, numbers, load);
        }
    }
}
