package dev.basalt.internal.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.internal.block.Scope;
import dev.basalt.internal.block.Watch;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchTest {
    private static final int LAUNCHES = 200;

    private final List<Double> shares = new ArrayList<>();
    private Watch watch;

    /** A device that expects as much of each launch, and asks in each how far the call is. */
    private Scope scope() {
        Object device = Proxy.newProxyInstance(getClass().getClassLoader(),
                new Class<?>[] {DeviceDriver.class, DirectDevice.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "traits" -> DeviceTraits.of("test").build();
                    case "nanos" -> 1000.0;
                    case "launch" -> {
                        Thread.sleep(1);
                        shares.add(watch.share());
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
        watch = new Watch((DirectDevice) device);
        Scope scope = new Scope((DeviceDriver) device);
        scope.watch = watch;
        return scope;
    }

    private static void launches(Scope scope, int count) {
        Launch launch = new Launch();
        for (int i = 0; i < count; i++) {
            launch.kernel = i % 2 == 0 ? Kernel.GEMM : Kernel.COPY;
            scope.launch(launch, 0);
        }
    }

    @Test
    void theShareGoesFromNothingToAll() {
        Scope scope = scope();
        watch.count();
        launches(scope, LAUNCHES);
        assertThat(shares).as("what is counted is not run").isEmpty();
        watch.run();
        launches(scope, LAUNCHES);
        assertThat(shares).hasSize(LAUNCHES);
        assertThat(shares.get(0)).as("before anything is done").isNegative();
        assertThat(shares.subList(10, LAUNCHES)).allMatch(s -> s > 0 && s <= 1);
        assertThat(shares.get(LAUNCHES - 1)).isGreaterThan(shares.get(10)).isGreaterThan(0.9);
        assertThat(watch.missing()).isZero();
        watch.end();
        assertThat(watch.share()).as("afterwards").isNegative();
    }

    @Test
    void whatIsDoneWhereAFirstWayFailsIsNotExpected() {
        Scope scope = scope();
        watch.count();
        launches(scope, 2);
        Launch between = new Launch();
        between.kernel = Kernel.FALL_BACK;
        scope.launch(between, 0);
        launches(scope, 1000);
        between.p = 1;
        scope.launch(between, 0);
        watch.run();
        launches(scope, 2);
        between.p = 0;
        scope.launch(between, 0);
        assertThat(watch.missing()).as("two launches of three").isBetween(0.3, 0.4);
        watch.end();
    }

    @Test
    void aQuickReturnLaunchesAtOnce() {
        Scope scope = scope();
        launches(scope, 1);
        assertThat(shares).hasSize(1);
        assertThat(watch.share()).isNegative();
    }
}
