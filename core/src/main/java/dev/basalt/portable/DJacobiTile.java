package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import java.util.Arrays;

/**
 * Pairs of a round stand beside each other: row i of the upper half with row i of the lower half, so a vector of rows meets a vector of rows. After each round rows move on by one seat, as those who play each other in a tournament do;
 * columns stay where they are. Real and imaginary parts lie apart.
 */
public class DJacobiTile implements JacobiTile {
    /** What rounding makes of 1. */
    protected static final double UNIT = 0x1p-53; // float: protected static final float UNIT = 0x1p-24f;

    /** Beyond it a square has no room for 1. */
    protected static final double STEEP = 0x1p50; // float: protected static final float STEEP = 0x1p20f;

    /** Pairs are a multiple of it: the lanes of the longest vector. */
    private static final int GRAIN = 8; // float: private static final int GRAIN = 16;

    /** Pairs of a round at most. */
    protected static final int HALF = SIDE / 2;

    /** Rows that lie free behind each half: what leaves it on its way. */
    private static final int FREE = 16;

    /** Where the lower half begins in a column. */
    protected static final int LOWER = HALF + FREE;

    /** Numbers of a column. */
    protected static final int COLUMN = 2 * LOWER;

    /** 1, or 2 of complex elements. */
    protected final int parts;

    /** The matrix, and what becomes of it in a round; the imaginary parts are empty where elements are real. */
    protected double[] re = new double[SIDE * COLUMN];

    protected double[] nextRe = new double[SIDE * COLUMN];
    protected double[] im;
    protected double[] nextIm;

    /** The product of the rotations. */
    protected final double[] productRe = new double[SIDE * SIDE];

    protected final double[] productIm;

    /** The columns of those who sit in the upper half and in the lower one. */
    private final int[] upper = new int[HALF];

    private final int[] lower = new int[HALF];

    /** The diagonal elements of both members of each pair, and the element that they share. */
    protected final double[] one = new double[HALF];

    protected final double[] other = new double[HALF];
    protected final double[] elementRe = new double[HALF];
    protected final double[] elementIm = new double[HALF];

    /** Its modulus; the tangent of each pair's angle; 1 for pairs that rotate and 0 for others. */
    protected final double[] size = new double[HALF];

    protected final double[] tangent = new double[HALF];
    protected final double[] turned = new double[HALF];

    /** The rotations: x := cosine·x + sine·y and y := cosine·y - conj(sine)·x of two columns. */
    protected final double[] cosine = new double[HALF];

    protected final double[] sineRe = new double[HALF];
    protected final double[] sineIm = new double[HALF];

    /** Pairs of a round. */
    protected int half;

    private long h;
    private long ld;
    private long first;
    private long second;
    private int firstCount;
    private int secondCount;

    /**
     * One thread's.
     *
     * @param parts 1, or 2 of complex elements
     */
    public DJacobiTile(int parts) {
        this.parts = parts;
        int numbers = parts == 2 ? SIDE * COLUMN : 0;
        im = new double[numbers];
        nextIm = new double[numbers];
        productIm = new double[parts == 2 ? SIDE * SIDE : 0];
    }

    private long address(int row, int column) {
        return h + (place(row) + place(column) * ld) * parts * 8L;
    }

    /** The row of the matrix that a seat is of. */
    private long place(int seat) {
        return seat < half ? first + seat : second + seat - half;
    }

    private boolean taken(int seat) {
        return seat < half ? seat < firstCount : seat - half < secondCount;
    }

    /** Where a row lies in a column, before the first round and after the last one. */
    private int row(int seat) {
        return seat < half ? seat : LOWER + seat - half;
    }

    @Override
    public void load(long matrix, long leading, long firstRow, int firstRows, long secondRow, int secondRows) {
        h = matrix;
        ld = leading;
        first = firstRow;
        second = secondRow;
        firstCount = firstRows;
        secondCount = secondRows;
        half = (Math.max(firstRows, secondRows) + GRAIN - 1) / GRAIN * GRAIN;
        Arrays.fill(re, 0, 2 * half * COLUMN, 0);
        Arrays.fill(productRe, 0, 2 * half * SIDE, 0);
        if (parts == 2) {
            Arrays.fill(im, 0, 2 * half * COLUMN, 0);
            Arrays.fill(productIm, 0, 2 * half * SIDE, 0);
        }
        for (int j = 0; j < 2 * half; j++) {
            productRe[j + j * SIDE] = 1;
            double[] diagonal = j < half ? one : other;
            diagonal[j % half] = taken(j) ? f64(address(j, j)) : 0;
            (j < half ? upper : lower)[j % half] = j;
            if (taken(j)) {
                column(j, 0, Math.min(j, firstRows));
                column(j, half, j);
            }
        }
    }

    private void column(int j, int from, int to) {
        for (int i = from; i < to; i++) {
            long element = address(i, j);
            double x = f64(element);
            re[row(i) + j * COLUMN] = x;
            re[row(j) + i * COLUMN] = x;
            if (parts == 2) {
                double y = f64(element + 8L);
                im[row(i) + j * COLUMN] = y;
                im[row(j) + i * COLUMN] = -y;
            }
        }
    }

    @Override
    public void store() {
        for (int j = 0; j < 2 * half; j++) {
            if (taken(j)) {
                put(address(j, j), (j < half ? one : other)[j % half], 0);
                for (int i = 0; i < j; i++) {
                    if (taken(i)) {
                        double x = re[row(i) + j * COLUMN];
                        double y = parts == 2 ? im[row(i) + j * COLUMN] : 0;
                        put(address(i, j), x, y);
                        put(address(j, i), x, -y);
                    }
                }
            }
        }
    }

    private void put(long element, double x, double y) {
        f64(element, x);
        if (parts == 2) {
            f64(element + 8L, y);
        }
    }

    @Override
    public void bring(long from, long leading) {
        int rows = firstCount + secondCount;
        for (int j = 0; j < rows; j++) {
            int column = (j < firstCount ? j : j - firstCount + half) * SIDE;
            for (int i = 0; i < rows; i++) {
                int to = (i < firstCount ? i : i - firstCount + half) + column;
                long element = from + (i + j * leading) * parts * 8L;
                productRe[to] = f64(element);
                if (parts == 2) {
                    productIm[to] = f64(element + 8L);
                }
            }
        }
    }

    @Override
    public void product(long to, long leading) {
        int rows = firstCount + secondCount;
        for (int j = 0; j < rows; j++) {
            int column = (j < firstCount ? j : j - firstCount + half) * SIDE;
            for (int i = 0; i < rows; i++) {
                int from = (i < firstCount ? i : i - firstCount + half) + column;
                put(to + (i + j * leading) * parts * 8L, productRe[from], parts == 2 ? productIm[from] : 0);
            }
        }
    }

    @Override
    public boolean counts(boolean all) {
        for (int j = 0; j < half; j++) {
            tangent[j] = Math.sqrt(Math.abs(one[j]));
            turned[j] = Math.sqrt(Math.abs(other[j]));
        }
        for (int j = all ? 1 : half; j < 2 * half; j++) {
            double root = Math.sqrt(Math.abs((j < half ? one : other)[j % half]));
            if (counts(root, tangent, j * COLUMN, Math.min(j, half))
                    || all && j > half && counts(root, turned, LOWER + j * COLUMN, j - half)) {
                return true;
            }
        }
        return false;
    }

    private boolean counts(double root, double[] roots, int from, int rows) {
        for (int i = 0; i < rows; i++) {
            double x = re[from + i];
            if ((parts == 1 ? Math.abs(x) : modulus(x, im[from + i])) > UNIT * (roots[i] * root)) {
                return true;
            }
        }
        return false;
    }

    private static double modulus(double re, double im) {
        double most = Math.max(Math.abs(re), Math.abs(im));
        double least = Math.min(Math.abs(re), Math.abs(im));
        double part = least / most;
        return most == 0 ? 0 : most * Math.sqrt(1 + part * part);
    }

    @Override
    public void sweep(boolean all) {
        int rounds = all ? 2 * half - 1 : half;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < half; i++) {
                int at = i + lower[i] * COLUMN;
                elementRe[i] = re[at];
                elementIm[i] = parts == 2 ? im[at] : 0;
            }
            round(all);
            move(all);
        }
    }

    /**
     * The column of who sits in the upper half.
     *
     * @param pair which
     * @return column
     */
    protected final int upper(int pair) {
        return upper[pair];
    }

    /**
     * The column of who sits in the lower half.
     *
     * @param pair which
     * @return column
     */
    protected final int lower(int pair) {
        return lower[pair];
    }

    /** Rotates all pairs of a round, and their rows move on. */
    protected void round(boolean all) {
        if (angles()) {
            for (int i = 0; i < half; i++) {
                if (turned[i] != 0) {
                    columns(i, re, im, upper[i] * COLUMN, lower[i] * COLUMN, half);
                    columns(i, re, im, upper[i] * COLUMN + LOWER, lower[i] * COLUMN + LOWER, half);
                    columns(i, productRe, productIm, upper[i] * SIDE, lower[i] * SIDE, 2 * half);
                }
            }
        }
        for (int j = 0; j < 2 * half; j++) {
            rows(j * COLUMN, all ? 1 : 0);
        }
    }

    /** The angles of all pairs, and the diagonal elements and those that pairs share afterwards; whether any is not 0. */
    private boolean angles() {
        boolean any = false;
        for (int i = 0; i < half; i++) {
            size[i] = parts == 1 ? Math.abs(elementRe[i]) : modulus(elementRe[i], elementIm[i]);
            boolean turns = size[i] > UNIT * (Math.sqrt(Math.abs(one[i])) * Math.sqrt(Math.abs(other[i])));
            double zeta = (other[i] - one[i]) / (2 * size[i]);
            double steep = Math.abs(zeta);
            double t = steep > STEEP ? 1 / (2 * steep) : 1 / (steep + Math.sqrt(1 + zeta * zeta));
            turned[i] = turns ? 1 : 0;
            tangent[i] = turns ? zeta < 0 ? -t : t : 0;
            any |= turns;
        }
        for (int i = 0; i < half; i++) {
            boolean turns = turned[i] != 0;
            double t = tangent[i];
            double c = 1 / Math.sqrt(1 + t * t);
            double s = c * t;
            cosine[i] = c;
            sineRe[i] = turns ? -s * (elementRe[i] / size[i]) : 0;
            sineIm[i] = turns ? s * (elementIm[i] / size[i]) : 0;
            one[i] -= t * size[i];
            other[i] += t * size[i];
            elementRe[i] = turns ? 0 : elementRe[i];
            elementIm[i] = turns ? 0 : elementIm[i];
        }
        return any;
    }

    /** Rotates two columns, or parts of them. */
    private void columns(int pair, double[] x, double[] y, int p, int q, int count) {
        double c = cosine[pair];
        double s = sineRe[pair];
        double t = sineIm[pair];
        if (parts == 1) {
            for (int k = 0; k < count; k++) {
                double a = x[p + k];
                double b = x[q + k];
                x[p + k] = a * c + b * s;
                x[q + k] = b * c - a * s;
            }
            return;
        }
        for (int k = 0; k < count; k++) {
            double a = x[p + k];
            double b = y[p + k];
            double d = x[q + k];
            double e = y[q + k];
            x[p + k] = a * c + d * s - e * t;
            y[p + k] = b * c + e * s + d * t;
            x[q + k] = d * c - a * s - b * t;
            y[q + k] = e * c - b * s + a * t;
        }
    }

    /** Rotates all pairs of rows in one column, and writes them where the next round has them, the upper half one seat further down with a step. */
    private void rows(int column, int step) {
        for (int i = 0; i < half; i++) {
            int p = column + i;
            int q = p + LOWER;
            double c = cosine[i];
            double s = sineRe[i];
            double t = sineIm[i];
            double a = re[p];
            double d = re[q];
            if (parts == 1) {
                nextRe[p + step] = a * c + d * s;
                nextRe[q - 1] = d * c - a * s;
            } else {
                double b = im[p];
                double e = im[q];
                nextRe[p + step] = a * c + d * s + e * t;
                nextIm[p + step] = b * c + e * s - d * t;
                nextRe[q - 1] = d * c - a * s + b * t;
                nextIm[q - 1] = e * c - b * s - a * t;
            }
        }
    }

    /** What pairs share becomes what it is to be, whoever has left a half takes a seat in the other one, and the next round has the word. */
    private void move(boolean all) {
        int step = all ? 1 : 0;
        for (int i = 0; i < half; i++) {
            int p = upper[i] * COLUMN;
            int q = lower[i] * COLUMN;
            nextRe[p + LOWER + i - 1] = elementRe[i];
            nextRe[q + i + step] = elementRe[i];
            if (parts == 2) {
                nextIm[p + LOWER + i - 1] = -elementIm[i];
                nextIm[q + i + step] = elementIm[i];
            }
        }
        for (int j = 0; j < 2 * half; j++) {
            seat(nextRe, j * COLUMN, all);
            if (parts == 2) {
                seat(nextIm, j * COLUMN, all);
            }
        }
        seat(one, other, all);
        int up = lower[0];
        int down = all ? upper[half - 1] : up;
        System.arraycopy(lower, 1, lower, 0, half - 1);
        lower[half - 1] = down;
        if (all && half > 1) {
            System.arraycopy(upper, 1, upper, 2, half - 2);
            upper[1] = up;
        }
        double[] kept = re;
        re = nextRe;
        nextRe = kept;
        kept = im;
        im = nextIm;
        nextIm = kept;
    }

    private void seat(double[] x, int column, boolean all) {
        int end = column + LOWER + half - 1;
        if (all) {
            x[end] = x[column + half];
            x[column] = x[column + 1];
            x[column + 1] = x[column + LOWER - 1];
        } else {
            x[end] = x[column + LOWER - 1];
        }
    }

    private void seat(double[] x, double[] y, boolean all) {
        double up = y[0];
        double down = all ? x[half - 1] : up;
        System.arraycopy(y, 1, y, 0, half - 1);
        y[half - 1] = down;
        if (all) {
            System.arraycopy(x, 1, x, 2, half - 2);
            x[1] = up;
        }
    }
}
