package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;

/**
 * The ends of the range, infinities and NaN, where a result that is right is known: squares that overflow, first of equals, signs of zeros.
 * {@code EverySpecialValueTest} has every family of the table with the rules that all keep; one that is added needs no entry here.
 */
class SpecialValuesTest {
    @EveryTarget
    void normNeitherOverflowsNorUnderflows(Target target) {
        target.trials("nrm2", Profile.SHAPES, 120, SpecialValues::nrm2);
    }

    @EveryTarget
    void normsOfInfinitiesAndNan(Target target) {
        target.trials("nrm2, asum", Profile.SHAPES, 80, SpecialValues::normsOfInfinities);
    }

    @EveryTarget
    void indicesOfNanInfinitiesAndTies(Target target) {
        target.trials("iamax, iamin", Profile.SHAPES, 120, SpecialValues::indices);
    }

    @EveryTarget
    void scalKeepsNan(Target target) {
        target.trials("scal", Profile.SHAPES, 80, SpecialValues::scal);
    }

    @EveryTarget
    void rotLeavesNothingOut(Target target) {
        target.trials("rot", Profile.SHAPES, 120, SpecialValues::rot);
    }

    @EveryTarget
    void copyAndSwapKeepBits(Target target) {
        target.trials("copy, swap", Profile.SHAPES, 80, SpecialValues::copy);
    }

    @EveryTarget
    void singularTrianglesGiveInfinities(Target target) {
        target.trials("trsv, trsm, trtri", Profile.SHAPES, 80, SpecialValues::singularTriangle);
    }
}
