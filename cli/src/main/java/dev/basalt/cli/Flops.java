package dev.basalt.cli;

/** Operations of LAPACK's drivers by the customary formulas (LAPACK Working Note 41, appendix C). */
final class Flops {
    private Flops() {}

    /**
     * Operations of a whole solve.
     *
     * @param method LU or Cholesky
     * @param complex a complex multiplication counts 6, a complex addition 2
     * @param n order
     * @param nrhs right-hand sides
     * @return real floating-point operations
     */
    static double solve(Method method, boolean complex, double n, double nrhs) {
        double multiplications;
        double additions;
        if (method == Method.CHOLESKY) {
            multiplications = n * n * n / 6 + n * n / 2 + n / 3 + nrhs * n * (n + 1);
            additions = n * n * n / 6 - n / 6 + nrhs * n * (n - 1);
        } else {
            multiplications = n * n * n / 3 + 2 * n / 3 + nrhs * n * n;
            additions = n * n * n / 3 - n * n / 2 + n / 6 + nrhs * n * (n - 1);
        }
        return complex ? 6 * multiplications + 2 * additions : multiplications + additions;
    }
}
