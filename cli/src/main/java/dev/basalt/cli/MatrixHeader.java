package dev.basalt.cli;

/** What a file says of its matrix. As text it is fit for a report. */
interface MatrixHeader {
    /** Rows. */
    long rows();

    /** Columns. */
    long cols();

    /** Whether elements may have an imaginary part. */
    boolean isComplex();

    /** How many elements a sparse matrix lists; below 0 for a matrix whose elements are all there. */
    default long listed() {
        return -1;
    }

    /**
     * Of a matrix whose elements are all there.
     *
     * @param rows rows
     * @param cols columns
     * @param isComplex whether elements have imaginary parts
     * @param kind the file's format
     */
    record Dense(long rows, long cols, boolean isComplex, String kind) implements MatrixHeader {
        @Override
        public String toString() {
            return rows + " x " + cols + (isComplex ? " complex, " : " real, ") + kind;
        }
    }

    /**
     * Of a matrix of which some elements are listed.
     *
     * @param rows rows
     * @param cols columns
     * @param isComplex whether elements have imaginary parts
     * @param listed how many elements are listed
     * @param kind the file's format
     */
    record Sparse(long rows, long cols, boolean isComplex, long listed, String kind) implements MatrixHeader {
        @Override
        public String toString() {
            return rows + " x " + cols + (isComplex ? " complex, " : " real, ") + kind + ", " + listed + " entries";
        }
    }
}
