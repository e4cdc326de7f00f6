package dev.basalt.cli;

/** A matrix in the JVM's heap as it was read, column by column, in double precision. */
interface Matrix {
    /** Gets elements. */
    interface Visitor {
        /**
         * One element.
         *
         * @param row row from 0
         * @param re real part
         * @param im imaginary part
         */
        void element(int row, double re, double im);
    }

    /** Rows. */
    int rows();

    /** Columns. */
    int cols();

    /** Whether elements may have an imaginary part. */
    boolean isComplex();

    /**
     * Gives out a column in order of rows; elements that are 0 may be left out.
     *
     * @param col column from 0
     * @param visitor gets each element
     */
    void column(int col, Visitor visitor);

    /** Rounds every element to single precision, so that residuals are those of the matrix that was really solved. */
    void roundToSingle();

    /**
     * Looks for an element that differs from the conjugate of its mirror image.
     *
     * @return row and column of the first one from 0; null if the matrix is Hermitian (symmetric, if it is real)
     */
    int[] asymmetry();

    /**
     * Rounds a number to single precision.
     *
     * @param value double
     * @return nearest float
     * @throws Failure if it is too large for one
     */
    static double single(double value) {
        float rounded = (float) value;
        if (Float.isInfinite(rounded)) {
            throw new Failure("the value " + value + " is beyond the range of single precision; use --type d (or z)");
        }
        return rounded;
    }
}
