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
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Panels with far more rows than columns, by LAPACK's measures and beside the reflectors made one by one; those that are not taken stay as they were. */
class TallPanelTest {
    private static final long SEED = 20261123;
    /** LAPACK's threshold, in units of rounding; it multiplies it by the rows, this by their root. */
    private static final double THRESHOLD = 30;
    private static final long AREA = 1 << 23;

    private final Guarded guard = new Guarded(AREA);

    /** What the columns of a matrix are like. */
    private enum Kind {
        RANDOM(true),
        /** All of one sign: their angles are acute. */
        POSITIVE(true),
        /** Of very different lengths. */
        SCALED(true),
        /** Only the last rows make them differ. */
        LATE(false),
        /** Two of them nearly the same. */
        ALIKE(false),
        SAME(false),
        ZERO(false),
        NAN(false),
        HUGE(false),
        TINY(false);

        private final boolean taken;

        Kind(boolean taken) {
            this.taken = taken;
        }
    }

    private record Type(AssembledKernels kernels, Leaf leaf, int size, int unit) {
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

        int element() {
            return size * unit;
        }

        double rounding() {
            return size == 8 ? 0x1p-53 : 0x1p-24;
        }
    }

    static Stream<Arguments> types() {
        List<Arguments> all = new ArrayList<>();
        for (int bits : new int[] {512, 256}) {
            if (bits <= AssembledKernels.vectorBits()) {
                AssembledKernels d = AssembledKernels.real(bits, 8);
                AssembledKernels s = AssembledKernels.real(bits, 4);
                AssembledKernels z = AssembledKernels.complex(bits, 8);
                AssembledKernels c = AssembledKernels.complex(bits, 4);
                all.add(Arguments.argumentSet("d " + bits, new Type(d, new AssembledDLeaf(d), 8, 1)));
                all.add(Arguments.argumentSet("s " + bits, new Type(s, new AssembledSLeaf(s), 4, 1)));
                all.add(Arguments.argumentSet("z " + bits, new Type(z, new AssembledZLeaf(z), 8, 2)));
                all.add(Arguments.argumentSet("c " + bits, new Type(c, new AssembledCLeaf(c), 4, 2)));
            }
        }
        return all.stream();
    }

    private static double number(Type t, Kind kind, Random random, int i, int j, int m, double before) {
        double x = kind == Kind.POSITIVE ? random.nextDouble() : 2 * random.nextDouble() - 1;
        return switch (kind) {
            case SCALED -> Math.scalb(x, (t.size == 8 ? 40 : 4) * (j % 5 - 2));
            case LATE -> j % 2 == 0 || i > m - 20 ? x : before;
            case ALIKE -> j == 5 ? before + (t.size == 8 ? 1e-6 : 1e-3) * x : x;
            case SAME -> j == 5 ? before : x;
            case ZERO -> j == 5 ? 0 : x;
            case NAN -> i == m - 1 && j == 5 ? Double.NaN : x;
            case HUGE -> j == 5 ? x * (t.size == 8 ? 1e200 : 1e30) : x;
            case TINY -> j == 5 ? x * (t.size == 8 ? 1e-200 : 1e-30) : x;
            default -> x;
        };
    }

    @ParameterizedTest
    @MethodSource("types")
    void haveLapacksReflectors(Type t) {
        Random random = new Random(SEED);
        for (int n : new int[] {8, 19}) {
            for (Kind kind : n > 8 ? List.of(Kind.RANDOM, Kind.SCALED, Kind.LATE) : List.of(Kind.values())) {
                int m = 128 * n + random.nextInt(20);
                int ld = m + random.nextInt(3);
                long bytes = (long) ld * n * t.element();
                // Behind the matrix nothing can be read.
                long a = guard.place((3L * ld * n + 3L * n * n + 2 * n) * t.element());
                long q = a + bytes;
                long old = q + bytes;
                long tau = old + bytes;
                long triangle = tau + (long) n * t.element();
                long other = triangle + (long) n * n * t.element();
                for (int j = 0; j < n; j++) {
                    for (int i = 0; i < m; i++) {
                        for (int part = 0; part < t.unit; part++) {
                            long at = a + ((long) (i + j * ld) * t.unit + part) * t.size;
                            double before = j == 0 ? 0 : t.get(at - (long) ld * t.element());
                            t.put(at, number(t, kind, random, i, j, m, before));
                        }
                    }
                }
                Memory.copy(a, old, bytes);
                String what = kind + " " + m + "x" + n + " ld " + ld + " seed " + SEED;
                boolean taken = t.kernels.reflectors().tall().factor(t.leaf, m, n, a, ld, tau, triangle, n);
                assertThat(taken).as(what).isEqualTo(kind.taken);
                if (taken) {
                    orthogonal(what, t, m, n, a, ld, tau, q);
                    product(what, t, m, n, a, ld, tau, old, q);
                    t.leaf.larft(false, false, m, n, a, ld, tau, other, n);
                    near(what + " T", t, n, n, triangle, n, other, n, 1);
                    Memory.copy(old, q, bytes);
                    // One by one, by halves that are not tall.
                    for (int j = 0; j < n; j++) {
                        long own = q + (long) j * (ld + 1) * t.element();
                        t.leaf.geqr2(false, false, m - j, 1, own, ld, other + (long) j * t.element(), 0, 0);
                        t.leaf.orm2r(Side.LEFT, true, false, false, m - j, n - j - 1, 1, own, ld,
                                other + (long) j * t.element(), own + (long) ld * t.element(), ld);
                    }
                    near(what + " tau", t, n, 1, tau, n, other, n, 1);
                    if (kind == Kind.RANDOM) {
                        near(what + " A", t, m, n, a, ld, q, ld, m);
                    }
                } else {
                    assertThat(Memory.ALL.asSlice(a, bytes).mismatch(Memory.ALL.asSlice(old, bytes))).as(what)
                            .isEqualTo(-1);
                }
            }
        }
        guard.intact();
    }

    /** Q's columns, made of the reflectors. */
    private static void orthogonal(String what, Type t, int m, int n, long a, int ld, long tau, long q) {
        t.leaf.copyMatrix(m, n, a, ld, q, ld);
        t.leaf.org2r(false, false, m, n, n, q, ld, tau);
        double worst = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double re = i == j ? -1 : 0;
                double im = 0;
                for (int k = 0; k < m; k++) {
                    long x = q + (long) (k + i * ld) * t.element();
                    long y = q + (long) (k + j * ld) * t.element();
                    re += t.get(x) * t.get(y);
                    if (t.unit == 2) {
                        re += t.get(x + t.size) * t.get(y + t.size);
                        im += t.get(x) * t.get(y + t.size) - t.get(x + t.size) * t.get(y);
                    }
                }
                worst = Math.max(worst, Math.hypot(re, im));
            }
        }
        assertThat(worst).as(what + " QᴴQ").isLessThan(THRESHOLD * Math.sqrt(m) * t.rounding());
    }

    /** Q·R is the matrix, column by column. */
    private static void product(String what, Type t, int m, int n, long a, int ld, long tau, long old, long q) {
        t.leaf.scalMatrix(m, n, 0, 0, q, ld);
        for (int j = 0; j < n; j++) {
            t.leaf.copy(j + 1, a + (long) j * ld * t.element(), 1, q + (long) j * ld * t.element(), 1);
        }
        t.leaf.orm2r(Side.LEFT, false, false, false, m, n, n, a, ld, tau, q, ld);
        for (int j = 0; j < n; j++) {
            double off = 0;
            double whole = 0;
            for (long at = (long) j * ld * t.element(), end = at + (long) m * t.element(); at < end; at += t.size) {
                double right = t.get(old + at);
                double less = t.get(q + at) - right;
                off += less * less;
                whole += right * right;
            }
            assertThat(Math.sqrt(off)).as(what + " QR").isLessThan(THRESHOLD * t.rounding() * Math.sqrt(whole));
        }
    }

    private static void near(String what, Type t, int m, int n, long x, int ldx, long y, int ldy, double scale) {
        double worst = 0;
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < (n == m ? j + 1 : m) * t.unit; i++) {
                double found = t.get(x + (long) j * ldx * t.element() + (long) i * t.size);
                double right = t.get(y + (long) j * ldy * t.element() + (long) i * t.size);
                worst = Math.max(worst, Math.abs(found - right));
            }
        }
        assertThat(worst).as(what).isLessThan(100 * scale * t.rounding());
    }
}
