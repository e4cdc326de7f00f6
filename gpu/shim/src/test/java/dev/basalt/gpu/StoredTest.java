package dev.basalt.gpu;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Storage;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Elements of dense, band and packed matrices as kernels find them, against the definitions of the storages. */
class StoredTest {
    private static final long BASE = 1 << 20;
    private static final int BYTES = 8;
    private static final long SEED = 20_261_122;

    private final Random random = new Random(SEED);
    private final Launch l = new Launch();
    private long arguments;

    @BeforeAll
    static void theSourcesAreCompiled() {
        assumeTrue(Shim.ABSENT == null, Shim.ABSENT);
    }

    private long ask(String name, long... numbers) throws Throwable {
        Object[] all = new Object[numbers.length + 1];
        Arrays.setAll(all, i -> i == 0 ? (Object) arguments : (Object) numbers[i - 1]);
        MemoryLayout[] parameters = new MemoryLayout[all.length];
        Arrays.fill(parameters, JAVA_LONG);
        MethodHandle function = Shim.function("basalt_layout_" + name, FunctionDescriptor.of(JAVA_LONG, parameters));
        return (long) function.invokeWithArguments(all);
    }

    /** Element (i, j) by the storage's definition: rows of a band from above, columns of a packed triangle behind each other. */
    private long element(Storage storage, long n, long ld, long ku, long i, long j) {
        return switch (storage) {
            case DENSE -> i + j * ld;
            case BAND -> ku + i - j + j * ld;
            case PACKED -> l.uplo == Uplo.UPPER ? i + j * (j + 1) / 2 : i - j + j * (2 * n - j + 1) / 2;
        };
    }

    @Test
    void elementsLieWhereTheStorageSays() throws Throwable {
        try (Arena arena = Arena.ofConfined()) {
            arguments = arena.allocate(Arguments.BYTES, 64).fill((byte) 0xA5).address();
            for (int round = 0; round < 60; round++) {
                round(Storage.values()[round % 3]);
            }
        }
    }

    private void round(Storage storage) throws Throwable {
        long m = 1 + random.nextInt(12);
        long n = storage == Storage.PACKED ? m : 1 + random.nextInt(12);
        long kl = random.nextInt(5);
        long ku = random.nextInt(5);
        long ld = (storage == Storage.BAND ? kl + ku + 1 : m) + random.nextInt(3);
        long stride = random.nextInt(2000) - 1000;
        l.reset(Kernel.GEMV, ElementType.F64, 2);
        l.m = m;
        l.n = n;
        l.uplo = Uplo.values()[random.nextInt(2)];
        l.c.vector(ElementType.F64, BASE, m, 1, 0);
        switch (storage) {
            case DENSE -> l.a.matrix(ElementType.F64, BASE, m, n, ld, stride);
            case BAND -> l.a.band(ElementType.F64, BASE, m, n, kl, ku, ld, stride);
            case PACKED -> l.a.packed(ElementType.F64, BASE, n, stride);
        }
        Arguments.write(arguments, l, 0);
        for (long j = 0; j < n; j++) {
            long first = 0;
            long last = m;
            if (storage == Storage.BAND) {
                first = Math.max(0, j - ku);
                last = Math.min(m, j + kl + 1);
            } else if (storage == Storage.PACKED) {
                first = l.uplo == Uplo.UPPER ? 0 : j;
                last = l.uplo == Uplo.UPPER ? j + 1 : m;
            }
            assertThat(ask("first", j)).as("%s column %d", storage, j).isEqualTo(first);
            assertThat(ask("last", j)).as("%s column %d", storage, j).isEqualTo(last);
            for (long i = first; i < last; i++) {
                for (long problem = 0; problem < 2; problem++) {
                    assertThat(ask("element", problem, i, j))
                            .as("%s %s %dx%d kl=%d ku=%d (%d, %d)", storage, l.uplo, m, n, kl, ku, i, j)
                            .isEqualTo(BASE + BYTES * (problem * stride + element(storage, n, ld, ku, i, j)));
                }
            }
        }
    }
}
