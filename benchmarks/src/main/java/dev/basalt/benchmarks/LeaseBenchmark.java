package dev.basalt.benchmarks;

import dev.basalt.DegradePolicy;
import dev.basalt.Device;
import dev.basalt.Handle;
import dev.basalt.Lease;
import dev.basalt.host.HostProvider;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.workspace.Need;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceOptions;
import dev.basalt.spi.DeviceDriver;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Borrowing workspace: the call that a routine makes ({@link #lendRelease}; it runs on the class path, where internal packages
 * are open), and the public lease, which is an object by design.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3,
        jvmArgs = {Jvm.HEAP_START, Jvm.HEAP_MOST, Jvm.TOUCH, Jvm.STACK, Jvm.VECTORS, Jvm.NATIVE, Jvm.ONE_THREAD})
@State(Scope.Thread)
public class LeaseBenchmark {
    private static final long PACKING = 1 << 20;

    private final DeviceDriver driver = new HostProvider().open("host");
    private final StreamRef stream = new StreamRef(0);
    private final WorkspaceCore workspace = new WorkspaceCore(driver,
            new WorkspaceOptions(-1, driver.traits().defaultWorkspace(), false, Long.MAX_VALUE, false), stream);
    private final HandleCore core = new HandleCore(driver, stream, workspace, DegradePolicy.ALLOW);
    private final Need need = new Need();
    private final long[] slots = new long[8];

    private final Device device = Device.open("host");
    private final Handle handle = device.createHandle();

    /** Asks once. */
    @Setup
    public void open() {
        ask();
    }

    /** Frees everything. */
    @TearDown
    public void close() {
        handle.close();
        device.close();
        workspace.close();
        driver.close();
    }

    private void ask() {
        need.reset();
        need.tier("best").slot("packing", PACKING).slot("result", 16);
        need.tier("less").slot("packing", PACKING / 4).slot("result", 16);
        need.done();
    }

    /** What lending and giving back cost a routine. */
    @Benchmark
    public long lendRelease() {
        int tier = workspace.lend(need, slots, core, "benchmark");
        workspace.release("benchmark");
        return slots[1] + tier;
    }

    /** The same with the list of what is needed made anew, as every call does. */
    @Benchmark
    public long askLendRelease() {
        ask();
        return lendRelease();
    }

    /** The lease for routines of users: a new object, noted against leaks. */
    @Benchmark
    public boolean deviceMalloc() {
        try (Lease lease = handle.deviceMalloc(PACKING, 16)) {
            return lease.isSuccess();
        }
    }
}
