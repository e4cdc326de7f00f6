package dev.basalt.conformance.numbers;

import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Profile;
import dev.basalt.conformance.support.Target;

/** Level 3 against its definitions: every option, form and scalar, on small and middling shapes. */
class Level3Test {
    @EveryTarget
    void gemm(Target target) {
        target.trials("gemm", Profile.SHAPES, 450, Level3::gemm);
    }

    @EveryTarget
    void symm(Target target) {
        target.trials("symm", Profile.SHAPES, 300, Level3::symm);
    }

    @EveryTarget(complexOnly = true)
    void hemm(Target target) {
        target.trials("hemm", Profile.SHAPES, 300, Level3::hemm);
    }

    @EveryTarget
    void syrk(Target target) {
        target.trials("syrk", Profile.SHAPES, 300, Level3::syrk);
    }

    @EveryTarget(complexOnly = true)
    void herk(Target target) {
        target.trials("herk", Profile.SHAPES, 300, Level3::herk);
    }

    @EveryTarget
    void trmm(Target target) {
        target.trials("trmm", Profile.SHAPES, 400, Level3::trmm);
    }

    @EveryTarget
    void trsm(Target target) {
        target.trials("trsm", Profile.SHAPES, 400, Level3::trsm);
    }

    @EveryTarget
    void trtri(Target target) {
        target.trials("trtri", Profile.SHAPES, 200, Level3::trtri);
    }
}
