package dev.basalt.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.LabrdWork;
import dev.basalt.spi.LatrdWork;
import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels that keep a matrix in shared memory ask for no more of it than a device has, whatever that is. */
class SharedMemoryTest {
    private static final int MULTIPROCESSORS = 30;

    /** The bytes that a launch of a matrix of order n asks for. */
    private static int asked(int shared, Kernel kernel, ElementType type, long n, long count,
            ToLongFunction<Launch> work) {
        AtomicInteger most = new AtomicInteger(-1);
        Launcher<Void> launcher =
                new Launcher<>((f, x, y, z, threads, bytes, at, channel) -> most.accumulateAndGet(bytes, Math::max),
                        MULTIPROCESSORS, shared, Cores.NONE, 1);
        Launch l = new Launch();
        l.kernel = kernel;
        l.type = type;
        l.count = count;
        l.m = n;
        l.n = n;
        l.k = 8;
        if (kernel == Kernel.GTSV) {
            l.m = 1;
            for (int i = 0; i < Launch.OPERANDS; i++) {
                l.operand(i).ld = 1;
            }
        }
        l.workBytes = work.applyAsLong(l);
        try (Arena arena = Arena.ofConfined()) {
            launcher.run(l, arena.allocate(Arguments.BYTES, 64).address(), 0, null);
        }
        return most.get();
    }

    @ParameterizedTest
    @ValueSource(ints = {48 << 10, 64 << 10, 99 << 10, 163 << 10, 227 << 10})
    void noLaunchAsksForMoreThanThereIs(int shared) {
        DeviceTraits traits = Launcher.traits("some", 1 << 20, true, true, false, Cores.NONE, MULTIPROCESSORS, shared);
        for (ElementType type : new ElementType[] {
                ElementType.F32,
                ElementType.F64,
                ElementType.C32,
                ElementType.C64}) {
            long whole = traits.reach().of(Kernel.SYTD2, type);
            assertThat(whole).isGreaterThan(64);
            assertThat(asked(shared, Kernel.SYTD2, type, whole, 1, l -> LatrdWork.whole(type, l.n))).isBetween(1,
                    shared);
            for (long n = 1; n < 300; n += 7) {
                assertThat(asked(shared, Kernel.SYTD2, type, n, 5, l -> 0)).isBetween(0, shared);
            }
            for (long n = 1; n < 1 << 16; n += n / 3 + 1) {
                for (long count : new long[] {1, 100, 100_000}) {
                    assertThat(asked(shared, Kernel.GTSV, type, n, count, l -> 0)).isBetween(0, shared);
                }
            }
            for (long n = 8; n <= 64; n += 7) {
                for (long m : new long[] {100, 250, 3000, 50_000, 1_000_000}) {
                    assertThat(asked(shared, Kernel.GEQR2, type, n, 1, l -> {
                        l.m = m;
                        return 0;
                    })).as("%s %d x %d", type, m, n).isBetween(0, shared);
                }
            }
            for (long n = 1; n <= 128; n++) {
                for (Kernel kernel : new Kernel[] {Kernel.POTF2, Kernel.GETRI, Kernel.GEQP3}) {
                    if (n <= traits.reach().of(kernel, type)) {
                        assertThat(asked(shared, kernel, type, n, 100, l -> 0)).as("%s %s %d", kernel, type, n)
                                .isBetween(0, shared);
                    }
                }
            }
            long order = traits.reach().of(Kernel.GEBD2, type);
            assertThat(order).isGreaterThan(64);
            assertThat(asked(shared, Kernel.GEBD2, type, order, 1, l -> LabrdWork.whole(l.m, l.n) * type.bytes()))
                    .isBetween(1, shared);
            assertThat(asked(shared, Kernel.LABRD_PANEL, type, 5000, 1,
                    l -> LabrdWork.elements(l.m, l.n, l.k) * type.bytes())).isBetween(1, shared);
        }
    }
}
