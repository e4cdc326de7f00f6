package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

/** A pair of real matrices A and B whose rows and columns turn, and Q and Z, which are multiplied by what that takes. */
class DTurns {
    static final double UNIT = 0x1p-52; // float: static final float UNIT = 0x1p-23f;
    static final double LEAST = 0x1p-1022; // float: static final float LEAST = 0x1p-126f;

    /** Kernels of vectors. */
    final Leaf leaf;

    final DPencil pencil = new DPencil();

    long n;
    long a;
    long lda;
    long b;
    long ldb;
    long q;
    long ldq;
    long z;
    long ldz;

    /** The last rotation: (f, g) becomes (r, 0) by rows (c, s) and (-s, c). */
    private double c;

    private double s;

    DTurns(Leaf leaf) {
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
        return a + (i + j * lda) * 8L;
    }

    long atB(long i, long j) {
        return b + (i + j * ldb) * 8L;
    }

    /** Finds the rotation that leaves nothing of g, and puts r and 0 in their places. */
    void rotation(long f, long g) {
        f64(f, rotation(f64(f), f64(g)));
        f64(g, 0);
    }

    /** Finds the rotation for two numbers: r. */
    double rotation(double f, double g) {
        c = 1;
        s = 0;
        if (g == 0) {
            return f;
        }
        double large = Math.max(Math.abs(f), Math.abs(g));
        double x = f / large;
        double y = g / large;
        double r = Math.sqrt(x * x + y * y);
        c = x / r;
        s = y / r;
        return r * large;
    }

    /** The last rotation on rows i and i + 1: columns from…n-1 of A and fromB…n-1 of B. */
    void turnRows(long i, long from, long fromB) {
        turnRows(i, from, fromB, c, s);
    }

    private void turnRows(long i, long from, long fromB, double cosine, double sine) {
        DSchur.rotate(n - from, atA(i, from), lda, atA(i + 1, from), cosine, sine);
        DSchur.rotate(n - fromB, atB(i, fromB), ldb, atB(i + 1, fromB), cosine, sine);
        if (q != 0) {
            DSchur.rotate(n, q + i * ldq * 8L, 1, q + (i + 1) * ldq * 8L, cosine, sine);
        }
    }

    /** The last rotation on columns j and j - 1: so many rows of A and of B. */
    void turnColumns(long j, long rowsA, long rowsB) {
        DSchur.rotate(rowsA, atA(0, j), 1, atA(0, j - 1), c, s);
        DSchur.rotate(rowsB, atB(0, j), 1, atB(0, j - 1), c, s);
        if (z != 0) {
            DSchur.rotate(n, z + j * ldz * 8L, 1, z + (j - 1) * ldz * 8L, c, s);
        }
    }

    /** Brings the block of rows i and i + 1 to standard form: whether it stays one of complex eigenvalues. */
    boolean standard(long i) {
        pencil.read(atA(i, i), lda, atB(i, i), ldb);
        boolean complex = pencil.standard();
        pencil.write(atA(i, i), lda, atB(i, i), ldb);
        turnRows(i, i + 2, i + 2, pencil.rowCosine, pencil.rowSine);
        double cosine = pencil.columnCosine;
        double sine = pencil.columnSine;
        DSchur.rotate(i, atA(0, i), 1, atA(0, i + 1), cosine, sine);
        DSchur.rotate(i, atB(0, i), 1, atB(0, i + 1), cosine, sine);
        if (z != 0) {
            DSchur.rotate(n, z + i * ldz * 8L, 1, z + (i + 1) * ldz * 8L, cosine, sine);
        }
        return complex;
    }

    /** Turns column i so that B's diagonal element is not negative. */
    void normal(long i) {
        double own = f64(atB(i, i));
        if (Math.abs(own) <= LEAST) {
            f64(atB(i, i), 0);
        } else if (own < 0) {
            leaf.scal(Math.min(n, i + 2), -1, 0, true, atA(0, i), 1);
            leaf.scal(i + 1, -1, 0, true, atB(0, i), 1);
            if (z != 0) {
                leaf.scal(n, -1, 0, true, z + i * ldz * 8L, 1);
            }
        }
    }
}
