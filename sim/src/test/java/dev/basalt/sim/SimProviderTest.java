package dev.basalt.sim;

import static dev.basalt.sim.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceProvider;
import dev.basalt.spi.DriverException.Code;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimProviderTest {
    private final SimProvider provider = new SimProvider();

    @Test
    void isFoundButNeverBest() throws IOException {
        try (InputStream services =
                SimProvider.class.getResourceAsStream("/META-INF/services/" + DeviceProvider.class.getName())) {
            assertThat(new String(services.readAllBytes(), StandardCharsets.UTF_8).trim())
                    .isEqualTo(SimProvider.class.getName());
        }
        assertThat(provider.kind()).isEqualTo("sim");
        assertThat(provider.rank()).isNegative();
        assertThat(provider.probe()).singleElement().satisfies(probe -> {
            assertThat(probe.name()).isEqualTo("sim");
            assertThat(probe.refusal()).isNull();
        });
    }

    @Test
    void opensWithDefaults() {
        try (DeviceDriver sim = provider.open("sim")) {
            assertThat(sim.name()).isEqualTo("sim");
            assertThat(sim.totalMemory()).isEqualTo(4L << 30);
            assertThat(sim.traits().deviceClass()).isEqualTo("sim");
            assertThat(sim.traits().alignment()).isEqualTo(256);
            assertThat(sim.traits().hostAccessible()).isFalse();
            assertThat(sim.traits().memoryPools()).isTrue();
            assertThat(sim.traits().defaultWorkspace()).isEqualTo(32 << 20);
        }
    }

    @Test
    void opensWithOptions() {
        try (SimDriver sim = (SimDriver) provider.open("sim:seed=42, pools=false,vmm=false,memory=1g,lazy=true")) {
            assertThat(sim.name()).startsWith("sim:seed=42");
            assertThat(sim.seed()).isEqualTo(42);
            assertThat(sim.totalMemory()).isEqualTo(1 << 30);
            assertThat(sim.traits().memoryPools()).isFalse();
            assertThat(sim.traits().virtualMemory()).isFalse();
            assertThat(sim.description()).contains("LAZY").contains("42");
        }
        try (DeviceDriver sim = provider.open("sim:memory=0x1000,eager=true")) {
            assertThat(sim.totalMemory()).isEqualTo(4096);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "simulator",
            "cuda:0",
            "sim:",
            "sim:seed",
            "sim:seed=x",
            "sim:memory=",
            "sim:memory=g",
            "sim:memory=-1",
            "sim:memory=9999999999g",
            "sim:pools=yes",
            "sim:fast=true",
            "sim:seed=1,,lazy=true"})
    void refusesWhatItDoesNotKnow(String name) {
        assertRefused(Code.INVALID_VALUE, () -> provider.open(name));
    }
}
