package dev.basalt.benchmarks;

import dev.basalt.Blas;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.MatrixView;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How long a program waits for its first dgemm (n = 256, one thread) in a fresh JVM, and until calls are at 80 % of their full
 * speed: {@code FirstCall [forks]}. Times begin where the operands are in place, and so leave out the start of the JVM; the
 * opening of the device is told apart.
 */
public final class FirstCall {
    private static final int N = 256;
    private static final double PART = 0.8;
    private static final long FULL_SPEED_NANOS = 1_500_000_000L;
    private static final double MUST_FIRST = 20;
    private static final double MUST_SPEED = 100;
    private static final int FORKS = 7;

    private FirstCall() {}

    /** Starts JVMs one after the other and prints medians; see {@link FirstCall}. */
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 1 && args[0].equals("fork")) {
            fork();
            return;
        }
        int forks = args.length == 0 ? FORKS : Integer.parseInt(args[0]);
        double[][] times = new double[3][forks];
        for (int f = 0; f < forks; f++) {
            double[] one = start();
            for (int t = 0; t < 3; t++) {
                times[t][f] = one[t];
            }
        }
        for (double[] all : times) {
            Arrays.sort(all);
        }
        System.out.println("| dgemm n = 256 in a fresh JVM | must | median ms | least–most | |\n|---|--:|--:|---|---|");
        System.out.println(line("opening device and handle", Double.NaN, times[0]));
        System.out.println(line("first call", MUST_FIRST, times[1]));
        System.out.println(line("until 80 % of full speed", MUST_SPEED, times[2]));
        System.out.println();
        System.out.println(Paired.now() + ", " + forks + " JVMs, " + Machine.processor() + ", " + Machine.jdk() + ", "
                + Machine.load());
    }

    private static String line(String what, double must, double[] sorted) {
        double median = sorted[sorted.length / 2];
        return String.format(Locale.ROOT, "| %s | %s | %.1f | %.1f–%.1f | %s |", what,
                Double.isNaN(must) ? "–" : Double.toString(must), median, sorted[0], sorted[sorted.length - 1],
                Double.isNaN(must) ? "" : median <= must ? "met" : "**missed**");
    }

    private static double[] start() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Jvm.VECTORS, Jvm.NATIVE, Jvm.ONE_THREAD, "-cp", System.getProperty("java.class.path"),
                FirstCall.class.getName(), "fork")).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String[] words = lines.readLine().split(" ");
            process.waitFor();
            return Arrays.stream(words).mapToDouble(Double::parseDouble).toArray();
        }
    }

    /** In the fresh JVM: milliseconds of opening, of the first call, and from the first call to full speed. */
    private static void fork() {
        long opening = System.nanoTime();
        try (Device device = Device.open("host");
                Handle handle = device.createHandle();
                DeviceArena arena = device.arena()) {
            long opened = System.nanoTime();
            MatrixView a = arena.matrix(ElementType.F64, N, N);
            MatrixView b = arena.matrix(ElementType.F64, N, N);
            MatrixView c = arena.matrix(ElementType.F64, N, N);
            double[] ones = new double[N * N];
            Arrays.fill(ones, 1);
            a.upload(ones);
            b.upload(ones);
            c.upload(ones);
            long[] ends = new long[100_000];
            int calls = 0;
            long start = System.nanoTime();
            long end = start;
            while (calls < ends.length && end - start < FULL_SPEED_NANOS) {
                Blas.gemm(handle, Op.NONE, Op.NONE, 1, a, b, 0, c);
                end = System.nanoTime();
                ends[calls++] = end;
            }
            System.out.println((opened - opening) / 1e6 + " " + (ends[0] - start) / 1e6 + " "
                    + untilFast(start, ends, calls) / 1e6);
        }
    }

    /** Until the first call at 80 % of the speed of the fastest tenth: a call that another process interrupts says nothing. */
    private static double untilFast(long start, long[] ends, int calls) {
        double[] times = new double[calls];
        for (int i = 0; i < calls; i++) {
            times[i] = ends[i] - (i == 0 ? start : ends[i - 1]);
        }
        double[] sorted = times.clone();
        Arrays.sort(sorted);
        double full = sorted[calls / 10];
        for (int i = 0; i < calls; i++) {
            if (times[i] <= full / PART) {
                return ends[i] - start;
            }
        }
        return Double.POSITIVE_INFINITY;
    }
}
