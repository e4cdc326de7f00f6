package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Selection;

/** Exchanges neighbouring blocks on the diagonal of a real Schur form by reflectors (Bai and Demmel, "On swapping diagonal blocks in real Schur form", 1993). An exchange whose error would be large is not made. */
final class DExchange extends DBlocks implements ExchangeLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;

    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    /** Units of rounding that an exchange may leave where there are to be zeros. */
    private static final int MOST = 10;

    private static final int ORDER = DSubspace.ORDER;

    private final DPair pair = new DPair();
    private final double[] d = new double[ORDER * ORDER];
    private final DElimination equations = new DElimination();
    private final DSubspace space = new DSubspace();

    private long q;
    private long ldq;
    private long rows;

    /** What chooses, and the eigenvalues that it chooses by. */
    private Selection rule;

    private long re;
    private long im;

    /** From here on blocks of this matrix of order n are exchanged; q has so many rows, 0 if there is none. */
    void begin(long order, long matrix, long ld, long lines, long vectors, long ldVectors) {
        n = order;
        t = matrix;
        ldt = ld;
        rows = lines;
        q = vectors;
        ldq = ldVectors;
    }

    @Override
    public boolean trexc(long order, long matrix, long ld, long lines, long vectors, long ldVectors, long from,
            long to) {
        begin(order, matrix, ld, lines, vectors, ldVectors);
        move(from, to);
        return arrived();
    }

    @Override
    public long order(Selection select, long order, long matrix, long ld, long lines, long vectors, long ldVectors,
            long values, long imaginary) {
        begin(order, matrix, ld, lines, vectors, ldVectors);
        rule = select;
        re = values;
        im = imaginary;
        return order();
    }

    @Override
    boolean chosen(long k, int own) {
        return ExchangeLeaf.chooses(rule, f64(re + k * 8L), f64(im + k * 8L));
    }

    @Override
    public void values(long order, long matrix, long ld, long values, long imaginary) {
        begin(order, matrix, ld, 0, 0, 1);
        for (long k = 0; k < n; k++) {
            boolean two = size(k) == 2;
            double im = two ? imaginary(k) : 0;
            f64(values + k * 8L, get(k, k));
            f64(imaginary + k * 8L, im);
            if (two) {
                k++;
                f64(values + k * 8L, get(k, k));
                f64(imaginary + k * 8L, -im);
            }
        }
    }

    private double imaginary(long k) {
        return Math.sqrt(Math.abs(get(k, k + 1))) * Math.sqrt(Math.abs(get(k + 1, k)));
    }

    @Override
    boolean exchange(long i, int n1, int n2) {
        if (n1 == 1 && n2 == 1) {
            single(i);
            return true;
        }
        int m = n1 + n2;
        double norm = 0;
        // What is left of the second block is not read.
        for (int c = 0; c < n1; c++) {
            for (int r = n1; r < m; r++) {
                f64(at(i + r, i + c), 0);
            }
        }
        for (int c = 0; c < m; c++) {
            for (int r = 0; r < m; r++) {
                d[r + ORDER * c] = get(i + r, i + c);
                norm = Math.max(norm, Math.abs(d[r + ORDER * c]));
            }
        }
        double scale = solve(n1, n2, norm);
        space.factor(n1, n2, equations.x, 0, scale);
        space.left(d, m);
        space.right(d, m);
        double allowed = Math.max(MOST * UNIT * norm, LEAST / UNIT);
        for (int c = 0; c < n2; c++) {
            for (int r = n2; r < m; r++) {
                if (!(Math.abs(d[r + ORDER * c]) <= allowed)) {
                    return false;
                }
            }
        }
        space.lines(n - i, at(i, i), ldt, 1);
        space.lines(Math.min(n, i + m), at(0, i), 1, ldt);
        space.lines(rows, q + i * ldq * 8L, 1, ldq);
        for (int c = 0; c < n2; c++) {
            for (int r = n2; r < m; r++) {
                f64(at(i + r, i + c), 0);
            }
        }
        if (n2 == 2) {
            standard(i);
        }
        if (n1 == 2) {
            standard(i + n2);
        }
        return true;
    }

    private void single(long i) {
        double first = get(i, i);
        double last = get(i + 1, i + 1);
        double f = get(i, i + 1);
        double g = last - first;
        double large = Math.max(Math.abs(f), Math.abs(g));
        double cosine = 1;
        double sine = 0;
        if (large != 0) {
            double a = f / large;
            double b = g / large;
            double r = Math.sqrt(a * a + b * b);
            cosine = a / r;
            sine = b / r;
        }
        DSchur.rotate(n - i - 2, at(i, i + 2), ldt, at(i + 1, i + 2), cosine, sine);
        DSchur.rotate(i, at(0, i), 1, at(0, i + 1), cosine, sine);
        f64(at(i, i), last);
        f64(at(i + 1, i + 1), first);
        DSchur.rotate(rows, q + i * ldq * 8L, 1, q + (i + 1) * ldq * 8L, cosine, sine);
    }

    private void standard(long i) {
        pair.standard(get(i, i), get(i, i + 1), get(i + 1, i), get(i + 1, i + 1));
        f64(at(i, i), pair.a);
        f64(at(i, i + 1), pair.b);
        f64(at(i + 1, i), pair.c);
        f64(at(i + 1, i + 1), pair.d);
        DSchur.rotate(n - i - 2, at(i, i + 2), ldt, at(i + 1, i + 2), pair.cosine, pair.sine);
        DSchur.rotate(i, at(0, i), 1, at(0, i + 1), pair.cosine, pair.sine);
        DSchur.rotate(rows, q + i * ldq * 8L, 1, q + (i + 1) * ldq * 8L, pair.cosine, pair.sine);
    }

    /** T11·X - X·T22 = scale·T12, X by columns. */
    private double solve(int n1, int n2, double norm) {
        int k = n1 * n2;
        double[] system = equations.system;
        for (int c = 0; c < n2; c++) {
            for (int r = 0; r < n1; r++) {
                int row = r + n1 * c;
                equations.right[row] = d[r + ORDER * (n1 + c)];
                for (int j = 0; j < k; j++) {
                    int jr = j % n1;
                    int jc = j / n1;
                    double value = jc == c ? d[r + ORDER * jr] : 0;
                    system[row + DElimination.ORDER * j] = jr == r ? value - d[n1 + jc + ORDER * (n1 + c)] : value;
                }
            }
        }
        return equations.solve(k, Math.max(UNIT * norm, LEAST / UNIT));
    }
}
