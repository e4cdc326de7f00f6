package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.fail;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.conformance.every.Query;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.conformance.support.Share;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The size formulas alone: monotone in every dimension, exact, and never wrapping around. They are those of every routine of the
 * table in all its types and options; none is named to be in the list.
 */
class FormulaTest {
    private static final List<Query> QUERIES = Query.all();

    /** A run tries one case in so many. */
    private static final int SHARE = 12;

    static List<String> devices() {
        return Devices.names();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void monotoneForAllSquareSizesTo2048(String name) {
        try (Device device = Devices.open(name, 1); Handle h = device.createHandle()) {
            Set<Integer> whole = IntStream.of(Share.draw(name, QUERIES.size(), QUERIES.size() / SHARE))
                    .boxed()
                    .collect(Collectors.toSet());
            for (int i = 0; i < QUERIES.size(); i++) {
                Query q = QUERIES.get(i);
                long before = 0;
                for (long n = 1; n <= 2048; n++) {
                    if (n % 32 > 1 && n > 32 && !whole.contains(i)) {
                        // Blocks are multiples of 8, most of 32, so formulas break there and behind it.
                        continue;
                    }
                    long now = q.need(h, n, n, n);
                    if (now < before || now % 64 != 0) {
                        fail("%s n = %d: %d bytes after %d", q, n, now, before);
                    }
                    before = now;
                }
            }
        }
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void monotoneInEveryDimension(String name) {
        long seed = Long.getLong("basalt.test.seed", 7);
        Random random = new Random(seed);
        int[] drawn = Share.draw(name + " dimensions", SHARE, 1);
        try (Device device = Devices.open(name, 1); Handle h = device.createHandle()) {
            for (int i = 0; i < 400_000; i++) {
                Query q = QUERIES.get(random.nextInt(QUERIES.size()));
                long m = dim(random);
                long n = dim(random);
                long k = dim(random);
                long dm = random.nextBoolean() ? dim(random) : 0;
                long dn = random.nextBoolean() ? dim(random) : 0;
                long dk = random.nextBoolean() ? dim(random) : 0;
                if (Arrays.binarySearch(drawn, i % SHARE) < 0) {
                    continue;
                }
                long more = q.need(h, m + dm, n + dn, k + dk);
                long less = q.need(h, m, n, k);
                if (more < less) {
                    fail("%s (%d, %d, %d) + (%d, %d, %d), seed %d: %d bytes after %d", q, m, n, k, dm, dn, dk, seed,
                            more, less);
                }
            }
        }
    }

    private static long dim(Random random) {
        return 1 + random.nextInt(1 << random.nextInt(1, 15));
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void hugeShapesAnswerOrRefuseButNeverWrap(String name) {
        long seed = Long.getLong("basalt.test.seed", 8);
        Random random = new Random(seed);
        try (Device device = Devices.open(name, 1); Handle h = device.createHandle()) {
            for (int i = 0; i < 200_000; i++) {
                Query q = QUERIES.get(i % QUERIES.size());
                long m = random.nextLong() >>> random.nextInt(1, 63);
                long n = random.nextLong() >>> random.nextInt(1, 63);
                long k = random.nextLong() >>> random.nextInt(1, 63);
                long small = 0;
                long large;
                try {
                    large = q.need(h, m, n, k);
                    small = q.need(h, m / 2, n / 2, k / 2);
                } catch (BlasException e) {
                    assertThat(e.status()).as("%s %d %d %d, seed %d", q, m, n, k, seed).isEqualTo(Status.INVALID_SIZE);
                    continue;
                }
                if (large < small) {
                    fail("%s %d %d %d, seed %d: %d bytes, %d for half of it", q, m, n, k, seed, large, small);
                }
            }
            Query gemv = query("gemv", "trans", Op.TRANS);
            refused(() -> gemv.need(h, 1L << 50, 1L << 60, 1));
            Query trmm = query("trmm", "side", Side.LEFT);
            if (device.deviceClass().startsWith("host-assembled")) {
                // This engine packs triangles itself: it needs packing memory alone, and no more for a larger shape.
                assertThat(trmm.need(h, 1L << 40, 1L << 60, 1)).isEqualTo(trmm.need(h, 1L << 20, 1L << 20, 1));
            } else {
                refused(() -> trmm.need(h, 1L << 40, 1L << 60, 1));
            }
        }
    }

    private static Query query(String family, String name, Enum<?> value) {
        return QUERIES.stream()
                .filter(q -> q.family().equals(family) && q.type() == ElementType.C64 && q.option(name) == value)
                .findFirst()
                .orElseThrow();
    }

    private static void refused(ThrowingCallable overflowing) {
        BlasException e = catchThrowableOfType(BlasException.class, overflowing);
        assertThat(e).as("a need beyond 64 bits is refused").isNotNull();
        assertThat(e.status()).isEqualTo(Status.INVALID_SIZE);
        assertThat(e.getMessage()).contains("64 bits");
    }
}
