package dev.basalt.host.assembled.reflect;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.Guarded;
import dev.basalt.host.engine.AssembledCLeaf;
import dev.basalt.host.engine.AssembledDLeaf;
import dev.basalt.host.engine.AssembledSLeaf;
import dev.basalt.host.engine.AssembledZLeaf;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.Leaf;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.type.Side;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Panels of QR and products with reflectors by assembled kernels agree with the portable ones, on matrices that end at the end of readable memory. */
class ReflectorsTest {
    private static final long SEED = 20_261_123;
    private static final int[] ROWS = {1, 2, 3, 7, 8, 9, 16, 17, 31, 32, 33, 50, 300};
    private static final int[] COLUMNS = {1, 2, 3, 8, 9, 13, 31, 32, 40};

    private final Guarded guardA = new Guarded(4 << 20);
    private final Guarded guardC = new Guarded(4 << 20);
    private final Guarded guardTau = new Guarded(4096);
    private final Guarded guardT = new Guarded(1 << 20);
    private final Random random = new Random(SEED);

    private record Type(Leaf leaf, Leaf portable, int size, int unit, String name) {
        double get(long at) {
            return size == 8 ? f64(at) : f32(at);
        }

        void put(long at, double value) {
            if (size == 8) {
                f64(at, value);
            } else {
                f32(at, (float) value);
            }
        }

        double tolerance(int m) {
            return (size == 8 ? 1e-15 : 5e-7) * 100 * Math.max(m, 10);
        }

        /** Numbers whose squares overflow, or underflow. */
        double huge() {
            return size == 8 ? 1e200 : 1e30;
        }

        double tiny() {
            return size == 8 ? 1e-300 : 1e-36;
        }
    }

    private interface Case {
        void on(Type type);
    }

    private static void forAll(Case test) {
        for (int bits : new int[] {512, 256}) {
            if (bits > AssembledKernels.vectorBits()) {
                continue;
            }
            test.on(new Type(new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf(), 8, 1, "d " + bits));
            test.on(new Type(new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf(), 4, 1, "s " + bits));
            test.on(new Type(new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf(), 8, 2, "z " + bits));
            test.on(new Type(new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf(), 4, 2, "c " + bits));
        }
    }

    private static long place(Type type, Guarded guard, double[] values) {
        long at = guard.place((long) values.length * type.size());
        for (int i = 0; i < values.length; i++) {
            type.put(at + (long) i * type.size(), values[i]);
        }
        return at;
    }

    private static double[] values(Type type, Guarded guard, long at, int count) {
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = type.get(at + (long) i * type.size());
        }
        assertThat(guard.intact()).isTrue();
        return values;
    }

    private double[] numbers(Type type, int ld, int m, int n, double scale) {
        double[] numbers = new double[(ld * (n - 1) + m) * type.unit()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = scale * (2 * random.nextDouble() - 1);
        }
        return numbers;
    }

    /** What of a panel is defined: the matrix, the factors, T's triangle. */
    private record Panel(double[] matrix, double[] factors, double[] triangle) {}

    private Panel panel(Type type, Leaf leaf, double[] content, int m, int n, int ld, boolean wanted) {
        long a = place(type, guardA, content);
        long tau = place(type, guardTau, new double[n * type.unit()]);
        int ldt = n + 1;
        long t = place(type, guardT, new double[(ldt * (n - 1) + n) * type.unit()]);
        leaf.geqr2(false, false, m, n, a, ld, tau, wanted ? t : 0, ldt);
        double[] triangle = values(type, guardT, t, (ldt * (n - 1) + n) * type.unit());
        for (int i = 0; i < triangle.length; i++) {
            int element = i / type.unit();
            if (element % ldt > element / ldt) {
                triangle[i] = 0;
            }
        }
        return new Panel(values(type, guardA, a, content.length), values(type, guardTau, tau, n * type.unit()),
                triangle);
    }

    private static void close(String what, double[] found, double[] expected, double tolerance) {
        double largest = 0;
        for (double value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        for (int i = 0; i < found.length; i++) {
            boolean same = Double.compare(found[i], expected[i]) == 0
                    || Math.abs(found[i] - expected[i]) <= tolerance * largest;
            assertThat(same).as("%s: %s at %d, not %s", what, found[i], i, expected[i]).isTrue();
        }
    }

    private void same(Type type, double[] content, int m, int n, int ld, boolean triangle, String what) {
        String name = what + " " + type.name() + ", " + m + "×" + n + ", seed " + SEED;
        Panel found = panel(type, type.leaf(), content, m, n, ld, triangle);
        Panel expected = panel(type, type.portable(), content, m, n, ld, triangle);
        close("A, " + name, found.matrix(), expected.matrix(), type.tolerance(m));
        close("tau, " + name, found.factors(), expected.factors(), type.tolerance(m));
        close("T, " + name, found.triangle(), expected.triangle(), type.tolerance(m));
    }

    @Test
    void randomPanels() {
        forAll(type -> {
            for (int m : ROWS) {
                for (int n : COLUMNS) {
                    if (n <= m) {
                        int ld = m + n % 3;
                        // Well-conditioned, so that the factors are determined.
                        double[] content = numbers(type, ld, m, n, 1);
                        for (int j = 0; j < n; j++) {
                            content[j * (ld + 1) * type.unit()] += 3 * Math.sqrt(n);
                        }
                        same(type, content, m, n, ld, n % 2 == 0, "random");
                        same(type, content, m, n, ld, true, "random");
                    }
                }
            }
        });
    }

    @Test
    void columnsThatNeedMoreCare() {
        forAll(type -> {
            int m = 20;
            int n = 9;
            double[] scales = {0, 1, type.huge(), type.tiny()};
            for (double scale : scales) {
                for (int special = 0; special < n; special++) {
                    double[] content = numbers(type, m, m, n, scale == 1 ? 1 : scale);
                    for (int j = 0; j < n; j++) {
                        content[j * (m + 1) * type.unit()] += 6 * scale;
                    }
                    // Nothing below the diagonal: the reflector is the identity.
                    for (int i = special + 1; i < m && scale == 1; i++) {
                        for (int j = 0; j <= special; j++) {
                            for (int part = 0; part < type.unit(); part++) {
                                content[(i + j * m) * type.unit() + part] = 0;
                            }
                        }
                    }
                    same(type, content, m, n, m, true, "scale " + scale + ", column " + special);
                }
            }
        });
    }

    @Test
    void notANumberComesOut() {
        forAll(type -> {
            double[] content = numbers(type, 12, 12, 5, 1);
            content[(7 + 2 * 12) * type.unit()] = Double.NaN;
            Panel found = panel(type, type.leaf(), content, 12, 5, 12, true);
            assertThat(found.factors()[2 * type.unit()]).isNaN();
            assertThat(found.matrix()[(11 + 4 * 12) * type.unit()]).isNaN();
        });
    }

    @Test
    void productsWithReflectors() {
        forAll(type -> {
            for (int m : ROWS) {
                for (int k : new int[] {1, 2, 5, 9, 32, 40}) {
                    for (int n : new int[] {1, 3, 9, 33}) {
                        if (k <= m) {
                            products(type, m, n, k, true);
                            products(type, m, n, k, false);
                        }
                    }
                }
            }
        });
    }

    private void products(Type type, int m, int n, int k, boolean conj) {
        int ld = m + 1;
        Panel panel = panel(type, type.portable(), numbers(type, ld, m, k, 1), m, k, ld, false);
        double[] content = numbers(type, ld, m, n, 1);
        double[][] results = new double[2][];
        for (int i = 0; i < 2; i++) {
            long a = place(type, guardA, panel.matrix());
            long tau = place(type, guardTau, panel.factors());
            long c = place(type, guardC, content);
            Leaf leaf = i == 0 ? type.leaf() : type.portable();
            leaf.orm2r(Side.LEFT, conj, false, false, m, n, k, a, ld, tau, c, ld);
            results[i] = values(type, guardC, c, content.length);
            assertThat(values(type, guardA, a, panel.matrix().length)).isEqualTo(panel.matrix());
        }
        close("product " + type.name() + ", " + m + "×" + n + ", " + k + ", " + conj, results[0], results[1],
                type.tolerance(m));
    }

    @Test
    void columnsOfQ() {
        forAll(type -> {
            for (int m : ROWS) {
                for (int n : new int[] {1, 2, 5, 9, 17, 32, 40}) {
                    for (int k = 0; k <= n && n <= m; k += Math.max(1, n / 3)) {
                        form(type, m, n, k);
                    }
                }
            }
        });
    }

    private void form(Type type, int m, int n, int k) {
        int ld = m + 2;
        Panel panel = panel(type, type.portable(), numbers(type, ld, m, n, 1), m, n, ld, false);
        double[][] results = new double[2][];
        for (int i = 0; i < 2; i++) {
            long a = place(type, guardA, panel.matrix());
            long tau = place(type, guardTau, panel.factors());
            (i == 0 ? type.leaf() : type.portable()).org2r(false, false, m, n, k, a, ld, tau);
            results[i] = values(type, guardA, a, panel.matrix().length);
        }
        close("Q " + type.name() + ", " + m + "×" + n + ", " + k, results[0], results[1], type.tolerance(m));
    }
}
