package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;

/** Transfers between host and device, with strides on both sides. */
class TransfersTest {
    @EveryTarget
    void setVector(Target target) {
        target.trials("set_vector", Profile.SHAPES, 60, Transfers::setVector);
    }

    @EveryTarget
    void getVector(Target target) {
        target.trials("get_vector", Profile.SHAPES, 60, Transfers::getVector);
    }

    @EveryTarget
    void setMatrix(Target target) {
        target.trials("set_matrix", Profile.SHAPES, 60, Transfers::setMatrix);
    }

    @EveryTarget
    void getMatrix(Target target) {
        target.trials("get_matrix", Profile.SHAPES, 60, Transfers::getMatrix);
    }
}
