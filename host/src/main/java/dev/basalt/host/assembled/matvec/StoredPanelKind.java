package dev.basalt.host.assembled.matvec;

/** Kernels of {@link StoredPanelCode}: what they do with four columns of real numbers. */
public enum StoredPanelKind {
    /** y := alpha·A·x + y. */
    AXPY,
    /** y := alpha·Aᵀ·x + y. */
    DOT,
    /** Both at once, for a symmetric A; the second vector is x. */
    SYMV,
    /** x := A·x. */
    TRMV,
    /** x := Aᵀ·x. */
    TRMV_T,
    /** Solves A·x = b. */
    TRSV,
    /** Solves Aᵀ·x = b. */
    TRSV_T;

    private static final StoredPanelKind[] KINDS = values();

    /** What four columns do of what single ones do. */
    static StoredPanelKind of(StoredKind.What what) {
        return KINDS[what.ordinal()];
    }

    /** Whether sums of columns are formed. */
    boolean sums() {
        return this == DOT || this == SYMV || this == TRMV_T || this == TRSV_T;
    }

    /** Whether A is a triangle, with its diagonal. */
    boolean triangular() {
        return this != AXPY && this != DOT;
    }

    /** Whether unknowns are found. */
    boolean solves() {
        return this == TRSV || this == TRSV_T;
    }

    /** Whether a unit diagonal makes a difference. */
    boolean hasUnit() {
        return triangular() && this != SYMV;
    }

    /** How many forms there are: where panels begin and end, or which triangle, and whether its diagonal counts as ones; and those of narrow bands. */
    int forms() {
        return triangular() ? hasUnit() ? 20 : 10 : 4 + NARROW;
    }

    /** How many kinds of columns there are: any, short ones, and of both at once those that come from memory. */
    int lengths() {
        return this == SYMV ? 3 : 2;
    }

    /** Bands of up to so many diagonals beside the first have forms of their own. */
    static final int NARROW = 3;

    /**
     * A form of a kernel.
     *
     * @param head whether columns of a panel begin one row after the other
     * @param tail whether they end so
     * @param upper whether the diagonal is where columns end, else where they begin; of no meaning without triangles
     * @param unit whether the diagonal counts as ones
     * @param narrow diagonals beside the first, 1 to {@link #NARROW}: head and tail together are the panel; 0 of wider bands
     */
    record Form(boolean head, boolean tail, boolean upper, boolean unit, int narrow) {
        /** The form that has a number. */
        static Form of(StoredPanelKind kind, int number) {
            if (!kind.triangular()) {
                return number < 4
                        ? new Form((number & 1) != 0, (number & 2) != 0, false, false, 0)
                        : new Form(true, true, false, false, number - 3);
            }
            boolean upper = (number & 1) != 0;
            boolean unit = kind.hasUnit() && (number & 2) != 0;
            int width = number / (kind.hasUnit() ? 4 : 2);
            // 0: the end that is no diagonal stays where it is. Else both ends of a band's columns move.
            boolean band = width > 0;
            return new Form(band || !upper, band || upper, upper, unit, Math.max(0, width - 1));
        }

        /** The number of a form. */
        static int number(StoredPanelKind kind, boolean head, boolean tail, boolean upper, boolean unit, int narrow) {
            if (!kind.triangular()) {
                return narrow > 0 ? 3 + narrow : (head ? 1 : 0) + (tail ? 2 : 0);
            }
            int width = head && tail ? 1 + narrow : 0;
            return (upper ? 1 : 0) + (kind.hasUnit() ? (unit ? 2 : 0) + 4 * width : 2 * width);
        }

        /** Whether panels go from the last to the first. */
        boolean descends(StoredPanelKind kind) {
            return switch (kind) {
                case TRMV, TRSV_T -> !upper;
                case TRMV_T, TRSV -> upper;
                // Rows above the block on the diagonal come first. So no panel waits for the sums of the one before.
                case SYMV -> upper && head;
                default -> false;
            };
        }
    }
}
