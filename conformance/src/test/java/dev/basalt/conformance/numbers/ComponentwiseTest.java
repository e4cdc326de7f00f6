package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.util.Random;

/**
 * Of potrf not only the norm of the residual is small, but each element of it: |A - L·Lᴴ| is within a few ε of |L|·|Lᴴ|. What
 * decides is how sums are cut: with chains as long as a panel it was 8 ε and more, where OpenBLAS has 2.
 */
class ComponentwiseTest {
    private static final double MOST = 5;

    /** On a GPU a tile of 64 columns is one chain of sums: 5.8 was measured on an H100. */
    private static final double MOST_ON_GPU = 8;

    private static final int[] ORDERS = {100, 256, 400};

    @EveryTarget
    void residualOfCholesky(Target target) {
        boolean slow = target.device().startsWith("sim");
        try (Device device = Devices.open(target.device());
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int n : slow ? new int[] {60} : ORDERS) {
                for (Uplo uplo : Uplo.values()) {
                    double worst = residual(target.type(), handle, arena, uplo, n);
                    assertThat(worst).as("|A - L·Lᴴ| / |L|·|Lᴴ| of %s %s n=%d in ε", target, uplo, n)
                            .isLessThan(target.device().startsWith("cuda") ? MOST_ON_GPU : MOST);
                }
            }
        }
    }

    private static double residual(ElementType type, Handle handle, DeviceArena arena, Uplo uplo, int n) {
        int parts = type.isComplex() ? 2 : 1;
        boolean single = type.real() == ElementType.F32;
        double[] a = gram(n, parts, single, new Random(n));
        MatrixView view = arena.matrix(type, n, n);
        VectorView info = arena.vector(ElementType.I32, 1);
        double[] factor = new double[a.length];
        if (single) {
            float[] numbers = new float[a.length];
            for (int i = 0; i < a.length; i++) {
                numbers[i] = (float) a[i];
            }
            view.upload(numbers);
            Lapack.potrf(handle, uplo, view, info);
            view.download(numbers);
            for (int i = 0; i < a.length; i++) {
                factor[i] = numbers[i];
            }
        } else {
            view.upload(a);
            Lapack.potrf(handle, uplo, view, info);
            view.download(factor);
        }
        int[] failed = new int[1];
        info.download(failed);
        assertThat(failed[0]).isZero();
        return worst(a, factor, n, parts, uplo == Uplo.LOWER) / (single ? 0x1p-23 : 0x1p-52);
    }

    /** B·Bᴴ of a random B, with the diagonal a little larger, column by column. */
    private static double[] gram(int n, int parts, boolean single, Random random) {
        double[][] b = new double[n][parts * (n + 4)];
        for (double[] row : b) {
            for (int i = 0; i < row.length; i++) {
                row[i] = random.nextGaussian();
            }
        }
        double[] a = new double[n * n * parts];
        for (int j = 0; j < n; j++) {
            for (int i = j; i < n; i++) {
                double re = 0;
                double im = 0;
                for (int l = 0; l < b[0].length; l += parts) {
                    double xi = parts == 2 ? b[i][l + 1] : 0;
                    double yi = parts == 2 ? b[j][l + 1] : 0;
                    re += b[i][l] * b[j][l] + xi * yi;
                    im += xi * b[j][l] - b[i][l] * yi;
                }
                set(a, n, parts, i, j, single, i == j ? 1.001 * re : re, i == j ? 0 : im);
                set(a, n, parts, j, i, single, i == j ? 1.001 * re : re, i == j ? 0 : -im);
            }
        }
        return a;
    }

    private static void set(double[] a, int n, int parts, int i, int j, boolean single, double re, double im) {
        int at = parts * (i + j * n);
        a[at] = single ? (float) re : re;
        if (parts == 2) {
            a[at + 1] = single ? (float) im : im;
        }
    }

    private static double worst(double[] a, double[] factor, int n, int parts, boolean lower) {
        double[][] re = new double[n][n];
        double[][] im = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int l = 0; l <= i; l++) {
                int at = parts * (lower ? i + l * n : l + i * n);
                re[i][l] = factor[at];
                im[i][l] = parts == 1 ? 0 : lower ? factor[at + 1] : -factor[at + 1];
            }
        }
        double worst = 0;
        Sum real = new Sum();
        Sum imaginary = new Sum();
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                int at = parts * (lower ? i + j * n : j + i * n);
                real.begin(a[at]);
                imaginary.begin(parts == 1 ? 0 : lower ? a[at + 1] : -a[at + 1]);
                for (int l = 0; l <= j; l++) {
                    real.subtract(re[i][l], re[j][l]);
                    if (parts == 2) {
                        real.subtract(im[i][l], im[j][l]);
                        imaginary.subtract(im[i][l], re[j][l]);
                        imaginary.subtract(-re[i][l], im[j][l]);
                    }
                }
                double size = Math.max(Math.abs(real.value()), Math.abs(imaginary.value()));
                worst = Math.max(worst, size / (real.bound + imaginary.bound));
            }
        }
        return worst;
    }

    /** A sum of products in twice the working precision (Ogita, Rump and Oishi, 2005), and the sum of their magnitudes. */
    private static final class Sum {
        private double high;
        private double low;
        private double bound;

        void begin(double value) {
            high = value;
            low = 0;
            bound = 0;
        }

        void subtract(double x, double y) {
            double product = -x * y;
            double error = -Math.fma(x, y, product);
            double sum = high + product;
            double part = sum - high;
            low += high - (sum - part) + (product - part) + error;
            high = sum;
            bound += Math.abs(product);
        }

        double value() {
            return high + low;
        }
    }
}
