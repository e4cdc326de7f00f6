package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** Exchanges neighbouring blocks on the diagonal of a real Schur form by reflectors (Bai and Demmel, "On swapping diagonal blocks in real Schur form", 1993). An exchange whose error would be large is not made. */
final class DExchange {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;

    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    /** Units of rounding that an exchange may leave where there are to be zeros. */
    private static final int MOST = 10;

    private static final int ORDER = 4;

    private final DPair pair = new DPair();
    private final double[] d = new double[ORDER * ORDER];
    private final double[] system = new double[ORDER * ORDER];
    private final double[] right = new double[ORDER];
    private final double[] x = new double[ORDER];
    private final int[] column = new int[ORDER];
    /** The reflectors, one after the other, and their factors. */
    private final double[] v = new double[2 * ORDER];

    private final double[] tau = new double[2];

    private long n;
    private long t;
    private long ldt;
    private long q;
    private long ldq;
    private long rows;

    /** From here on blocks of this matrix of order n are exchanged; q has so many rows, 0 if there is none. */
    void begin(long order, long matrix, long ld, long lines, long vectors, long ldVectors) {
        n = order;
        t = matrix;
        ldt = ld;
        rows = lines;
        q = vectors;
        ldq = ldVectors;
    }

    private long at(long i, long j) {
        return t + (i + j * ldt) * 8L;
    }

    private double get(long i, long j) {
        return f64(t + (i + j * ldt) * 8L);
    }

    /** Rows of the block that has row i. */
    private long begins(long i) {
        return i > 0 && get(i, i - 1) != 0 ? i - 1 : i;
    }

    private int size(long i) {
        return i + 1 < n && get(i + 1, i) != 0 ? 2 : 1;
    }

    /**
     * Moves the block with a row to another.
     *
     * @param from a row of the block
     * @param to a row of the block whose place it takes
     * @return the row where it begins in the end; another place than asked for where an exchange was not made
     */
    long move(long from, long to) {
        long here = begins(from);
        long goal = begins(to);
        return here < goal ? down(here, goal) : up(here, goal);
    }

    /** Whether the last move reached its goal. */
    boolean arrived;

    private long up(long from, long goal) {
        long here = from;
        arrived = true;
        int own = size(here);
        while (here > goal) {
            int before = here >= 2 && get(here - 1, here - 2) != 0 ? 2 : 1;
            if (!exchange(here - before, before, own)) {
                arrived = false;
                return here;
            }
            here -= before;
            if (own == 2 && size(here) == 1) {
                // The pair has become two real eigenvalues, which go on one by one.
                long first = up(here, goal);
                if (arrived) {
                    up(here + 1, first + 1);
                }
                return first;
            }
        }
        return here;
    }

    private long down(long from, long goal) {
        long here = from;
        arrived = true;
        int own = size(here);
        long end = goal + size(goal) - 1;
        while (here + own - 1 < end) {
            int behind = size(here + own);
            if (!exchange(here, own, behind)) {
                arrived = false;
                return here;
            }
            here += behind;
            if (own == 2 && size(here) == 1) {
                long last = down(here + 1, end);
                if (arrived) {
                    down(here, last - 1);
                }
                return last - 1;
            }
        }
        return here;
    }

    /** The blocks of n1 rows at i and of n2 rows behind it change places. */
    private boolean exchange(long i, int n1, int n2) {
        if (n1 == 1 && n2 == 1) {
            single(i);
            return true;
        }
        int m = n1 + n2;
        double norm = 0;
        for (int c = 0; c < m; c++) {
            for (int r = 0; r < m; r++) {
                d[r + ORDER * c] = get(i + r, i + c);
                norm = Math.max(norm, Math.abs(d[r + ORDER * c]));
            }
        }
        double scale = solve(n1, n2, norm);
        for (int c = 0; c < n2; c++) {
            reflector(c, n1, n2, scale);
        }
        for (int c = 0; c < n2; c++) {
            left(c, m);
        }
        for (int c = 0; c < n2; c++) {
            right(c, m);
        }
        double allowed = Math.max(MOST * UNIT * norm, LEAST / UNIT);
        for (int c = 0; c < n2; c++) {
            for (int r = n2; r < m; r++) {
                if (!(Math.abs(d[r + ORDER * c]) <= allowed)) {
                    return false;
                }
            }
        }
        for (int c = 0; c < n2; c++) {
            int len = m - c;
            lines(len, c, n - i, at(i + c, i), ldt, 1);
            lines(len, c, Math.min(n, i + m), at(0, i + c), 1, ldt);
            lines(len, c, rows, q + (i + c) * ldq * 8L, 1, ldq);
        }
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

    /** T11·X - X·T22 = scale·T12 by elimination with complete pivoting; x := X by columns. */
    private double solve(int n1, int n2, double norm) {
        int k = n1 * n2;
        for (int c = 0; c < n2; c++) {
            for (int r = 0; r < n1; r++) {
                int row = r + n1 * c;
                right[row] = d[r + ORDER * (n1 + c)];
                for (int j = 0; j < k; j++) {
                    int jr = j % n1;
                    int jc = j / n1;
                    double value = jc == c ? d[r + ORDER * jr] : 0;
                    system[row + ORDER * j] = jr == r ? value - d[n1 + jc + ORDER * (n1 + c)] : value;
                }
            }
        }
        double smallest = Math.max(UNIT * norm, LEAST / UNIT);
        double largest = 0;
        for (int s = 0; s < k; s++) {
            pivot(s, k, smallest);
            for (int r = s + 1; r < k; r++) {
                double factor = system[r + ORDER * s] / system[s + ORDER * s];
                for (int c = s + 1; c < k; c++) {
                    system[r + ORDER * c] -= factor * system[s + ORDER * c];
                }
                right[r] -= factor * right[s];
            }
        }
        double scale = 1;
        for (int s = k - 1; s >= 0; s--) {
            double sum = right[s];
            for (int c = s + 1; c < k; c++) {
                sum -= system[s + ORDER * c] * right[c];
            }
            double own = system[s + ORDER * s];
            // A solution that would be large is made so much smaller.
            if (Math.abs(own) < 1 && Math.abs(sum) > Math.abs(own) / (LEAST / UNIT) / ORDER) {
                double less = Math.abs(own) / Math.abs(sum);
                scale *= less;
                sum *= less;
                for (int c = 0; c < k; c++) {
                    right[c] *= less;
                }
            }
            right[s] = sum / own;
            largest = Math.max(largest, Math.abs(right[s]));
        }
        for (int s = 0; s < k; s++) {
            x[column[s]] = right[s];
        }
        return scale;
    }

    /** The largest element that is left comes to place s of the diagonal; one that is too small is replaced. */
    private void pivot(int s, int k, double smallest) {
        int row = s;
        int col = s;
        if (s == 0) {
            for (int c = 0; c < k; c++) {
                column[c] = c;
            }
        }
        for (int c = s; c < k; c++) {
            for (int r = s; r < k; r++) {
                if (Math.abs(system[r + ORDER * c]) > Math.abs(system[row + ORDER * col])) {
                    row = r;
                    col = c;
                }
            }
        }
        for (int c = 0; c < k; c++) {
            double kept = system[s + ORDER * c];
            system[s + ORDER * c] = system[row + ORDER * c];
            system[row + ORDER * c] = kept;
        }
        double kept = right[s];
        right[s] = right[row];
        right[row] = kept;
        for (int r = 0; r < k; r++) {
            double value = system[r + ORDER * s];
            system[r + ORDER * s] = system[r + ORDER * col];
            system[r + ORDER * col] = value;
        }
        int name = column[s];
        column[s] = column[col];
        column[col] = name;
        if (Math.abs(system[s + ORDER * s]) < smallest) {
            system[s + ORDER * s] = smallest;
        }
    }

    /** Reflector c of the QR factorisation of -X over scale·I, after those before it. */
    private void reflector(int c, int n1, int n2, double scale) {
        int m = n1 + n2;
        double[] w = system;
        for (int r = 0; r < m; r++) {
            w[r] = r < n1 ? -x[r + n1 * c] : r == n1 + c ? scale : 0;
        }
        for (int k = 0; k < c; k++) {
            double sum = 0;
            for (int r = k; r < m; r++) {
                sum += v[r - k + ORDER * k] * w[r];
            }
            for (int r = k; r < m; r++) {
                w[r] -= tau[k] * sum * v[r - k + ORDER * k];
            }
        }
        double large = 0;
        for (int r = c; r < m; r++) {
            large = Math.max(large, Math.abs(w[r]));
        }
        v[ORDER * c] = 1;
        tau[c] = 0;
        double sum = 0;
        for (int r = c; r < m && large > 0; r++) {
            w[r] /= large;
            sum += w[r] * w[r];
        }
        double norm = Math.sqrt(sum);
        double end = w[c] >= 0 ? -norm : norm;
        for (int r = c + 1; r < m; r++) {
            v[r - c + ORDER * c] = large > 0 ? w[r] / (w[c] - end) : 0;
        }
        if (large > 0) {
            tau[c] = (end - w[c]) / end;
        }
    }

    private void left(int c, int m) {
        for (int j = 0; j < m; j++) {
            double sum = 0;
            for (int r = c; r < m; r++) {
                sum += v[r - c + ORDER * c] * d[r + ORDER * j];
            }
            for (int r = c; r < m; r++) {
                d[r + ORDER * j] -= tau[c] * sum * v[r - c + ORDER * c];
            }
        }
    }

    private void right(int c, int m) {
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int r = c; r < m; r++) {
                sum += v[r - c + ORDER * c] * d[i + ORDER * r];
            }
            for (int r = c; r < m; r++) {
                d[i + ORDER * r] -= tau[c] * sum * v[r - c + ORDER * c];
            }
        }
    }

    /** Reflector c of so many lines: elements of a line are {@code step} apart, lines {@code next}. */
    private void lines(int len, int c, long count, long from, long next, long step) {
        long p = from;
        for (long j = 0; j < count; j++, p += next * 8L) {
            double sum = 0;
            for (int r = 0; r < len; r++) {
                sum += v[r + ORDER * c] * f64(p + r * step * 8L);
            }
            sum *= tau[c];
            for (int r = 0; r < len; r++) {
                f64(p + r * step * 8L, f64(p + r * step * 8L) - sum * v[r + ORDER * c]);
            }
        }
    }
}
