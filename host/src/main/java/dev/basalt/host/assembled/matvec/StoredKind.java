package dev.basalt.host.assembled.matvec;

/**
 * A kernel of {@link StoredCode}.
 *
 * @param what what it does
 * @param upper whether the diagonal is a column's last element, or else the first; of no meaning to bands of products
 * @param conj whether columns are conjugated where they are transposed, or the matrix is Hermitian
 * @param unit whether the diagonal counts as ones
 */
record StoredKind(What what, boolean upper, boolean conj, boolean unit) {
    /** What a kernel does with a column a, whose number is j. */
    enum What {
        /** y := alpha·xⱼ·a + y. */
        AXPY,
        /** yⱼ := alpha·aᵀ·x + yⱼ. */
        DOT,
        /** Both, and the diagonal; the second vector is x. */
        SYMV,
        /** x := xⱼ·a + x and xⱼ times the diagonal. */
        TRMV,
        /** xⱼ := xⱼ times the diagonal + aᵀ·x. */
        TRMV_T,
        /** xⱼ is divided by the diagonal, then x := x - xⱼ·a; real numbers. */
        TRSV,
        /** xⱼ := (xⱼ - aᵀ·x) divided by the diagonal; real numbers. */
        TRSV_T,
        /** a := alpha·xⱼ·x + a. */
        SYR,
        /** a := alpha·yⱼ·x + alpha·xⱼ·y + a; the second vector is y. */
        SYR2
    }

    private static final int FORMS = 8;
    /** All kernels. */
    static final int COUNT = FORMS * What.values().length;

    /** Place in a table. */
    int number() {
        return what.ordinal() * FORMS + (upper ? 4 : 0) + (conj ? 2 : 0) + (unit ? 1 : 0);
    }

    boolean updates() {
        return what == What.SYR || what == What.SYR2;
    }

    /** Whether columns go from the last to the first: each needs elements that are not, or already, overwritten. */
    boolean descends() {
        return switch (what) {
            case TRMV, TRSV_T -> !upper;
            case TRMV_T, TRSV -> upper;
            default -> false;
        };
    }
}
