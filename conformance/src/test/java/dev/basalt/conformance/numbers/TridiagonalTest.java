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
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.Random;

/** Tridiagonal systems: one, many one behind the other, and many side by side. */
class TridiagonalTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {1, 2, 3, 4, 17, 64, 101};
    private static final int LONG = 17;
    private static final int SIDES = 3;

    private interface Check {
        void run(Handle handle, DeviceArena arena, Banded a, Random random);
    }

    private static void systems(Target target, Check check) {
        try (Device device = Devices.open(target.device()); Handle handle = device.createHandle()) {
            for (int n : ORDERS) {
                for (Banded.Kind kind : Banded.Kind.values()) {
                    // Large elements below the diagonal alone make long systems as good as singular.
                    if (kind == Banded.Kind.MOVED && n > LONG) {
                        continue;
                    }
                    Random random = new Random(n);
                    try (DeviceArena arena = device.arena()) {
                        check.run(handle, arena, Banded.of(kind, random, target.type(), n, n, 1, 1), random);
                    }
                }
            }
        }
    }

    /** One diagonal, so many places above the main one. */
    private static Mat diagonal(Mat a, int above) {
        int n = Math.max(0, a.n - Math.abs(above));
        int i0 = Math.max(0, -above);
        int j0 = Math.max(0, above);
        return Mat.of(n, 1, (i, j) -> a.re(i + i0, i + j0), (i, j) -> a.im(i + i0, i + j0));
    }

    private static VectorView load(DeviceArena arena, ElementType type, Mat diagonal) {
        MatrixView memory = arena.matrix(type, diagonal.m, 1);
        Orthogonal.upload(memory, diagonal);
        return memory.column(0);
    }

    private static void residual(ElementType type, Mat a, Mat x, Mat b, String what) {
        double scale = a.norm1() * x.norm1() + b.norm1();
        assertThat(a.times(x).minus(b).norm1()).as("%s of order %d", what, a.m)
                .isLessThanOrEqualTo(THRESHOLD * a.m * Banded.unit(type) * scale);
    }

    private static int[] download(VectorView info, int count) {
        int[] found = new int[count];
        info.download(found);
        return found;
    }

    @EveryTarget
    void systemsAreSolved(Target target) {
        ElementType type = target.type();
        systems(target, (h, arena, a, random) -> {
            Mat full = a.full();
            int n = full.n;
            Mat b = Banded.random(random, type, n, SIDES);
            VectorView dl = load(arena, type, diagonal(full, -1));
            VectorView d = load(arena, type, diagonal(full, 0));
            VectorView du = load(arena, type, diagonal(full, 1));
            VectorView du2 = arena.vector(type, Math.max(0, n - 2));
            VectorView ipiv = arena.vector(ElementType.I64, n);
            VectorView info = arena.vector(ElementType.I32, 1);
            MatrixView x = arena.matrix(type, n, SIDES);
            Lapack.gttrf(h, dl, d, du, du2, ipiv, info);
            assertThat(download(info, 1)).containsExactly(0);
            for (Op op : Op.values()) {
                Orthogonal.upload(x, b);
                Lapack.gttrs(h, op, dl, d, du, du2, ipiv, x);
                residual(type, full.op(op), Orthogonal.download(x, n, SIDES), b, "gttrs " + op);
            }
            dl = load(arena, type, diagonal(full, -1));
            d = load(arena, type, diagonal(full, 0));
            du = load(arena, type, diagonal(full, 1));
            Orthogonal.upload(x, b);
            Lapack.gtsv(h, dl, d, du, x, info);
            assertThat(download(info, 1)).containsExactly(0);
            residual(type, full, Orthogonal.download(x, n, SIDES), b, "gtsv");
        });
    }

    /** Each of many systems, in both layouts; those without a solution say so and leave the others alone. */
    @EveryTarget
    void batchesAreSolvedInBothLayouts(Target target) {
        ElementType type = target.type();
        systems(target, (h, arena, a, random) -> {
            int n = a.full().n;
            for (int count : new int[] {1, 2, 7, 8, 19}) {
                for (boolean sideBySide : new boolean[] {false, true}) {
                    batch(h, arena, type, a, n, count, sideBySide, random);
                }
            }
        });
    }

    private static void batch(Handle h, DeviceArena arena, ElementType type, Banded a, int n, int count,
            boolean sideBySide, Random random) {
        int failing = count / 2;
        int zero = random.nextInt(n);
        Mat[] all = new Mat[count];
        Mat[] sides = new Mat[count];
        Operands o = new Operands(arena, type, n, count, sideBySide);
        for (int p = 0; p < count; p++) {
            double sign = p % 2 == 0 ? 1 : -1;
            boolean hole = p == failing && count > 1;
            all[p] = Mat.of(n, n, (i, j) -> hole && j == zero ? 0 : sign * a.full().re(i, j),
                    (i, j) -> hole && j == zero ? 0 : a.full().im(i, j));
            sides[p] = Banded.random(random, type, n, 1);
            o.put(0, p, diagonal(all[p], -1));
            o.put(1, p, diagonal(all[p], 0));
            o.put(2, p, diagonal(all[p], 1));
            o.put(3, p, sides[p]);
        }
        VectorView info = arena.vector(ElementType.I32, 1, count);
        Lapack.gtsvInterleaved(h, o.view(0), o.view(1), o.view(2), o.view(3), info);
        int[] found = download(info, count);
        for (int p = 0; p < count; p++) {
            if (p == failing && count > 1) {
                assertThat(found[p]).as("info of problem %d of %d, zero column %d of %d", p, count, zero, n)
                        .isEqualTo(zero + 1);
            } else {
                assertThat(found[p]).isZero();
                residual(type, all[p], o.get(3, p), sides[p], "problem " + p + " of " + count);
            }
        }
    }

    /** Three diagonals and right-hand sides of a batch, one problem behind the other or side by side. */
    private static final class Operands {
        private final MatrixView[] memory = new MatrixView[4];
        private final Mat[] content = new Mat[4];
        private final ElementType type;
        private final int n;
        private final int count;
        private final boolean sideBySide;

        Operands(DeviceArena arena, ElementType type, int n, int count, boolean sideBySide) {
            this.type = type;
            this.n = n;
            this.count = count;
            this.sideBySide = sideBySide;
            for (int i = 0; i < memory.length; i++) {
                memory[i] = arena.matrix(type, sideBySide ? count : n, sideBySide ? n : count);
                content[i] = new Mat(sideBySide ? count : n, sideBySide ? n : count);
            }
        }

        void put(int which, int p, Mat v) {
            for (int i = 0; i < v.m; i++) {
                content[which].set(sideBySide ? p : i, sideBySide ? i : p, v.re(i, 0), v.im(i, 0));
            }
        }

        VectorView view(int which) {
            Orthogonal.upload(memory[which], content[which]);
            long elements = which == 0 || which == 2 ? n - 1 : n;
            return VectorView.strided(type, memory[which].pointer(), elements, sideBySide ? count : 1, count,
                    sideBySide ? 1 : n);
        }

        Mat get(int which, int p) {
            Mat all = Orthogonal.download(memory[which], content[which].m, content[which].n);
            return Mat.of(n, 1, (i, j) -> all.re(sideBySide ? p : i, sideBySide ? i : p),
                    (i, j) -> all.im(sideBySide ? p : i, sideBySide ? i : p));
        }
    }

    /** NaN and zeros end in NaN or in info. */
    @EveryTarget
    void nanComesOut(Target target) {
        ElementType type = target.type();
        systems(target, (h, arena, a, random) -> {
            int n = a.full().n;
            a.full().set(n / 2, n / 2, Double.NaN, 0);
            MatrixView x = arena.matrix(type, n, 1);
            Orthogonal.upload(x, Banded.random(random, type, n, 1));
            VectorView info = arena.vector(ElementType.I32, 1);
            Lapack.gtsv(h, load(arena, type, diagonal(a.full(), -1)), load(arena, type, diagonal(a.full(), 0)),
                    load(arena, type, diagonal(a.full(), 1)), x, info);
            boolean seen = download(info, 1)[0] > 0;
            Mat found = Orthogonal.download(x, n, 1);
            for (double v : found.re) {
                seen |= Double.isNaN(v);
            }
            assertThat(seen).isTrue();
        });
    }
}
