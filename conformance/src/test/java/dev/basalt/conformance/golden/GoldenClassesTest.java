package dev.basalt.conformance.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.host.HostProvider;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The device classes of the golden files are those of the devices that this machine has. */
class GoldenClassesTest {
    @Test
    void hostEnginesHaveTheTraitsThatAreWrittenOut() {
        Map<String, DeviceTraits> known = GoldenClasses.all();
        int met = 0;
        for (String engine : List.of("assembled", "assembled-avx2", "vector", "scalar")) {
            for (int workers : new int[] {1, 3}) {
                try (DeviceDriver driver = new HostProvider().open("host:engine=" + engine + ",threads=" + workers)) {
                    DeviceTraits real = driver.traits();
                    DeviceTraits written = known.get(real.deviceClass());
                    if (written != null) {
                        assertThat(facts(written)).isEqualTo(facts(real));
                        met++;
                    }
                } catch (DriverException e) {
                    // An engine that this machine does not have is held against nothing here.
                    assertThat(engine).isNotEqualTo("scalar");
                }
            }
        }
        assertThat(met).as("the scalar engine is everywhere").isGreaterThanOrEqualTo(2);
    }

    /** All facts but those of the operating system. */
    private static List<Object> facts(DeviceTraits t) {
        return List.of(t.alignment(), t.workers(), t.defaultWorkspace(), t.reductionBlock(), t.gemvBlock(), t.reach(),
                t.products());
    }
}
