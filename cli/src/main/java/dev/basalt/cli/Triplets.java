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
        int[] start = byColumn(cols);
        int longest = 0;
        for (int j = 0; j < cols; j++) {
            longest = Math.max(longest, start[j + 1] - start[j]);
        }
        long[] keys = new long[longest];
        int out = 0;
        for (int j = 0; j < cols; j++) {
            int from = start[j];
            start[j] = out;
            byRow(from, start[j + 1], keys);
            out = merged(from, start[j + 1], out, j);
        }
        start[cols] = out;
        return new SparseMatrix(rows, start, row, re, im);
    }

    /** Groups the elements by column, each group in the order of the file. Many files are in that order already. */
    private int[] byColumn(int cols) {
        int[] start = new int[cols + 1];
        boolean ascending = true;
        for (int e = 0; e < size; e++) {
            start[col[e] + 1]++;
            ascending &= e == 0 || col[e - 1] <= col[e];
        }
        for (int j = 0; j < cols; j++) {
            start[j + 1] += start[j];
        }
        if (!ascending) {
            scatter(start.clone());
        }
        return start;
    }

    private void scatter(int[] place) {
        int[] rowOut = new int[size];
        double[] reOut = new double[size];
        double[] imOut = im == null ? null : new double[size];
        for (int e = 0; e < size; e++) {
            int at = place[col[e]]++;
            rowOut[at] = row[e];
            reOut[at] = re[e];
            if (imOut != null) {
                imOut[at] = im[e];
            }
        }
        row = rowOut;
        re = reOut;
        im = imOut;
    }

    /** Sorts the elements of a column by row; those of one row keep their order, since places are part of the key. */
    private void byRow(int from, int to, long[] keys) {
        boolean ascending = true;
        for (int e = from; e < to; e++) {
            keys[e - from] = (long) row[e] << Integer.SIZE | e;
            ascending &= e == from || row[e - 1] <= row[e];
        }
        if (ascending) {
            return;
        }
        int count = to - from;
        Arrays.sort(keys, 0, count);
        double[] reOld = Arrays.copyOfRange(re, from, to);
        double[] imOld = im == null ? null : Arrays.copyOfRange(im, from, to);
        for (int k = 0; k < count; k++) {
            int old = (int) keys[k] - from;
            row[from + k] = (int) (keys[k] >>> Integer.SIZE);
            re[from + k] = reOld[old];
            if (imOld != null) {
                im[from + k] = imOld[old];
            }
        }
    }

    /** Moves a sorted column to its place, without what is 0 and with sums for places that were given twice. */
    private int merged(int from, int to, int place, int j) {
        int out = place;
        int at = from;
        while (at < to) {
            int i = row[at];
            double real = 0;
            double imaginary = 0;
            for (; at < to && row[at] == i; at++) {
                real += re[at];
                imaginary += im == null ? 0 : im[at];
            }
            finite(i, j, real, imaginary);
            if (real != 0 || imaginary != 0) {
                row[out] = i;
                re[out] = real;
                if (im != null) {
                    im[out] = imaginary;
                }
                out++;
            }
        }
        return out;
    }

    private static void finite(int i, int j, double real, double imaginary) {
        if (!Double.isFinite(real) || !Double.isFinite(imaginary)) {
            throw new Failure("the values given for row " + (i + 1) + ", column " + (j + 1)
                    + " add up to more than double precision holds");
        }
    }
}
