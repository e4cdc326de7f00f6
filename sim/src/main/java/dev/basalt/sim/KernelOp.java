package dev.basalt.sim;

import dev.basalt.spi.Launch;
import java.util.function.Consumer;

/** A kernel launch. */
final class KernelOp extends Op {
    /** Workspace beyond this stays as it is: poisoning it would cost more than the kernel. */
    private static final long POISONED_WORK = 1L << 20;

    private static final long LATENCY = 2_000;
    private static final long BYTES_PER_NANO = 2_000;
    private static final long FLOPS_PER_NANO = 20_000;

    private final Launch launch;
    private final Consumer<Launch> kernels;

    /** The launch must be a copy that nobody changes. */
    KernelOp(Launch launch, Consumer<Launch> kernels) {
        super(launch.kernel + " " + launch.type.letter());
        this.launch = launch;
        this.kernels = kernels;
    }

    @Override
    void touch(Touch.Sink sink) {
        LaunchTouches.declare(launch, sink);
    }

    @Override
    void touchThroughTables(Touch.Sink sink) {
        LaunchTouches.declareThroughTables(launch, sink);
    }

    @Override
    boolean hasTables() {
        return LaunchTouches.hasTables(launch);
    }

    @Override
    void run() {
        if (launch.work != 0) {
            Poison.fill(launch.work, Math.min(launch.workBytes, POISONED_WORK));
        }
        kernels.accept(launch);
    }

    @Override
    long nanos() {
        long bytes = touches.stream().mapToLong(touch -> touch.bytes().bytes()).sum();
        double flops = launch.kernel.flops(launch) * launch.count;
        return LATENCY + bytes / BYTES_PER_NANO + (long) (flops / FLOPS_PER_NANO);
    }

    @Override
    Op again() {
        return new KernelOp(launch, kernels);
    }
}
