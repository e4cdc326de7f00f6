package dev.basalt.cli;

/**
 * How many diagonals of a matrix hold elements beside the main one.
 *
 * @param kl below it
 * @param ku above it
 */
record Bandwidth(int kl, int ku) {
    /** A band is worth storing as one if it and its factors take this part of the whole matrix at most. */
    private static final int SHARE = 4;

    /** That of a matrix. */
    static Bandwidth of(Matrix matrix) {
        int[] reach = new int[2];
        for (int j = 0; j < matrix.cols(); j++) {
            int col = j;
            matrix.column(j, (row, re, im) -> {
                if (re != 0 || im != 0) {
                    reach[0] = Math.max(reach[0], row - col);
                    reach[1] = Math.max(reach[1], col - row);
                }
            });
        }
        return new Bandwidth(reach[0], reach[1]);
    }

    /** The rows of LAPACK's storage, with room for the diagonals of the LU factors. */
    int height() {
        return 2 * kl + ku + 1;
    }

    /** Whether a matrix of some order is better stored as a band. */
    boolean isNarrow(int order) {
        return (long) SHARE * height() <= order;
    }

    /** The storage of a matrix that has these diagonals. */
    Matrix stored(Matrix matrix) {
        return new Matrix() {
            @Override
            public int rows() {
                return height();
            }

            @Override
            public int cols() {
                return matrix.cols();
            }

            @Override
            public boolean isComplex() {
                return matrix.isComplex();
            }

            @Override
            public void column(int col, Visitor visitor) {
                matrix.column(col, (row, re, im) -> {
                    if (re != 0 || im != 0) {
                        visitor.element(kl + ku + row - col, re, im);
                    }
                });
            }

            @Override
            public void roundToSingle() {
                matrix.roundToSingle();
            }

            @Override
            public int[] asymmetry() {
                return matrix.asymmetry();
            }
        };
    }

    @Override
    public String toString() {
        return kl + " diagonals below the main one, " + ku + " above";
    }
}
