package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;

/** LAPACK: factors, pivots, info and solutions, on small and middling shapes. */
class LapackTest {
    @EveryTarget
    void getrf(Target target) {
        target.trials("getrf", Profile.SHAPES, 200, Factorisations::getrf);
    }

    @EveryTarget
    void denormalPivotsAreDividedBy(Target target) {
        target.trials("getrf", Profile.SHAPES, 60, Factorisations::getrfTiny);
    }

    @EveryTarget
    void pivotsAreThoseOfLapack(Target target) {
        target.trials("getrf", Profile.SHAPES, 120, Factorisations::getrfPivots);
    }

    @EveryTarget
    void everySingularColumnIsFound(Target target) {
        target.trials("getrf", Profile.SHAPES, 25, Factorisations::getrfInfo);
    }

    @EveryTarget
    void nanIsFactoredToTheEnd(Target target) {
        target.trials("getrf", Profile.SHAPES, 60, Factorisations::getrfNan);
    }

    @EveryTarget
    void getrs(Target target) {
        target.trials("getrs", Profile.SHAPES, 200, Factorisations::getrs);
    }

    @EveryTarget
    void getrsTakesNoPivotThatIsNoRow(Target target) {
        target.trials("getrs", Profile.SHAPES, 240, Pivots::getrs);
    }

    @EveryTarget
    void pivotsOfAnythingAreRows(Target target) {
        target.trials("getrf", Profile.SHAPES, 120, Pivots::getrfOfAnything);
    }

    @EveryTarget
    void gesvDoesNotReadOldPivots(Target target) {
        target.trials("gesv", Profile.SHAPES, 60, Pivots::gesv);
    }

    @EveryTarget
    void gesv(Target target) {
        target.trials("gesv", Profile.SHAPES, 200, Factorisations::gesv);
    }

    @EveryTarget
    void potrf(Target target) {
        target.trials("potrf", Profile.SHAPES, 200, Factorisations::potrf);
    }

    @EveryTarget
    void everyIndefiniteMinorIsFound(Target target) {
        target.trials("potrf", Profile.SHAPES, 25, Factorisations::potrfInfo);
    }

    @EveryTarget
    void potrs(Target target) {
        target.trials("potrs", Profile.SHAPES, 200, Factorisations::potrs);
    }

    @EveryTarget
    void posv(Target target) {
        target.trials("posv", Profile.SHAPES, 200, Factorisations::posv);
    }
}
