package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Blas;
import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lanczos;
import dev.basalt.Lanczos.Which;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Plan;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.EveryTarget;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Share;
import dev.basalt.conformance.support.Target;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Eigenvalues and singular values by Lanczos' method: known spectra, all ends, invariant spaces, short workspace, and what cannot converge. */
class LanczosTest {
    private static final int N = 40;

    /** Trials of a target; all targets together have nearly every one. */
    private static final int FEW = 5;

    /** Kinds of singular values. */
    private static final int KINDS = 4;

    private static final int RESTARTS = 3000;

    /** Spectra: spread, clustered at both ends, each value three times, that of the Laplacian, few distinct values, one beside zeros. */
    private enum Spectrum {
        SPREAD(i -> Math.sin(7 * i) * (1 + i)),
        CLUSTERED(i -> (i % 2 == 0 ? 1 : -1) * (1 + 1e-3 * i)),
        REPEATED(i -> i / 3 - 8),
        LAPLACIAN(i -> 2 - 2 * Math.cos(Math.PI * (i + 1) / (N + 1))),
        FEW(i -> i % 3),
        ONE(i -> i == 0 ? 5 : 0),
        ZERO(i -> 0);

        private final IntToDoubleFunction values;

        Spectrum(IntToDoubleFunction values) {
            this.values = values;
        }

        double[] numbers() {
            return IntStream.range(0, N).mapToDouble(values).toArray();
        }
    }

    private static Mat diagonal(int m, int n, double[] values) {
        return Mat.of(m, n, (i, j) -> i == j ? values[i] : 0, (i, j) -> 0);
    }

    private static Mat symmetric(ElementType type, double[] values) {
        Mat q = Orthogonal.reflector(new Random(values.length), type, values.length);
        return q.times(diagonal(values.length, values.length, values)).times(q);
    }

    private static MatrixView upload(DeviceArena arena, ElementType type, Mat a) {
        MatrixView view = arena.matrix(type, a.m, a.n);
        int parts = type.isComplex() ? 2 : 1;
        double[] numbers = new double[parts * a.re.length];
        for (int i = 0; i < a.re.length; i++) {
            numbers[parts * i] = a.re[i];
            if (parts == 2) {
                numbers[2 * i + 1] = a.im[i];
            }
        }
        view.upload(type.real() == ElementType.F32 ? floats(numbers) : numbers);
        return view;
    }

    private static float[] floats(double[] numbers) {
        float[] floats = new float[numbers.length];
        for (int i = 0; i < floats.length; i++) {
            floats[i] = (float) numbers[i];
        }
        return floats;
    }

    private static Mat download(MatrixView view) {
        int parts = view.type().isComplex() ? 2 : 1;
        Mat a = new Mat((int) view.rows(), (int) view.cols());
        double[] numbers = numbers(view.type(), parts * a.re.length, view::download);
        for (int i = 0; i < a.re.length; i++) {
            a.re[i] = numbers[parts * i];
            a.im[i] = parts == 2 ? numbers[2 * i + 1] : 0;
        }
        return a;
    }

    private static double[] download(VectorView view) {
        return numbers(view.type(), (int) view.size(), view::download);
    }

    private static double[] numbers(ElementType type, int count, java.util.function.Consumer<Object> download) {
        double[] numbers = new double[count];
        if (type.real() == ElementType.F32) {
            float[] floats = new float[count];
            download.accept(floats);
            Arrays.setAll(numbers, i -> floats[i]);
        } else {
            download.accept(numbers);
        }
        return numbers;
    }

    private static int info(VectorView info) {
        int[] numbers = new int[1];
        info.download(numbers);
        return numbers[0];
    }

    /** A dense matrix as an operator. */
    private record Dense(MatrixView a, Op op) implements Lanczos.Operator {
        @Override
        public void apply(Handle handle, VectorView x, VectorView y) {
            Blas.gemv(handle, op, 1, a, x, 0, y);
        }

        @Override
        public void plan(Handle handle, VectorView x, VectorView y) {
            apply(handle, x, y);
        }
    }

    private static double[] wanted(double[] values, Which which, int k) {
        double[] rising = Arrays.stream(values).sorted().toArray();
        int n = values.length;
        Comparator<Double> magnitude = Comparator.comparingDouble(Math::abs);
        return switch (which) {
            case LARGEST -> Arrays.copyOfRange(rising, n - k, n);
            case SMALLEST -> Arrays.copyOf(rising, k);
            case BOTH_ENDS -> IntStream.range(0, n)
                    .filter(i -> i < k / 2 || i >= n - (k + 1) / 2)
                    .mapToDouble(i -> rising[i])
                    .toArray();
            case LARGEST_MAGNITUDE -> Arrays.stream(values)
                    .boxed()
                    .sorted(magnitude.reversed())
                    .limit(k)
                    .mapToDouble(x -> x)
                    .sorted()
                    .toArray();
            case SMALLEST_MAGNITUDE ->
                Arrays.stream(values).boxed().sorted(magnitude).limit(k).mapToDouble(x -> x).sorted().toArray();
        };
    }

    private static double size(double[] values) {
        return Math.max(1, Arrays.stream(values).map(Math::abs).max().orElse(0));
    }

    private static void orthonormal(String what, Mat v, double tolerance) {
        assertThat(v.op(Op.CONJ_TRANS).times(v).minus(Mat.identity(v.n)).norm1()).as(what + ": orthogonality")
                .isLessThan(tolerance);
    }

    @EveryTarget
    void knownSpectra(Target target) {
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            int ends = Which.values().length;
            for (int trial : Share.draw("spectra " + target, Spectrum.values().length * ends, FEW)) {
                Spectrum spectrum = Spectrum.values()[trial / ends];
                Which which = Which.values()[trial % ends];
                if (which == Which.SMALLEST_MAGNITUDE && spectrum != Spectrum.ZERO) {
                    continue;
                }
                double[] values = spectrum.numbers();
                int k = 1 + which.ordinal() + spectrum.ordinal() % 3;
                try (DeviceArena arena = device.arena()) {
                    eigen(h, arena, target.type(), spectrum + " " + which + " k=" + k, symmetric(target.type(), values),
                            values, which, k, (int) Lanczos.vectors(N, k));
                }
            }
        }
    }

    private static void eigen(Handle h, DeviceArena arena, ElementType type, String what, Mat a, double[] values,
            Which which, int k, int ncv) {
        VectorView w = arena.vector(type.real(), k);
        MatrixView v = arena.matrix(type, a.n, k);
        VectorView info = arena.vector(ElementType.I32, 1);
        Dense dense = new Dense(upload(arena, type, a), Op.NONE);
        Status status = Lanczos.eigen(h, type, which, a.n, k, ncv, 0, RESTARTS, dense, w, v, info);
        assertThat(status).as(what).isEqualTo(Status.SUCCESS);
        assertThat(info(info)).as(what + ": info").isZero();
        // A space of one more vector than wanted takes thousands of restarts, and each rounds.
        double unit = (ncv == k + 1 ? 1000 : 50) * ColumnPivotingTest.unit(type) * a.n;
        double tolerance = unit * size(values);
        double[] found = download(w);
        double[] wanted = wanted(values, which, k);
        for (int i = 0; i < k; i++) {
            assertThat(found[i])
                    .as(what + " " + i + " of " + Arrays.toString(found) + ", expected " + Arrays.toString(wanted))
                    .isBetween(wanted[i] - tolerance, wanted[i] + tolerance);
        }
        Mat x = download(v);
        orthonormal(what, x, unit);
        Mat residual = a.times(x).minus(x.times(diagonal(k, k, found)));
        assertThat(residual.norm1()).as(what + ": residual").isLessThan(tolerance);
    }

    @EveryTarget
    void fewVectorsAndAllOfThem(Target target) {
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            List<int[]> cases = new ArrayList<>();
            for (int n : new int[] {1, 2, 3, 9}) {
                for (int k = 1; k <= n; k++) {
                    for (int ncv = Math.min(n, k + 1); ncv <= n; ncv++) {
                        cases.add(new int[] {n, k, ncv});
                    }
                }
            }
            for (int trial : Share.draw("few vectors " + target, cases.size(), FEW)) {
                int n = cases.get(trial)[0];
                int k = cases.get(trial)[1];
                int ncv = cases.get(trial)[2];
                double[] values = Arrays.copyOf(Spectrum.SPREAD.numbers(), n);
                Which which = k == n ? Which.SMALLEST_MAGNITUDE : Which.BOTH_ENDS;
                eigen(h, arena, target.type(), "n=" + n + " k=" + k + " ncv=" + ncv, symmetric(target.type(), values),
                        values, which, k, ncv);
            }
        }
    }

    @EveryTarget(realOnly = true)
    void nearAShift(Target target) {
        double sigma = 1.9;
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            double[] values = Spectrum.LAPLACIAN.numbers();
            Mat a = symmetric(target.type(), values);
            MatrixView lu = upload(arena, target.type(),
                    a.minus(diagonal(N, N, IntStream.range(0, N).mapToDouble(i -> sigma).toArray())));
            VectorView pivots = arena.vector(ElementType.I64, N);
            VectorView info = arena.vector(ElementType.I32, 1);
            Lapack.getrf(h, lu, pivots, info);
            VectorView w = arena.vector(target.type(), 4);
            Lanczos.Operator inverse = (handle, x, y) -> {
                Blas.copy(handle, x, y);
                Lapack.getrs(handle, Op.NONE, lu, pivots, MatrixView.of(y.type(), y.pointer(), N, 1, N));
            };
            Lanczos.eigen(h, target.type(), Which.LARGEST_MAGNITUDE, N, 4, 12, 0, RESTARTS, inverse, w, null, info);
            assertThat(info(info)).isZero();
            double[] found = Arrays.stream(download(w)).map(x -> sigma + 1 / x).sorted().toArray();
            double[] expected = Arrays.stream(values)
                    .boxed()
                    .sorted(Comparator.comparingDouble(x -> Math.abs(x - sigma)))
                    .limit(4)
                    .mapToDouble(x -> x)
                    .sorted()
                    .toArray();
            for (int i = 0; i < 4; i++) {
                double tolerance = 1000 * ColumnPivotingTest.unit(target.type()) * N;
                assertThat(found[i]).isBetween(expected[i] - tolerance, expected[i] + tolerance);
            }
        }
    }

    @EveryTarget
    void whatCannotConverge(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView w = arena.vector(type.real(), 5);
            MatrixView v = arena.matrix(type, N, 5);
            VectorView info = arena.vector(ElementType.I32, 1);
            Mat laplacian = symmetric(type, Spectrum.LAPLACIAN.numbers());
            Dense dense = new Dense(upload(arena, type, laplacian), Op.NONE);
            Lanczos.eigen(h, type, Which.SMALLEST, N, 5, 8, 0, 1, dense, w, v, info);
            assertThat(info(info)).isBetween(1, 5);
            assertThat(Arrays.stream(download(w)).boxed()).allMatch(x -> x > -0.1 && x < 4.1);
            orthonormal("after one restart", download(v), 1e-4);
            for (double wrong : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
                Mat broken = laplacian.copy();
                broken.set(3, 4, wrong, 0);
                Dense operator = new Dense(upload(arena, type, broken), Op.NONE);
                Lanczos.eigen(h, type, Which.LARGEST, N, 5, 12, 0, RESTARTS, operator, w, v, info);
                assertThat(info(info)).isEqualTo(5);
                assertThat(download(w)).containsOnly(Double.NaN);
                Dense adjoint = new Dense(operator.a, Op.CONJ_TRANS);
                Lanczos.singular(h, type, Which.LARGEST, N, N, 5, 12, 0, RESTARTS, operator, adjoint, w, v, v, info);
                assertThat(info(info)).isEqualTo(5);
                assertThat(download(w)).containsOnly(Double.NaN);
            }
        }
    }

    @EveryTarget
    void singularValues(Target target) {
        ElementType type = target.type();
        int[][] shapes = {{N, 30}, {30, N}, {25, 25}, {7, 1}, {1, 5}};
        try (Device device = Devices.open(target.device()); Handle h = device.createHandle()) {
            for (int trial : Share.draw("singular " + target, shapes.length * KINDS, FEW)) {
                int[] shape = shapes[trial / KINDS];
                int kind = trial % KINDS;
                int least = Math.min(shape[0], shape[1]);
                double[] values = IntStream.range(0, least)
                        .mapToDouble(i -> kind == 0 ? 1 + i : kind == 1 ? 3 + i / 4 : kind == 2 ? i % 2 : 0)
                        .toArray();
                try (DeviceArena arena = device.arena()) {
                    singular(h, arena, type, shape, kind + " " + Arrays.toString(shape), values,
                            kind % 2 == 0 ? Which.LARGEST : Which.SMALLEST);
                }
            }
        }
    }

    private static void singular(Handle h, DeviceArena arena, ElementType type, int[] shape, String what,
            double[] values, Which which) {
        int k = Math.min(3, values.length);
        int ncv = Math.min(values.length, 9);
        Random random = new Random(shape[0]);
        Mat a = Orthogonal.reflector(random, type, shape[0])
                .times(diagonal(shape[0], shape[1], values))
                .times(Orthogonal.reflector(random, type, shape[1]));
        MatrixView view = upload(arena, type, a);
        VectorView s = arena.vector(type.real(), k);
        MatrixView u = arena.matrix(type, shape[0], k);
        MatrixView v = arena.matrix(type, shape[1], k);
        VectorView info = arena.vector(ElementType.I32, 1);
        Lanczos.singular(h, type, which, shape[0], shape[1], k, ncv, 0, RESTARTS, new Dense(view, Op.NONE),
                new Dense(view, Op.CONJ_TRANS), s, u, v, info);
        assertThat(info(info)).as(what).isZero();
        double[] found = download(s);
        double[] wanted = wanted(values, which, k);
        double unit = 50 * ColumnPivotingTest.unit(type) * N;
        for (int i = 0; i < k; i++) {
            assertThat(found[k - 1 - i]).as(what + " " + Arrays.toString(found))
                    .isBetween(wanted[i] - unit * size(values), wanted[i] + unit * size(values));
        }
        Mat left = download(u);
        Mat right = download(v);
        orthonormal(what + " left", left, unit);
        orthonormal(what + " right", right, unit);
        assertThat(a.times(right).minus(left.times(diagonal(k, k, found))).norm1()).as(what + ": residual")
                .isLessThan(unit * size(values));
    }

    @EveryTarget
    void plannedToTheByte(Target target) {
        ElementType type = target.type();
        int n = 400;
        int k = 2;
        double[] values = IntStream.range(0, n).mapToDouble(i -> i < 3 ? 100 + i : Math.cos(i)).toArray();
        try (Device device = Devices.open(target.device());
                Handle h = device.handleBuilder().guard(true).create();
                DeviceArena arena = device.arena()) {
            Dense dense = new Dense(upload(arena, type, symmetric(type, values)), Op.NONE);
            VectorView w = arena.vector(type.real(), k);
            MatrixView v = arena.matrix(type, n, k);
            VectorView info = arena.vector(ElementType.I32, 1);
            Plan plan = h.plan(p -> Lanczos.eigen(p, type, Which.LARGEST, n, k, 6, 0, RESTARTS, dense, w, v, info));
            double[] best = null;
            for (long bytes : new long[] {plan.optimal(), plan.optimal(), plan.optimal() - 64, plan.minimum()}) {
                h.setDeviceMemorySize(bytes);
                Status status = Lanczos.eigen(h, type, Which.LARGEST, n, k, 6, 0, RESTARTS, dense, w, v, info);
                assertThat(status).isEqualTo(bytes == plan.optimal() ? Status.SUCCESS : Status.PERF_DEGRADED);
                assertThat(info(info)).isZero();
                double[] found = download(w);
                if (best != null && bytes == plan.optimal()) {
                    assertThat(found).as("a second run").isEqualTo(best);
                }
                best = found;
                assertThat(found[1]).isBetween(101.99, 102.01);
            }
            h.setDeviceMemorySize(plan.minimum() - 64);
            assertThatThrownBy(() -> Lanczos.eigen(h, type, Which.LARGEST, n, k, 6, 0, RESTARTS, dense, w, v, info))
                    .isInstanceOfSatisfying(BlasException.class,
                            e -> assertThat(e.status()).isEqualTo(Status.MEMORY_ERROR));
        }
    }

    @EveryTarget(realOnly = true)
    void wrongArguments(Target target) {
        ElementType type = target.type();
        try (Device device = Devices.open(target.device());
                Handle h = device.createHandle();
                DeviceArena arena = device.arena()) {
            VectorView w = arena.vector(type, 3);
            VectorView info = arena.vector(ElementType.I32, 1);
            Lanczos.Operator none = (handle, x, y) -> Blas.copy(handle, x, y);
            assertThatThrownBy(() -> Lanczos.eigen(h, type, Which.LARGEST, 10, 3, 3, 0, 1, none, w, null, info))
                    .hasMessageContaining("k = 3 and ncv = 3 of 10");
            assertThatThrownBy(() -> Lanczos.eigen(h, type, Which.LARGEST, 10, 2, 5, 0, 1, none, w, null, info))
                    .hasMessageContaining("w is")
                    .hasMessageContaining("one vector of 2");
            assertThatThrownBy(
                    () -> Lanczos.eigen(h, type, Which.LARGEST, 10, 3, 5, Double.NaN, 1, none, w, null, info))
                    .hasMessageContaining("tol = NaN");
            assertThatThrownBy(
                    () -> Lanczos.singular(h, type, Which.BOTH_ENDS, 9, 8, 3, 5, 0, 1, none, none, w, null, null, info))
                    .hasMessageContaining("LARGEST and SMALLEST");
            VectorView empty = arena.vector(type, 0);
            assertThat(Lanczos.eigen(h, type, Which.LARGEST, 0, 0, 0, 0, 1, none, empty, null, info))
                    .isEqualTo(Status.SUCCESS);
            assertThat(info(info)).isZero();
        }
    }
}
