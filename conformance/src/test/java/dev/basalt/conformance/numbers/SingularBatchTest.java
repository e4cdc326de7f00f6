package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.numbers.BidiagonalDivisionTest.Kind;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Storev;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Offset;

/** Batches of singular value problems whose members are as different as can be, one of them without values: by LAPACK's measures, and no member sees another. */
class SingularBatchTest {
    private static final double THRESHOLD = 30;

    /** Roundings at which an iteration takes an element for zero. */
    private static final double STOPS = 200;

    private static final int[][] SHAPES = {{2, 2}, {3, 3}, {8, 8}, {17, 17}, {32, 32}, {33, 33}, {9, 12}, {20, 6}};

    private static final int[] ORDERS = {1, 2, 3, 8, 19, 32, 33};

    /** A part of the batch, of which no vector of ours is a multiple. */
    private static final int FIRST = 3;

    private static final int PART = 7;

    @EveryTarget
    void gesdd(Target target) {
        members(target, (h, left, right, a, s, u, vt, e, info) -> Lapack.gesdd(h, left, right, a, s, u, vt, info));
    }

    @EveryTarget
    void gesvd(Target target) {
        members(target, Lapack::gesvd);
    }

    private interface Driver {
        void run(Handle h, Svect left, Svect right, MatrixView a, VectorView s, MatrixView u, MatrixView vt,
                VectorView e, VectorView info);
    }

    private static void members(Target target, Driver driver) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : SHAPES) {
                String what = shape[0] + "×" + shape[1];
                List<Mat> members = matrices(type, shape[0], shape[1]);
                int bad = members.size() / 2;
                members.get(bad).set(0, 0, Double.NaN, 0);
                try (DeviceArena arena = device.arena()) {
                    Svect[][] jobs =
                            {{Svect.SINGULAR, Svect.ALL}, {Svect.SINGULAR, Svect.NONE}, {Svect.NONE, Svect.NONE}};
                    for (Svect[] job : jobs) {
                        List<Decomposed> all = solve(h, arena, type, members, job[0], job[1], driver);
                        for (int i = 0; i < members.size(); i++) {
                            if (i == bad) {
                                assertThat(all.get(i).info()).as(what).isPositive();
                            } else {
                                all.get(i).check(what + " member " + i, members.get(i), type);
                            }
                        }
                        same(what, all,
                                solve(h, arena, type, members.subList(FIRST, FIRST + PART), job[0], job[1], driver));
                    }
                }
            }
        }
    }

    private static void same(String what, List<Decomposed> all, List<Decomposed> part) {
        for (int i = 0; i < part.size(); i++) {
            Decomposed one = part.get(i);
            Decomposed other = all.get(FIRST + i);
            assertThat(one.values().re).as("%s: values of part %d", what, i).isEqualTo(other.values().re);
            if (one.u() != null) {
                assertThat(one.u().re).as("%s: left vectors of part %d", what, i).isEqualTo(other.u().re);
                assertThat(one.u().im).as("%s: left vectors of part %d", what, i).isEqualTo(other.u().im);
            }
            if (one.vt() != null) {
                assertThat(one.vt().re).as("%s: right vectors of part %d", what, i).isEqualTo(other.vt().re);
                assertThat(one.vt().im).as("%s: right vectors of part %d", what, i).isEqualTo(other.vt().im);
            }
        }
    }

    private static List<Mat> matrices(ElementType type, int m, int n) {
        Random random = new Random(m + 31 * n);
        List<Mat> members = new ArrayList<>();
        for (Spectrum kind : Spectrum.values()) {
            members.add(kind.matrix(random, type, m, n));
            members.add(Spectrum.RANDOM.matrix(random, type, m, n));
        }
        return members;
    }

    private static List<Decomposed> solve(Handle h, DeviceArena arena, ElementType type, List<Mat> members, Svect left,
            Svect right, Driver driver) {
        int count = members.size();
        int m = members.getFirst().m;
        int n = members.getFirst().n;
        int k = Math.min(m, n);
        int cols = (int) left.columns(m, n);
        int rows = (int) right.columns(n, m);
        MatrixView a = arena.matrix(type, m, n, count);
        VectorView s = arena.vector(type.real(), k, count);
        VectorView e = arena.vector(type.real(), Math.max(1, k - 1), count);
        MatrixView u = left.stored() ? arena.matrix(type, m, cols, count) : null;
        MatrixView vt = right.stored() ? arena.matrix(type, rows, n, count) : null;
        VectorView infos = arena.vector(ElementType.I32, count);
        for (int i = 0; i < count; i++) {
            Orthogonal.upload(a.problem(i), members.get(i));
        }
        driver.run(h, left, right, a, s, u, vt, e, infos);
        int[] info = new int[count];
        infos.download(info);
        List<Decomposed> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Decomposed(Orthogonal.download(s.problem(i), k),
                    u == null ? null : Orthogonal.download(u.problem(i), m, cols),
                    vt == null ? null : Orthogonal.download(vt.problem(i), rows, n), info[i]));
        }
        return all;
    }

    /** The reduction by itself, which nobody scales before: numbers whose squares leave the range, and a member without any. */
    @EveryTarget
    void gebrd(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int[] shape : SHAPES) {
                List<Mat> members = matrices(type, shape[0], shape[1]);
                int bad = members.size() / 2;
                members.get(bad).set(shape[0] - 1, shape[1] - 1, Double.NaN, 0);
                try (DeviceArena arena = device.arena()) {
                    List<Mat[]> all = reduce(h, arena, type, members);
                    List<Mat[]> part = reduce(h, arena, type, members.subList(FIRST, FIRST + PART));
                    for (int i = 0; i < members.size(); i++) {
                        String what = shape[0] + "×" + shape[1] + " member " + i;
                        for (int k = 0; i < PART && k < all.getFirst().length; k++) {
                            assertThat(part.get(i)[k].re).as(what).isEqualTo(all.get(FIRST + i)[k].re);
                            assertThat(part.get(i)[k].im).as(what).isEqualTo(all.get(FIRST + i)[k].im);
                        }
                        if (i == bad) {
                            assertThat(Decomposed.max(all.get(i)[1])).as(what).isNaN();
                        } else {
                            reduced(what, h, arena, type, members.get(i), all.get(i));
                        }
                    }
                }
            }
        }
    }

    private static List<Mat[]> reduce(Handle h, DeviceArena arena, ElementType type, List<Mat> members) {
        int count = members.size();
        int m = members.getFirst().m;
        int n = members.getFirst().n;
        int k = Math.min(m, n);
        MatrixView a = arena.matrix(type, m, n, count);
        VectorView d = arena.vector(type.real(), k, count);
        VectorView e = arena.vector(type.real(), k - 1, count);
        VectorView tauq = arena.vector(type, k, count);
        VectorView taup = arena.vector(type, k, count);
        for (int i = 0; i < count; i++) {
            Orthogonal.upload(a.problem(i), members.get(i));
        }
        Lapack.gebrd(h, a, d, e, tauq, taup);
        List<Mat[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(new Mat[] {
                    Orthogonal.download(a.problem(i), m, n),
                    Orthogonal.download(d.problem(i), k),
                    Orthogonal.download(e.problem(i), k - 1),
                    Orthogonal.download(tauq.problem(i), k),
                    Orthogonal.download(taup.problem(i), k)});
        }
        return all;
    }

    private static void reduced(String what, Handle h, DeviceArena arena, ElementType type, Mat a, Mat[] found) {
        double most = Decomposed.max(a);
        int shift = most == 0 ? 0 : -Math.getExponent(most);
        Mat[] q = new Mat[2];
        for (int side = 0; side < 2; side++) {
            VectorView tau = arena.vector(type, found[3].m);
            Orthogonal.load(tau, found[3 + side]);
            q[side] = SingularValuesTest.product(h, arena, type, found[0], tau, Storev.values()[side],
                    side == 0 ? a.m : a.n, side == 0 ? a.n : a.m);
            Decomposed.orthogonal(what, q[side], type);
        }
        Mat b = scaled(SingularValuesTest.bidiagonal(found[1], found[2], a.m, a.n), shift);
        double error = Decomposed.max(q[0].times(b).times(q[1].op(Op.CONJ_TRANS)).minus(scaled(a, shift)));
        double least = type.real() == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
        double unit = most == 0 ? 0 : Math.max(ColumnPivotingTest.unit(type), least / most);
        assertThat(error).as(what).isLessThanOrEqualTo(THRESHOLD * Math.max(a.m, a.n) * unit);
    }

    private static Mat scaled(Mat a, int shift) {
        return Mat.of(a.m, a.n, (i, j) -> Math.scalb(a.re(i, j), shift), (i, j) -> Math.scalb(a.im(i, j), shift));
    }

    /** Bidiagonal matrices: small values have all their digits, beside those of a call for one; numbers of lines differ; a member whose vectors are infinite changes no other. */
    @EveryTarget
    void bdsqr(Target target) {
        ElementType type = target.type();
        boolean single = type.real() == ElementType.F32;
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : ORDERS) {
                Random random = new Random(n);
                List<double[][]> members = new ArrayList<>();
                for (Kind kind : Kind.values()) {
                    if (kind == Kind.DENORMAL || kind == Kind.TINY) {
                        // A part of it counts as zero, as it does in LAPACK.
                        continue;
                    }
                    members.add(kind.elements(random, single, n));
                    members.add(Kind.RANDOM.elements(random, single, n));
                }
                int bad = members.size() / 2;
                if (n > 1) {
                    members.get(bad)[1][0] = Double.POSITIVE_INFINITY;
                }
                for (Uplo uplo : Uplo.values()) {
                    try (DeviceArena arena = device.arena()) {
                        Bidiagonal all = new Bidiagonal(h, arena, type, uplo, members, n);
                        Bidiagonal part = new Bidiagonal(h, arena, type, uplo, members.subList(FIRST, FIRST + PART), n);
                        String what = "n=" + n + " " + uplo;
                        same(what, all.found, part.found);
                        for (int i = 0; i < PART; i++) {
                            assertThat(part.other.get(i).re).as(what).isEqualTo(all.other.get(FIRST + i).re);
                        }
                        for (int i = 0; i < members.size(); i++) {
                            if (n > 1 && i == bad) {
                                assertThat(all.found.get(i).info()).isEqualTo(n);
                            } else if (i != Bidiagonal.SPOILT) {
                                check(what + " member " + i, h, arena, type, uplo, members.get(i), n, all, i);
                            }
                        }
                    }
                }
            }
        }
    }

    private static void check(String what, Handle h, DeviceArena arena, ElementType type, Uplo uplo, double[][] member,
            int n, Bidiagonal all, int i) {
        Decomposed found = all.found.get(i);
        found.check(what, bidiagonal(uplo, member, n), type);
        Mat alone = new Bidiagonal(h, arena, type, uplo, List.<double[][]>of(member), n).found.getFirst().values();
        double unit = ColumnPivotingTest.unit(type);
        double least = type.real() == ElementType.F32 ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        for (int j = 0; j < n; j++) {
            // The iteration stops at some hundred roundings, and numbers that are not normal have fewer digits.
            assertThat(found.values().re[j]).as("%s value %d", what, j)
                    .isCloseTo(alone.re[j], Offset.offset(STOPS * n * (unit * alone.re[j] + n * n * least)));
        }
        // Uᵀ and U are rotated alike.
        Mat u = found.u();
        Mat other = all.other.get(i);
        for (int r = 0; r < n; r++) {
            for (int j = 0; j < 3; j++) {
                assertThat(other.re(r, j)).as("%s row %d", what, r)
                        .isCloseTo(u.re(j % n, r), Offset.offset(THRESHOLD * n * unit));
            }
        }
    }

    private static Mat bidiagonal(Uplo uplo, double[][] member, int n) {
        Mat b = new Mat(n, n);
        for (int i = 0; i < n; i++) {
            b.set(i, i, member[0][i], 0);
            if (i + 1 < n) {
                b.set(uplo == Uplo.UPPER ? i : i + 1, uplo == Uplo.UPPER ? i + 1 : i, member[1][i], 0);
            }
        }
        return b;
    }

    /** Vectors from the identity, and its first columns for what else is rotated. */
    private static final class Bidiagonal {
        /** A member whose vectors are infinite. */
        private static final int SPOILT = 5;

        private final List<Decomposed> found = new ArrayList<>();
        private final List<Mat> other = new ArrayList<>();

        private Bidiagonal(Handle h, DeviceArena arena, ElementType type, Uplo uplo, List<double[][]> members, int n) {
            int count = members.size();
            VectorView d = arena.vector(type.real(), n, count);
            VectorView e = arena.vector(type.real(), Math.max(1, n - 1), count);
            MatrixView u = arena.matrix(type, n, n, count);
            MatrixView vt = arena.matrix(type, n, n, count);
            MatrixView c = arena.matrix(type, n, 3, count);
            VectorView infos = arena.vector(ElementType.I32, count);
            for (int i = 0; i < count; i++) {
                Mat start = Mat.identity(n);
                Mat some = Mat.of(n, 3, (r, j) -> r == j % n ? 1 : 0, (r, j) -> 0);
                Orthogonal.load(d.problem(i), Mat.of(n, 1, column(members.get(i)[0]), (r, j) -> 0));
                if (n > 1) {
                    Orthogonal.load(e.problem(i), Mat.of(n - 1, 1, column(members.get(i)[1]), (r, j) -> 0));
                }
                Orthogonal.upload(vt.problem(i), start);
                Orthogonal.upload(c.problem(i), some);
                if (count > PART && i == SPOILT || count == PART && i == SPOILT - FIRST) {
                    start.set(n / 2, n / 2, Double.POSITIVE_INFINITY, 0);
                }
                Orthogonal.upload(u.problem(i), start);
            }
            Lapack.bdsqr(h, uplo, d, n > 1 ? e : e.slice(0, 0), vt, u, c, infos);
            int[] info = new int[count];
            infos.download(info);
            for (int i = 0; i < count; i++) {
                found.add(new Decomposed(Orthogonal.download(d.problem(i), n), Orthogonal.download(u.problem(i), n, n),
                        Orthogonal.download(vt.problem(i), n, n), info[i]));
                other.add(Orthogonal.download(c.problem(i), n, 3));
            }
        }

        private static Mat.Element column(double[] x) {
            return (r, j) -> x[r];
        }
    }
}
