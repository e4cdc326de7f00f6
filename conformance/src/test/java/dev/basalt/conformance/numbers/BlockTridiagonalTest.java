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
import dev.basalt.type.Direct;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Block tridiagonal matrices: what a solution leaves of the right-hand sides, and pivots that are zero. Interchanges of rows: there and back. */
class BlockTridiagonalTest {
    private static final double THRESHOLD = 30;
    private static final int NB = 5;
    private static final int BLOCKS = 6;
    private static final int ORDER = NB * BLOCKS;
    private static final int SIDES = 3;

    private static double number(Random random) {
        return (float) (2 * random.nextDouble() - 1);
    }

    /** A block tridiagonal matrix with a heavy diagonal, and with a row that is zero up to the diagonal if that is not negative. */
    private static Mat matrix(Random random, boolean complex, int zero) {
        Mat a = new Mat(ORDER, ORDER);
        for (int j = 0; j < ORDER; j++) {
            for (int i = 0; i < ORDER; i++) {
                if (Math.abs(i / NB - j / NB) <= 1 && (i != zero || j > zero)) {
                    a.re[i + j * ORDER] = i == j ? 8 : (float) (number(random) / 4);
                    a.im[i + j * ORDER] = complex ? (float) (number(random) / 4) : 0;
                }
            }
        }
        return a;
    }

    /** Blocks (i + down, i + right), side by side. */
    private static MatrixView blocks(DeviceArena arena, ElementType type, Mat a, int count, int down, int right) {
        MatrixView view = arena.matrix(type, NB, (long) NB * count);
        Orthogonal.upload(view, Mat.of(NB, NB * count, (i, j) -> a.re(i + (j / NB + down) * NB, j + right * NB),
                (i, j) -> a.im(i + (j / NB + down) * NB, j + right * NB)));
        return view;
    }

    @EveryTarget
    void solutionsSolve(Target target) {
        ElementType type = target.type();
        Random random = new Random(3);
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int zero : new int[] {-1, 0, NB, ORDER - 1}) {
                Mat m = matrix(random, type.isComplex(), zero);
                MatrixView a = blocks(arena, type, m, BLOCKS - 1, 1, 0);
                MatrixView b = blocks(arena, type, m, BLOCKS, 0, 0);
                MatrixView c = blocks(arena, type, m, BLOCKS - 1, 0, 1);
                VectorView info = arena.vector(ElementType.I32, 1);
                Lapack.geblttrfNpvt(h, BLOCKS, a, b, c, info);
                int[] found = new int[1];
                info.download(found);
                assertThat(found[0]).isEqualTo(zero + 1);
                if (zero >= 0) {
                    continue;
                }
                Mat right = Mat.of(ORDER, SIDES, (i, j) -> number(random), (i, j) -> 0);
                MatrixView x = arena.matrix(type, NB, (long) SIDES * BLOCKS);
                Orthogonal.upload(x,
                        Mat.of(NB, SIDES * BLOCKS, (i, j) -> right.re(i + j / SIDES * NB, j % SIDES), (i, j) -> 0));
                Lapack.geblttrsNpvt(h, BLOCKS, SIDES, a, b, c, x);
                Mat lying = Orthogonal.download(x, NB, SIDES * BLOCKS);
                Mat solution = Mat.of(ORDER, SIDES, (i, j) -> lying.re(i % NB, i / NB * SIDES + j),
                        (i, j) -> lying.im(i % NB, i / NB * SIDES + j));
                double unit = type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
                assertThat(right.minus(m.times(solution)).norm1())
                        .isLessThanOrEqualTo(THRESHOLD * ORDER * unit * m.norm1() * solution.norm1());
            }
        }
    }

    @EveryTarget
    void interchangesBackwardUndoThoseForward(Target target) {
        ElementType type = target.type();
        Random random = new Random(4);
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            Mat a = Mat.of(9, 7, (i, j) -> number(random), (i, j) -> 0);
            MatrixView view = arena.matrix(type, 9, 7);
            VectorView ipiv = arena.vector(ElementType.I64, 4);
            Orthogonal.upload(view, a);
            // The first is not used, and names no row.
            ipiv.upload(new long[] {77, 9, 3, 5});
            Lapack.laswp(h, Direct.FORWARD, view, 2, ipiv);
            Mat there = Orthogonal.download(view, 9, 7);
            assertThat(there.re(1, 3)).isEqualTo(a.re(8, 3));
            assertThat(there.re(8, 3)).isEqualTo(a.re(1, 3));
            assertThat(there.re(3, 3)).isEqualTo(a.re(4, 3));
            Lapack.laswp(h, Direct.BACKWARD, view, 2, ipiv);
            assertThat(Orthogonal.download(view, 9, 7).re).isEqualTo(a.re);
            Lapack.laswp(h, Direct.FORWARD, view, 1, ipiv);
            assertThat(Orthogonal.download(view, 9, 7).re).containsOnly(Double.NaN);
        }
    }
}
