package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.ElementType;
import dev.basalt.Op;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two threads where something else holds the cores but one: a helper that gets no core, or loses it in the middle of its part, must not
 * hold up the caller for long. Libraries that wait for every thread at a barrier drop to a hundredth there.
 */
@Timeout(120)
class BusyCoresTest {
    /** Of the speed of one thread under the same load. */
    private static final double LEAST = 0.4;

    private static final int ROUNDS = 15;
    private static final long ROUND_NANOS = 30_000_000;

    private final List<Workers> open = new ArrayList<>();
    private volatile boolean over;

    @AfterEach
    void close() {
        over = true;
        open.forEach(Workers::release);
    }

    private HostKernels kernels(int threads) {
        Workers workers = new Workers(threads);
        open.add(workers);
        return new HostKernels(Engines.choose("auto").engine(), workers);
    }

    /** Calls a second. */
    private static double speed(HostKernels kernels, Launch launch) {
        long begin = System.nanoTime();
        long calls = 0;
        long took;
        do {
            kernels.run(launch);
            calls++;
            took = System.nanoTime() - begin;
        } while (took < ROUND_NANOS);
        return 1e9 * calls / took;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 128, 300, 600})
    void twoThreadsStaySane(int n) {
        for (int core = 1; core < Runtime.getRuntime().availableProcessors(); core++) {
            Thread holder = new Thread(() -> {
                while (!over) {
                    Thread.onSpinWait();
                }
            });
            holder.setDaemon(true);
            holder.start();
        }
        try (Arena arena = Arena.ofConfined()) {
            long bytes = 8L * n * n;
            long at = arena.allocate(3 * bytes + (8 << 20), 64).address();
            Memory.fill(at, 3 * bytes, (byte) 0);
            Launch launch = new Launch().reset(Kernel.GEMM, ElementType.F64, 1);
            launch.opA = Op.NONE;
            launch.opB = Op.NONE;
            launch.m = n;
            launch.n = n;
            launch.k = n;
            launch.alpha.set(1, 0);
            launch.beta.set(0, 0);
            launch.a.matrix(ElementType.F64, at, n, n, n, 0);
            launch.b.matrix(ElementType.F64, at + bytes, n, n, n, 0);
            launch.c.matrix(ElementType.F64, at + 2 * bytes, n, n, n, 0);
            launch.work = at + 3 * bytes;
            launch.workBytes = 8 << 20;
            HostKernels alone = kernels(1);
            HostKernels shared = kernels(2);
            double[] one = new double[ROUNDS];
            double[] two = new double[ROUNDS];
            for (int round = 0; round < ROUNDS; round++) {
                one[round] = speed(alone, launch);
                two[round] = speed(shared, launch);
            }
            double ratio = median(two) / median(one);
            assertThat(ratio)
                    .as("n = %d: two threads beside busy cores, of the speed of one", n)
                    .isGreaterThan(LEAST);
        }
    }
}
