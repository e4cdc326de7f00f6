package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.type.Selection;

/** Exchanges of eigenvalues on the diagonals of two complex triangular matrices, and their values. */
final class ZPairExchange extends ZTurns implements PairExchangeLeaf {
    /** A result of complex arithmetic. */
    private double re;

    private double im;

    ZPairExchange(Leaf leaf) {
        super(leaf);
    }

    @Override
    public boolean arrived() {
        return true;
    }

    @Override
    public void values(long from, long n, long s, long lds, long p, long ldp, long alphas, long none, long betas) {
        for (long i = from; i < n; i++) {
            long alpha = s + i * (lds + 1) * 16L;
            f64(alphas + i * 16L, f64(alpha));
            f64(alphas + i * 16L + 8L, f64(alpha + 8L));
            f64(betas + i * 16L, f64(p + i * (ldp + 1) * 16L));
            f64(betas + i * 16L + 8L, 0);
        }
    }

    @Override
    public long order(Selection select, int power, long order, long matrixA, long strideA, long matrixB, long strideB,
            long left, long ldLeft, long right, long ldRight) {
        begin(order, matrixA, strideA, matrixB, strideB, left, ldLeft, right, ldRight);
        long chosen = 0;
        for (long i = 0; i < n; i++) {
            if (PairExchangeLeaf.chooses(select, power, f64(atA(i, i)), f64(atA(i, i) + 8L), f64(atB(i, i)))) {
                for (long k = i - 1; k >= chosen; k--) {
                    exchange(k);
                }
                chosen++;
            }
        }
        for (long i = 0; i < n; i++) {
            normal(i);
        }
        return chosen;
    }

    /** Eigenvalues k and k + 1 change places (Van Dooren, "A generalized eigenvalue approach for solving Riccati equations", 1981). */
    private void exchange(long k) {
        double largeA =
                Math.max(LEAST, Math.max(size(atA(k, k)), Math.max(size(atA(k + 1, k + 1)), size(atA(k, k + 1)))));
        double largeB =
                Math.max(LEAST, Math.max(size(atB(k, k)), Math.max(size(atB(k + 1, k + 1)), size(atB(k, k + 1)))));
        double sRe2 = f64(atA(k + 1, k + 1)) / largeA;
        double sIm2 = f64(atA(k + 1, k + 1) + 8L) / largeA;
        double tRe2 = f64(atB(k + 1, k + 1)) / largeB;
        double tIm2 = f64(atB(k + 1, k + 1) + 8L) / largeB;
        apart(sRe2, sIm2, atB(k, k), largeB, tRe2, tIm2, atA(k, k), largeA);
        double fRe = re;
        double fIm = im;
        apart(sRe2, sIm2, atB(k, k + 1), largeB, tRe2, tIm2, atA(k, k + 1), largeA);
        boolean first = size(atA(k + 1, k + 1)) / largeA * (size(atB(k, k)) / largeB)
                >= size(atA(k, k)) / largeA * (size(atB(k + 1, k + 1)) / largeB);
        rotation(re, im, fRe, fIm);
        turnColumns(k + 1, k + 2, k + 2);
        if (first) {
            rotation(atA(k, k), atA(k + 1, k));
        } else {
            rotation(atB(k, k), atB(k + 1, k));
        }
        turnRows(k, k, k);
        put(atA(k + 1, k), 0, 0);
        put(atB(k + 1, k), 0, 0);
    }

    /** A number times an element, less another times another element; elements are divided by what is large. */
    private void apart(double x, double y, long inB, double largeB, double u, double v, long inA, double largeA) {
        double p = f64(inB) / largeB;
        double i = f64(inB + 8L) / largeB;
        double r = f64(inA) / largeA;
        double s = f64(inA + 8L) / largeA;
        re = x * p - y * i - (u * r - v * s);
        im = x * i + y * p - (u * s + v * r);
    }
}
