package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.numbers.BidiagonalDivisionTest.Kind;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Share;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Some singular values and vectors of bidiagonal matrices: which ones there are beside OpenBLAS, residuals from both sides, and what is left alone. */
class BidiagonalRangeTest {
    private static final double THRESHOLD = 30;

    /** What stands behind the vectors. */
    private static final double MARK = -7;

    private static final int SMALL = 40;
    private static final int LARGE = 100;

    /** The matrix of a trial and what is asked of it. */
    private record Question(Kind kind, double[][] elements, Uplo uplo, Erange range, double vl, double vu, int il,
            int iu) {
        int n() {
            return elements[0].length;
        }

        int most() {
            return (int) Erange.most(range, n(), il, iu);
        }

        Mat matrix() {
            return BidiagonalDivisionTest.matrix(elements, uplo);
        }

        @Override
        public String toString() {
            return "%s %s of order %d by %s, %s to %s, %d to %d".formatted(kind, uplo, n(), range, vl, vu, il, iu);
        }
    }

    /** What came of it. */
    private record Found(Status status, int info, int nsv, double[] values, Mat z) {}

    private static Found bdsvdx(Handle h, DeviceArena arena, ElementType type, Question q, Evect evect, Tier tier) {
        int n = q.n();
        VectorView d = arena.vector(type, n);
        VectorView e = arena.vector(type, Math.max(1, n - 1));
        BidiagonalDivisionTest.upload(d, q.elements[0]);
        if (n > 1) {
            BidiagonalDivisionTest.upload(e.slice(0, n - 1), q.elements[1]);
        }
        VectorView nsv = arena.vector(ElementType.I64, 1);
        VectorView s = arena.vector(type, n);
        MatrixView z = arena.matrix(type, 2L * n, q.most());
        Orthogonal.upload(z, Mat.of(2 * n, q.most(), (i, j) -> MARK, (i, j) -> 0));
        VectorView info = arena.vector(ElementType.I32, 1);
        Status[] status = new Status[1];
        Consumer<Handle> call = handle -> status[0] = Lapack.bdsvdx(handle, q.uplo, evect, q.range, d,
                e.slice(0, n - 1), q.vl, q.vu, q.il, q.iu, nsv, s, z, info);
        if (tier == Tier.LEAST) {
            Plan plan = h.plan(call);
            h.setDeviceMemorySize(plan.minimum());
        }
        call.accept(h);
        int[] told = new int[1];
        info.download(told);
        long[] count = new long[1];
        nsv.download(count);
        return new Found(status[0], told[0], (int) count[0], Orthogonal.download(s, n).re,
                Orthogonal.download(z, 2 * n, q.most()));
    }

    private enum Tier {
        BEST, LEAST
    }

    private static Question[] questions(Kind kind, double[][] elements, Uplo uplo, double[] all, Random random) {
        int n = elements[0].length;
        int il = 1 + random.nextInt(n);
        int iu = il + random.nextInt(n - il + 1);
        double top = all[0];
        double middle = all[n / 2] + (all[(n - 1) / 2] - all[n / 2]) / 2;
        return new Question[] {
                new Question(kind, elements, uplo, Erange.ALL, 0, 0, 0, 0),
                new Question(kind, elements, uplo, Erange.INDEX, 0, 0, il, iu),
                new Question(kind, elements, uplo, Erange.INDEX, 0, 0, n, n),
                new Question(kind, elements, uplo, Erange.VALUE, middle, top + top / 8, 0, 0),
                new Question(kind, elements, uplo, Erange.VALUE, top / 4, top / 2, 0, 0)};
    }

    private static int few(int n, int all) {
        return n <= SMALL ? all : n <= LARGE ? 3 : 1;
    }

    /** By numbers and by values, of every kind of matrix, with vectors and without, with workspace and with as little as there may be. */
    @EveryTarget(realOnly = true)
    void someValues(Target target) {
        ElementType type = target.type();
        boolean single = type == ElementType.F32;
        try (Device device = Devices.open(target.device())) {
            for (int n : BidiagonalDivisionTest.orders(target)) {
                for (int k : Share.draw(target + " of " + n, Kind.values().length, few(n, Kind.values().length))) {
                    Kind kind = Kind.values()[k];
                    Random random = new Random(19L * n + k);
                    double[][] elements = kind.elements(random, single, n);
                    Uplo uplo = Uplo.values()[(n + k) % 2];
                    double[] all = Decomposed.openblas(BidiagonalDivisionTest.matrix(elements, uplo));
                    Question[] questions = questions(kind, elements, uplo, all, random);
                    for (int which : Share.draw(target + " " + k + " of " + n, questions.length,
                            few(n, questions.length))) {
                        Question q = questions[which];
                        for (Tier tier : Tier.values()) {
                            try (Handle h = device.createHandle(); DeviceArena arena = device.arena()) {
                                ask(h, arena, type, q, all, tier);
                            } catch (RuntimeException | AssertionError e) {
                                throw new AssertionError(q + " " + tier + " on " + target + ": " + e.getMessage(), e);
                            }
                        }
                    }
                }
            }
        }
    }

    private static void ask(Handle h, DeviceArena arena, ElementType type, Question q, double[] all, Tier tier) {
        Found with = bdsvdx(h, arena, type, q, Evect.TRIDIAGONAL, tier);
        if (tier == Tier.BEST) {
            assertThat(with.status).isEqualTo(Status.SUCCESS);
            Found without = bdsvdx(h, arena, type, q, Evect.NONE, tier);
            values(without, q, all, type);
            assertThat(without.z.re).containsOnly(MARK);
        }
        values(with, q, all, type);
        Mat z = with.z;
        for (int j = with.nsv; j < q.most(); j++) {
            for (int i = 0; i < z.m; i++) {
                assertThat(z.re(i, j)).as("column %d", j).isEqualTo(MARK);
            }
        }
        if (with.nsv > 0) {
            vectors(with, q, type);
        }
    }

    private static double unit(double most, ElementType type) {
        double least = type == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
        return Math.max(ColumnPivotingTest.unit(type) * most, least);
    }

    /** How many there are, and which. */
    private static void values(Found found, Question q, double[] all, ElementType type) {
        assertThat(found.info).isZero();
        double slack = THRESHOLD * q.n() * unit(all[0], type);
        int first = q.range == Erange.INDEX ? q.il - 1 : 0;
        if (q.range == Erange.VALUE) {
            first = (int) Arrays.stream(all).filter(v -> v > q.vu).count();
            int surely = (int) Arrays.stream(all).filter(v -> v > q.vl + slack && v <= q.vu - slack).count();
            int maybe = (int) Arrays.stream(all).filter(v -> v > q.vl - slack && v <= q.vu + slack).count();
            assertThat(found.nsv).isBetween(surely, maybe);
        } else {
            assertThat(found.nsv).isEqualTo(q.most());
        }
        for (int i = 0; i < found.nsv; i++) {
            double expected = all[Math.min(first + i, all.length - 1)];
            assertThat(found.values[i]).as("value %d", i)
                    .isBetween(expected - slack, expected + slack)
                    .isGreaterThanOrEqualTo(i + 1 < found.nsv ? found.values[i + 1] : 0);
            if (q.range == Erange.VALUE) {
                // Some devices round the ends of the range to floats, others do not.
                double end = type == ElementType.F32 ? (float) q.vl : Math.nextUp(q.vl);
                assertThat(found.values[i]).isGreaterThanOrEqualTo(Math.min(end, Math.nextUp(q.vl)))
                        .isLessThanOrEqualTo(type == ElementType.F32 ? Math.nextUp((float) q.vu) : q.vu);
            }
        }
    }

    /** B·v = s·u and Bᵀ·u = s·v, and both kinds are orthonormal. */
    private static void vectors(Found found, Question q, ElementType type) {
        int n = q.n();
        int k = found.nsv;
        Mat z = found.z;
        Mat u = z.corner(n, k);
        Mat v = Mat.of(n, k, (i, j) -> z.re(n + i, j), (i, j) -> 0);
        Decomposed.orthogonal("U", u, type);
        Decomposed.orthogonal("V", v, type);
        Mat b = q.matrix();
        double most = Decomposed.max(b);
        int shift = most == 0 ? 0 : -Math.getExponent(most);
        Mat near = scaled(b, shift);
        Mat us = Mat.of(n, k, (i, j) -> u.re(i, j) * Math.scalb(found.values[j], shift), (i, j) -> 0);
        Mat vs = Mat.of(n, k, (i, j) -> v.re(i, j) * Math.scalb(found.values[j], shift), (i, j) -> 0);
        double bound = THRESHOLD * n * Math.scalb(unit(most, type), shift);
        assertThat(Decomposed.max(near.times(v).minus(us))).as("B·v").isLessThanOrEqualTo(bound);
        assertThat(Decomposed.max(near.op(Op.CONJ_TRANS).times(u).minus(vs))).as("Bᵀ·u").isLessThanOrEqualTo(bound);
    }

    private static Mat scaled(Mat a, int shift) {
        return a.times(new Complex(Math.scalb(1.0, shift / 2), 0))
                .times(new Complex(Math.scalb(1.0, shift - shift / 2), 0));
    }

    /** A range without values, and one beyond all of them. */
    @EveryTarget(realOnly = true)
    void noValues(Target target) {
        ElementType type = target.type();
        double[][] elements = Kind.ONES.elements(new Random(1), true, 9);
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (double[] range : List.of(new double[] {10, 20}, new double[] {0, 1e-3})) {
                Question q = new Question(Kind.ONES, elements, Uplo.UPPER, Erange.VALUE, range[0], range[1], 0, 0);
                Found found = bdsvdx(h, arena, type, q, Evect.TRIDIAGONAL, Tier.BEST);
                assertThat(found.info).isZero();
                assertThat(found.nsv).isZero();
                assertThat(found.z.re).containsOnly(MARK);
            }
        }
    }

    /** Numbers that are none or have no end are told, wherever they are. */
    @EveryTarget(realOnly = true)
    void notFinite(Target target) {
        boolean single = target.type() == ElementType.F32;
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int n : new int[] {1, 5, 40}) {
                for (int place = 0; place < n; place += 3) {
                    double[][] elements = Kind.RANDOM.elements(new Random(3), single, n);
                    elements[place % 2 == 1 && place < n - 1 ? 1 : 0][place] =
                            place % 4 == 0 ? Double.POSITIVE_INFINITY : Double.NaN;
                    Question q = new Question(Kind.RANDOM, elements, Uplo.LOWER, Erange.ALL, 0, 0, 0, 0);
                    for (Evect evect : List.of(Evect.NONE, Evect.TRIDIAGONAL)) {
                        try (DeviceArena arena = device.arena()) {
                            Found found = bdsvdx(h, arena, target.type(), q, evect, Tier.BEST);
                            assertThat(found.info).as("place %d of %d", place, n).isGreaterThanOrEqualTo(n);
                        }
                    }
                }
            }
        }
    }
}
