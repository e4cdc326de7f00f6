package dev.basalt.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DriverException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HostSettingsTest {
    private final String engine = System.getProperty(HostSettings.ENGINE);
    private final String threads = System.getProperty(HostSettings.THREADS);

    @AfterEach
    void restore() {
        set(HostSettings.ENGINE, engine);
        set(HostSettings.THREADS, threads);
    }

    private static void set(String property, String value) {
        if (value == null) {
            System.clearProperty(property);
        } else {
            System.setProperty(property, value);
        }
    }

    @Test
    void withoutPropertiesTheMachineDecides() {
        set(HostSettings.ENGINE, null);
        set(HostSettings.THREADS, null);
        HostSettings settings = HostSettings.of("host");
        assertThat(settings.engine()).isEqualTo("auto");
        assertThat(settings.threads()).isEqualTo(Runtime.getRuntime().availableProcessors());
        assertThat(settings.ownThreads()).isFalse();
    }

    @Test
    void optionsInTheNameOverrideProperties() {
        set(HostSettings.ENGINE, "auto");
        set(HostSettings.THREADS, "7");
        assertThat(HostSettings.of("host")).isEqualTo(new HostSettings("auto", 7, false));
        assertThat(HostSettings.of("host:engine=scalar")).isEqualTo(new HostSettings("scalar", 7, false));
        assertThat(HostSettings.of("host:threads=3,engine=scalar")).isEqualTo(new HostSettings("scalar", 3, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fast", "VECTOR", "", "scalar "})
    void aJunkEngineIsRefusedByName(String junk) {
        set(HostSettings.ENGINE, junk);
        assertThatThrownBy(() -> new HostProvider().open("host"))
                .isInstanceOfSatisfying(DriverException.class,
                        e -> assertThat(e.code()).isEqualTo(DriverException.Code.INVALID_VALUE))
                .hasMessageContaining("basalt.engine")
                .hasMessageContaining('"' + junk + '"')
                .hasMessageContaining("auto, assembled, assembled-avx2, vector, scalar");
        assertThat(new HostProvider().probe()).singleElement().satisfies(probe -> {
            assertThat(probe.name()).isEqualTo("host");
            assertThat(probe.refusal()).contains("basalt.engine");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "many", "2.5", "99999", "9999999999"})
    void aJunkNumberOfThreadsIsRefusedByName(String junk) {
        set(HostSettings.THREADS, junk);
        assertThatThrownBy(() -> new HostProvider().open("host")).isInstanceOf(DriverException.class)
                .hasMessageContaining("basalt.threads")
                .hasMessageContaining('"' + junk + '"')
                .hasMessageContaining("from 1 to 1024");
        assertThat(new HostProvider().probe().getFirst().refusal()).contains("basalt.threads");
    }

    @ParameterizedTest
    @ValueSource(strings = {"host:", "host:1", "host:threads=0", "host:engine=fast", "host:speed=9", "cuda:0", "hosts"})
    void aJunkNameIsRefused(String junk) {
        assertThatThrownBy(() -> new HostProvider().open(junk)).isInstanceOf(DriverException.class)
                .hasMessageContaining(junk);
    }

    @Test
    void theProbeDescribesWhatOpenOpens() {
        set(HostSettings.ENGINE, "scalar");
        set(HostSettings.THREADS, "2");
        DeviceProvider provider = new HostProvider();
        assertThat(provider.kind()).isEqualTo("host");
        assertThat(provider.rank()).isZero();
        DeviceProvider.Probe probe = provider.probe().getFirst();
        assertThat(probe.refusal()).isNull();
        assertThat(probe.description()).contains("scalar engine", "2 threads", "processors");
        try (DeviceDriver driver = provider.open("host")) {
            assertThat(driver.name()).isEqualTo("host");
            assertThat(driver.description()).isEqualTo(probe.description());
            assertThat(driver.traits().deviceClass()).isEqualTo("host-scalar-t2");
            assertThat(driver.traits().workers()).isEqualTo(2);
        }
    }
}
