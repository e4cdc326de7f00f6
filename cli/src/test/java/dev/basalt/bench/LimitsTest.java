package dev.basalt.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Device;
import dev.basalt.Handle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitsTest {
    @Test
    void severalThreadsAddUp() {
        Set<Thread> seen = ConcurrentHashMap.newKeySet();
        double sum = Limits.together(3, () -> {
            seen.add(Thread.currentThread());
            return 2;
        });
        assertThat(sum).isEqualTo(6);
        // This thread compiles what the others measure.
        assertThat(seen).hasSize(4).contains(Thread.currentThread());
        assertThatThrownBy(() -> Limits.together(2, () -> {
            if (!Thread.currentThread().isDaemon()) {
                return 0;
            }
            throw new IllegalArgumentException("no");
        })).hasRootCauseMessage("no");
    }

    /** The peak in a picture is that of the threads which drew the other lines. */
    @ParameterizedTest
    @CsvSource({"host:threads=1, a core", "host:threads=2, 2 threads"})
    void theLimitIsThatOfTheThreadsAtWork(String device, String cores) {
        try (Device opened = Device.open(device); Handle handle = opened.createHandle()) {
            Limit peak = new HostSite(handle).limit(Arguments.of("function=gemm precision=d n=100").workload());
            assertThat(peak.name()).isEqualTo("FMA peak of " + cores + " (double)");
            assertThat(peak.perNano()).isPositive();
            assertThat(new HostSite(handle).limit(Arguments.of("function=dot precision=s n=10").workload()).perNano())
                    .isPositive();
        }
    }
}
