package dev.basalt.benchmarks;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.bench.Limits;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Calls on arrays of Java, beside dev.ludovic.netlib's {@code VectorBLAS} and beside Basalt on its own memory, one thread. Pairs in one process, A B A B;
 * the figure is the median of the ratios of the thread's processor times: above 1 arrays are faster. Where memory or the core bounds a call, a third call is
 * part of the turns: a plain read of the same bytes, or multiplications in registers. The peer's time divided by the floor's is the most that can be had.
 * Prints and, if a file is named, writes CSV.
 */
public final class ArrayPairs {
    private static final int PAIRS = 15;
    private static final long SAMPLE_NANOS = 4_000_000;
    private static final long WARM_NANOS = 200_000_000;

    /** A solve of larger order takes the peer seconds. */
    private static final int LARGEST_SOLVE = 1000;

    /** Shorter vectors are no matter of memory. */
    private static final int FLOORS = 300;

    /** Nor are fewer rows and columns. */
    private static final int FEW = 50;

    private final List<String> lines = new ArrayList<>(List.of("routine,n,peer,arrays_ns,peer_ns,ratio,floor_ns,most"));
    private final Random random = new Random(42);

    private final String cases;

    /** What a reduction gave: somebody must want it, or the compiler leaves work out. */
    private double result;

    private ArrayPairs(String cases) {
        this.cases = cases;
    }

    /**
     * Runs all pairs.
     *
     * @param args a file for the results, or none, and a pattern of cases, such as {@code ddot .*}
     * @throws IOException if it cannot be written
     */
    public static void main(String[] args) throws IOException {
        ArrayPairs pairs = new ArrayPairs(args.length > 1 ? args[1] : ".*");
        pairs.netlib();
        pairs.floats();
        pairs.ownMemory();
        if (args.length > 0) {
            List<String> text = new ArrayList<>();
            text.add("# " + Machine.processor() + ", " + Machine.jdk() + ", one thread, " + Machine.load()
                    + ", netlib is " + dev.ludovic.netlib.blas.JavaBLAS.getInstance().getClass().getSimpleName());
            text.addAll(pairs.lines);
            Files.write(Path.of(args[0]), text);
        }
    }

    private double[] numbers(int n) {
        return random.doubles(n, -1, 1).toArray();
    }

    private void netlib() {
        dev.ludovic.netlib.blas.BLAS peer = dev.ludovic.netlib.blas.JavaBLAS.getInstance();
        for (int n : new int[] {10, 30, 100, 300, 1000, 10_000, 100_000, 1_000_000}) {
            double[] x = numbers(n);
            double[] y = numbers(n);
            double[] both = numbers(2 * n);
            // Of as many bytes as these routines read and write.
            Runnable copy = n < FLOORS ? null : () -> System.arraycopy(both, 0, both, n, n);
            Runnable read = n < FLOORS ? null : () -> result = Floors.read(x);
            pair("ddot", n, "netlib", () -> result = ArrayBlas.ddot(n, x, 1, y, 1),
                    () -> result = peer.ddot(n, x, 1, y, 1), n < FLOORS ? null : () -> result = Floors.read(both), 1);
            pair("daxpy", n, "netlib", () -> ArrayBlas.daxpy(n, 1e-9, x, 1, y, 1),
                    () -> peer.daxpy(n, 1e-9, x, 1, y, 1), copy, 1.5);
            pair("dcopy", n, "netlib", () -> ArrayBlas.dcopy(n, x, 1, y, 1), () -> peer.dcopy(n, x, 1, y, 1), copy, 1);
            pair("dswap", n, "netlib", () -> ArrayBlas.dswap(n, x, 1, y, 1), () -> peer.dswap(n, x, 1, y, 1), copy, 2);
            pair("dscal", n, "netlib", () -> ArrayBlas.dscal(n, 0.9999999, x, 1),
                    () -> peer.dscal(n, 1 / 0.9999999, x, 1), copy, 1);
            pair("drot", n, "netlib", () -> ArrayBlas.drot(n, x, 1, y, 1, 0.6, 0.8),
                    () -> peer.drot(n, x, 1, y, 1, 0.6, 0.8), copy, 2);
            pair("idamax", n, "netlib", () -> result = ArrayBlas.idamax(n, x, 1), () -> result = peer.idamax(n, x, 1),
                    read, 1);
            pair("dnrm2", n, "netlib", () -> result = ArrayBlas.dnrm2(n, x, 1), () -> result = peer.dnrm2(n, x, 1),
                    read, 1);
            pair("dasum", n, "netlib", () -> result = ArrayBlas.dasum(n, x, 1), () -> result = peer.dasum(n, x, 1),
                    read, 1);
        }
        for (int n : new int[] {4, 8, 12, 16, 20, 50, 100, 200, 300, 500, 1000, 2000}) {
            double[] a = numbers(n * n);
            double[] x = numbers(n);
            double[] y = numbers(n);
            Runnable read = n < FEW ? null : () -> result = Floors.read(a);
            pair("dgemv", n, "netlib", () -> ArrayBlas.dgemv(Op.NONE, n, n, 1, a, n, x, 1, 0.5, y, 1),
                    () -> peer.dgemv("N", n, n, 1, a, n, x, 1, 0.5, y, 1), read, 1);
            pair("dgemv T", n, "netlib", () -> ArrayBlas.dgemv(Op.TRANS, n, n, 1, a, n, x, 1, 0.5, y, 1),
                    () -> peer.dgemv("T", n, n, 1, a, n, x, 1, 0.5, y, 1), read, 1);
            pair("dsymv", n, "netlib", () -> ArrayBlas.dsymv(Uplo.LOWER, n, 1, a, n, x, 1, 0.5, y, 1),
                    () -> peer.dsymv("L", n, 1, a, n, x, 1, 0.5, y, 1));
            pair("dspmv", n, "netlib", () -> ArrayBlas.dspmv(Uplo.LOWER, n, 1, a, x, 1, 0.5, y, 1),
                    () -> peer.dspmv("L", n, 1, a, x, 1, 0.5, y, 1));
        }
        for (int n : new int[] {4, 8, 16, 50, 100, 500, 1000, 2000}) {
            double[] a = numbers(n * n);
            double[] b = numbers(n * n);
            double[] c = numbers(n * n);
            pair("dgemm", n, "netlib", () -> ArrayBlas.dgemm(Op.NONE, Op.NONE, n, n, n, 1, a, n, b, n, 0, c, n),
                    () -> peer.dgemm("N", "N", n, n, n, 1, a, n, b, n, 0, c, n), Limits::doubles,
                    2.0 * n * n * n / Limits.operations());
            if (n > LARGEST_SOLVE) {
                continue;
            }
            // A unit triangle with small elements, so that solving again and again neither overflows nor ends at zero.
            double[] l = random.doubles((long) n * n, -0.1 / n, 0.1 / n).toArray();
            pair("dtrsm", n, "netlib",
                    () -> ArrayBlas.dtrsm(Side.LEFT, Uplo.LOWER, Op.NONE, Diag.UNIT, n, n, 1, l, n, b, n),
                    () -> peer.dtrsm("L", "L", "N", "U", n, n, 1, l, n, b, n));
        }
    }

    private float[] floats(int n) {
        float[] x = new float[n];
        for (int i = 0; i < n; i++) {
            x[i] = 2 * random.nextFloat() - 1;
        }
        return x;
    }

    /** The same in single precision. */
    private void floats() {
        dev.ludovic.netlib.blas.BLAS peer = dev.ludovic.netlib.blas.JavaBLAS.getInstance();
        for (int n : new int[] {10, 30, 100, 300, 1000, 10_000, 100_000, 1_000_000}) {
            float[] x = floats(n);
            float[] y = floats(n);
            pair("sdot", n, "netlib", () -> result = ArrayBlas.sdot(n, x, 1, y, 1),
                    () -> result = peer.sdot(n, x, 1, y, 1));
            pair("saxpy", n, "netlib", () -> ArrayBlas.saxpy(n, 1e-6f, x, 1, y, 1),
                    () -> peer.saxpy(n, 1e-6f, x, 1, y, 1));
            pair("scopy", n, "netlib", () -> ArrayBlas.scopy(n, x, 1, y, 1), () -> peer.scopy(n, x, 1, y, 1));
            pair("sswap", n, "netlib", () -> ArrayBlas.sswap(n, x, 1, y, 1), () -> peer.sswap(n, x, 1, y, 1));
            pair("sscal", n, "netlib", () -> ArrayBlas.sscal(n, 0.9999999f, x, 1),
                    () -> peer.sscal(n, 1 / 0.9999999f, x, 1));
            pair("isamax", n, "netlib", () -> result = ArrayBlas.isamax(n, x, 1), () -> result = peer.isamax(n, x, 1));
            pair("snrm2", n, "netlib", () -> result = ArrayBlas.snrm2(n, x, 1), () -> result = peer.snrm2(n, x, 1));
            pair("sasum", n, "netlib", () -> result = ArrayBlas.sasum(n, x, 1), () -> result = peer.sasum(n, x, 1));
        }
        for (int n : new int[] {4, 8, 16, 50, 100, 500, 1000}) {
            float[] a = floats(n * n);
            float[] b = floats(n * n);
            float[] c = floats(n * n);
            float[] x = floats(n);
            float[] y = floats(n);
            pair("sgemv", n, "netlib", () -> ArrayBlas.sgemv(Op.NONE, n, n, 1, a, n, x, 1, 0.5f, y, 1),
                    () -> peer.sgemv("N", n, n, 1, a, n, x, 1, 0.5f, y, 1));
            pair("sgemv T", n, "netlib", () -> ArrayBlas.sgemv(Op.TRANS, n, n, 1, a, n, x, 1, 0.5f, y, 1),
                    () -> peer.sgemv("T", n, n, 1, a, n, x, 1, 0.5f, y, 1));
            pair("ssymv", n, "netlib", () -> ArrayBlas.ssymv(Uplo.LOWER, n, 1, a, n, x, 1, 0.5f, y, 1),
                    () -> peer.ssymv("L", n, 1, a, n, x, 1, 0.5f, y, 1));
            pair("sgemm", n, "netlib", () -> ArrayBlas.sgemm(Op.NONE, Op.NONE, n, n, n, 1, a, n, b, n, 0, c, n),
                    () -> peer.sgemm("N", "N", n, n, n, 1, a, n, b, n, 0, c, n));
        }
    }

    private void ownMemory() {
        try (Device device = Device.open("host:threads=1");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            for (int n : new int[] {8, 16, 64, 100, 256, 500, 1000}) {
                double[] a = numbers(n * n);
                double[] b = numbers(n * n);
                double[] c = numbers(n * n);
                MatrixView va = arena.matrix(ElementType.F64, n, n);
                MatrixView vb = arena.matrix(ElementType.F64, n, n);
                MatrixView vc = arena.matrix(ElementType.F64, n, n);
                MatrixView place = asInAnArray(arena, n);
                va.upload(a);
                vb.upload(b);
                pair("dgemm", n, "views", () -> ArrayBlas.dgemm(Op.NONE, Op.NONE, n, n, n, 1, a, n, b, n, 0, c, n),
                        () -> Blas.gemm(handle, Op.NONE, Op.NONE, 1.0, va, vb, 0.0, vc));
                // Diagonally dominant, so that a factor can be factored again and again.
                for (int i = 0; i < n; i++) {
                    a[i + i * n] += 2 * n;
                }
                va.upload(a);
                int[] ipiv = new int[n];
                VectorView pivots = arena.vector(ElementType.I64, n);
                VectorView info = arena.vector(ElementType.I32, 1);
                double[] lu = a.clone();
                pair("dgetrf", n, "views", () -> ArrayLapack.dgetrf(n, n, fresh(a, lu), n, ipiv), () -> {
                    Blas.geam(handle, Op.NONE, Op.NONE, 1.0, va, 0.0, va, vc);
                    Lapack.getrf(handle, vc, pivots, info);
                });
                pair("dgetrf", n, "place", () -> ArrayLapack.dgetrf(n, n, fresh(a, lu), n, ipiv), () -> {
                    Blas.geam(handle, Op.NONE, Op.NONE, 1.0, va, 0.0, va, place);
                    Lapack.getrf(handle, place, pivots, info);
                });
                pair("dpotrf", n, "place", () -> ArrayLapack.dpotrf(Uplo.LOWER, n, fresh(a, lu), n), () -> {
                    Blas.geam(handle, Op.NONE, Op.NONE, 1.0, va, 0.0, va, place);
                    Lapack.potrf(handle, Uplo.LOWER, place, info);
                });
                pair("dpotrf", n, "views", () -> ArrayLapack.dpotrf(Uplo.LOWER, n, fresh(a, lu), n), () -> {
                    Blas.geam(handle, Op.NONE, Op.NONE, 1.0, va, 0.0, va, vc);
                    Lapack.potrf(handle, Uplo.LOWER, vc, info);
                });
            }
            for (int n : new int[] {100, 256, 500}) {
                decompositions(handle, arena, n);
            }
        }
    }

    /** A matrix on own memory that lies as one in an array does: it begins 16 bytes behind a line, and its columns follow without gaps. */
    private static MatrixView asInAnArray(DeviceArena arena, int n) {
        VectorView numbers = arena.vector(ElementType.F64, (long) n * n + 2);
        return MatrixView.of(ElementType.F64, numbers.pointer().plus(ElementType.F64, 2), n, n, n);
    }

    /** Eigenvalues of a symmetric matrix and singular values of a general one, with vectors, by divide and conquer. */
    private void decompositions(Handle handle, DeviceArena arena, int n) {
        double[] a = numbers(n * n);
        double[] work = a.clone();
        double[] values = new double[n];
        double[] beside = new double[n];
        double[] left = new double[n * n];
        double[] right = new double[n * n];
        MatrixView va = arena.matrix(ElementType.F64, n, n);
        MatrixView vc = arena.matrix(ElementType.F64, n, n);
        MatrixView u = arena.matrix(ElementType.F64, n, n);
        MatrixView vt = arena.matrix(ElementType.F64, n, n);
        VectorView d = arena.vector(ElementType.F64, n);
        VectorView e = arena.vector(ElementType.F64, n);
        VectorView info = arena.vector(ElementType.I32, 1);
        va.upload(a);
        pair("dsyevd", n, "views",
                () -> ArrayLapack.dsyevd(Evect.ORIGINAL, Uplo.LOWER, n, fresh(a, work), n, values, beside), () -> {
                    Blas.geam(handle, Op.NONE, Op.NONE, 1.0, va, 0.0, va, vc);
                    Lapack.syevd(handle, Evect.ORIGINAL, Uplo.LOWER, vc, d, e, info);
                });
        pair("dgesdd", n, "views",
                () -> ArrayLapack.dgesdd(Svect.ALL, Svect.ALL, n, n, fresh(a, work), n, values, left, n, right, n),
                () -> {
                    Blas.geam(handle, Op.NONE, Op.NONE, 1.0, va, 0.0, va, vc);
                    Lapack.gesdd(handle, Svect.ALL, Svect.ALL, vc, d, u, vt, info);
                });
    }

    private static double[] fresh(double[] from, double[] to) {
        System.arraycopy(from, 0, to, 0, from.length);
        return to;
    }

    private void pair(String routine, int n, String peer, Runnable ours, Runnable theirs) {
        pair(routine, n, peer, ours, theirs, null, 0);
    }

    /** With what takes the least time that there can be, if it is known: so many calls of it. */
    private void pair(String routine, int n, String peer, Runnable ours, Runnable theirs, Runnable least,
            double share) {
        if (!(routine + " " + n + " " + peer).matches(cases)) {
            return;
        }
        int calls = calls(ours);
        int peerCalls = calls(theirs);
        int leastCalls = least == null ? 0 : calls(least);
        double[] floors = new double[PAIRS];
        double[] ratios = new double[PAIRS];
        double[] own = new double[PAIRS];
        double[] other = new double[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            own[i] = time(ours, calls);
            other[i] = time(theirs, peerCalls);
            ratios[i] = other[i] / own[i];
        }
        // Apart from the pairs: whoever came behind it would find other things in the caches.
        for (int i = 0; least != null && i < PAIRS; i++) {
            floors[i] = time(least, leastCalls) * share;
        }
        String line = String.format(Locale.ROOT, "%s,%d,%s,%.1f,%.1f,%.2f", routine, n, peer, median(own),
                median(other), median(ratios));
        line += least == null
                ? ",,"
                : String.format(Locale.ROOT, ",%.1f,%.2f", median(floors), median(other) / median(floors));
        lines.add(line);
        System.out.println(line);
    }

    /** Calls of a sample, after some time for the JIT. */
    private static int calls(Runnable call) {
        // The first call may load a library, which is no part of the time to get warm.
        call.run();
        long end = Clock.cpuNanos() + WARM_NANOS;
        int count = 0;
        do {
            // The clock takes longer than a short call.
            for (int i = 0; i < 16; i++) {
                call.run();
            }
            count += 16;
        } while (Clock.cpuNanos() < end);
        long begin = Clock.cpuNanos();
        int some = Math.max(1, count / 100);
        for (int i = 0; i < some; i++) {
            call.run();
        }
        long each = Math.max(1, (Clock.cpuNanos() - begin) / some);
        return (int) Math.max(1, SAMPLE_NANOS / each);
    }

    private static double time(Runnable call, int calls) {
        long begin = Clock.cpuNanos();
        for (int i = 0; i < calls; i++) {
            call.run();
        }
        return (double) (Clock.cpuNanos() - begin) / calls;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
