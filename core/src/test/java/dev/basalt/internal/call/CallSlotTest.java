package dev.basalt.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.DegradePolicy;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceOptions;
import dev.basalt.spi.DeviceDriver;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

/** What a routine sees of its lease: the slots of the tier that runs, and nothing that an earlier call left behind. */
class CallSlotTest {
    /** A device that is asked for nothing but its facts, and known by its identity. */
    private static final class Idle implements InvocationHandler {
        static DeviceDriver driver() {
            return (DeviceDriver) Proxy.newProxyInstance(Idle.class.getClassLoader(),
                    new Class<?>[] {DeviceDriver.class}, new Idle());
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            return switch (method.getName()) {
                case "hashCode" -> System.identityHashCode(proxy);
                case "equals" -> proxy == args[0];
                case "memory" -> proxy;
                default -> {
                    assertThat(method.getName()).isEqualTo("traits");
                    yield null;
                }
            };
        }
    }

    @Test
    void aSlotThatTheTierDoesNotDeclareHasNoAddress() {
        DeviceDriver driver = Idle.driver();
        StreamRef stream = new StreamRef(0);
        WorkspaceOptions none = new WorkspaceOptions(-1, 0, false, Long.MAX_VALUE, false);
        Call call = new HandleCore(driver, stream, new WorkspaceCore(driver, none, stream), DegradePolicy.ALLOW).call;
        call.need.reset();
        call.need.tier("two").slot("first", 64).slot("second", 64);
        call.need.tier("one").slot("first", 64);
        call.need.tier("no workspace");
        call.need.done();
        call.slotAddresses()[0] = 0x1000;
        call.slotAddresses()[1] = 0x2000;

        call.running(0, 0);
        assertThat(call.slot(0)).isEqualTo(0x1000);
        assertThat(call.slot(1)).isEqualTo(0x2000);
        call.running(1, 0);
        assertThat(call.slot(0)).isEqualTo(0x1000);
        assertThat(call.slot(1)).as("left by the call before").isZero();
        assertThat(call.slotBytes(1)).isZero();
        call.running(2, 0);
        assertThat(call.slot(0)).as("left by the call before").isZero();
    }
}
