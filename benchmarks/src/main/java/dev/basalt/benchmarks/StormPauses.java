package dev.basalt.benchmarks;

import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.type.Op;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * How long a collector waits for calls on arrays: {@code StormPauses [seconds]}. One thread allocates and collects all the time, another one calls.
 * Printed are the longest time until all threads had stopped, which is what a long call would make longer, and the longest pause of the collector,
 * as the flight recorder has them; first without calls.
 */
public final class StormPauses {
    private static final String STOPPING = "jdk.SafepointStateSynchronization";
    private static final String PAUSE = "jdk.GCPhasePause";

    private static final long WARM_NANOS = 2_000_000_000L;

    private StormPauses() {}

    /**
     * Measures and prints.
     *
     * @param args seconds of each kind of work, 5 unless given
     * @throws IOException if the recording cannot be written
     * @throws InterruptedException if somebody interrupts it
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
        Map<String, Runnable> works = works();
        System.out.println(
                "| work beside the storm | calls | until all had stopped: median µs | 99 % | longest | longest pause ms |");
        System.out.println("|---|--:|--:|--:|--:|--:|");
        for (Map.Entry<String, Runnable> work : works.entrySet()) {
            measure(work.getKey(), work.getValue(), seconds);
        }
        System.out.println();
        System.out.println(
                Machine.processor() + ", " + Machine.jdk() + ", " + Machine.load() + ", " + seconds + " s each");
    }

    private static Map<String, Runnable> works() {
        Random random = new Random(42);
        int n = 1000;
        double[] a = random.doubles(n * n, -1, 1).toArray();
        double[] c = new double[n * n];
        double[] x = random.doubles(10_000_000, -1, 1).toArray();
        double[] y = x.clone();
        Map<String, Runnable> works = new LinkedHashMap<>();
        works.put("none", null);
        works.put("a loop in Java", () -> {
            double sum = 0;
            for (int i = 0; i < x.length; i++) {
                sum += x[i] * y[i];
            }
            c[0] = sum;
        });
        works.put("dgemm, n = 1000, in place",
                () -> ArrayBlas.dgemm(Op.NONE, Op.NONE, n, n, n, 1, a, n, a, n, 0, c, n));
        works.put("dgemv, n = 1000, in place", () -> ArrayBlas.dgemv(Op.NONE, n, n, 1, a, n, x, 1, 0, y, 1));
        works.put("ddot, n = 10⁷, in place", () -> c[0] = ArrayBlas.ddot(x.length, x, 1, y, 1));
        works.put("daxpy, n = 10⁷, in place", () -> ArrayBlas.daxpy(x.length, 1e-9, x, 1, y, 1));
        works.put("dgetrf, n = 1000, on a copy", () -> {
            System.arraycopy(a, 0, c, 0, c.length);
            ArrayLapack.dgetrf(n, n, c, n, new int[n]);
        });
        return works;
    }

    private static void measure(String name, Runnable work, int seconds) throws IOException, InterruptedException {
        long warm = System.nanoTime() + WARM_NANOS;
        while (work != null && System.nanoTime() < warm) {
            work.run();
        }
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong calls = new AtomicLong();
        Thread caller = Thread.ofPlatform().start(() -> {
            while (work != null && !done.get()) {
                work.run();
                calls.incrementAndGet();
            }
        });
        Path file = Files.createTempFile("storm", ".jfr");
        try (Recording recording = new Recording()) {
            recording.enable(STOPPING).withoutThreshold();
            recording.enable(PAUSE).withoutThreshold();
            recording.start();
            storm(System.nanoTime() + seconds * 1_000_000_000L);
            recording.stop();
            recording.dump(file);
        }
        done.set(true);
        caller.join();
        double[] stopping = micros(file, STOPPING);
        double[] pauses = micros(file, PAUSE);
        Files.delete(file);
        System.out.printf(Locale.ROOT, "| %s | %d | %.0f | %.0f | %.0f | %.1f |%n", name, calls.get(),
                part(stopping, 0.5), part(stopping, 0.99), part(stopping, 1), part(pauses, 1) / 1000);
    }

    /** Allocates, keeps some of it, and collects. */
    private static void storm(long end) {
        List<byte[]> kept = new ArrayList<>();
        for (int i = 1; System.nanoTime() < end; i++) {
            kept.add(new byte[20_000]);
            if (kept.size() > 1000) {
                kept.subList(0, 500).clear();
            }
            if (i % 2000 == 0) {
                System.gc();
            }
        }
    }

    private static double[] micros(Path file, String type) throws IOException {
        return RecordingFile.readAllEvents(file)
                .stream()
                .filter(event -> event.getEventType().getName().equals(type))
                .map(RecordedEvent::getDuration)
                .mapToDouble(duration -> duration.toNanos() / 1e3)
                .sorted()
                .toArray();
    }

    private static double part(double[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1L, (long) (part * sorted.length))];
    }
}
