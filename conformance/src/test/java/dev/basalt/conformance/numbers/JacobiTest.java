package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.ClassicLapack;
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
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Jacobi's method and some eigenvalues of symmetric matrices: hard matrices, small eigenvalues with their digits, members of a batch that have none, and sweeps that are too few. */
class JacobiTest {
    private static final double THRESHOLD = 30;
    private static final int[] ORDERS = {1, 2, 3, 21, 43, 66, 98};
    private static final int SMALL = 21;
    private static final int SWEEPS = 60;

    private static Mat half(Mat a, Uplo uplo) {
        return Mat.of(a.m, a.n, (i, j) -> Mat.in(uplo, i, j) ? a.re(i, j) : Double.NaN, (i, j) -> a.im(i, j));
    }

    private static int info(VectorView info) {
        int[] numbers = new int[1];
        info.download(numbers);
        return numbers[0];
    }

    private static long number(VectorView view) {
        long[] numbers = new long[1];
        view.download(numbers);
        return numbers[0];
    }

    /** Columns of z solve the problem and are orthonormal; numbers are first brought to a size of about 1. */
    private static void measures(String what, ElementType type, Mat a, Mat z, double[] values) {
        double size = 0;
        for (int i = 0; i < a.re.length; i++) {
            size = Math.max(size, Math.max(Math.abs(a.re[i]), Math.abs(a.im[i])));
        }
        double scale = size == 0 ? 1 : Math.min(1 / size, 0x1p1000);
        Mat b = Mat.of(a.m, a.n, (i, j) -> a.re(i, j) * scale, (i, j) -> a.im(i, j) * scale);
        Mat right = Mat.of(z.m, z.n, (i, j) -> z.re(i, j) * (values[j] * scale),
                (i, j) -> z.im(i, j) * (values[j] * scale));
        double unit = ColumnPivotingTest.unit(type) * a.n;
        double lost = type.real() == ElementType.F32 ? 0x1p-149 : 0x1p-1074;
        assertThat(b.times(z).minus(right).norm1()).as("%s: residual", what)
                .isLessThanOrEqualTo(
                        THRESHOLD * unit * Math.max(b.norm1(), Double.MIN_NORMAL) + 4 * a.n * lost * scale);
        assertThat(z.op(Op.CONJ_TRANS).times(z).minus(Mat.identity(z.n)).norm1() / unit).as("%s: orthogonality", what)
                .isLessThan(THRESHOLD);
        for (int i = 1; i < values.length; i++) {
            assertThat(values[i - 1]).as("%s: order at %d", what, i).isLessThanOrEqualTo(values[i]);
        }
    }

    @EveryTarget
    void hardMatrices(Target target) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (SymmetricMatrices kind : SymmetricMatrices.values()) {
                for (int n : ORDERS) {
                    if (n > SMALL && (Devices.isSlow(target.device()) || kind.ordinal() % 3 != n % 3)) {
                        continue;
                    }
                    Random random = new Random(37L * n + kind.ordinal());
                    Uplo uplo = random.nextBoolean() ? Uplo.LOWER : Uplo.UPPER;
                    Mat a = kind.matrix(random, target.type(), n);
                    for (int way = 0; way < 4; way++) {
                        try (DeviceArena arena = device.arena()) {
                            solve(h, arena, target.type(), way, kind + " n=" + n + " " + uplo + " way " + way, a, uplo);
                        }
                    }
                }
            }
        }
    }

    /** By Jacobi, by divide and conquer or Jacobi, by bisection, and the upper half of the spectrum by divide and conquer. */
    private static void solve(Handle h, DeviceArena arena, ElementType type, int way, String what, Mat a, Uplo uplo) {
        int n = a.n;
        int first = way == 3 ? n / 2 : 0;
        MatrixView view = arena.matrix(type, n, n);
        MatrixView z = arena.matrix(type, n, n - first);
        VectorView d = arena.vector(type.real(), n);
        VectorView info = arena.vector(ElementType.I32, 1);
        VectorView nev = arena.vector(ElementType.I64, 1);
        Orthogonal.upload(view, half(a, uplo));
        switch (way) {
            case 0 ->
                Lapack.syevj(h, Evect.ORIGINAL, uplo, view, 0, arena.vector(type.real(), 1), SWEEPS, nev, d, info);
            case 1 -> Lapack.syevdj(h, Evect.ORIGINAL, uplo, view, d, info);
            case 2 -> Lapack.syevx(h, Evect.ORIGINAL, Erange.ALL, uplo, view, 0, 0, 0, 0, 0, nev, d, z,
                    arena.vector(ElementType.I64, n), info);
            default -> Lapack.syevdx(h, Evect.ORIGINAL, Erange.INDEX, uplo, view, 0, 0, first + 1, n, nev, d, z, info);
        }
        assertThat(info(info)).as(what).isZero();
        if (way > 1) {
            assertThat(number(nev)).as("%s: eigenvalues", what).isEqualTo(n - first);
        }
        double[] values = Arrays.copyOf(Orthogonal.download(d, n).re, n - first);
        measures(what, type, a, way < 2 ? Orthogonal.download(view, n, n) : Orthogonal.download(z, n, n - first),
                values);
    }

    /** Eigenvalues in rising order, to fifty digits. */
    private static double[] exact(double[][] a) {
        MathContext digits = new MathContext(120);
        int n = a.length;
        BigDecimal[][] b = new BigDecimal[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                b[i][j] = new BigDecimal(a[i][j]);
            }
        }
        for (int sweep = 0; sweep < 12; sweep++) {
            for (int p = 0; p < n; p++) {
                for (int q = p + 1; q < n; q++) {
                    rotate(b, p, q, digits);
                }
            }
        }
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            values[i] = b[i][i].doubleValue();
        }
        Arrays.sort(values);
        return values;
    }

    private static void rotate(BigDecimal[][] b, int p, int q, MathContext digits) {
        if (b[p][q].signum() == 0) {
            return;
        }
        BigDecimal zeta = b[q][q].subtract(b[p][p]).divide(b[p][q].multiply(BigDecimal.TWO), digits);
        BigDecimal size = zeta.abs().add(zeta.multiply(zeta).add(BigDecimal.ONE).sqrt(digits));
        BigDecimal t = BigDecimal.ONE.divide(size, digits);
        t = zeta.signum() < 0 ? t.negate() : t;
        BigDecimal c = BigDecimal.ONE.divide(t.multiply(t).add(BigDecimal.ONE).sqrt(digits), digits);
        BigDecimal s = c.multiply(t);
        for (int turn = 0; turn < 2; turn++) {
            for (int k = 0; k < b.length; k++) {
                BigDecimal x = turn == 0 ? b[k][p] : b[p][k];
                BigDecimal y = turn == 0 ? b[k][q] : b[q][k];
                BigDecimal u = c.multiply(x).subtract(s.multiply(y)).round(digits);
                BigDecimal v = s.multiply(x).add(c.multiply(y)).round(digits);
                if (turn == 0) {
                    b[k][p] = u;
                    b[k][q] = v;
                } else {
                    b[p][k] = u;
                    b[q][k] = v;
                }
            }
        }
    }

    /** Rows and columns of a well conditioned matrix times powers of two: each eigenvalue has its digits, however small it is beside the largest. */
    @EveryTarget(realOnly = true)
    void smallEigenvaluesHaveTheirDigits(Target target) {
        ElementType type = target.type();
        int n = 6;
        int step = type == ElementType.F32 ? 6 : 40;
        Random random = new Random(6);
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                double x = i == j ? 2 : (random.nextInt(33) - 16) / 32.0;
                // The largest is neither first nor last.
                a[i][j] = Math.scalb(x, -step * ((i * 5 + 2) % n + (j * 5 + 2) % n));
                a[j][i] = a[i][j];
            }
        }
        double[] right = exact(a);
        assertThat(right[0]).isPositive();
        keepTheirDigits(target, a, right);
        // Twelve of them among each other, each half as large as the one before it: an order that many blocks of a GPU share.
        int copies = 12;
        List<Integer> places = new ArrayList<>(IntStream.range(0, copies * n).boxed().toList());
        Collections.shuffle(places, random);
        double[][] many = new double[copies * n][copies * n];
        double[] all = new double[copies * n];
        for (int copy = 0; copy < copies; copy++) {
            for (int i = 0; i < n; i++) {
                all[copy * n + i] = Math.scalb(right[i], -copy);
                for (int j = 0; j < n; j++) {
                    many[places.get(copy * n + i)][places.get(copy * n + j)] = Math.scalb(a[i][j], -copy);
                }
            }
        }
        Arrays.sort(all);
        keepTheirDigits(target, many, all);
    }

    private static void keepTheirDigits(Target target, double[][] a, double[] right) {
        ElementType type = target.type();
        int n = right.length;
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView view = arena.matrix(type, n, n);
            VectorView d = arena.vector(type, n);
            VectorView info = arena.vector(ElementType.I32, 1);
            Orthogonal.upload(view, Mat.of(n, n, (i, j) -> a[i][j], (i, j) -> 0));
            Lapack.syevj(h, Evect.NONE, Uplo.UPPER, view, 0, arena.vector(type, 1), SWEEPS,
                    arena.vector(ElementType.I64, 1), d, info);
            assertThat(info(info)).isZero();
            double[] values = Orthogonal.download(d, n).re;
            for (int i = 0; i < n; i++) {
                assertThat(Math.abs(values[i] - right[i]) / right[i]).as("eigenvalue %d, %s", i, right[i])
                        .isLessThan(THRESHOLD * n * ColumnPivotingTest.unit(type));
            }
        }
    }

    @EveryTarget
    void tooFewSweepsAreTold(Target target) {
        ElementType type = target.type();
        int n = 12;
        Mat a = SymmetricMatrices.RANDOM.matrix(new Random(n), type, n);
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            MatrixView view = arena.matrix(type, n, n);
            VectorView d = arena.vector(type.real(), n);
            VectorView residual = arena.vector(type.real(), 1);
            VectorView sweeps = arena.vector(ElementType.I64, 1);
            VectorView info = arena.vector(ElementType.I32, 1);
            for (int most : new int[] {0, 1, SWEEPS}) {
                Orthogonal.upload(view, half(a, Uplo.LOWER));
                Lapack.syevj(h, Evect.ORIGINAL, Uplo.LOWER, view, 0, residual, most, sweeps, d, info);
                assertThat(info(info)).as("%d sweeps", most).isEqualTo(most < SWEEPS ? 1 : 0);
                double left = Orthogonal.download(residual, 1).re[0];
                if (most < SWEEPS) {
                    assertThat(number(sweeps)).isEqualTo(most);
                    assertThat(left).as("%d sweeps", most).isPositive();
                } else {
                    assertThat(number(sweeps)).isBetween(2L, 15L);
                    assertThat(left).isLessThan(n * ColumnPivotingTest.unit(type) * a.norm1());
                }
            }
            // Whoever allows more is done earlier.
            Orthogonal.upload(view, half(a, Uplo.LOWER));
            Lapack.syevj(h, Evect.NONE, Uplo.LOWER, view, a.norm1() / 4, residual, SWEEPS, sweeps, d, info);
            assertThat(info(info)).isZero();
            assertThat(Orthogonal.download(residual, 1).re[0]).isLessThanOrEqualTo(a.norm1() / 4);
            assertThat(number(sweeps)).isLessThan(5);
        }
    }

    /** NaN, infinity, zeros, huge and denormal numbers in a batch: each is told for itself, and the others have the bits of a call of their own. */
    @EveryTarget(realOnly = true)
    void membersOfABatchStayApart(Target target) {
        if (target.type() != ElementType.F64) {
            return;
        }
        int n = 9;
        int count = 6;
        double[] sizes = {1, Double.NaN, 0, 0x1p1000, 0x1p-1060, Double.POSITIVE_INFINITY};
        double[] all = new double[count * n * n];
        Mat a = SymmetricMatrices.RANDOM.matrix(new Random(n), ElementType.F64, n);
        for (int p = 0; p < count; p++) {
            for (int e = 0; e < n * n; e++) {
                boolean finite = sizes[p] - sizes[p] == 0;
                all[p * n * n + e] = finite ? a.re[e] * sizes[p] : e == n + 1 ? sizes[p] : a.re[e];
            }
        }
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView view = arena.vector(ElementType.F64, all.length);
            VectorView d = arena.vector(ElementType.F64, count * n);
            VectorView residual = arena.vector(ElementType.F64, count);
            VectorView sweeps = arena.vector(ElementType.I64, count);
            VectorView info = arena.vector(ElementType.I32, count);
            view.upload(all);
            ClassicLapack.dsyevjStridedBatched(h, Evect.ORIGINAL, Uplo.LOWER, n, view.pointer(), n, (long) n * n, 0,
                    residual.pointer(), 1, SWEEPS, sweeps.pointer(), 1, d.pointer(), n, info.pointer(), count);
            int[] infos = new int[count];
            info.download(infos);
            assertThat(infos).containsExactly(0, 1, 0, 0, 0, 1);
            double[] values = new double[count * n];
            d.download(values);
            for (int p = 0; p < count; p++) {
                MatrixView one = arena.matrix(ElementType.F64, n, n);
                one.upload(Arrays.copyOfRange(all, p * n * n, (p + 1) * n * n));
                VectorView own = arena.vector(ElementType.F64, n);
                Lapack.syevj(h, Evect.ORIGINAL, Uplo.LOWER, one, 0, residual, SWEEPS, sweeps, own, info);
                double[] alone = new double[n];
                own.download(alone);
                for (int i = 0; i < n; i++) {
                    boolean finite = infos[p] == 0;
                    assertThat(Double.valueOf(values[p * n + i])).as("value %d of problem %d", i, p)
                            .isEqualTo(Double.valueOf(alone[i]));
                    assertThat(Double.isFinite(alone[i])).as("value %d of problem %d", i, p).isEqualTo(finite);
                }
            }
        }
    }
}
