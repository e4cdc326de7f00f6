package dev.basalt.conformance.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.sim.LeakCheck;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.parallel.Isolated;

/** The JUnit extension fails a test that left something open, and no other. */
@ExtendWith(LeakCheck.class)
@Isolated("it sees what tests beside it have open")
class LeakCheckTest {
    @Test
    void aCleanTestPasses() {
        try (Device device = Devices.open("host", 1); Handle handle = device.createHandle()) {
            handle.deviceMalloc(64).close();
        }
    }

    @Test
    void aLeakingTestFailsWithTheSite() {
        LeakCheck check = new LeakCheck();
        ExtensionContext context = context("someTest()");
        check.beforeEach(context);
        Device device = Devices.open("host", 1);
        Handle handle = device.createHandle();
        assertThatThrownBy(() -> check.afterEach(context)).isInstanceOf(AssertionError.class)
                .hasMessageContaining("someTest() left 2 open")
                .hasMessageContaining("Handle #")
                .hasMessageContaining("aLeakingTestFailsWithTheSite");
        handle.close();
        device.close();
    }

    private static ExtensionContext context(String name) {
        Map<Object, Object> values = new HashMap<>();
        Object store = Proxy.newProxyInstance(LeakCheckTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.Store.class},
                (proxy, method, args) -> method.getName().equals("put")
                        ? values.put(args[0], args[1])
                        : values.remove(args[0]));
        return (ExtensionContext) Proxy.newProxyInstance(LeakCheckTest.class.getClassLoader(),
                new Class<?>[] {ExtensionContext.class},
                (proxy, method, args) -> method.getName().equals("getStore") ? store : name);
    }
}
