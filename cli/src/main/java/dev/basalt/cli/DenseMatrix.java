package dev.basalt.cli;

import java.util.stream.IntStream;

/** All elements, an array for each column: so a matrix may have more elements than a Java array. */
final class DenseMatrix implements Matrix {
    private final int rows;
    private final boolean complex;
    private final double[][] columns;

    /**
     * A matrix over arrays, which it keeps.
     *
     * @param rows rows
     * @param complex whether real and imaginary parts alternate
     * @param columns columns
     */
    DenseMatrix(int rows, boolean complex, double[][] columns) {
        this.rows = rows;
        this.complex = complex;
        this.columns = columns;
    }

    /** Another matrix as a dense one, with imaginary parts if wanted. */
    static DenseMatrix of(Matrix other, boolean complex) {
        int parts = complex ? 2 : 1;
        double[][] columns = new double[other.cols()][];
        for (int j = 0; j < columns.length; j++) {
            double[] column = new double[other.rows() * parts];
            other.column(j, (row, re, im) -> {
                column[row * parts] = re;
                if (complex) {
                    column[row * 2 + 1] = im;
                }
            });
            columns[j] = column;
        }
        return new DenseMatrix(other.rows(), complex, columns);
    }

    /** The matrix of ones on the diagonal. */
    static DenseMatrix identity(int n, boolean complex) {
        return units(n, complex, IntStream.range(0, n).toArray());
    }

    /** Some columns of that matrix. */
    static DenseMatrix units(int n, boolean complex, int... places) {
        double[][] columns = new double[places.length][];
        for (int j = 0; j < columns.length; j++) {
            columns[j] = new double[complex ? 2 * n : n];
            columns[j][complex ? 2 * places[j] : places[j]] = 1;
        }
        return new DenseMatrix(n, complex, columns);
    }

    /** The conjugate transpose. */
    DenseMatrix conjugateTransposed() {
        int parts = complex ? 2 : 1;
        double[][] turned = new double[rows][columns.length * parts];
        for (int j = 0; j < columns.length; j++) {
            for (int i = 0; i < rows; i++) {
                turned[i][j * parts] = columns[j][i * parts];
                if (complex) {
                    turned[i][2 * j + 1] = -columns[j][2 * i + 1];
                }
            }
        }
        return new DenseMatrix(columns.length, complex, turned);
    }

    /** Some columns, which both matrices share. */
    DenseMatrix columns(int... chosen) {
        double[][] some = new double[chosen.length][];
        for (int j = 0; j < some.length; j++) {
            some[j] = columns[chosen[j]];
        }
        return new DenseMatrix(rows, complex, some);
    }

    @Override
    public int rows() {
        return rows;
    }

    @Override
    public int cols() {
        return columns.length;
    }

    @Override
    public boolean isComplex() {
        return complex;
    }

    /** The numbers of a column, real and imaginary parts alternating if it is complex. */
    double[] column(int col) {
        return columns[col];
    }

    @Override
    public void column(int col, Visitor visitor) {
        double[] column = columns[col];
        for (int i = 0; i < rows; i++) {
            if (complex) {
                visitor.element(i, column[2 * i], column[2 * i + 1]);
            } else {
                visitor.element(i, column[i], 0);
            }
        }
    }

    @Override
    public void roundToSingle() {
        for (double[] column : columns) {
            for (int i = 0; i < column.length; i++) {
                column[i] = Matrix.single(column[i]);
            }
        }
    }

    @Override
    public int[] asymmetry() {
        int parts = complex ? 2 : 1;
        for (int j = 0; j < columns.length; j++) {
            for (int i = j; i < rows; i++) {
                boolean same = columns[j][i * parts] == columns[i][j * parts]
                        && (!complex || columns[j][i * 2 + 1] == -columns[i][j * 2 + 1]);
                if (!same) {
                    return new int[] {i, j};
                }
            }
        }
        return null;
    }
}
