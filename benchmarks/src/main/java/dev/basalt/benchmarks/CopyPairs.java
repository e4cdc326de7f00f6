package dev.basalt.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.foreign.NativeAccess;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sums of matrices and products with diagonal ones beside copies of as many bytes, in turns on one thread, by the thread's processor time. A copy reads one half of
 * the bytes and writes the other: by memcpy of the C library, and by Java's copy of segments, which stores past the caches. A row has the medians of all three, and of the ratios of pairs to
 * the faster copy.
 */
final class CopyPairs {
    private static final String TITLE = "type,n,call,microseconds,memcpy,segment copy,GB/s,of the faster copy";
    private static final int[] ORDERS = {100, 300, 500, 512, 1000, 1024, 2000, 2048, 4000};
    private static final int PAIRS = 9;
    /** Nanoseconds of a sample. */
    private static final double SAMPLE = 3e6;

    private static final MethodHandle COPY = NativeAccess
            .downcall(FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), Linker.Option.critical(false));
    private static final MemorySegment MEMCPY = NativeAccess.find("memcpy");

    private final Device device = Device.open("host:threads=1");
    private final Handle handle = device.createHandle();

    /** One call. */
    private interface Work {
        void run();
    }

    private CopyPairs() {}

    /**
     * Writes the rows, as comma-separated values.
     *
     * @param args the file, then types and orders such as {@code d:1000}, of which there are usual ones
     * @throws IOException if the file cannot be written
     */
    public static void main(String[] args) throws IOException {
        List<String> cases = new ArrayList<>(Arrays.asList(args).subList(1, args.length));
        if (cases.isEmpty()) {
            for (String type : List.of("s", "d", "c", "z")) {
                for (int n : ORDERS) {
                    cases.add(type + ":" + n);
                }
            }
        }
        CopyPairs pairs = new CopyPairs();
        try (PrintStream out = new PrintStream(Files.newOutputStream(Path.of(args[0])), true)) {
            out.println(TITLE);
            System.out.println(TITLE);
            for (String one : cases) {
                int n = Integer.parseInt(one.substring(2));
                pairs.rows(TypeLetter.type(one.charAt(0)), one.charAt(0), n, out);
            }
        }
    }

    private void rows(ElementType type, char letter, int n, PrintStream out) {
        try (DeviceArena arena = device.arena()) {
            MatrixView a = matrix(arena, type, n);
            MatrixView b = matrix(arena, type, n);
            MatrixView c = matrix(arena, type, n);
            VectorView x = arena.vector(type, n);
            fill(x.pointer().address(), (long) n * type.bytes());
            Map<String, Work> calls = new LinkedHashMap<>();
            sum(calls, "geam N", Op.NONE, a, 0, b, c);
            sum(calls, "geam N+N", Op.NONE, a, 0.5, b, c);
            sum(calls, "geam T", Op.TRANS, a, 0, b, c);
            sum(calls, "geam T+N", Op.TRANS, a, 0.5, b, c);
            calls.put("geam T+T", () -> Blas.geam(handle, Op.TRANS, Op.TRANS, 2, a, 0.5, b, c));
            calls.put("dgmm left", () -> Blas.dgmm(handle, Side.LEFT, a, x, c));
            calls.put("dgmm right", () -> Blas.dgmm(handle, Side.RIGHT, a, x, c));
            for (Map.Entry<String, Work> call : calls.entrySet()) {
                long read = call.getKey().contains("+") ? 2 : 1;
                long half = (1 + read) * n * n * type.bytes() / 2;
                VectorView from = arena.vector(ElementType.F32, half / 4);
                VectorView to = arena.vector(ElementType.F32, half / 4);
                String row = letter + "," + n + "," + call.getKey() + ","
                        + row(call.getValue(), half, from.pointer().address(), to.pointer().address());
                out.println(row);
                System.out.println(row);
            }
        }
    }

    private void sum(Map<String, Work> calls, String name, Op op, MatrixView a, double beta, MatrixView b,
            MatrixView c) {
        calls.put(name, () -> Blas.geam(handle, op, Op.NONE, 2, a, beta, b, c));
    }

    private static MatrixView matrix(DeviceArena arena, ElementType type, int n) {
        MatrixView a = arena.matrix(type, n, n);
        fill(a.pointer().address(), (long) n * n * type.bytes());
        return a;
    }

    /** Ones of half the size of a number: what was never written is one page of zeros, read from a cache. */
    private static void fill(long at, long bytes) {
        Memory.ALL.asSlice(at, bytes).fill((byte) 0x3f);
    }

    private static void copy(long to, long from, long bytes) {
        try {
            long ignored = (long) COPY.invokeExact(MEMCPY, to, from, bytes);
        } catch (Throwable t) {
            throw NativeAccess.failure(t);
        }
    }

    private static String row(Work call, long half, long from, long to) {
        MemorySegment source = Memory.ALL.asSlice(from, half);
        MemorySegment target = Memory.ALL.asSlice(to, half);
        fill(from, half);
        fill(to, half);
        List<Work> works = List.of(call, () -> copy(to, from, half), () -> target.copyFrom(source));
        int[] repeats = works.stream().mapToInt(CopyPairs::repeats).toArray();
        double[][] nanos = new double[works.size()][PAIRS];
        double[] ratios = new double[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
            for (int w = 0; w < works.size(); w++) {
                nanos[w][i] = nanos(works.get(w), repeats[w]);
            }
            ratios[i] = Math.min(nanos[1][i], nanos[2][i]) / nanos[0][i];
        }
        double ours = median(nanos[0]);
        return String.format("%.4g,%.4g,%.4g,%.1f,%.2f", ours / 1e3, median(nanos[1]) / 1e3, median(nanos[2]) / 1e3,
                2 * half / ours, median(ratios));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static double nanos(Work work, int calls) {
        work.run();
        long start = Clock.CPU.nanos();
        for (int i = 0; i < calls; i++) {
            work.run();
        }
        return (Clock.CPU.nanos() - start) / (double) calls;
    }

    /** How many calls a sample has, after a warm-up. */
    private static int repeats(Work work) {
        long end = System.nanoTime() + 100_000_000L;
        long calls = 0;
        while (System.nanoTime() < end) {
            work.run();
            calls++;
        }
        return (int) Math.max(1, SAMPLE / nanos(work, (int) Math.max(1, Math.min(1000, calls / 10))));
    }
}
