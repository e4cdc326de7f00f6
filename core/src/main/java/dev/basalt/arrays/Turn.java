package dev.basalt.arrays;

import dev.basalt.spi.Launch;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;

/**
 * How a call on matrices by rows becomes one on their transposes by columns, which lie in memory in the same way. Each is the transposed formula: of
 * C = A·B it is Cᵀ = Bᵀ·Aᵀ. Where the formula is one of Hermitian matrices, transposed means conjugated, too.
 */
enum Turn {
    /** gemm: factors, their ops, and the sides of the result change places. */
    PRODUCT(Step.DIMENSIONS, Step.OPS, Step.FACTORS),
    /** gemmt. */
    PRODUCT_TRIANGLE(Step.UPLO, Step.OPS, Step.FACTORS),
    /** gemv of real elements. */
    VECTOR(Step.DIMENSIONS, Step.OP),
    /** trmv and trsv of real elements. */
    TRIANGULAR_VECTOR(Step.UPLO, Step.OP),
    /** ger: the vectors change places. */
    RANK_ONE(Step.DIMENSIONS, Step.FACTORS),
    /** One triangle of a matrix is the other one of its transpose: symv, potrf, trtri. */
    TRIANGLE(Step.UPLO),
    /** syrk and syr2k. */
    SYMMETRIC(Step.UPLO, Step.OP),
    /** syrkx, whose result is symmetric by what the caller knows: the factors keep their order. */
    SYMMETRIC_PRODUCT(Step.UPLO, Step.OP, Step.FACTORS),
    /** herk. */
    HERMITIAN(Step.UPLO, Step.ADJOINT),
    /** her2k and herkx: alpha stays with the factor that is conjugated. */
    HERMITIAN_PRODUCT(Step.UPLO, Step.ADJOINT, Step.FACTORS),
    /** symm, trmm, trsm: a matrix on the left stands on the right of the transposed result. */
    SIDED(Step.DIMENSIONS, Step.SIDE, Step.UPLO),
    /** dgmm. */
    DIAGONAL(Step.DIMENSIONS, Step.SIDE),
    /** geam. */
    SUM(Step.DIMENSIONS),
    /** gesvd: A = U·S·Vᴴ has the transpose conj(V)·S·Uᵀ, so left and right vectors change places. */
    SINGULAR(Step.DIMENSIONS, Step.VECTORS);

    /** What changes in a call. */
    private enum Step {
        DIMENSIONS {
            @Override
            void take(Launch g, Frame f) {
                long m = g.m;
                g.m = g.n;
                g.n = m;
            }
        },
        OPS {
            @Override
            void take(Launch g, Frame f) {
                Op op = g.opA;
                g.opA = g.opB;
                g.opB = op;
            }
        },
        OP {
            @Override
            void take(Launch g, Frame f) {
                g.opA = g.opA == Op.NONE ? Op.TRANS : Op.NONE;
            }
        },
        ADJOINT {
            @Override
            void take(Launch g, Frame f) {
                g.opA = g.opA == Op.NONE ? Op.CONJ_TRANS : Op.NONE;
            }
        },
        UPLO {
            @Override
            void take(Launch g, Frame f) {
                g.uplo = g.uplo == Uplo.UPPER ? Uplo.LOWER : Uplo.UPPER;
            }
        },
        SIDE {
            @Override
            void take(Launch g, Frame f) {
                g.side = g.side == Side.LEFT ? Side.RIGHT : Side.LEFT;
            }
        },
        FACTORS {
            @Override
            void take(Launch g, Frame f) {
                f.exchange(0, 1);
            }
        },
        VECTORS {
            @Override
            void take(Launch g, Frame f) {
                Svect left = g.leftSvect;
                g.leftSvect = g.rightSvect;
                g.rightSvect = left;
                f.exchange(1, 3);
            }
        };

        abstract void take(Launch g, Frame f);
    }

    /** Nobody writes into it. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final Step[] steps;

    Turn(Step... steps) {
        this.steps = steps;
    }

    /** Turns the options, dimensions and operands; the frame turns their shapes. */
    void apply(Launch g, Frame f) {
        for (Step step : steps) {
            step.take(g, f);
        }
    }
}
