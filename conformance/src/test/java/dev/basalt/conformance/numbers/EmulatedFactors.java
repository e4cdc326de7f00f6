package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.type.ElementType;
import dev.basalt.type.MathMode;
import dev.basalt.type.Op;
import java.util.Random;
import java.util.function.BiConsumer;

/** Factors of products that are emulated, and how far a result may be off. */
final class EmulatedFactors {
    static final long SEED = Long.getLong("basalt.test.seed", 20_260_801L);
    static final double UNIT = 0x1p-53;

    private EmulatedFactors() {}

    /** What lies in the factors. */
    enum Kind {
        UNIFORM, NORMAL, LINES_GRADED, CANCELLING, ENDS_OF_RANGE, TERMS_GRADED, SPARSE, FEW_LARGE;

        /** Whether the bound of double can be promised. */
        boolean emulated() {
            return ordinal() < TERMS_GRADED.ordinal();
        }
    }

    static void on(String device, BiConsumer<Handle, DeviceArena> test) {
        try (Device opened = Devices.open(device);
                Handle handle = opened.createHandle();
                DeviceArena arena = opened.arena()) {
            handle.setMathMode(MathMode.EMULATED);
            test.accept(handle, arena);
        }
    }

    /** op(A), column by column, or op(B) if it is the second factor; lines are rows of the first, columns of the second. */
    static double[] factor(Kind kind, boolean second, int rows, int cols, Random r) {
        double[] x = new double[rows * cols];
        int depth = second ? rows : cols;
        double[] scales = r.doubles(second ? cols : rows, -300, 300).toArray();
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                int line = second ? j : i;
                int term = second ? i : j;
                double v = kind == Kind.NORMAL ? r.nextGaussian() : 2 * r.nextDouble() - 1;
                x[i + j * rows] = switch (kind) {
                    case LINES_GRADED -> Math.scalb(v, (int) scales[line]);
                    case ENDS_OF_RANGE -> Math.scalb(v, second ? 1020 : line % 2 == 0 ? -1015 : -1000);
                    case TERMS_GRADED -> Math.scalb(v, (second ? -4 : 4) * term);
                    case SPARSE -> r.nextInt(40) == 0 ? v : 0;
                    // A row of ones behind a large number meets a column of ones behind a zero.
                    case FEW_LARGE -> term == 0 ? second ? 0 : 1e20 : v;
                    default -> v;
                };
            }
        }
        if (kind == Kind.CANCELLING) {
            int half = depth / 2;
            for (int line = 0; line < (second ? cols : rows); line++) {
                for (int t = 0; t < half; t++) {
                    int from = second ? t + line * rows : line + t * rows;
                    int to = second ? t + half + line * rows : line + (t + half) * rows;
                    x[to] = second ? -x[from] * (1 + 0x1p-40 * r.nextDouble()) : x[from];
                }
            }
        }
        return x;
    }

    static double[] turned(double[] x, int rows, int cols) {
        double[] t = new double[x.length];
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                t[j + i * cols] = x[i + j * rows];
            }
        }
        return t;
    }

    static MatrixView operand(DeviceArena arena, Op op, double[] x, int rows, int cols) {
        MatrixView v =
                op == Op.NONE ? arena.matrix(ElementType.F64, rows, cols) : arena.matrix(ElementType.F64, cols, rows);
        v.upload(op == Op.NONE ? x : turned(x, rows, cols));
        return v;
    }

    static double[] down(MatrixView v) {
        double[] x = new double[(int) (v.rows() * v.cols())];
        v.download(x);
        return x;
    }

    /** Whether each element is within the bound that holds for any order of sums in double, alpha and beta apart. */
    static void bounded(double[] found, double[] a, double[] b, int m, int n, int k, String what) {
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < m; i++) {
                double sum = 0;
                double rest = 0;
                double size = 0;
                for (int l = 0; l < k; l++) {
                    double x = a[i + l * m];
                    double y = b[l + j * k];
                    double term = x * y;
                    double next = sum + term;
                    double part = next - sum;
                    rest += Math.fma(x, y, -term) + (sum - (next - part)) + (term - part);
                    sum = next;
                    size += Math.abs(term);
                }
                double error = Math.abs(found[i + j * m] - sum - rest);
                assertThat(error).as("%s (%d, %d)", what, i, j)
                        .isLessThanOrEqualTo((k + 1) * UNIT * size + Double.MIN_NORMAL);
            }
        }
    }
}
