package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.util.Set;

/** Matrices and triangles element by element. */
final class MatrixRules<C> extends Rules<C> implements Family<C> {
    private static final KernelFunction[] COPY_MATRIX = KernelFunction.floating("copy_matrix");
    private static final KernelFunction[] SCAL_MATRIX = KernelFunction.floating("scal_matrix");
    private static final KernelFunction[] SCAL_TRIANGLE = KernelFunction.floating("scal_triangle");
    private static final KernelFunction[] ADD_TRIANGLE = KernelFunction.floating("add_triangle");
    private static final KernelFunction[] COPY_TRIANGLE = KernelFunction.floating("copy_triangle");
    private static final KernelFunction[] EXPAND = KernelFunction.floating("expand");
    private static final KernelFunction[] GER = KernelFunction.floating("ger");
    private static final KernelFunction[] GER_LARGE = KernelFunction.floating("ger_large");
    private static final long LARGE = 1 << 18;
    private static final KernelFunction COPY_MATRIX_I16 = KernelFunction.one("icopy_matrix16", 'd');
    private static final KernelFunction COPY_MATRIX_I32 = KernelFunction.one("icopy_matrix32", 'd');
    private static final KernelFunction COPY_MATRIX_I64 = KernelFunction.one("icopy_matrix64", 'd');

    /** Columns of a thread. */
    private static final int COLUMNS = 4;

    MatrixRules(Functions<C> functions, Chip chip) {
        super(functions, chip);
    }

    @Override
    public Set<Kernel> kernels() {
        return Set.of(Kernel.COPY_MATRIX, Kernel.SCAL_MATRIX, Kernel.SCAL_TRIANGLE, Kernel.EXPAND, Kernel.ADD_TRIANGLE,
                Kernel.COPY_TRIANGLE, Kernel.GER);
    }

    /** Runs a launch of this family, all problems. */
    @Override
    public void run(int t, Launch l, long at, C channel) {
        switch (l.kernel) {
            case COPY_MATRIX -> matrix(COPY_MATRIX[t], l, l.m, l.n, at, channel);
            case SCAL_MATRIX -> matrix(SCAL_MATRIX[t], l, l.m, l.n, at, channel);
            case GER -> ger(t, l, at, channel);
            case SCAL_TRIANGLE -> matrix(SCAL_TRIANGLE[t], l, l.n, l.n, at, channel);
            case ADD_TRIANGLE -> matrix(ADD_TRIANGLE[t], l, l.n, l.n, at, channel);
            case COPY_TRIANGLE -> matrix(COPY_TRIANGLE[t], l, l.n, l.n, at, channel);
            case EXPAND -> matrix(EXPAND[t], l, l.n, l.n, at, channel);
            default -> throw new IllegalArgumentException("matrices do not run " + l.kernel);
        }
    }

    /** Rank one by threads with one row, or with two of matrices that have so many elements. */
    private void ger(int t, Launch l, long at, C channel) {
        boolean large = l.m * l.n * l.count >= LARGE;
        map((large ? GER_LARGE : GER)[t], l, l.m, l.n, large ? 2 : 1, at, channel);
    }

    private void matrix(KernelFunction f, Launch l, long m, long n, long at, C channel) {
        map(f, l, m, n, 1, at, channel);
    }

    private void map(KernelFunction f, Launch l, long m, long n, int each, long at, C channel) {
        if (m <= 0 || n <= 0) {
            return;
        }
        int rows = powerOfTwo(up(m, each), f.threads());
        int columns = each(l, f, rows * powerOfTwo(up(n, COLUMNS), f.threads() / rows)) / rows;
        abreast(f, up(m, (long) each * rows), Math.min(up(n, (long) COLUMNS * columns), MOST_Z), l, rows,
                rows * columns, at, channel);
    }

    /** A matrix of integers or halves, which is copied. */
    void integers(Launch l, long at, C channel) {
        KernelFunction f = switch (l.type.bytes()) {
            case 2 -> COPY_MATRIX_I16;
            case 4 -> COPY_MATRIX_I32;
            case 8 -> COPY_MATRIX_I64;
            default -> throw Families.refusal(l);
        };
        matrix(f, l, l.m, l.n, at, channel);
    }
}
