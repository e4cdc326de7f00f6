package dev.basalt.cli;

/** The elements that are not 0, in compressed columns sorted by row. */
final class SparseMatrix implements Matrix {
    private final int rows;
    private final int[] start;
    private final int[] row;
    private final double[] re;
    private final double[] im;

    /**
     * A matrix over arrays, which it keeps.
     *
     * @param rows rows
     * @param start where each column starts, and where the last one ends
     * @param row row of each element
     * @param re real part of each element
     * @param im imaginary part of each element; null if the matrix is real
     */
    SparseMatrix(int rows, int[] start, int[] row, double[] re, double[] im) {
        this.rows = rows;
        this.start = start;
        this.row = row;
        this.re = re;
        this.im = im;
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int cols() {
        return start.length - 1;
    }

    @Override
    public boolean isComplex() {
        return im != null;
    }

    @Override
    public void column(int col, Visitor visitor) {
        for (int e = start[col]; e < start[col + 1]; e++) {
            visitor.element(row[e], re[e], im == null ? 0 : im[e]);
        }
    }

    @Override
    public void roundToSingle() {
        for (int e = 0; e < start[cols()]; e++) {
            re[e] = Matrix.single(re[e]);
            if (im != null) {
                im[e] = Matrix.single(im[e]);
            }
        }
    }

    /**
     * Going through the columns in order, the mirror images of a column's elements are met in order of rows. So one cursor in
     * each column says where the next mirror image must be, and no transposed copy is needed.
     */
    @Override
    public int[] asymmetry() {
        int[] cursor = start.clone();
        for (int j = 0; j < cols(); j++) {
            for (int e = start[j]; e < start[j + 1]; e++) {
                int i = row[e];
                int mirror = cursor[i]++;
                if (mirror >= start[i + 1] || row[mirror] != j || re[mirror] != re[e]
                        || (im != null && im[mirror] != -im[e])) {
                    return new int[] {i, j};
                }
            }
        }
        return null;
    }
}
