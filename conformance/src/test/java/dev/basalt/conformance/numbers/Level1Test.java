package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;

/** Level 1 against its definitions: every form, increment and scalar, on short and long vectors. */
class Level1Test {
    @EveryTarget
    void axpy(Target target) {
        target.trials("axpy", Profile.SHAPES, 200, Level1::axpy);
    }

    @EveryTarget
    void scal(Target target) {
        target.trials("scal", Profile.SHAPES, 200, Level1::scal);
    }

    @EveryTarget
    void copy(Target target) {
        target.trials("copy", Profile.SHAPES, 150, Level1::copy);
    }

    @EveryTarget
    void swap(Target target) {
        target.trials("swap", Profile.SHAPES, 150, Level1::swap);
    }

    @EveryTarget
    void rot(Target target) {
        target.trials("rot", Profile.SHAPES, 250, Level1::rot);
    }

    @EveryTarget(realOnly = true)
    void dot(Target target) {
        target.trials("dot", Profile.SHAPES, 200, Level1::dot);
    }

    @EveryTarget
    void dotu(Target target) {
        target.trials("dotu", Profile.SHAPES, 200, Level1::dotu);
    }

    @EveryTarget
    void dotc(Target target) {
        target.trials("dotc", Profile.SHAPES, 200, Level1::dotc);
    }

    @EveryTarget
    void asum(Target target) {
        target.trials("asum", Profile.SHAPES, 150, Level1::asum);
    }

    @EveryTarget
    void nrm2(Target target) {
        target.trials("nrm2", Profile.SHAPES, 150, Level1::nrm2);
    }

    @EveryTarget
    void iamax(Target target) {
        target.trials("iamax", Profile.SHAPES, 150, Level1::iamax);
    }

    @EveryTarget
    void iamin(Target target) {
        target.trials("iamin", Profile.SHAPES, 150, Level1::iamin);
    }
}
