package dev.basalt.host.assembled.matvec;

/**
 * A kernel of {@link StoredCode}.
 *
 * @param what what it does
 * @param upper whether the diagonal is a column's last element, or else the first; of no meaning to bands of products
 * @param conj whether columns are conjugated where they are transposed, or the matrix is Hermitian
 * @param unit whether the diagonal counts as ones
 * @param packed whether columns follow each other in memory without a gap, so that all of them are one stream
 */
record StoredKind(What what, boolean upper, boolean conj, boolean unit, boolean packed) {
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
        /** xⱼ is divided by the diagonal, then x := x - xⱼ·a; the second vector has the reciprocals of complex diagonals. */
        TRSV,
        /** xⱼ := (xⱼ - aᵀ·x) divided by the diagonal; reciprocals as before. */
        TRSV_T,
        /** a := alpha·xⱼ·x + a. */
        SYR,
        /** a := alpha·yⱼ·x + alpha·xⱼ·y + a; the second vector is y. */
        SYR2,
        /** The same with vectors that the first cache does not hold: every line of a packed triangle is fetched. */
        SYR2_LONG
    }

    /** How many kernels there are of a kind: only complex elements can be conjugated. */
    static int variants(What what, boolean complex) {
        return 2 * (hasPacked(what) ? 2 : 1) * (hasUnit(what) ? 2 : 1) * (complex && hasConj(what) ? 2 : 1);
    }

    /** Which of its kind's variants a kernel is; a form that the kind does not have is of no meaning. */
    static int variant(What what, boolean upper, boolean conj, boolean unit, boolean packed) {
        int variant = conj && hasConj(what) ? 1 : 0;
        variant = hasUnit(what) ? 2 * variant + (unit ? 1 : 0) : variant;
        variant = hasPacked(what) ? 2 * variant + (packed ? 1 : 0) : variant;
        return 2 * variant + (upper ? 1 : 0);
    }

    /** The kernel that a number of {@link #variant} stands for. */
    static StoredKind of(What what, int variant) {
        int left = variant / 2;
        boolean packed = what == What.SYR2_LONG || hasPacked(what) && left % 2 == 1;
        left = hasPacked(what) ? left / 2 : left;
        boolean unit = hasUnit(what) && left % 2 == 1;
        left = hasUnit(what) ? left / 2 : left;
        return new StoredKind(what, variant % 2 == 1, left == 1, unit, packed);
    }

    private static boolean hasUnit(What what) {
        return switch (what) {
            case TRMV, TRMV_T, TRSV, TRSV_T -> true;
            default -> false;
        };
    }

    /** Whether there is a kernel of packed triangles beside another. Single columns of a band or a triangle are not packed. */
    private static boolean hasPacked(What what) {
        return what != What.AXPY && what != What.DOT && what != What.SYR2_LONG;
    }

    private static boolean hasConj(What what) {
        return switch (what) {
            case DOT, SYMV, TRMV_T, TRSV_T, SYR, SYR2, SYR2_LONG -> true;
            default -> false;
        };
    }

    boolean updates() {
        return what == What.SYR || twice();
    }

    /** Whether it is an update by two vectors. */
    boolean twice() {
        return what == What.SYR2 || what == What.SYR2_LONG;
    }

    /** Whether columns go from the last to the first: each needs elements that are not, or already, overwritten. */
    boolean descends() {
        return descends(what, upper);
    }

    static boolean descends(What what, boolean upper) {
        return switch (what) {
            case TRMV, TRSV_T -> !upper;
            case TRMV_T, TRSV -> upper;
            default -> false;
        };
    }
}
