package dev.basalt.cli;

import java.util.Locale;

/**
 * Chooses between Cholesky and LU. Whether a matrix is positive definite is found out by trying: a Hermitian matrix with a
 * positive diagonal usually is, and where it is not, Cholesky stops early.
 */
final class Choice {
    private final Method wanted;
    private final Problem problem;

    Choice(Method wanted, Problem problem) {
        this.wanted = wanted;
        this.problem = problem;
    }

    /**
     * Solves the problem on the device.
     *
     * @param solver has the operands
     * @param seed for the report
     * @return the report, still without errors measured
     * @throws Failure if the matrix is singular, or not positive definite and Cholesky was asked for
     */
    SolveReport solve(DirectSolver solver, long seed) {
        String against = wanted == Method.LU ? "as asked for" : objection();
        if (against == null) {
            DirectSolver.Run cholesky = solver.run(Method.CHOLESKY);
            if (cholesky.info() == 0) {
                String why = wanted == Method.AUTO ? hermitian() + ", positive diagonal" : "as asked for";
                return new SolveReport(problem, solver.handle(), cholesky, why, seed);
            }
            if (wanted == Method.CHOLESKY) {
                throw new Failure(problem.name() + ": not positive definite: the leading minor of order "
                        + cholesky.info() + " of " + problem.n() + " is not positive; use --method lu");
            }
            against = String.format(Locale.ROOT,
                    "not positive definite: Cholesky stopped at the leading minor of order %d after %.3f s",
                    cholesky.info(), cholesky.factorNanos() / 1e9);
        } else if (wanted == Method.CHOLESKY) {
            throw new Failure(problem.name() + ": " + against + "; use --method lu");
        }
        DirectSolver.Run lu = solver.run(Method.LU);
        if (lu.info() != 0) {
            throw new Failure(problem.name() + ": the matrix is singular: pivot " + lu.info() + " of " + problem.n()
                    + " is exactly 0");
        }
        return new SolveReport(problem, solver.handle(), lu, against, seed);
    }

    private String hermitian() {
        return problem.a().isComplex() ? "Hermitian" : "symmetric";
    }

    /** What speaks against Cholesky; null if nothing does. */
    private String objection() {
        int[] place = problem.a().asymmetry();
        if (place != null) {
            int i = place[0] + 1;
            int j = place[1] + 1;
            return i == j
                    ? "not Hermitian: diagonal entry (" + i + ", " + i + ") is not real"
                    : "not " + hermitian() + ": entry (" + i + ", " + j + ") does not match (" + j + ", " + i + ")";
        }
        // If Cholesky was asked for, it finds the minor itself.
        return wanted == Method.AUTO ? diagonal() : null;
    }

    private String diagonal() {
        boolean[] positive = new boolean[1];
        for (int j = 0; j < problem.n(); j++) {
            int col = j;
            positive[0] = false;
            problem.a().column(j, (i, re, im) -> positive[0] |= i == col && re > 0);
            if (!positive[0]) {
                return "not positive definite: diagonal entry (" + (j + 1) + ", " + (j + 1) + ") is not positive";
            }
        }
        return null;
    }
}
