package dev.basalt.conformance.every;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Where right results come from. */
enum Reference {
    /** Level 1 on one vector that walks backwards: nothing, and 0. */
    NOTHING(TableCall::walksNowhere, (call, problem) -> {
        double[] result = problem.arrays().get("result");
        if (result != null) {
            Arrays.fill(result, 0);
        }
    }),
    /** The definition. */
    NAIVE(Naive::has, Naive::run),
    /** The definitions of level 1 on two vectors. */
    VECTORS(NaiveVectors::has, NaiveVectors::run),
    /** The definitions of what else there is of LU. */
    LU(NaiveLu::has, NaiveLu::run),
    /** Singular values by OpenBLAS, vectors by what they multiply to. */
    SINGULAR(Singular::has, Singular::run),
    /** Symmetric eigenvalues, whose vectors have more than one form. */
    SPECTRAL(Spectral::has, Spectral::run),
    /** Some symmetric eigenvalues. */
    PARTIAL(Partial::has, Partial::run),
    /** Reductions to tridiagonal form, whose later elements hang on all roundings before. */
    REDUCTION(Reduction::has, (call, problem) -> {}),
    /** General eigenvalue problems, whose forms and vectors are not unique. */
    NONSYMMETRIC(Nonsymmetric::has, Nonsymmetric::run),
    /** OpenBLAS; it loads some elements of a vector before it stores those before them, even if all are one. */
    FORTRAN(call -> !call.standsStill() && !call.walksNowhere() && !call.isBackwardsSymmetric() && Fortran.has(call),
            Fortran::run);

    private final Predicate<TableCall> has;
    private final BiConsumer<TableCall, Problem> run;

    Reference(Predicate<TableCall> has, BiConsumer<TableCall, Problem> run) {
        this.has = has;
        this.run = run;
    }

    /**
     * Those that know the routine, of which there must be one.
     *
     * @throws AssertionError if there is none, with where a definition belongs
     */
    static List<Reference> of(TableCall call) {
        List<Reference> references = new ArrayList<>(List.of(values()));
        references.removeIf(r -> !r.has.test(call));
        if (references.isEmpty()) {
            throw new AssertionError(
                    "nothing says what " + call.family() + " has to compute, nor has OpenBLAS a routine of this name: "
                            + "write its definition into NaiveVectors (two vectors) or Naive, by elements");
        }
        return references;
    }

    /** Replaces what the routine overwrites by its results. */
    void run(TableCall call, Problem problem) {
        run.accept(call, problem);
    }
}
