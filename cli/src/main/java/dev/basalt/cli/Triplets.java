package dev.basalt.cli;

import java.util.Arrays;

/** Elements in any order, with their places; those at one place add up. */
final class Triplets {
    private int[] row;
    private int[] col;
    private double[] re;
    private double[] im;
    private int size;

    /**
     * No elements.
     *
     * @param complex whether there are imaginary parts
     * @param expected how many there will probably be
     */
    Triplets(boolean complex, int expected) {
        row = new int[expected];
        col = new int[expected];
        re = new double[expected];
        im = complex ? new double[expected] : null;
    }

    /** Whether there is room for two more, an element and its mirror image. */
    boolean hasRoom() {
        return size <= MarketHeader.MOST - 2;
    }

    /** Adds an element. */
    void add(int i, int j, double real, double imaginary) {
        if (size == row.length) {
            grow();
        }
        row[size] = i;
        col[size] = j;
        re[size] = real;
        if (im != null) {
            im[size] = imaginary;
        }
        size++;
    }

    private void grow() {
        int length = (int) Math.min(MarketHeader.MOST, size + (long) size / 2 + 1024);
        row = Arrays.copyOf(row, length);
        col = Arrays.copyOf(col, length);
        re = Arrays.copyOf(re, length);
        im = im == null ? null : Arrays.copyOf(im, length);
    }

    /**
     * Sorts by column and row, adds up what is at one place, and leaves out what is 0.
     *
     * @param rows rows
     * @param cols columns
     * @return the matrix
     */
    SparseMatrix compress(int rows, int cols) {
        // A stable counting sort by row and then by column: linear, and equal places keep the order of the file.
        int[] order = sorted(null, row, rows);
        order = sorted(order, col, cols);
        int[] start = new int[cols + 1];
        int[] rowOut = new int[size];
        double[] reOut = new double[size];
        double[] imOut = im == null ? null : new double[size];
        int out = 0;
        int at = 0;
        for (int j = 0; j < cols; j++) {
            start[j] = out;
            while (at < size && col[order[at]] == j) {
                int i = row[order[at]];
                double real = 0;
                double imaginary = 0;
                for (; at < size && col[order[at]] == j && row[order[at]] == i; at++) {
                    real += re[order[at]];
                    imaginary += im == null ? 0 : im[order[at]];
                }
                finite(i, j, real, imaginary);
                if (real != 0 || imaginary != 0) {
                    rowOut[out] = i;
                    reOut[out] = real;
                    if (imOut != null) {
                        imOut[out] = imaginary;
                    }
                    out++;
                }
            }
        }
        start[cols] = out;
        return new SparseMatrix(rows, start, rowOut, reOut, imOut);
    }

    private static void finite(int i, int j, double real, double imaginary) {
        if (!Double.isFinite(real) || !Double.isFinite(imaginary)) {
            throw new Failure("the values given for row " + (i + 1) + ", column " + (j + 1)
                    + " add up to more than double precision holds");
        }
    }

    private int[] sorted(int[] before, int[] key, int keys) {
        int[] place = new int[keys + 1];
        for (int e = 0; e < size; e++) {
            place[key[e] + 1]++;
        }
        for (int k = 0; k < keys; k++) {
            place[k + 1] += place[k];
        }
        int[] order = new int[size];
        for (int e = 0; e < size; e++) {
            int element = before == null ? e : before[e];
            order[place[key[element]]++] = element;
        }
        return order;
    }
}
