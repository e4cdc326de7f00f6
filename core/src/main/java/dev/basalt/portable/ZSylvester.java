package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Op;

/** Sylvester's equation of one problem, both matrices complex and triangular, in halves as {@link DSylvester}. It remembers the problem that is worked on. */
final class ZSylvester implements SylvesterLeaf {
    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    /** Rows and columns of a block that is solved for element by element. */
    private static final long SMALL = 16;

    private final Leaf leaf;
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

    ZSylvester(Leaf leaf) {
        this.leaf = leaf;
    }

    private long at(long i, long j) {
        return c + (i + j * ldc) * 16L;
    }

    private long atA(long i, long j) {
        return a + (i + j * lda) * 16L;
    }

    private long atB(long i, long j) {
        return b + (i + j * ldb) * 16L;
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
            for (long i = 0; i <= j; i++) {
                most = Math.max(most, size(matrix + (i + j * ld) * 16L));
            }
        }
        return most;
    }

    private static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    /** Rows r0 to r1 - 1 and columns c0 to c1 - 1 of X; what the others mean for them has been taken off. */
    private void part(long r0, long r1, long c0, long c1) {
        if (r1 - r0 <= SMALL && c1 - c0 <= SMALL) {
            small(r0, r1, c0, c1);
        } else if (r1 - r0 >= c1 - c0) {
            long mid = r0 + (r1 - r0) / 2;
            if (turnedA) {
                part(r0, mid, c0, c1);
                leaf.gemm(opA, Op.NONE, r1 - mid, c1 - c0, mid - r0, -1, 0, atA(r0, mid), lda, at(r0, c0), ldc, 1, 0,
                        at(mid, c0), ldc, pack, packBytes);
                part(mid, r1, c0, c1);
            } else {
                part(mid, r1, c0, c1);
                leaf.gemm(Op.NONE, Op.NONE, mid - r0, c1 - c0, r1 - mid, -1, 0, atA(r0, mid), lda, at(mid, c0), ldc, 1,
                        0, at(r0, c0), ldc, pack, packBytes);
                part(r0, mid, c0, c1);
            }
        } else {
            long mid = c0 + (c1 - c0) / 2;
            if (turnedB) {
                part(r0, r1, mid, c1);
                leaf.gemm(Op.NONE, opB, r1 - r0, mid - c0, c1 - mid, -sign, 0, at(r0, mid), ldc, atB(c0, mid), ldb, 1,
                        0, at(r0, c0), ldc, pack, packBytes);
                part(r0, r1, c0, mid);
            } else {
                part(r0, r1, c0, mid);
                leaf.gemm(Op.NONE, Op.NONE, r1 - r0, c1 - mid, mid - c0, -sign, 0, at(r0, c0), ldc, atB(c0, mid), ldb,
                        1, 0, at(r0, mid), ldc, pack, packBytes);
                part(r0, r1, mid, c1);
            }
        }
    }

    private void small(long r0, long r1, long c0, long c1) {
        double turn = opB == Op.CONJ_TRANS ? -sign : sign;
        for (long s = 0; s < c1 - c0; s++) {
            long l = turnedB ? c1 - s - 1 : c0 + s;
            column(r0, r1, l);
            for (long j = turnedB ? c0 : l + 1; j < (turnedB ? l : c1); j++) {
                long factor = turnedB ? atB(j, l) : atB(l, j);
                takeOff(r0, r1, at(0, l), sign * f64(factor), turn * f64(factor + 8L), at(0, j));
            }
        }
    }

    /** Elements of y less those of x times a number. */
    private static void takeOff(long r0, long r1, long x, double re, double im, long y) {
        for (long i = r0 * 16L; i < r1 * 16L; i += 16L) {
            double u = f64(x + i);
            double v = f64(x + i + 8L);
            f64(y + i, f64(y + i) - (u * re - v * im));
            f64(y + i + 8L, f64(y + i + 8L) - (u * im + v * re));
        }
    }

    /** Column l, from the row that depends on no other. */
    private void column(long r0, long r1, long l) {
        double turn = opA == Op.CONJ_TRANS ? -1 : 1;
        for (long s = 0; s < r1 - r0; s++) {
            long k = turnedA ? r0 + s : r1 - s - 1;
            divide(k, l);
            double re = f64(at(k, l));
            double im = f64(at(k, l) + 8L);
            for (long i = turnedA ? k + 1 : r0; i < (turnedA ? r1 : k); i++) {
                long element = turnedA ? atA(k, i) : atA(i, k);
                double u = f64(element);
                double v = turn * f64(element + 8L);
                long y = at(i, l);
                f64(y, f64(y) - (u * re - v * im));
                f64(y + 8L, f64(y + 8L) - (u * im + v * re));
            }
        }
    }

    private void divide(long k, long l) {
        double p = f64(atA(k, k)) + sign * f64(atB(l, l));
        double q = (opA == Op.CONJ_TRANS ? -1 : 1) * f64(atA(k, k) + 8L)
                + (opB == Op.CONJ_TRANS ? -sign : sign) * f64(atB(l, l) + 8L);
        double own = Math.abs(p) + Math.abs(q);
        if (own <= smallest) {
            p = smallest;
            q = 0;
            own = smallest;
            moved = true;
        }
        long y = at(k, l);
        double size = size(y);
        if (own < 1 && size > 1 && size > own / (LEAST / UNIT)) {
            leaf.scalMatrix(m, n, 1 / size, 0, c, ldc);
            scale *= 1 / size;
        }
        double u = f64(y);
        double v = f64(y + 8L);
        boolean real = Math.abs(p) >= Math.abs(q);
        double ratio = real ? q / p : p / q;
        double whole = real ? p + q * ratio : p * ratio + q;
        f64(y, (real ? u + v * ratio : u * ratio + v) / whole);
        f64(y + 8L, (real ? v - u * ratio : v * ratio - u) / whole);
    }
}
