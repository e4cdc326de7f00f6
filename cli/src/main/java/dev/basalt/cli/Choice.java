package dev.basalt.cli;

import dev.basalt.type.ElementType;
import java.util.List;
import java.util.Locale;

/**
 * Chooses the method by the structure of the matrix, and says why. Whether a matrix is positive definite is found out by trying: a Hermitian matrix with a
 * positive diagonal usually is, and where it is not, Cholesky stops early.
 */
final class Choice {
    /** Why a type has no mixed precision. */
    static final String NEEDS_DOUBLE = "mixed refines to double precision; use --type d (or z)";

    private static final String ASKED = "as asked for";

    private final Method wanted;
    private final Problem problem;
    private final boolean det;
    private final boolean inverse;
    private final Bandwidth band;

    /**
     * A choice.
     *
     * @param wanted what was asked for
     * @param problem the system
     * @param det whether the determinant is wanted too
     * @param inverse whether the inverse is
     * @throws Failure if the method does not fit the system, or what is wanted of it
     */
    Choice(Method wanted, Problem problem, boolean det, boolean inverse) {
        this.wanted = wanted;
        this.problem = problem;
        this.det = det;
        this.inverse = inverse;
        if (wanted.isMixed() && problem.type().real() != ElementType.F64) {
            throw new Failure(problem.name() + ": " + NEEDS_DOUBLE);
        }
        if ((det || inverse) && !problem.isSquare()) {
            throw new Failure(problem.name() + ": a matrix of " + problem.m() + " x " + problem.n()
                    + " has neither determinant nor inverse");
        }
        if ((det || inverse) && !List.of(Method.AUTO, Method.LU, Method.CHOLESKY).contains(wanted)) {
            throw new Failure(problem.name() + ": --det and --inverse take the factors of --method lu or cholesky");
        }
        if (wanted == Method.BANDED && !problem.isSquare()) {
            throw new Failure(problem.name() + ": a matrix of " + problem.m() + " x " + problem.n()
                    + " is not square; use --method qr");
        }
        Bandwidth width = wanted == Method.BANDED || chooses() ? Bandwidth.of(problem.a()) : null;
        this.band = width != null && (wanted == Method.BANDED || width.isNarrow(problem.n())) ? width : null;
    }

    /** Whether the structure decides: what is wanted beside the solution needs factors that LU and Cholesky alone leave. */
    private boolean chooses() {
        return wanted == Method.AUTO && problem.isSquare() && !det && !inverse;
    }

    /** The diagonals of the matrix, if it is solved as a band; else null. */
    Bandwidth band() {
        return band;
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
        if (band != null) {
            return run(solver, Method.BANDED, wanted == Method.BANDED ? ASKED + ", " + band : band.toString(), seed);
        }
        return switch (wanted) {
            case AUTO -> problem.isSquare() ? definite(solver, seed) : run(solver, Method.QR, shape(), seed);
            case CHOLESKY -> definite(solver, seed);
            case LDL -> indefinite(solver, seed);
            default -> run(solver, wanted, wanted == Method.QR ? ASKED + ", " + shape() : ASKED, seed);
        };
    }

    private String shape() {
        return problem.isSquare() ? "square"
                : problem.m() > problem.n() ? "more equations than unknowns: least squares"
                : "fewer equations than unknowns: the solution of least norm";
    }

    /** Cholesky if nothing speaks against it. */
    private SolveReport definite(DirectSolver solver, long seed) {
        String against = objection();
        if (against == null) {
            DirectSolver.Run cholesky = solver.run(Method.CHOLESKY);
            if (cholesky.info() == 0) {
                String why = wanted == Method.AUTO ? hermitian() + ", positive diagonal" : ASKED;
                return report(solver, cholesky, why, seed);
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
        boolean ldl = chooses() && problem.a().asymmetry() == null;
        return run(solver, ldl ? Method.LDL : Method.LU, ldl ? hermitian() + ", " + against : against, seed);
    }

    private SolveReport indefinite(DirectSolver solver, long seed) {
        String against = objection();
        if (against != null) {
            throw new Failure(problem.name() + ": " + against + "; use --method lu");
        }
        return run(solver, Method.LDL, ASKED, seed);
    }

    private SolveReport run(DirectSolver solver, Method method, String why, long seed) {
        DirectSolver.Run run = solver.run(method);
        if (run.info() == 0) {
            return report(solver, run, why, seed);
        }
        throw new Failure(problem.name() + (method == Method.QR
                ? ": the matrix has not full rank: element " + run.info() + " of the triangle's diagonal is exactly 0"
                : ": the matrix is singular: pivot " + run.info() + " of " + problem.n() + " is exactly 0"));
    }

    private SolveReport report(DirectSolver solver, DirectSolver.Run run, String why, long seed) {
        SolveReport report = new SolveReport(problem, solver.handle(), run, why, seed);
        if (det) {
            report.determinant(solver.determinant(run.method()));
        }
        if (inverse) {
            report.inverse(solver.inverse(run.method()));
        }
        return report;
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
