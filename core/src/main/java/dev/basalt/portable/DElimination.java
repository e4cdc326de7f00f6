package dev.basalt.portable;

/** Solves a few equations by elimination with complete pivoting. A pivot that is too small is replaced, and a solution that would be too large is made smaller. */
final class DElimination {
    /** Elements of a column. */
    static final int ORDER = 8;

    private static final double UNIT = 0x1p-52; // float: private static final float UNIT = 0x1p-23f;
    private static final double LEAST = 0x1p-1022; // float: private static final float LEAST = 0x1p-126f;

    /** The matrix by columns, which is overwritten. */
    final double[] system = new double[ORDER * ORDER];

    /** The right side, which is overwritten. */
    final double[] right = new double[ORDER];

    /** The solution. */
    final double[] x = new double[ORDER];

    private final int[] column = new int[ORDER];

    /**
     * x := the solution of k equations.
     *
     * @param smallest what stands for a smaller pivot
     * @return a factor of the right side, 1 or less, that x is the solution for
     */
    double solve(int k, double smallest) {
        for (int s = 0; s < k; s++) {
            pivot(s, k, smallest);
            for (int r = s + 1; r < k; r++) {
                double factor = system[r + ORDER * s] / system[s + ORDER * s];
                for (int c = s + 1; c < k; c++) {
                    system[r + ORDER * c] -= factor * system[s + ORDER * c];
                }
                right[r] -= factor * right[s];
            }
        }
        double scale = 1;
        for (int s = k - 1; s >= 0; s--) {
            double sum = right[s];
            for (int c = s + 1; c < k; c++) {
                sum -= system[s + ORDER * c] * right[c];
            }
            double own = system[s + ORDER * s];
            // A solution that would be large is made so much smaller.
            if (Math.abs(own) < 1 && Math.abs(sum) > Math.abs(own) / (LEAST / UNIT) / k) {
                double less = Math.abs(own) / Math.abs(sum);
                scale *= less;
                sum *= less;
                for (int c = 0; c < k; c++) {
                    right[c] *= less;
                }
            }
            right[s] = sum / own;
        }
        for (int s = 0; s < k; s++) {
            x[column[s]] = right[s];
        }
        return scale;
    }

    /** The largest element that is left comes to place s of the diagonal; one that is too small is replaced. */
    private void pivot(int s, int k, double smallest) {
        int row = s;
        int col = s;
        if (s == 0) {
            for (int c = 0; c < k; c++) {
                column[c] = c;
            }
        }
        for (int c = s; c < k; c++) {
            for (int r = s; r < k; r++) {
                if (Math.abs(system[r + ORDER * c]) > Math.abs(system[row + ORDER * col])) {
                    row = r;
                    col = c;
                }
            }
        }
        for (int c = 0; c < k; c++) {
            double kept = system[s + ORDER * c];
            system[s + ORDER * c] = system[row + ORDER * c];
            system[row + ORDER * c] = kept;
        }
        double kept = right[s];
        right[s] = right[row];
        right[row] = kept;
        for (int r = 0; r < k; r++) {
            double value = system[r + ORDER * s];
            system[r + ORDER * s] = system[r + ORDER * col];
            system[r + ORDER * col] = value;
        }
        int name = column[s];
        column[s] = column[col];
        column[col] = name;
        if (Math.abs(system[s + ORDER * s]) < smallest) {
            system[s + ORDER * s] = smallest;
        }
    }
}
