package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;

/** Level 2 against its definitions: every option, form, increment and scalar, on small and middling shapes. */
class Level2Test {
    @EveryTarget
    void gemv(Target target) {
        target.trials("gemv", Profile.SHAPES, 300, Level2::gemv);
    }

    @EveryTarget
    void gemvOfLongColumnsAndRows(Target target) {
        target.trials("gemv", Profile.SHAPES, 150, Level2::gemvLong);
    }

    @EveryTarget
    void ger(Target target) {
        target.trials("ger", Profile.SHAPES, 100, Level2::ger);
    }

    @EveryTarget
    void geru(Target target) {
        target.trials("geru", Profile.SHAPES, 100, Level2::geru);
    }

    @EveryTarget
    void gerc(Target target) {
        target.trials("gerc", Profile.SHAPES, 100, Level2::gerc);
    }

    @EveryTarget
    void symv(Target target) {
        target.trials("symv", Profile.SHAPES, 250, Level2::symv);
    }

    @EveryTarget(complexOnly = true)
    void hemv(Target target) {
        target.trials("hemv", Profile.SHAPES, 250, Level2::hemv);
    }

    @EveryTarget
    void trmv(Target target) {
        target.trials("trmv", Profile.SHAPES, 200, Level2::trmv);
    }

    @EveryTarget
    void trsv(Target target) {
        target.trials("trsv", Profile.SHAPES, 200, Level2::trsv);
    }
}
