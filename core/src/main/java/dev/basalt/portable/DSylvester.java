package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/**
 * Sylvester's equation of one problem, both matrices real and in Schur form (Bartels and Stewart, "Solution of the matrix equation AX + XB = C", 1972). The longer side is halved until a block is small, and products take what is solved off
 * the other half (Jonsson and Kågström, "Recursive blocked algorithms for solving triangular systems", 2002). It remembers the problem that is worked on.
 */
final class DSylvester implements SylvesterLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    /** Rows and columns of a block that is solved for element by element. */
    private static final long SMALL = 24;

    /** Unknowns of two pairs. */
    private static final int ORDER = 4;

    private final Leaf leaf;
    private final double[] system = new double[ORDER * ORDER];
    private final double[] right = new double[ORDER];
    private final int[] column = new int[ORDER];

    private Op opA;
    private Op opB;
    private boolean turnedA;
    private boolean turnedB;
    private double sign;
    private long m;
    private long n;
    private long a;
    private long lda;
    private long b;
    private long ldb;
    private long c;
    private long ldc;
    private long pack;
    private long packBytes;
    private double smallest;
    private double scale;
    private boolean moved;

    DSylvester(Leaf leaf) {
        this.leaf = leaf;
    }

    private double getA(long i, long j) {
        return f64(a + (i + j * lda) * 8L);
    }

    private double getB(long i, long j) {
        return f64(b + (i + j * ldb) * 8L);
    }

    private long at(long i, long j) {
        return c + (i + j * ldc) * 8L;
    }

    @Override
    public double scale() { // keep double
        return scale;
    }

    @Override
    public boolean trsyl(Op first, Op second, boolean minus, long rows, long cols, long matrixA, long strideA,
            long matrixB, long strideB, long matrixC, long strideC, long packing, long packingBytes) {
        opA = first;
        opB = second;
        turnedA = first != Op.NONE;
        turnedB = second != Op.NONE;
        sign = minus ? -1 : 1;
        m = rows;
        n = cols;
        a = matrixA;
        lda = strideA;
        b = matrixB;
        ldb = strideB;
        c = matrixC;
        ldc = strideC;
        pack = packing;
        packBytes = packingBytes;
        scale = 1;
        moved = false;
        smallest = Math.max(LEAST / UNIT, UNIT * Math.max(largest(m, a, lda), largest(n, b, ldb)));
        part(0, m, 0, n);
        return moved;
    }

    private static double largest(long order, long matrix, long ld) {
        double most = 0;
        for (long j = 0; j < order; j++) {
            for (long i = 0; i < Math.min(order, j + 2); i++) {
                most = Math.max(most, Math.abs(f64(matrix + (i + j * ld) * 8L)));
            }
        }
        return most;
    }

    /** Rows r0 to r1 - 1 and columns c0 to c1 - 1 of X; what the others mean for them has been taken off. */
    private void part(long r0, long r1, long c0, long c1) {
        if (r1 - r0 <= SMALL && c1 - c0 <= SMALL) {
            small(r0, r1, c0, c1);
        } else if (r1 - r0 >= c1 - c0) {
            long mid = r0 + (r1 - r0) / 2;
            mid += getA(mid, mid - 1) != 0 ? 1 : 0;
            if (turnedA) {
                part(r0, mid, c0, c1);
                leaf.gemm(opA, Op.NONE, r1 - mid, c1 - c0, mid - r0, -1, 0, a + (r0 + mid * lda) * 8L, lda, at(r0, c0),
                        ldc, 1, 0, at(mid, c0), ldc, pack, packBytes);
                part(mid, r1, c0, c1);
            } else {
                part(mid, r1, c0, c1);
                leaf.gemm(Op.NONE, Op.NONE, mid - r0, c1 - c0, r1 - mid, -1, 0, a + (r0 + mid * lda) * 8L, lda,
                        at(mid, c0), ldc, 1, 0, at(r0, c0), ldc, pack, packBytes);
                part(r0, mid, c0, c1);
            }
        } else {
            long mid = c0 + (c1 - c0) / 2;
            mid += getB(mid, mid - 1) != 0 ? 1 : 0;
            if (turnedB) {
                part(r0, r1, mid, c1);
                leaf.gemm(Op.NONE, opB, r1 - r0, mid - c0, c1 - mid, -sign, 0, at(r0, mid), ldc,
                        b + (c0 + mid * ldb) * 8L, ldb, 1, 0, at(r0, c0), ldc, pack, packBytes);
                part(r0, r1, c0, mid);
            } else {
                part(r0, r1, c0, mid);
                leaf.gemm(Op.NONE, Op.NONE, r1 - r0, c1 - mid, mid - c0, -sign, 0, at(r0, c0), ldc,
                        b + (c0 + mid * ldb) * 8L, ldb, 1, 0, at(r0, mid), ldc, pack, packBytes);
                part(r0, r1, mid, c1);
            }
        }
    }

    private void small(long r0, long r1, long c0, long c1) {
        long done = 0;
        while (done < c1 - c0) {
            long l = turnedB ? c1 - done - 1 : c0 + done;
            int w = turnedB ? l > c0 && getB(l, l - 1) != 0 ? 2 : 1 : l + 1 < c1 && getB(l + 1, l) != 0 ? 2 : 1;
            l -= turnedB ? w - 1 : 0;
            columns(r0, r1, l, w);
            for (long j = turnedB ? c0 : l + w; j < (turnedB ? l : c1); j++) {
                for (long p = l; p < l + w; p++) {
                    double factor = sign * (turnedB ? getB(j, p) : getB(p, j));
                    for (long i = r0; i < r1; i++) {
                        f64(at(i, j), f64(at(i, j)) - factor * f64(at(i, p)));
                    }
                }
            }
            done += w;
        }
    }

    /** Columns l to l + w - 1, from the row that depends on no other. */
    private void columns(long r0, long r1, long l, int w) {
        long done = 0;
        while (done < r1 - r0) {
            long k = turnedA ? r0 + done : r1 - done - 1;
            int h = turnedA ? k + 1 < r1 && getA(k + 1, k) != 0 ? 2 : 1 : k > r0 && getA(k, k - 1) != 0 ? 2 : 1;
            k -= turnedA ? 0 : h - 1;
            if (h == 1 && w == 1) {
                single(k, l);
            } else {
                several(k, h, l, w);
            }
            for (long j = l; j < l + w; j++) {
                for (long p = k; p < k + h; p++) {
                    double x = f64(at(p, j));
                    for (long i = turnedA ? k + h : r0; i < (turnedA ? r1 : k); i++) {
                        f64(at(i, j), f64(at(i, j)) - x * (turnedA ? getA(p, i) : getA(i, p)));
                    }
                }
            }
            done += h;
        }
    }

    private void single(long k, long l) {
        double own = getA(k, k) + sign * getB(l, l);
        if (Math.abs(own) <= smallest) {
            own = smallest;
            moved = true;
        }
        double size = Math.abs(f64(at(k, l)));
        if (Math.abs(own) < 1 && size > 1 && size > Math.abs(own) / (LEAST / UNIT)) {
            less(1 / size);
        }
        f64(at(k, l), f64(at(k, l)) / own);
    }

    /** Multiplies all of the problem, what is solved and what is not. */
    private void less(double factor) {
        leaf.scalMatrix(m, n, factor, 0, c, ldc);
        scale *= factor;
    }

    /** The h·w unknowns of a pair of rows, of columns, or of both, by elimination with complete pivoting. */
    private void several(long k, int h, long l, int w) {
        int order = h * w;
        for (int row = 0; row < order; row++) {
            int r = row % h;
            int s = row / h;
            right[row] = f64(at(k + r, l + s));
            column[row] = row;
            for (int j = 0; j < order; j++) {
                int jr = j % h;
                int js = j / h;
                double value = 0;
                if (js == s) {
                    value += turnedA ? getA(k + jr, k + r) : getA(k + r, k + jr);
                }
                if (jr == r) {
                    value += sign * (turnedB ? getB(l + s, l + js) : getB(l + js, l + s));
                }
                system[row + ORDER * j] = value;
            }
        }
        for (int s = 0; s < order; s++) {
            eliminate(s, order);
        }
        double most = 0;
        boolean large = false;
        for (int s = 0; s < order; s++) {
            most = Math.max(most, Math.abs(right[s]));
        }
        for (int s = 0; s < order; s++) {
            large |= 2 * ORDER * (LEAST / UNIT) * most > Math.abs(system[s + ORDER * s]);
        }
        if (large) {
            double factor = 1 / (2 * ORDER * most);
            less(factor);
            for (int s = 0; s < order; s++) {
                right[s] *= factor;
            }
        }
        for (int s = order - 1; s >= 0; s--) {
            double sum = right[s];
            for (int j = s + 1; j < order; j++) {
                sum -= system[s + ORDER * j] * right[j];
            }
            right[s] = sum / system[s + ORDER * s];
        }
        for (int s = 0; s < order; s++) {
            f64(at(k + column[s] % h, l + column[s] / h), right[s]);
        }
    }

    /** The largest element that is left comes to place s of the diagonal, and what is below it goes. */
    private void eliminate(int s, int order) {
        int row = s;
        int col = s;
        for (int j = s; j < order; j++) {
            for (int i = s; i < order; i++) {
                if (Math.abs(system[i + ORDER * j]) > Math.abs(system[row + ORDER * col])) {
                    row = i;
                    col = j;
                }
            }
        }
        for (int j = 0; j < order; j++) {
            double kept = system[s + ORDER * j];
            system[s + ORDER * j] = system[row + ORDER * j];
            system[row + ORDER * j] = kept;
        }
        double kept = right[s];
        right[s] = right[row];
        right[row] = kept;
        for (int i = 0; i < order; i++) {
            double value = system[i + ORDER * s];
            system[i + ORDER * s] = system[i + ORDER * col];
            system[i + ORDER * col] = value;
        }
        int name = column[s];
        column[s] = column[col];
        column[col] = name;
        if (Math.abs(system[s + ORDER * s]) <= smallest) {
            system[s + ORDER * s] = smallest;
            moved = true;
        }
        for (int i = s + 1; i < order; i++) {
            double factor = system[i + ORDER * s] / system[s + ORDER * s];
            for (int j = s + 1; j < order; j++) {
                system[i + ORDER * j] -= factor * system[s + ORDER * j];
            }
            right[i] -= factor * right[s];
        }
    }
}
