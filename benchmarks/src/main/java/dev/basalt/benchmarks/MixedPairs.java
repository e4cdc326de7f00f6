package dev.basalt.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.foreign.NativeAccess;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleBinaryOperator;

/**
 * Calls of mixed types beside the same call in single precision, ours and OpenBLAS's, in turns on one thread. A line has the medians of the ratios of pairs.
 * OpenBLAS of the Maven artifact has no product of bfloat16 (sbgemm), so its sgemm stands for it.
 */
final class MixedPairs {
    private static final int[] ORDERS = {8, 16, 32, 64, 128, 256, 512, 1024, 2048};
    private static final int[] LENGTHS = {1000, 100_000, 10_000_000};
    private static final int[] MATRICES = {100, 1000, 4000};
    private static final int PAIRS = 15;
    /** Nanoseconds of a sample. */
    private static final double SAMPLE = 3e6;
    private static final int ROW_MAJOR_NOT = 102;
    private static final int NO_TRANS = 111;

    private final Device device = Device.open("host:threads=1");
    private final Handle handle = device.createHandle();
    private final SplittableRandom random = new SplittableRandom(1);
    private final MemorySegment sgemm;
    private final MethodHandle call =
            NativeAccess.downcall(
                    FunctionDescriptor.ofVoid(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_FLOAT,
                            JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT, JAVA_FLOAT, JAVA_LONG, JAVA_INT),
                    Linker.Option.critical(false));

    /** One call. */
    private interface Work {
        void run();
    }

    private MixedPairs() {
        SymbolLookup openblas = NativeLibrary.of("openblas", null, "SkylakeX").load(1);
        sgemm = openblas.find("cblas_sgemm").orElseThrow();
    }

    /**
     * Prints the tables.
     *
     * @param args rows, all if there are none: gemm, vectors, gemv
     */
    public static void main(String[] args) {
        List<String> rows = args.length == 0 ? List.of("gemm", "vectors", "gemv") : List.of(args);
        MixedPairs pairs = new MixedPairs();
        System.out.println(Machine.processor() + "; " + pairs.device.description());
        if (rows.contains("gemm")) {
            pairs.products();
        }
        if (rows.contains("vectors")) {
            pairs.vectors();
        }
        if (rows.contains("gemv")) {
            pairs.matrices();
        }
    }

    private static float[] numbers(SplittableRandom random, int count, boolean integers) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = integers ? random.nextInt(256) - 128 : (float) (2 * random.nextDouble() - 1);
        }
        return numbers;
    }

    private MatrixView matrix(DeviceArena arena, ElementType type, int m, int n) {
        MatrixView a = arena.matrix(type, m, n);
        if (type == ElementType.I8 || type == ElementType.I32) {
            byte[] bytes = new byte[m * n];
            random.nextBytes(bytes);
            if (type == ElementType.I8) {
                a.upload(bytes);
            }
        } else {
            a.upload(numbers(random, m * n, false));
        }
        return a;
    }

    private void products() {
        System.out.println("| gemm | ops | " + Arrays.toString(ORDERS) + ": to our sgemm / to OpenBLAS's |");
        ElementType[][] types = {
                {ElementType.BF16, ElementType.F32},
                {ElementType.BF16, ElementType.BF16},
                {ElementType.F16, ElementType.F32},
                {ElementType.F16, ElementType.F16},
                {ElementType.I8, ElementType.I32},
                {ElementType.F8_E4M3, ElementType.F32}};
        for (ElementType[] type : types) {
            for (Op op : new Op[] {Op.NONE, Op.TRANS}) {
                StringBuilder line = new StringBuilder("| " + type[0] + " → " + type[1] + " | " + op + " |");
                for (int n : ORDERS) {
                    line.append(product(type[0], type[1], op, n)).append(" |");
                }
                System.out.println(line);
            }
        }
    }

    private String product(ElementType in, ElementType out, Op op, int n) {
        try (DeviceArena arena = device.arena()) {
            MatrixView a = matrix(arena, in, n, n);
            MatrixView b = matrix(arena, in, n, n);
            MatrixView c = matrix(arena, out, n, n);
            MatrixView sa = matrix(arena, ElementType.F32, n, n);
            MatrixView sb = matrix(arena, ElementType.F32, n, n);
            MatrixView sc = matrix(arena, ElementType.F32, n, n);
            Op other = op == Op.NONE ? Op.NONE : Op.TRANS;
            int code = NO_TRANS + (op == Op.NONE ? 0 : 1);
            long pa = sa.pointer().address();
            long pb = sb.pointer().address();
            long pc = sc.pointer().address();
            Work mixed = () -> Blas.gemm(handle, op, other, 1, a, b, 0, c);
            Work single = () -> Blas.gemm(handle, op, other, 1, sa, sb, 0, sc);
            Work peer = () -> openblas(code, n, pa, pb, pc);
            return String.format(" %.2f / %.2f", ratio(mixed, single), ratio(mixed, peer));
        }
    }

    private void openblas(int op, int n, long a, long b, long c) {
        try {
            call.invokeExact(sgemm, ROW_MAJOR_NOT, op, op, n, n, n, 1f, a, n, b, n, 0f, c, n);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    private void vectors() {
        System.out.println("| vectors | " + Arrays.toString(LENGTHS) + ": to ours in single precision |");
        for (ElementType type : new ElementType[] {ElementType.F16, ElementType.BF16}) {
            StringBuilder[] lines = {
                    new StringBuilder("| dot " + type + " |"),
                    new StringBuilder("| nrm2 " + type + " |"),
                    new StringBuilder("| axpy " + type + " |"),
                    new StringBuilder("| scal " + type + " |")};
            for (int n : LENGTHS) {
                try (DeviceArena arena = device.arena()) {
                    VectorView x = vector(arena, type, n);
                    VectorView y = vector(arena, type, n);
                    VectorView sx = vector(arena, ElementType.F32, n);
                    VectorView sy = vector(arena, ElementType.F32, n);
                    Work[] mixed = {
                            () -> Blas.dot(handle, x, y),
                            () -> Blas.nrm2(handle, x),
                            () -> Blas.axpy(handle, 1e-9, x, y),
                            () -> Blas.scal(handle, -1, x)};
                    Work[] single = {
                            () -> Blas.dot(handle, sx, sy),
                            () -> Blas.nrm2(handle, sx),
                            () -> Blas.axpy(handle, 1e-9, sx, sy),
                            () -> Blas.scal(handle, -1, sx)};
                    for (int i = 0; i < lines.length; i++) {
                        lines[i].append(String.format(" %.2f |", ratio(mixed[i], single[i])));
                    }
                }
            }
            Arrays.stream(lines).forEach(System.out::println);
        }
    }

    private VectorView vector(DeviceArena arena, ElementType type, int n) {
        VectorView x = arena.vector(type, n);
        x.upload(numbers(random, n, false));
        return x;
    }

    private void matrices() {
        System.out.println("| gemv | " + Arrays.toString(MATRICES) + ": to ours in single precision |");
        for (ElementType type : new ElementType[] {ElementType.F16, ElementType.BF16}) {
            for (Op op : new Op[] {Op.NONE, Op.TRANS}) {
                StringBuilder line = new StringBuilder("| gemv " + op + " " + type + " |");
                for (int n : MATRICES) {
                    try (DeviceArena arena = device.arena()) {
                        MatrixView a = matrix(arena, type, n, n);
                        VectorView x = vector(arena, type, n);
                        VectorView y = vector(arena, type, n);
                        MatrixView sa = matrix(arena, ElementType.F32, n, n);
                        VectorView sx = vector(arena, ElementType.F32, n);
                        VectorView sy = vector(arena, ElementType.F32, n);
                        Work mixed = () -> Blas.gemv(handle, op, 1, a, x, 0, y);
                        Work single = () -> Blas.gemv(handle, op, 1, sa, sx, 0, sy);
                        line.append(String.format(" %.2f |", ratio(mixed, single)));
                    }
                }
                System.out.println(line);
            }
        }
    }

    /** The median of how many times as fast the first is. */
    private static double ratio(Work first, Work second) {
        int firstCalls = calls(first);
        int secondCalls = calls(second);
        List<Double> ratios = new ArrayList<>();
        List<Double> disturbed = new ArrayList<>();
        DoubleBinaryOperator drift = (a, b) -> Math.abs(a - b) / Math.min(a, b);
        for (int i = 0; i < PAIRS; i++) {
            long before = Reference.nanos(Clock.CPU);
            double a;
            double b;
            if (i % 2 == 0) {
                a = nanos(first, firstCalls);
                b = nanos(second, secondCalls);
            } else {
                b = nanos(second, secondCalls);
                a = nanos(first, firstCalls);
            }
            long after = Reference.nanos(Clock.CPU);
            (drift.applyAsDouble(before, after) <= 0.05 ? ratios : disturbed).add(b / a);
        }
        List<Double> kept = ratios.size() >= 3 ? ratios : disturbed;
        kept.sort(null);
        return kept.get(kept.size() / 2);
    }

    private static int calls(Work work) {
        // The JIT compiler has seen the call before it is timed.
        for (int i = 0; i < 3; i++) {
            nanos(work, 1);
        }
        int calls = 1;
        double nanos = nanos(work, 1);
        while (nanos * calls < SAMPLE && calls < 1 << 22) {
            calls *= 2;
            nanos = nanos(work, calls);
        }
        return calls;
    }

    private static double nanos(Work work, int calls) {
        long start = Clock.CPU.nanos();
        for (int i = 0; i < calls; i++) {
            work.run();
        }
        return (Clock.CPU.nanos() - start) / (double) calls;
    }
}
