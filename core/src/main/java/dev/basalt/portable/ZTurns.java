package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** A pair of complex matrices A and B whose rows and columns turn, and Q and Z, which are multiplied by what that takes. */
class ZTurns {
    static final double UNIT = 0x1p-52; // float: static final float UNIT = 0x1p-23f;
    static final double LEAST = 0x1p-1022; // float: static final float LEAST = 0x1p-126f;

    /** Kernels of vectors. */
    final Leaf leaf;

    long n;
    long a;
    long lda;
    long b;
    long ldb;
    long q;
    long ldq;
    long z;
    long ldz;

    /** The last rotation: (f, g) becomes (r, 0) by rows (c, s) and (-conj(s), c). */
    double c;

    double sRe;
    double sIm;
    double rRe;
    double rIm;

    ZTurns(Leaf leaf) {
        this.leaf = leaf;
    }

    /** From here on this pair is worked on; where there are no vectors, they are at 0. */
    void begin(long order, long matrixA, long strideA, long matrixB, long strideB, long left, long ldLeft, long right,
            long ldRight) {
        n = order;
        a = matrixA;
        lda = strideA;
        b = matrixB;
        ldb = strideB;
        q = left;
        ldq = ldLeft;
        z = right;
        ldz = ldRight;
    }

    long atA(long i, long j) {
        return a + (i + j * lda) * 16L;
    }

    long atB(long i, long j) {
        return b + (i + j * ldb) * 16L;
    }

    static double size(long element) {
        return Math.abs(f64(element)) + Math.abs(f64(element + 8L));
    }

    static void put(long element, double real, double imaginary) {
        f64(element, real);
        f64(element + 8L, imaginary);
    }

    void rotation(long f, long g) {
        rotation(f64(f), f64(f + 8L), f64(g), f64(g + 8L));
    }

    void rotation(double fRe, double fIm, double gRe, double gIm) {
        double large = Math.max(Math.max(Math.abs(fRe), Math.abs(fIm)), Math.max(Math.abs(gRe), Math.abs(gIm)));
        c = 1;
        sRe = 0;
        sIm = 0;
        rRe = fRe;
        rIm = fIm;
        if (gRe == 0 && gIm == 0) {
            return;
        }
        double x = fRe / large;
        double y = fIm / large;
        double u = gRe / large;
        double v = gIm / large;
        double f = Math.sqrt(x * x + y * y);
        double r = Math.sqrt(x * x + y * y + u * u + v * v);
        double phaseRe = f == 0 ? 1 : x / f;
        double phaseIm = f == 0 ? 0 : y / f;
        c = f / r;
        // s = phase·conj(g) / r
        sRe = (phaseRe * u + phaseIm * v) / r;
        sIm = (phaseIm * u - phaseRe * v) / r;
        rRe = phaseRe * r * large;
        rIm = phaseIm * r * large;
    }

    /** The last rotation on rows i and i + 1: columns from…n-1 of A and fromB…n-1 of B. */
    void turnRows(long i, long from, long fromB) {
        ZSchur.rotate(n - from, atA(i, from), atA(i + 1, from), lda, c, sRe, sIm);
        ZSchur.rotate(n - fromB, atB(i, fromB), atB(i + 1, fromB), ldb, c, sRe, sIm);
        if (q != 0) {
            ZSchur.rotate(n, q + i * ldq * 16L, q + (i + 1) * ldq * 16L, 1, c, sRe, -sIm);
        }
    }

    /** The last rotation on columns j and j - 1: so many rows of A and of B. */
    void turnColumns(long j, long rowsA, long rowsB) {
        ZSchur.rotate(rowsA, atA(0, j), atA(0, j - 1), 1, c, sRe, sIm);
        ZSchur.rotate(rowsB, atB(0, j), atB(0, j - 1), 1, c, sRe, sIm);
        if (z != 0) {
            ZSchur.rotate(n, z + j * ldz * 16L, z + (j - 1) * ldz * 16L, 1, c, sRe, sIm);
        }
    }

    /** Turns column i so that B's diagonal element is real and not negative. */
    void normal(long i) {
        double x = f64(atB(i, i));
        double y = f64(atB(i, i) + 8L);
        double large = Math.max(Math.abs(x), Math.abs(y));
        if (large <= LEAST) {
            put(atB(i, i), 0, 0);
            return;
        }
        if (y == 0 && x > 0) {
            return;
        }
        double length = Math.sqrt(x / large * (x / large) + y / large * (y / large));
        double phaseRe = x / large / length;
        double phaseIm = -(y / large / length);
        leaf.scal(i + 1, phaseRe, phaseIm, false, atA(0, i), 1);
        leaf.scal(i, phaseRe, phaseIm, false, atB(0, i), 1);
        put(atB(i, i), large * length, 0);
        if (z != 0) {
            leaf.scal(n, phaseRe, phaseIm, false, z + i * ldz * 16L, 1);
        }
    }
}
