package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

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
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Complex vectors, extremes and copies past the caches agree with the portable kernels, between guard pages. */
class Level1Test {
    private static final long SEED = 20261121;

    private final Guarded guardX = new Guarded(2 << 20);
    private final Guarded guardY = new Guarded(2 << 20);
    private final Guarded guardR = new Guarded(64);

    /** An assembled leaf, the portable one, and the bytes and parts of their elements. */
    private record Pair(String name, Leaf leaf, Leaf portable, int size, int parts) {
        double get(long at, long i) {
            return size == 8 ? f64(at + 8 * i) : f32(at + 4 * i);
        }

        void set(long at, long i, double value) {
            if (size == 8) {
                f64(at + 8 * i, value);
            } else {
                f32(at + 4 * i, (float) value);
            }
        }
    }

    private interface Run {
        double on(Leaf leaf, long x, long y, long r);
    }

    private static List<Pair> pairs() {
        int widest;
        try {
            widest = AssembledKernels.vectorBits();
        } catch (UnsupportedOperationException e) {
            System.out.println("Level1Test: skipped, " + e.getMessage());
            return List.of();
        }
        List<Pair> pairs = new ArrayList<>();
        for (int bits = 256; bits <= widest; bits *= 2) {
            pairs.add(new Pair("d" + bits, new AssembledDLeaf(AssembledKernels.real(bits, 8)), new DLeaf(), 8, 1));
            pairs.add(new Pair("s" + bits, new AssembledSLeaf(AssembledKernels.real(bits, 4)), new SLeaf(), 4, 1));
            pairs.add(new Pair("z" + bits, new AssembledZLeaf(AssembledKernels.complex(bits, 8)), new ZLeaf(), 8, 2));
            pairs.add(new Pair("c" + bits, new AssembledCLeaf(AssembledKernels.complex(bits, 4)), new CLeaf(), 4, 2));
        }
        return pairs;
    }

    private void agree(String what, Pair p, int n, double terms, Run run) {
        int count = n * p.parts;
        double[][] results = new double[2][2 * count + 3];
        for (int pass = 0; pass < 2; pass++) {
            Random random = new Random(SEED + n);
            long x = guardX.place((long) count * p.size);
            long y = guardY.place((long) count * p.size);
            long r = guardR.place(2L * p.size);
            for (int i = 0; i < count; i++) {
                p.set(x, i, random.nextDouble() - 0.5);
                p.set(y, i, random.nextDouble() - 0.5);
            }
            p.set(r, 0, 0);
            p.set(r, 1, 0);
            results[pass][2 * count] = run.on(pass == 0 ? p.leaf : p.portable, x, y, r);
            results[pass][2 * count + 1] = p.get(r, 0);
            results[pass][2 * count + 2] = p.get(r, 1);
            for (int i = 0; i < count; i++) {
                results[pass][i] = p.get(x, i);
                results[pass][count + i] = p.get(y, i);
            }
            assertThat(guardX.intact() && guardY.intact() && guardR.intact())
                    .as("%s %s n = %d: writes outside", p.name, what, n)
                    .isTrue();
        }
        double tolerance = terms * (p.size == 8 ? 0x1p-52 : 0x1p-23);
        for (int i = 0; i < results[0].length; i++) {
            assertThat(Math.abs(results[0][i] - results[1][i]))
                    .as("%s %s n = %d, seed %d, number %d", p.name, what, n, SEED, i)
                    .isLessThanOrEqualTo(tolerance * Math.max(1, Math.abs(results[1][i])));
        }
    }

    /** With increments, on n elements of vectors of three times as many. */
    private void apart(Pair p, int n, int incx, int incy) {
        int all = 3 * n;
        String what = "with increments " + incx + " and " + incy + " ";
        // The address is that of element 0.
        long dx = incx < 0 ? (long) (1 - n) * incx * p.size * p.parts : 0;
        long dy = incy < 0 ? (long) (1 - n) * incy * p.size * p.parts : 0;
        agree(what + "dot", p, all, n + 2,
                (l, x, y, r) -> nothing(() -> l.dot(n, x + dx, incx, y + dy, incy, false, r)));
        agree(what + "copy", p, all, 0, (l, x, y, r) -> nothing(() -> l.copy(n, x + dx, incx, y + dy, incy)));
        agree(what + "swap", p, all, 0, (l, x, y, r) -> nothing(() -> l.swap(n, x + dx, incx, y + dy, incy)));
        agree(what + "axpy", p, all, 4, (l, x, y, r) -> nothing(() -> l.axpy(n, 0.7, 0.2, x + dx, incx, y + dy, incy)));
        agree(what + "rot", p, all, incx == 0 ? n + 4 : 4,
                (l, x, y, r) -> nothing(() -> l.rot(n, 0.6, 0.48, 0.64, false, x + dx, incx, y + dy, incy)));
        if (incx != 0) {
            agree(what + "scal", p, all, 4, (l, x, y, r) -> nothing(() -> l.scal(n, -0.7, 0.2, false, x + dx, incx)));
        }
        agree(what + "asum", p, all, n + 2, (l, x, y, r) -> l.asum(n, x + dx, incx));
        agree(what + "nrm2", p, all, n + 2, (l, x, y, r) -> l.nrm2(n, x + dx, incx));
        agree(what + "iamax", p, all, 0, (l, x, y, r) -> l.iamax(n, x + dx, incx));
    }

    private static double nothing(Runnable run) {
        run.run();
        return 0;
    }

    @Test
    void allLengths() {
        for (Pair p : pairs()) {
            for (int i = 0; i <= 152; i++) {
                int n = i <= 150 ? i : i == 151 ? 5000 : 40_001;
                agree("swap", p, n, 0, (l, x, y, r) -> nothing(() -> l.swap(n, x, 1, y, 1)));
                agree("copy", p, n, 0, (l, x, y, r) -> nothing(() -> l.copy(n, x, 1, y, 1)));
                agree("iamax", p, n, 0, (l, x, y, r) -> l.iamax(n, x, 1));
                agree("iamin", p, n, 0, (l, x, y, r) -> l.iamin(n, x, 1));
                agree("axpy", p, n, 4, (l, x, y, r) -> nothing(() -> l.axpy(n, 0.7, -1.3, x, 1, y, 1)));
                agree("scal", p, n, 4, (l, x, y, r) -> nothing(() -> l.scal(n, 0.7, -1.3, false, x, 1)));
                agree("real scal", p, n, 4, (l, x, y, r) -> nothing(() -> l.scal(n, 0.7, -1.3, true, x, 1)));
                agree("rot", p, n, 4, (l, x, y, r) -> nothing(() -> l.rot(n, 0.7, -1.3, 0.4, false, x, 1, y, 1)));
                agree("real rot", p, n, 4, (l, x, y, r) -> nothing(() -> l.rot(n, 0.7, -1.3, 0.4, true, x, 1, y, 1)));
                agree("dotu", p, n, n + 2, (l, x, y, r) -> nothing(() -> l.dot(n, x, 1, y, 1, false, r)));
                agree("dotc", p, n, n + 2, (l, x, y, r) -> nothing(() -> l.dot(n, x, 1, y, 1, true, r)));
                apart(p, n / 3, 3, 1);
                apart(p, n / 3, -2, 3);
                apart(p, n / 3, 0, -1);
            }
        }
    }

    /** Parts of vectors in the caches and beyond: kernels of other widths, and those that fetch ahead, up to the last page. */
    @Test
    void partsOfLongerVectors() {
        for (Pair p : pairs()) {
            for (int n : new int[] {3, 4, 31, 700, 5000, 5001, 16383, 16384}) {
                for (long bytes : new long[] {0, 100 << 10, 2 << 20, 20 << 20}) {
                    long whole = Math.max(n, bytes / (2L * p.size * p.parts));
                    String what = "part of " + whole;
                    agree(what, p, n, n + 2, (l, x, y, r) -> nothing(() -> l.dot(n, x, 1, y, 1, false, r, whole)));
                    agree(what, p, n, n + 2, (l, x, y, r) -> nothing(() -> l.dot(n, x, 1, y, 1, true, r, whole)));
                }
                agreeWithWhole(p, n);
            }
            // Long enough to be fetched ahead by the kernels without sums.
            int n = (2 << 20) / (2 * p.size * p.parts) - 5;
            agree("axpy", p, n, 4, (l, x, y, r) -> nothing(() -> l.axpy(n, 0.7, -1.3, x, 1, y, 1)));
        }
    }

    /** As the whole of its vectors a part is the sum that there is without parts. */
    private void agreeWithWhole(Pair p, int n) {
        long x = guardX.place((long) n * p.parts * p.size);
        long y = guardY.place((long) n * p.parts * p.size);
        long r = guardR.place(2L * p.size);
        Random random = new Random(SEED + n);
        for (int i = 0; i < n * p.parts; i++) {
            p.set(x, i, random.nextDouble() - 0.5);
            p.set(y, i, random.nextDouble() - 0.5);
        }
        p.leaf.dot(n, x, 1, y, 1, false, r, n);
        double part = p.get(r, 0);
        p.leaf.dot(n, x, 1, y, 1, false, r);
        assertThat(part).as("%s n = %d", p.name, n).isEqualTo(p.get(r, 0));
        if (p.parts == 1) {
            // Real sums do not depend on the whole at all.
            p.leaf.dot(n, x, 1, y, 1, false, r, 100_000);
            assertThat(p.get(r, 0)).as("%s n = %d, far", p.name, n).isEqualTo(part);
        }
    }

    /** The first of equal magnitudes wins, whatever its sign; NaN is the largest, and never the smallest while there is another. */
    @Test
    void extremesFollowTheRules() {
        double nan = Double.longBitsToDouble(0xfff8_0000_0000_1234L);
        double inf = Double.POSITIVE_INFINITY;
        double[][] specials = {
                {3, -3},
                {0, -0.0},
                {inf, -inf},
                {nan, 2},
                {-inf, nan},
                {Double.NaN, nan},
                {1e300, 7},
                {1e-310, -1e-310},
                {-8, 8}};
        for (Pair p : pairs()) {
            for (int n : new int[] {1, 3, 4, 7, 8, 16, 17, 33, 64, 100, 131, 4096, 8191, 8192, 8195, 12300}) {
                Random random = new Random(SEED + n);
                long x = guardX.place((long) n * p.parts * p.size);
                for (double fill : new double[] {1, 5, nan, inf, 0}) {
                    for (double[] special : specials) {
                        for (int i = 0; i < n * p.parts; i++) {
                            p.set(x, i, (i & 1) == 0 ? fill : -fill);
                        }
                        for (double value : special) {
                            p.set(x, random.nextInt(n * p.parts), value);
                            p.set(x, random.nextInt(n * p.parts), value);
                        }
                        String what =
                                p.name + " n = " + n + " fill " + fill + " with " + special[0] + ", " + special[1];
                        assertThat(p.leaf.iamax(n, x, 1)).as("iamax " + what).isEqualTo(p.portable.iamax(n, x, 1));
                        assertThat(p.leaf.iamin(n, x, 1)).as("iamin " + what).isEqualTo(p.portable.iamin(n, x, 1));
                    }
                }
            }
        }
    }

    @Test
    void specialValuesGoThroughComplexProducts() {
        double[] values = {0, -0.0, 1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 1e10};
        for (Pair p : pairs()) {
            if (p.parts == 1) {
                continue;
            }
            int n = 23;
            for (double re : values) {
                for (double im : values) {
                    for (boolean axpy : new boolean[] {true, false}) {
                        double[][] results = new double[2][2 * n];
                        for (int pass = 0; pass < 2; pass++) {
                            long x = guardX.place(2L * n * p.size);
                            long y = guardY.place(2L * n * p.size);
                            for (int i = 0; i < 2 * n; i++) {
                                p.set(x, i, values[i * 5 % values.length]);
                                p.set(y, i, i);
                            }
                            Leaf leaf = pass == 0 ? p.leaf : p.portable;
                            if (axpy) {
                                leaf.axpy(n, re, im, x, 1, y, 1);
                            } else {
                                leaf.scal(n, re, im, false, x, 1);
                            }
                            for (int i = 0; i < 2 * n; i++) {
                                results[pass][i] = p.get(axpy ? y : x, i);
                            }
                        }
                        for (int i = 0; i < 2 * n; i++) {
                            String what = p.name + (axpy ? " axpy " : " scal ") + re + " " + im + " number " + i;
                            double expected = results[1][i];
                            if (Double.isFinite(expected)) {
                                assertThat(results[0][i]).as(what)
                                        .isCloseTo(expected, offset(1e-6 * Math.abs(expected)));
                            } else {
                                assertThat(results[0][i]).as(what).isEqualTo(Double.valueOf(expected));
                            }
                        }
                    }
                }
            }
        }
    }

    @Test
    void copiesPastTheCachesAreWhole() {
        long bytes = 25L << 20;
        try (Arena arena = Arena.ofConfined()) {
            long from = arena.allocate(bytes + 64, 64).address();
            long to = arena.allocate(bytes + 192, 64).address();
            for (long i = 0; i < bytes + 64; i += 8) {
                Memory.i64(from + i, i * 0x9e3779b97f4a7c15L);
            }
            for (Pair p : pairs()) {
                // By elements, by numbers, and by bytes, which no store past the caches can take.
                for (int shift : new int[] {0, p.size, p.size * p.parts, 1}) {
                    Memory.fill(to, bytes + 192, (byte) 0x5a);
                    long n = bytes / (p.size * p.parts) - 1;
                    long length = n * p.size * p.parts;
                    p.leaf.copy(n, from + p.size, 1, to + 64 + shift, 1);
                    assertThat(Memory.ALL.asSlice(to + 64 + shift, length)
                            .mismatch(Memory.ALL.asSlice(from + p.size, length))).as(p.name + " by " + shift)
                            .isEqualTo(-1);
                    assertThat(i8(to + 63 + shift)).isEqualTo((byte) 0x5a);
                    assertThat(i8(to + 64 + shift + length)).isEqualTo((byte) 0x5a);
                }
            }
        }
    }
}
