package dev.basalt.portable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.Kernel;
import dev.basalt.type.ElementType;
import java.util.Random;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rotations do what they are for: one component becomes zero, lengths stay, also near overflow and underflow. */
class RotationsTest {
    private static final int ROUNDS = 3000;

    /** Numbers of all sizes, and zeros. */
    private static double number(Random random, ElementType type) {
        int range = type.real() == ElementType.F32 ? 240 : 2000;
        double scale = Math.scalb(1.0, random.nextInt(range) - range / 2);
        return switch (random.nextInt(8)) {
            case 0 -> 0;
            case 1, 2, 3 -> (2 * random.nextDouble() - 1) * scale;
            default -> 2 * random.nextDouble() - 1;
        };
    }

    /** What a number is once it is stored. */
    private static double stored(ElementType type, double v) {
        return type.real() == ElementType.F32 ? (float) v : v;
    }

    private static Mat element(ElementType type, double re, double im) {
        return Mat.of(1, 1, (i, j) -> stored(type, re), (i, j) -> type.isComplex() ? stored(type, im) : 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64", "C32", "C64"})
    void rotg(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.ROTG, type, round)) {
                r.l.n = 1;
                Batch a = r.vector(r.l.a, 1, 1);
                Batch b = r.vector(r.l.b, 1, 1);
                Batch c = r.vector(r.l.c, type.real(), 1);
                Batch s = r.vector(r.l.d, 1, 1);
                Mat[] x = new Mat[KernelRun.COUNT];
                Mat[] y = new Mat[KernelRun.COUNT];
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    x[i] = element(type, number(r.random, type), number(r.random, type));
                    y[i] = element(type, number(r.random, type), number(r.random, type));
                    a.put(i, x[i]);
                    b.put(i, y[i]);
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    // Scaled by a power of two, the numbers of the test neither overflow nor underflow.
                    double largest = Math.max(Math.max(Math.abs(x[i].re(0, 0)), Math.abs(x[i].im(0, 0))),
                            Math.max(Math.abs(y[i].re(0, 0)), Math.abs(y[i].im(0, 0))));
                    int shift = largest == 0 ? 0 : -Math.getExponent(largest);
                    Mat u = scaled(x[i], shift);
                    Mat v = scaled(y[i], shift);
                    Mat z = scaled(a.get(i), shift);
                    double cosine = c.get(i).re(0, 0);
                    Mat sine = s.get(i);
                    double bound = 16 * r.unit();
                    String what = x[i] + " " + y[i] + " -> " + a.get(i) + " c " + cosine + " s " + sine;
                    assertThat(u.times(cosine, 0).plus(sine.times(v)).distance(z)).as(what).isLessThan(bound);
                    Mat zero = v.times(cosine, 0).plus(sine.conj().times(u).times(-1, 0));
                    assertThat(zero.distance(new Mat(1, 1))).as(what).isLessThan(bound);
                    double squares = cosine * cosine + sine.re(0, 0) * sine.re(0, 0) + sine.im(0, 0) * sine.im(0, 0);
                    assertThat(squares).as(what).isBetween(1 - bound, 1 + bound);
                    if (!type.isComplex()) {
                        reconstructs(b.get(i).re(0, 0), cosine, sine.re(0, 0), bound);
                    }
                }
            }
        }
    }

    private static Mat scaled(Mat a, int shift) {
        return Mat.of(1, 1, (i, j) -> Math.scalb(a.re(i, j), shift), (i, j) -> Math.scalb(a.im(i, j), shift));
    }

    /** BLAS's rule: z = 1 means c = 0, |z| < 1 the sine, otherwise the cosine's reciprocal. */
    private static void reconstructs(double z, double c, double s, double bound) {
        double cosine = z == 1 ? 0 : Math.abs(z) < 1 ? Math.sqrt(1 - z * z) : 1 / z;
        double sine = z == 1 ? 1 : Math.abs(z) < 1 ? z : Math.sqrt(1 - cosine * cosine);
        assertThat(Math.abs(cosine)).as("z %s", z).isCloseTo(Math.abs(c), Offset.offset(bound));
        // Near 1 the sine of a cosine has half its digits.
        double wide = Math.abs(c) > 0.99 || Math.abs(s) > 0.99 ? Math.sqrt(bound) : 10 * bound;
        assertThat(Math.abs(sine)).as("z %s", z).isCloseTo(Math.abs(s), Offset.offset(wide));
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64"})
    void rotm(ElementType type) {
        double[] flags = {-2, -1, 0, 1};
        long[] increments = {-2, -1, 1, 2};
        for (int round = 0; round < 200; round++) {
            try (KernelRun r = new KernelRun(Kernel.ROTM, type, round)) {
                int n = r.random.nextInt(20);
                double flag = flags[r.random.nextInt(4)];
                r.l.n = n;
                Batch x = r.vector(r.l.a, n, increments[r.random.nextInt(4)]);
                Batch y = r.vector(r.l.c, n, increments[r.random.nextInt(4)]);
                Batch h = r.vector(r.l.d, 5, 1);
                Mat[] xs = r.fill(x, n, 1);
                Mat[] ys = r.fill(y, n, 1);
                Mat given = r.random(5, 1);
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    // What the flag implies is not read.
                    h.put(i, Mat.of(5, 1, (p, q) -> p == 0 ? flag : implied(flag, p) ? Double.NaN : given.re(p, 0),
                            (p, q) -> 0));
                }
                r.run();
                double h11 = flag == -1 || flag == 1 ? given.re(1, 0) : 1;
                double h21 = flag == -1 || flag == 0 ? given.re(2, 0) : flag == 1 ? -1 : 0;
                double h12 = flag == -1 || flag == 0 ? given.re(3, 0) : flag == 1 ? 1 : 0;
                double h22 = flag == -1 || flag == 1 ? given.re(4, 0) : 1;
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    r.check(x, i, xs[i].times(h11, 0).plus(ys[i].times(h12, 0)));
                    r.check(y, i, xs[i].times(h21, 0).plus(ys[i].times(h22, 0)));
                }
            }
        }
    }

    private static boolean implied(double flag, int p) {
        return flag == -2 || flag == 0 && (p == 1 || p == 4) || flag == 1 && (p == 2 || p == 3);
    }

    @ParameterizedTest
    @EnumSource(names = {"F32", "F64"})
    void rotmg(ElementType type) {
        for (int round = 0; round < ROUNDS; round++) {
            try (KernelRun r = new KernelRun(Kernel.ROTMG, type, round)) {
                r.l.n = 1;
                Batch[] given =
                        {r.vector(r.l.a, 1, 1), r.vector(r.l.b, 1, 1), r.vector(r.l.c, 1, 1), r.vector(r.l.d, 1, 1)};
                Batch h = r.vector(r.l.f, 5, 1);
                double[][] in = new double[KernelRun.COUNT][4];
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    for (int v = 0; v < 4; v++) {
                        double scale = Math.scalb(1.0, r.random.nextInt(60) - 30);
                        in[i][v] = stored(type,
                                (r.random.nextDouble() + 0.1) * scale * (v == 1 && round % 3 == 0 ? -1 : 1));
                        given[v].put(i, element(type, in[i][v], 0));
                    }
                    h.put(i, new Mat(5, 1));
                }
                r.run();
                for (int i = 0; i < KernelRun.COUNT; i++) {
                    check(r, in[i], given, h.get(i), i);
                }
            }
        }
    }

    /** H makes the second component zero, and keeps d1·x² + d2·y². */
    private static void check(KernelRun r, double[] in, Batch[] out, Mat param, int i) {
        double flag = param.re(0, 0);
        double e1 = out[0].get(i).re(0, 0);
        double e2 = out[1].get(i).re(0, 0);
        double u = out[2].get(i).re(0, 0);
        String what = in[0] + " " + in[1] + " " + in[2] + " " + in[3] + " -> " + e1 + " " + e2 + " " + u + "\n" + param;
        double norm = in[0] * in[2] * in[2] + in[1] * in[3] * in[3];
        if (flag == -1 && e1 == 0 && e2 == 0) {
            assertThat(norm).as(what).isLessThanOrEqualTo(64 * r.unit() * in[0] * in[2] * in[2]);
            return;
        }
        double h11 = flag == 0 ? 1 : param.re(1, 0);
        double h21 = flag == 1 ? -1 : param.re(2, 0);
        double h12 = flag == 1 ? 1 : param.re(3, 0);
        double h22 = flag == 0 ? 1 : param.re(4, 0);
        double bound = 256 * r.unit();
        double first = h11 * in[2] + h12 * in[3];
        double size = Math.abs(h11 * in[2]) + Math.abs(h12 * in[3]);
        assertThat(Math.abs(first - u)).as(what).isLessThanOrEqualTo(bound * size);
        double zero = Math.abs(h21 * in[2] + h22 * in[3]);
        assertThat(zero).as(what).isLessThanOrEqualTo(bound * (Math.abs(h21 * in[2]) + Math.abs(h22 * in[3])));
        double terms = Math.abs(in[0] * in[2] * in[2]) + Math.abs(in[1] * in[3] * in[3]);
        assertThat(Math.abs(e1 * u * u - norm)).as(what).isLessThanOrEqualTo(bound * terms);
        for (double e : new double[] {e1, e2}) {
            assertThat(Math.abs(e)).as(what).isBetween(5.9e-8, 1.68e7);
        }
    }
}
