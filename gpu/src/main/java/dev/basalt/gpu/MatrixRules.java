package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;

/** Matrices and triangles element by element. */
final class MatrixRules<C> extends Rules<C> {
    private static final KernelFunction[][] COPY_MATRIX = KernelFunction.capped("copy_matrix");
    private static final KernelFunction[][] SCAL_MATRIX = KernelFunction.capped("scal_matrix");
    private static final KernelFunction[][] SCAL_TRIANGLE = KernelFunction.capped("scal_triangle");
    private static final KernelFunction[][] ADD_TRIANGLE = KernelFunction.capped("add_triangle");
    private static final KernelFunction[][] COPY_TRIANGLE = KernelFunction.capped("copy_triangle");
    private static final KernelFunction[][] EXPAND = KernelFunction.capped("expand");
    private static final KernelFunction[][] GER = KernelFunction.capped("ger");
    private static final KernelFunction COPY_MATRIX_I32 = KernelFunction.one("icopy_matrix32", 'd');
    private static final KernelFunction COPY_MATRIX_I64 = KernelFunction.one("icopy_matrix64", 'd');

    MatrixRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    /** Runs a launch of this family, all problems. */
    void run(int t, Launch l, long at, C channel) {
        int capped = l.extent == 0 ? 0 : 1;
        switch (l.kernel) {
            case COPY_MATRIX -> matrix(COPY_MATRIX[capped][t], l, l.m, l.n, at, channel);
            case SCAL_MATRIX -> matrix(SCAL_MATRIX[capped][t], l, l.m, l.n, at, channel);
            case GER -> matrix(GER[capped][t], l, l.m, l.n, at, channel);
            case SCAL_TRIANGLE -> matrix(SCAL_TRIANGLE[capped][t], l, l.n, l.n, at, channel);
            case ADD_TRIANGLE -> matrix(ADD_TRIANGLE[capped][t], l, l.n, l.n, at, channel);
            case COPY_TRIANGLE -> matrix(COPY_TRIANGLE[capped][t], l, l.n, l.n, at, channel);
            case EXPAND -> matrix(EXPAND[capped][t], l, l.n, l.n, at, channel);
            default -> throw new IllegalArgumentException("matrices do not run " + l.kernel);
        }
    }

    private void matrix(KernelFunction f, Launch l, long m, long n, long at, C channel) {
        if (m <= 0 || n <= 0) {
            return;
        }
        int rows = powerOfTwo(m, f.threads());
        int columns = f.threads() / rows;
        Arguments.parameters(at, rows, 0, 0);
        launch(f, up(m, rows), Math.min(up(n, 4L * columns), MOST_Z), l.count, at, channel);
    }

    /** A matrix of integers, which is copied. */
    void integers(Launch l, long at, C channel) {
        matrix(l.type == ElementType.I64 ? COPY_MATRIX_I64 : COPY_MATRIX_I32, l, l.m, l.n, at, channel);
    }
}
