package dev.basalt.bench;

import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.DoubleSupplier;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * What a core can do at most, or several at the same time: multiply-adds in registers, reads and copies of memory. Measured,
 * since a clock on paper is not one. Each call measures anew, a millisecond or less once it is compiled.
 */
public final class Limits {
    private static final VectorSpecies<Double> DOUBLES = DoubleVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();

    /** All memory, so that addresses are offsets. */
    private static final MemorySegment ALL = Memory.ALL;

    /** Chains in flight: latency 4 times two units needs 8; more hide nothing else. */
    private static final int CHAINS = 12;

    private static final int ROUNDS = 20_000;
    private static final double LEAST_NANOS = 3e5;
    /** Vectors that the JIT compiler has not compiled are hundreds of times slower; every machine is faster than that, in 10⁹/s. */
    private static final double COMPILED = 2;

    private static final long WARM_UP_MOST_NANOS = 10_000_000_000L;
    private static final long WARM_UP_BYTES = 32 << 10;

    /** The kinds of loops that are compiled. */
    private static final Set<String> WARM = ConcurrentHashMap.newKeySet();
    /** Bytes of each vector that a loop of {@link #read} takes at once. */
    private static final long STEP = 128;

    private Limits() {}

    /** Where data lie whose reading is measured. */
    private interface Loop {
        void run();
    }

    /**
     * The peak of multiply-adds.
     *
     * @param type type of the elements; complex ones count as their parts
     * @return 10⁹ operations a second
     */
    public static double flops(ElementType type) {
        boolean single = type.real() == ElementType.F32;
        int lanes = single ? FLOATS.length() : DOUBLES.length();
        Loop loop = single ? Limits::floats : Limits::doubles;
        double work = operations(lanes);
        warmUp(single ? "floats" : "doubles", loop, work);
        return work / nanos(loop);
    }

    /**
     * What several threads do at the same time.
     *
     * @param threads how many
     * @param one measures what one of them does
     * @return the sum
     */
    public static double together(int threads, DoubleSupplier one) {
        // What is to be compiled is compiled by this.
        double alone = one.getAsDouble();
        if (threads == 1) {
            return alone;
        }
        CyclicBarrier begin = new CyclicBarrier(threads);
        List<FutureTask<Double>> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            FutureTask<Double> task = new FutureTask<>(() -> {
                begin.await();
                return one.getAsDouble();
            });
            all.add(task);
            Thread.ofPlatform().daemon(true).start(task);
        }
        double sum = 0;
        for (FutureTask<Double> task : all) {
            try {
                sum += task.get();
            } catch (ExecutionException e) {
                throw new IllegalStateException("the limits of the machine cannot be measured", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while the limits of the machine were measured", e);
            }
        }
        return sum;
    }

    /**
     * The bandwidth for a working set of that size and kind.
     *
     * @param workload its bytes, and whether it writes
     * @return 10⁹ bytes a second, reads and writes together
     */
    public static double bandwidth(Workload workload) {
        return bandwidth((long) workload.operandBytes(), copies(workload));
    }

    /**
     * Whether a workload is bound by copying, not by reading: it writes much of what it reads.
     *
     * @param workload the workload
     * @return false if what it writes hardly counts, such as the result of gemv
     */
    public static boolean copies(Workload workload) {
        double written = 0;
        for (Slot slot : workload.routine.slots()) {
            written += slot.access().writes() ? slot.elements(workload) : 0;
        }
        return 4 * written * workload.type.bytes() * workload.batch > workload.bytes();
    }

    /**
     * The bandwidth for a working set.
     *
     * @param bytes its size
     * @param copy whether half of it is copied to the other half; else all is read
     * @return 10⁹ bytes a second, reads and writes together
     */
    public static double bandwidth(long bytes, boolean copy) {
        if (copy) {
            return bandwidth(bytes, "copy");
        }
        double narrow = bandwidth(bytes, "read");
        return DOUBLES.length() < DoubleVector.SPECIES_512.length()
                ? narrow
                : Math.max(narrow, bandwidth(bytes, "wide"));
    }

    private static double bandwidth(long bytes, String kind) {
        if (!WARM.contains(kind)) {
            bandwidth(WARM_UP_BYTES, kind, true);
        }
        return bandwidth(bytes, kind, false);
    }

    private static double bandwidth(long bytes, String kind, boolean first) {
        long half = Math.max(STEP, bytes / 2 / STEP * STEP);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(half, 64).fill((byte) 0);
            MemorySegment to = arena.allocate(half, 64).fill((byte) 0);
            long x = from.address();
            long y = to.address();
            Loop loop = switch (kind) {
                case "copy" -> () -> to.copyFrom(from);
                case "wide" -> () -> readWide(x, y, half);
                default -> () -> read(x, y, half);
            };
            if (first) {
                warmUp(kind, loop, 2.0 * half);
            }
            return 2.0 * half / nanos(loop);
        }
    }

    private static synchronized void warmUp(String kind, Loop loop, double work) {
        if (WARM.add(kind)) {
            long end = System.nanoTime() + WARM_UP_MOST_NANOS;
            while (work / nanos(loop) < COMPILED && System.nanoTime() < end) {
                loop.run();
            }
        }
    }

    /** Time of a loop, the best of three, repeated until the clock can see it. */
    private static double nanos(Loop loop) {
        double best = Double.POSITIVE_INFINITY;
        int calls = 1;
        for (int t = 0; t < 3;) {
            long start = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                loop.run();
            }
            double nanos = System.nanoTime() - start;
            if (nanos < LEAST_NANOS) {
                calls *= 2;
            } else {
                best = Math.min(best, nanos / calls);
                t++;
            }
        }
        return best;
    }

    /**
     * How many multiplications and additions {@link #doubles} makes.
     *
     * @return operations
     */
    public static double operations() {
        return operations(DOUBLES.length());
    }

    private static double operations(int lanes) {
        return 2.0 * CHAINS * lanes * ROUNDS;
    }

    /** Multiplies and adds doubles in registers, for who measures it beside something else. */
    public static void doubles() {
        DoubleVector x = DoubleVector.broadcast(DOUBLES, 0.999);
        DoubleVector y = DoubleVector.broadcast(DOUBLES, 0.001);
        DoubleVector a = DoubleVector.zero(DOUBLES);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        DoubleVector e = a;
        DoubleVector f = a;
        DoubleVector g = a;
        DoubleVector h = a;
        DoubleVector i = a;
        DoubleVector j = a;
        DoubleVector k = a;
        DoubleVector l = a;
        for (int r = 0; r < ROUNDS; r++) {
            a = a.fma(x, y);
            b = b.fma(x, y);
            c = c.fma(x, y);
            d = d.fma(x, y);
            e = e.fma(x, y);
            f = f.fma(x, y);
            g = g.fma(x, y);
            h = h.fma(x, y);
            i = i.fma(x, y);
            j = j.fma(x, y);
            k = k.fma(x, y);
            l = l.fma(x, y);
        }
        a = a.add(b).add(c).add(d).add(e).add(f);
        Sink.last = a.add(g).add(h).add(i).add(j).add(k).add(l).lane(0);
    }

    private static void floats() {
        FloatVector x = FloatVector.broadcast(FLOATS, 0.999f);
        FloatVector y = FloatVector.broadcast(FLOATS, 0.001f);
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        FloatVector c = a;
        FloatVector d = a;
        FloatVector e = a;
        FloatVector f = a;
        FloatVector g = a;
        FloatVector h = a;
        FloatVector i = a;
        FloatVector j = a;
        FloatVector k = a;
        FloatVector l = a;
        for (int r = 0; r < ROUNDS; r++) {
            a = a.fma(x, y);
            b = b.fma(x, y);
            c = c.fma(x, y);
            d = d.fma(x, y);
            e = e.fma(x, y);
            f = f.fma(x, y);
            g = g.fma(x, y);
            h = h.fma(x, y);
            i = i.fma(x, y);
            j = j.fma(x, y);
            k = k.fma(x, y);
            l = l.fma(x, y);
        }
        a = a.add(b).add(c).add(d).add(e).add(f);
        Sink.last = a.add(g).add(h).add(i).add(j).add(k).add(l).lane(0);
    }

    /** Adds up two vectors side by side, as a dot product reads them. */
    private static void read(long x, long y, long bytes) {
        DoubleVector a = DoubleVector.zero(DoubleVector.SPECIES_256);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        DoubleVector e = a;
        DoubleVector f = a;
        DoubleVector g = a;
        DoubleVector h = a;
        for (long at = 0; at < bytes; at += STEP) {
            a = a.add(load(x + at));
            b = b.add(load(y + at));
            c = c.add(load(x + at + 32));
            d = d.add(load(y + at + 32));
            e = e.add(load(x + at + 64));
            f = f.add(load(y + at + 64));
            g = g.add(load(x + at + 96));
            h = h.add(load(y + at + 96));
        }
        Sink.last = a.add(b).add(c).add(d).add(e).add(f).add(g).add(h).lane(0);
    }

    /** The same with whole registers of AVX-512, which the first-level cache feeds twice as fast. */
    private static void readWide(long x, long y, long bytes) {
        DoubleVector a = DoubleVector.zero(DoubleVector.SPECIES_512);
        DoubleVector b = a;
        DoubleVector c = a;
        DoubleVector d = a;
        for (long at = 0; at < bytes; at += STEP) {
            a = a.add(wide(x + at));
            b = b.add(wide(y + at));
            c = c.add(wide(x + at + 64));
            d = d.add(wide(y + at + 64));
        }
        Sink.last = a.add(b).add(c).add(d).lane(0);
    }

    /** Half a register of AVX-512: the wider loads are the slower ones where data fill an eighth of a Zen 5's second-level cache. */
    private static DoubleVector load(long address) {
        return DoubleVector.fromMemorySegment(DoubleVector.SPECIES_256, ALL, address, ORDER);
    }

    private static DoubleVector wide(long address) {
        return DoubleVector.fromMemorySegment(DoubleVector.SPECIES_512, ALL, address, ORDER);
    }
}
