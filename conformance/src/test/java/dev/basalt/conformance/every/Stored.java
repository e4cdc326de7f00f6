package dev.basalt.conformance.every;

import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/**
 * How the elements of one problem of an operand lie in memory: which places the routine knows, and which lie between them.
 *
 * @param name of the argument
 * @param element what is there
 * @param written whether the routine overwrites it
 * @param triangle whether it is one triangle of a square matrix
 * @param rows of a matrix, elements of a vector
 * @param cols of a matrix, 1 of a vector
 * @param step leading dimension or increment; 0 if there is none
 * @param span elements from the first place to the last, as the routine counts them
 * @param row of each place
 * @param col of each place
 * @param at the place itself, from the lowest one
 */
record Stored(String name, ElementType element, boolean written, boolean triangle, int rows, int cols, int step,
        int span, int[] row, int[] col, int[] at) {
    /** Where element (i, j) is, or -1. */
    @FunctionalInterface
    interface Place {
        int at(int i, int j);
    }

    /** Finds its places; it reaches that far at least, even where the last elements are not known to the routine. */
    static Stored of(String name, ElementType element, boolean written, boolean triangle, int rows, int cols, int step,
            int reach, Place place) {
        int count = 0;
        int span = reach;
        int[] row = new int[rows * cols];
        int[] col = new int[rows * cols];
        int[] at = new int[rows * cols];
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                int p = place.at(i, j);
                if (p >= 0) {
                    row[count] = i;
                    col[count] = j;
                    at[count++] = p;
                    span = Math.max(span, p + 1);
                }
            }
        }
        return new Stored(name, element, written, triangle, rows, cols, step, span, Arrays.copyOf(row, count),
                Arrays.copyOf(col, count), Arrays.copyOf(at, count));
    }

    /** A vector; a negative increment walks backwards. */
    static Place vector(int n, int inc) {
        return (i, j) -> inc < 0 ? (n - 1 - i) * -inc : i * inc;
    }

    static Place matrix(int ld) {
        return (i, j) -> i + j * ld;
    }

    static Place triangle(Uplo uplo, boolean diagonal, Place place) {
        return (i, j) -> i == j ? diagonal ? place.at(i, j) : -1 : uplo == Uplo.UPPER == i < j ? place.at(i, j) : -1;
    }

    static Place packed(Uplo uplo, int n) {
        return (i, j) -> uplo == Uplo.UPPER ? i + j * (j + 1) / 2 : i + j * (2 * n - j - 1) / 2;
    }

    static Place band(int kl, int ku, int ld) {
        return (i, j) -> i - j > kl || j - i > ku ? -1 : ku + i - j + j * ld;
    }

    /** Doubles an element. */
    int parts() {
        return element.isComplex() ? 2 : 1;
    }

    /** Whether these are numbers to compute with, and not pivots, indices or info. */
    boolean floating() {
        return element.isFloating() || element.bytes() < 4 || element == ElementType.I32 && !name.equals("info");
    }

    boolean hasNaN() {
        return floating() && element != ElementType.I8 && element != ElementType.I32;
    }
}
