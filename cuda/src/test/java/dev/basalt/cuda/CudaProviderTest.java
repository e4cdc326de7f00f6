package dev.basalt.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.basalt.BlasException;
import dev.basalt.Device;
import dev.basalt.Status;
import dev.basalt.spi.DeviceProvider.Probe;
import dev.basalt.spi.DriverException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CudaProviderTest {
    private final CudaProvider provider = new CudaProvider();

    @Test
    void probingNeverThrowsAndAnAbsentDriverIsOneClearReason() {
        List<Probe> probes = provider.probe();
        assertThat(probes).isNotEmpty();
        if (Gpu.refusal() != null) {
            assertThat(probes).hasSize(1);
            assertThat(probes.get(0).name()).isEqualTo("cuda");
            assertThat(probes.get(0).refusal()).startsWith("no NVIDIA ").doesNotContain("Exception", "\n");
        }
    }

    @Test
    void theDeviceListShowsIt() {
        assertThat(Device.list()).anyMatch(found -> found.name().startsWith("cuda"));
    }

    @Test
    void openingWithoutAGpuSaysWhy() {
        assumeTrue(Gpu.refusal() != null, "there is a GPU here");
        assertThatThrownBy(() -> Device.open("cuda:0"))
                .isInstanceOfSatisfying(BlasException.class,
                        e -> assertThat(e.status()).isEqualTo(Status.INVALID_VALUE))
                .hasMessageContaining("cuda:0")
                .hasMessageContaining(Gpu.refusal());
    }

    @Test
    void junkForANumberIsRefused() {
        for (String name : List.of("cuda:", "cuda:x", "cuda:1.5", "cuda:99999999999")) {
            assertThatThrownBy(() -> provider.open(name)).as(name)
                    .isInstanceOf(DriverException.class)
                    .message()
                    .containsAnyOf("is no number of a GPU", "no NVIDIA");
        }
    }

    @Test
    void itIsPreferredToTheHostWhereThereIsOne() {
        assertThat(provider.kind()).isEqualTo("cuda");
        assertThat(provider.rank()).isPositive();
    }
}
