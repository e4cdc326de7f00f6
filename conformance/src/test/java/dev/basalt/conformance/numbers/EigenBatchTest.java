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
import dev.basalt.type.Evect;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Batches whose members are as different as can be, and one of which has no eigenvalues: by LAPACK's measures, and no member sees another. */
class EigenBatchTest {
    private static final int[] ORDERS = {2, 3, 8, 17, 32, 33};

    /** A part of the batch, of which no vector of ours is a multiple. */
    private static final int FIRST = 3;

    private static final int PART = 7;

    @EveryTarget
    void memberByMember(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : ORDERS) {
                List<Mat> members = members(type, n);
                int bad = members.size() / 2;
                members.get(bad).set(0, 0, Double.NaN, 0);
                try (DeviceArena arena = device.arena()) {
                    Solved all = new Solved(h, arena, type, members);
                    for (int i = 0; i < members.size(); i++) {
                        String what = "n=" + n + " member " + i;
                        assertThat(all.info[i] > 0).as(what).isEqualTo(i == bad);
                        if (i != bad) {
                            SymmetricTest.measures(what, type, members.get(i), all.vectors.get(i), all.values.get(i));
                        }
                    }
                    Solved some = new Solved(h, arena, type, members.subList(FIRST, FIRST + PART));
                    for (int i = 0; i < PART; i++) {
                        assertThat(some.values.get(i)).as("n=%d values of part %d", n, i)
                                .isEqualTo(all.values.get(FIRST + i));
                        assertThat(some.vectors.get(i).re).as("n=%d vectors of part %d", n, i)
                                .isEqualTo(all.vectors.get(FIRST + i).re);
                    }
                }
            }
        }
    }

    /** The reduction by itself: of both triangles, beside numbers whose squares leave the range, and the other triangle stays. */
    @EveryTarget
    void reductions(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : ORDERS) {
                List<Mat> members = members(type, n);
                members.get(members.size() / 2).set(0, 0, Double.NaN, 0);
                for (Uplo uplo : Uplo.values()) {
                    try (DeviceArena arena = device.arena()) {
                        String what = "n=" + n + " " + uplo;
                        Reduced all = new Reduced(h, arena, type, uplo, members);
                        Reduced some = new Reduced(h, arena, type, uplo, members.subList(FIRST, FIRST + PART));
                        for (int i = 0; i < PART; i++) {
                            assertThat(some.stored.get(i).re).as("%s part %d", what, i)
                                    .isEqualTo(all.stored.get(FIRST + i).re);
                            assertThat(some.stored.get(i).im).as("%s part %d", what, i)
                                    .isEqualTo(all.stored.get(FIRST + i).im);
                        }
                        for (int i = 0; i < members.size(); i++) {
                            boolean moderate = i % 2 == 1 || i / 2 <= SymmetricMatrices.DIAGONAL.ordinal();
                            if (i != members.size() / 2 && moderate) {
                                SymmetricTest.reduced(what + " member " + i, h, arena, uplo, Side.LEFT, members.get(i),
                                        all.a.problem(i), all.d.problem(i), all.e.problem(i), all.tau.problem(i));
                            }
                        }
                    }
                }
            }
        }
    }

    private static final class Reduced {
        private final MatrixView a;
        private final VectorView d;
        private final VectorView e;
        private final VectorView tau;
        private final List<Mat> stored = new ArrayList<>();

        private Reduced(Handle h, DeviceArena arena, ElementType type, Uplo uplo, List<Mat> members) {
            int count = members.size();
            int n = members.getFirst().n;
            a = arena.matrix(type, n, n, count);
            d = arena.vector(type.real(), n, count);
            e = arena.vector(type.real(), n - 1, count);
            tau = arena.vector(type, n - 1, count);
            for (int i = 0; i < count; i++) {
                Orthogonal.upload(a.problem(i), SymmetricTest.half(members.get(i), uplo));
            }
            if (type.isComplex()) {
                Lapack.hetrd(h, uplo, a, d, e, tau);
            } else {
                Lapack.sytrd(h, uplo, a, d, e, tau);
            }
            for (int i = 0; i < count; i++) {
                Mat one = Orthogonal.download(a.problem(i), n, n);
                stored.add(one);
                for (int j = 0; j < n; j++) {
                    for (int r = 0; r < n; r++) {
                        if (!Mat.in(uplo, r, j)) {
                            assertThat(one.re(r, j)).as("the other triangle of member %d", i).isNaN();
                        }
                    }
                }
            }
        }
    }

    private static List<Mat> members(ElementType type, int n) {
        Random random = new Random(n);
        List<Mat> members = new ArrayList<>();
        for (SymmetricMatrices kind : SymmetricMatrices.values()) {
            members.add(kind.matrix(random, type, n));
            members.add(SymmetricMatrices.RANDOM.matrix(random, type, n));
        }
        return members;
    }

    private static final class Solved {
        private final List<double[]> values = new ArrayList<>();
        private final List<Mat> vectors = new ArrayList<>();
        private final int[] info;

        private Solved(Handle h, DeviceArena arena, ElementType type, List<Mat> members) {
            int count = members.size();
            int n = members.getFirst().n;
            MatrixView a = arena.matrix(type, n, n, count);
            VectorView d = arena.vector(type.real(), n, count);
            VectorView e = arena.vector(type.real(), n, count);
            VectorView infos = arena.vector(ElementType.I32, count);
            for (int i = 0; i < count; i++) {
                Orthogonal.upload(a.problem(i), members.get(i));
            }
            Lapack.syev(h, Evect.ORIGINAL, Uplo.LOWER, a, d, e, infos);
            info = new int[count];
            infos.download(info);
            for (int i = 0; i < count; i++) {
                vectors.add(Orthogonal.download(a.problem(i), n, n));
                values.add(SymmetricTest.reals(d.problem(i), n));
            }
        }
    }
}
