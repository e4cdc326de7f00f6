package dev.basalt.cli;

/** Operations of LAPACK's drivers by the customary formulas (LAPACK Working Note 41, appendix C; where iterations count, LAPACK Users' Guide). */
final class Flops {
    private Flops() {}

    /**
     * Operations of a whole solve.
     *
     * @param method what was done; mixed counts as LU
     * @param complex a complex multiplication counts 6, a complex addition 2
     * @param m equations
     * @param n unknowns
     * @param nrhs right-hand sides
     * @return real floating-point operations
     */
    static double solve(Method method, boolean complex, double m, double n, double nrhs) {
        double multiplications;
        double additions;
        if (method == Method.CHOLESKY || method == Method.LDL) {
            multiplications = n * n * n / 6 + n * n / 2 + n / 3 + nrhs * n * (n + 1);
            additions = n * n * n / 6 - n / 6 + nrhs * n * (n - 1);
        } else if (method == Method.QR) {
            // Of the tall one of A and its transpose; the terms of highest order.
            double tall = Math.max(m, n);
            double k = Math.min(m, n);
            multiplications = tall * k * k - k * k * k / 3 + nrhs * (2 * tall * k - k * k / 2);
            additions = multiplications;
        } else {
            multiplications = n * n * n / 3 + 2 * n / 3 + nrhs * n * n;
            additions = n * n * n / 3 - n * n / 2 + n / 6 + nrhs * n * (n - 1);
        }
        return complex ? 6 * multiplications + 2 * additions : multiplications + additions;
    }

    /**
     * Operations of the eigenvalues of a symmetric or Hermitian matrix: a tridiagonal matrix, and for vectors the products that merge those of its halves, at
     * most, and that bring them back.
     *
     * @param vectors whether vectors are computed
     * @param complex as above
     * @param n order
     * @return real floating-point operations
     */
    static double symmetric(boolean vectors, boolean complex, double n) {
        double reduced = n * n * n * 4 / 3;
        return (complex ? 4 : 1) * (vectors ? 2 * reduced + 2 * n * n * n : reduced);
    }

    /**
     * Operations of the eigenvalues of a general matrix, as the Users' Guide of LAPACK counts them for its benchmark: 10 n³, and 26⅓ n³ with vectors.
     *
     * @param vectors whether vectors are computed
     * @param complex as above
     * @param n order
     * @return real floating-point operations
     */
    static double general(boolean vectors, boolean complex, double n) {
        return (complex ? 4 : 1) * n * n * n * (vectors ? 79.0 / 3 : 10);
    }

    /**
     * Operations of singular values: a bidiagonal matrix, and for vectors 4 n³ more if the matrix is square (the same guide counts 6⅔ n³ in all).
     *
     * @param vectors whether vectors are computed
     * @param complex as above
     * @param m rows
     * @param n columns
     * @return real floating-point operations
     */
    static double singular(boolean vectors, boolean complex, double m, double n) {
        double tall = Math.max(m, n);
        double k = Math.min(m, n);
        double reduced = 4 * tall * k * k - k * k * k * 4 / 3;
        return (complex ? 4 : 1) * (vectors ? reduced + 2 * (tall + k) * k * k : reduced);
    }

    /**
     * Operations of a matrix times vectors, as of a solve with a square matrix that is factored.
     *
     * @param complex as above
     * @param m rows
     * @param n columns
     * @param count vectors
     * @return real floating-point operations
     */
    static double products(boolean complex, double m, double n, double count) {
        return (complex ? 8 : 2) * m * n * count;
    }

    /**
     * Operations of an inverse, its factors being there.
     *
     * @param complex as above
     * @param n order
     * @return real floating-point operations
     */
    static double inverse(boolean complex, double n) {
        return (complex ? 4 : 1) * n * n * n * 4 / 3;
    }

    /**
     * The same of a band by LU, without interchanges: they make the upper band up to kl diagonals wider.
     *
     * @param width its diagonals
     * @param complex as above
     * @param n order
     * @param nrhs right-hand sides
     * @return real floating-point operations
     */
    static double banded(Bandwidth width, boolean complex, double n, double nrhs) {
        double multiplications = n * width.kl() * (width.ku() + 1) + nrhs * n * (width.kl() + width.ku() + 1);
        return (complex ? 8 : 2) * multiplications;
    }
}
