package dev.basalt.cli;

/** Operations of LAPACK's drivers by the customary formulas (LAPACK Working Note 41, appendix C). */
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
