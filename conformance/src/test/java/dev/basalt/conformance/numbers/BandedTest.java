package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.BandView;
import dev.basalt.ClassicLapack;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.PlannedCall;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** LU of bands by LAPACK's measures: in blocks and column by column, with rows that move and with none. */
class BandedTest {
    /** LAPACK's threshold. */
    private static final double THRESHOLD = 30;

    /** m, n, kl, ku: from one column to bands wider than the matrix, and wide enough for blocks on every device. */
    private static final List<int[]> SHAPES =
            List.of(new int[] {1, 1, 0, 0}, new int[] {5, 5, 1, 1}, new int[] {40, 40, 3, 2}, new int[] {10, 10, 0, 4},
                    new int[] {9, 9, 4, 0}, new int[] {70, 70, 20, 5}, new int[] {60, 90, 17, 20},
                    new int[] {90, 60, 24, 3}, new int[] {33, 33, 40, 40}, new int[] {20, 64, 30, 2},
                    new int[] {45, 45, 18, 0}, new int[] {150, 150, 33, 20}, new int[] {200, 200, 70, 70});

    private static final int SLOW = 100;
    private static final int SIDES = 4;

    private interface Check {
        void run(Device device, Handle handle, DeviceArena arena, int[] shape, Random random);
    }

    private static void shapes(Target target, Check check) {
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int[] shape : SHAPES) {
                if (target.device().startsWith("sim") && shape[0] > SLOW) {
                    continue;
                }
                try (DeviceArena arena = device.arena()) {
                    check.run(device, handle, arena, shape, new Random(31L * shape[0] + shape[2]));
                }
            }
        }
    }

    /** A band on the device, with its pivots and info. */
    private record Loaded(Banded a, BandView view, VectorView ipiv, VectorView info) {
        static Loaded of(DeviceArena arena, ElementType type, Banded a) {
            MatrixView storage = arena.matrix(type, a.height(), a.full().n);
            Orthogonal.upload(storage, a.stored());
            return new Loaded(a, BandView.of(storage, a.full().m, a.kl(), a.kl() + a.ku()),
                    arena.vector(ElementType.I64, Math.min(a.full().m, a.full().n)), arena.vector(ElementType.I32, 1));
        }

        Mat factors() {
            return Orthogonal.download(view.storage(), a.height(), a.full().n);
        }

        long[] pivots() {
            long[] found = new long[Math.min(a.full().m, a.full().n)];
            ipiv.download(found);
            return found;
        }

        int failure() {
            int[] found = new int[1];
            info.download(found);
            return found[0];
        }
    }

    @EveryTarget
    void theFactorsGiveTheMatrixInEveryTier(Target target) {
        ElementType type = target.type();
        shapes(target, (device, handle, arena, s, random) -> {
            for (Banded.Kind kind : Banded.Kind.values()) {
                Banded a = Banded.of(kind, random, type, s[0], s[1], s[2], s[3]);
                Loaded first = Loaded.of(arena, type, a);
                List<PlannedCall.Tier> tiers =
                        handle.plan(h -> Lapack.gbtrf(h, first.view(), first.ipiv(), first.info()))
                                .calls()
                                .get(0)
                                .tiers();
                for (PlannedCall.Tier tier : tiers) {
                    Loaded loaded = Loaded.of(arena, type, a);
                    try (Handle h = device.handleBuilder().maxManagedBytes(0).create()) {
                        h.setDeviceMemorySize(tier.bytes());
                        Lapack.gbtrf(h, loaded.view(), loaded.ipiv(), loaded.info());
                        assertThat(h.lastCall().bytesUsed()).isLessThanOrEqualTo(tier.bytes());
                    }
                    check(type, loaded, kind + " in " + tier);
                }
                Lapack.gbtf2(handle, first.view(), first.ipiv(), first.info());
                check(type, first, kind + " by gbtf2");
            }
        });
    }

    private static void check(ElementType type, Loaded loaded, String what) {
        Banded a = loaded.a();
        int order = Math.max(a.full().m, a.full().n);
        // Sums of huge products are formed of what is scaled back.
        Mat factors = loaded.factors();
        double scale = 1 / Math.max(a.full().norm1(), Double.MIN_NORMAL);
        int top = a.kl() + a.ku();
        Mat scaled = Mat.of(factors.m, factors.n, (r, j) -> r <= top ? factors.re(r, j) * scale : factors.re(r, j),
                (r, j) -> r <= top ? factors.im(r, j) * scale : factors.im(r, j));
        Mat wanted = a.full().times(new Complex(scale, 0));
        assertThat(loaded.failure()).as(what).isZero();
        assertThat(a.product(scaled, loaded.pivots()).minus(wanted).norm1())
                .as("A - PLU of %dx%d, %d and %d diagonals, %s", a.full().m, a.full().n, a.kl(), a.ku(), what)
                .isLessThanOrEqualTo(THRESHOLD * order * Banded.unit(type));
    }

    @EveryTarget
    void systemsAreSolved(Target target) {
        ElementType type = target.type();
        shapes(target, (device, handle, arena, s, random) -> {
            int n = s[0];
            Banded a = Banded.of(Banded.Kind.RANDOM, random, type, n, n, s[2], s[3]);
            Loaded factored = Loaded.of(arena, type, a);
            Lapack.gbtrf(handle, factored.view(), factored.ipiv(), factored.info());
            for (int sides : new int[] {0, 1, SIDES}) {
                Mat b = Banded.random(random, type, n, sides);
                MatrixView view = arena.matrix(type, n, sides);
                for (Op op : Op.values()) {
                    Orthogonal.upload(view, b);
                    Lapack.gbtrs(handle, op, factored.view(), factored.ipiv(), view);
                    residual(type, a.full().op(op), Orthogonal.download(view, n, sides), b, op.toString());
                }
                Loaded whole = Loaded.of(arena, type, a);
                Orthogonal.upload(view, b);
                Lapack.gbsv(handle, whole.view(), whole.ipiv(), view, whole.info());
                assertThat(whole.failure()).isZero();
                assertThat(whole.pivots()).isEqualTo(factored.pivots());
                residual(type, a.full(), Orthogonal.download(view, n, sides), b, "gbsv");
            }
        });
    }

    private static void residual(ElementType type, Mat a, Mat x, Mat b, String what) {
        double scale = a.norm1() * x.norm1() + b.norm1();
        assertThat(a.times(x).minus(b).norm1()).as("%s of order %d", what, a.m)
                .isLessThanOrEqualTo(THRESHOLD * a.m * Banded.unit(type) * scale);
    }

    /** A column of zeros is found, what comes behind it is factored all the same, and B stays what it was. */
    @EveryTarget
    void aZeroColumnIsReportedAndTheOthersOfABatchAreSolved(Target target) {
        ElementType type = target.type();
        shapes(target, (device, handle, arena, s, random) -> {
            int n = s[0];
            int zero = random.nextInt(n);
            Banded whole = Banded.of(Banded.Kind.DOMINANT, random, type, n, n, s[2], s[3]);
            Mat hole = Mat.of(n, n, (i, j) -> j == zero ? 0 : whole.full().re(i, j),
                    (i, j) -> j == zero ? 0 : whole.full().im(i, j));
            Banded[] all = {whole, new Banded(hole, s[2], s[3]), whole};
            MatrixView storage = arena.matrix(type, whole.height(), n, all.length);
            MatrixView sides = arena.matrix(type, n, 2, all.length);
            VectorView ipiv = arena.vector(ElementType.I64, n, all.length);
            VectorView info = arena.vector(ElementType.I32, 1, all.length);
            Mat b = Banded.random(random, type, n, 2);
            for (int p = 0; p < all.length; p++) {
                Orthogonal.upload(storage.problem(p), all[p].stored());
                Orthogonal.upload(sides.problem(p), b);
            }
            Lapack.gbsv(handle, BandView.of(storage, n, s[2], s[2] + s[3]), ipiv, sides, info);
            int[] found = new int[all.length];
            info.download(found);
            assertThat(found).containsExactly(0, zero + 1, 0);
            assertThat(Orthogonal.download(sides.problem(1), n, 2).minus(b).norm1()).isZero();
            for (int p : new int[] {0, 2}) {
                residual(type, whole.full(), Orthogonal.download(sides.problem(p), n, 2), b, "problem " + p);
            }
        });
    }

    /** What is not a number comes out as such; nothing outside of the matrix is read or written for it. */
    @EveryTarget
    void nanAndInfinityComeOut(Target target) {
        ElementType type = target.type();
        shapes(target, (device, handle, arena, s, random) -> {
            for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                Banded a = Banded.of(Banded.Kind.RANDOM, random, type, s[0], s[1], s[2], s[3]);
                int at = random.nextInt(Math.min(s[0], s[1]));
                a.full().set(at, at, odd, 0);
                Loaded loaded = Loaded.of(arena, type, a);
                Lapack.gbtrf(handle, loaded.view(), loaded.ipiv(), loaded.info());
                Mat factors = loaded.factors();
                boolean seen = false;
                for (int j = 0; j < s[1]; j++) {
                    for (int r = 0; r < a.height(); r++) {
                        int i = r - s[2] - s[3] + j;
                        boolean inside = i >= 0 && i < s[0];
                        boolean finite = Double.isFinite(factors.re(r, j)) && Double.isFinite(factors.im(r, j));
                        assertThat(inside || Double.isNaN(factors.re(r, j))).as("outside is left alone").isTrue();
                        seen |= inside && !finite;
                    }
                }
                assertThat(seen).as("%s at %d of %s", odd, at, List.of(s[0], s[1], s[2], s[3])).isTrue();
                for (long pivot : loaded.pivots()) {
                    assertThat(pivot).isBetween(1L, (long) s[0]);
                }
            }
        });
    }

    @EveryTarget
    void wrongPivotsGiveNaN(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            int n = 12;
            Loaded loaded = Loaded.of(arena, type, Banded.of(Banded.Kind.RANDOM, new Random(3), type, n, n, 2, 1));
            Lapack.gbtrf(handle, loaded.view(), loaded.ipiv(), loaded.info());
            long[] pivots = loaded.pivots();
            pivots[5] = n + 1;
            loaded.ipiv().upload(pivots);
            MatrixView b = arena.matrix(type, n, 2);
            for (Op op : Op.values()) {
                Orthogonal.upload(b, Banded.random(new Random(4), type, n, 2));
                Lapack.gbtrs(handle, op, loaded.view(), loaded.ipiv(), b);
                for (double x : Orthogonal.download(b, n, 2).re) {
                    assertThat(x).isNaN();
                }
            }
        }
    }

    /** The call that users of LAPACK know, in its order: A = [2 1; 1 2 1; 1 2], B = (4, 8, 8). */
    @Test
    void dgbsvIsThatOfLapack() {
        try (Device device = Devices.open("host");
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            double none = Double.NaN;
            VectorView ab = arena.vector(ElementType.F64, 12);
            ab.upload(new double[] {none, none, 2, 1, none, 1, 2, 1, none, 1, 2, none});
            VectorView b = arena.vector(ElementType.F64, 3);
            b.upload(new double[] {4, 8, 8});
            VectorView ipiv = arena.vector(ElementType.I64, 3);
            VectorView info = arena.vector(ElementType.I32, 1);
            ClassicLapack.dgbsv(h, 3, 1, 1, 1, ab.pointer(), 4, ipiv.pointer(), b.pointer(), 3, info.pointer());
            double[] x = new double[3];
            b.download(x);
            assertThat(x[0]).isCloseTo(1, within(1e-15));
            assertThat(x[1]).isCloseTo(2, within(1e-15));
            assertThat(x[2]).isCloseTo(3, within(1e-15));
        }
    }
}
