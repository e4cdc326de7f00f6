package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** Level 1 by assembled kernels agrees with the portable one, on vectors that end at the end of readable memory. */
class StreamTest {
    private final Guarded guardX = new Guarded(2 << 20);
    private final Guarded guardY = new Guarded(2 << 20);
    private final Guarded guardR = new Guarded(64);

    private interface Run {
        double on(Leaf leaf, long x, long y);
    }

    private static double get(int size, long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private void agree(String what, int size, int n, Leaf leaf, Leaf portable, Run run) {
        double[][] results = new double[2][2 * n + 1];
        for (int pass = 0; pass < 2; pass++) {
            long x = guardX.place((long) n * size);
            long y = guardY.place((long) n * size);
            for (int i = 0; i < n; i++) {
                double xi = (i * 37 % 19 - 9) / 8.0;
                double yi = (i * 11 % 23 - 11) / 4.0;
                if (size == 8) {
                    f64(x + 8L * i, xi);
                    f64(y + 8L * i, yi);
                } else {
                    f32(x + 4L * i, (float) xi);
                    f32(y + 4L * i, (float) yi);
                }
            }
            results[pass][2 * n] = run.on(pass == 0 ? leaf : portable, x, y);
            for (int i = 0; i < n; i++) {
                results[pass][i] = get(size, x + (long) i * size);
                results[pass][n + i] = get(size, y + (long) i * size);
            }
            assertThat(guardX.intact() && guardY.intact()).as(what).isTrue();
        }
        double epsilon = size == 8 ? 0x1p-52 : 0x1p-23;
        for (int i = 0; i <= 2 * n; i++) {
            double tolerance = epsilon * (i == 2 * n ? n * Math.abs(results[1][i]) + n : 8);
            assertThat(Math.abs(results[0][i] - results[1][i])).as(what).isLessThanOrEqualTo(tolerance);
        }
    }

    private void everything(String name, int size, int n, Leaf leaf, Leaf portable) {
        String what = name + " n = " + n;
        agree("dot " + what, size, n, leaf, portable, (l, x, y) -> {
            long r = guardR.place(size);
            l.dot(n, x, 1, y, 1, false, r);
            return get(size, r);
        });
        agree("asum " + what, size, n, leaf, portable, (l, x, y) -> l.asum(n, x, 1));
        agree("nrm2 " + what, size, n, leaf, portable, (l, x, y) -> l.nrm2(n, x, 1));
        agree("axpy " + what, size, n, leaf, portable,
                (l, x, y) -> after(() -> 0, () -> l.axpy(n, 0.75, 0, x, 1, y, 1)));
        agree("scal " + what, size, n, leaf, portable,
                (l, x, y) -> after(() -> 0, () -> l.scal(n, -1.5, 0, false, x, 1)));
        agree("swap " + what, size, n, leaf, portable, (l, x, y) -> after(() -> 0, () -> l.swap(n, x, 1, y, 1)));
        agree("iamax " + what, size, n, leaf, portable, (l, x, y) -> l.iamax(n, x, 1));
        agree("iamin " + what, size, n, leaf, portable, (l, x, y) -> l.iamin(n, y, 1));
        agree("copy " + what, size, n, leaf, portable, (l, x, y) -> after(() -> 0, () -> l.copy(n, x, 1, y, 1)));
    }

    private static double after(DoubleSupplier result, Runnable run) {
        run.run();
        return result.getAsDouble();
    }

    @Test
    void allLengths() {
        int widest;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("StreamTest: skipped, " + e.getMessage());
            return;
        }
        for (int bits = 256; bits <= widest; bits *= 2) {
            Leaf d = new AssembledDLeaf(AssembledKernels.real(bits, 8));
            Leaf s = new AssembledSLeaf(AssembledKernels.real(bits, 4));
            for (int n = 0; n <= 300; n++) {
                everything("d" + bits, 8, n, d, new DLeaf());
                everything("s" + bits, 4, n, s, new SLeaf());
            }
            everything("d" + bits, 8, 70_001, d, new DLeaf());
            everything("s" + bits, 4, 70_001, s, new SLeaf());
        }
    }

    @Test
    void normSurvivesOverflowAndUnderflow() {
        int widest;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            return;
        }
        Leaf d = new AssembledDLeaf(AssembledKernels.real(widest, 8));
        Leaf s = new AssembledSLeaf(AssembledKernels.real(widest, 4));
        for (double scale : new double[] {1e300, 1e-300}) {
            long x = guardX.place(800);
            for (int i = 0; i < 100; i++) {
                f64(x + 8L * i, scale);
            }
            assertThat(d.nrm2(100, x, 1)).isBetween(9.999 * scale, 10.001 * scale);
        }
        for (double scale : new double[] {1e36, 1e-36}) {
            long x = guardX.place(400);
            for (int i = 0; i < 100; i++) {
                f32(x + 4L * i, (float) scale);
            }
            assertThat(s.nrm2(100, x, 1)).isBetween(9.999 * scale, 10.001 * scale);
        }
        long x = guardX.place(80);
        for (int i = 0; i < 10; i++) {
            f64(x + 8L * i, i == 5 ? Double.NaN : 1);
        }
        assertThat(d.nrm2(10, x, 1)).isNaN();
        assertThat(d.asum(10, x, 1)).isNaN();
    }
}
