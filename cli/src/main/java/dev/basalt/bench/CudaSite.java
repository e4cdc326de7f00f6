package dev.basalt.bench;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.basalt.Device;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.Stream;
import dev.basalt.type.ElementType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * An NVIDIA GPU. Calls go to a stream that is made here and wrapped for the handle, so that the GPU's own events stand right
 * before and behind them. A kernel that only waits goes first: it lets the CPU issue all calls of a sample before the first
 * one runs, so that what is timed is the GPU and not the CPU that feeds it, for both sides alike.
 */
public final class CudaSite implements Site {
    /** Spins until the GPU's clock has moved by that many nanoseconds. */
    private static final String DELAY = """
            .version 6.0
            .target sm_70
            .address_size 64
            .visible .entry basalt_delay(.param .u64 nanos)
            {
            .reg .pred %p;
            .reg .b64 %r<5>;
            ld.param.u64 %r1, [nanos];
            mov.u64 %r2, %globaltimer;
            AGAIN:
            mov.u64 %r3, %globaltimer;
            sub.u64 %r4, %r3, %r2;
            setp.lt.u64 %p, %r4, %r1;
            @%p bra AGAIN;
            ret;
            }
            """;

    private static final double SAMPLE_NANOS = 3e5;

    /** A few µs for the delay's own start. */
    private static final double LEAST_DELAY = 3e4;

    private static final double MOST_DELAY = 2e7;
    private static final long COPY_BYTES = 1L << 30;
    private static final int REPEATS = 5;

    /** Order of the product that bounds whatever computes. */
    static final int PRODUCT_ORDER = 4096;

    private final Handle handle;
    private final ForeignLibrary driver;
    private final Arena arena = Arena.ofShared();
    private final MemorySegment word = arena.allocate(JAVA_LONG);
    private final MemorySegment delayNanos = arena.allocate(JAVA_LONG);
    private final Map<Routine.Unit, Map<ElementType, Limit>> limits = new EnumMap<>(Routine.Unit.class);
    private final long nativeStream;
    private final Stream stream;
    private final long before;
    private final long after;
    private final Call recordBefore;
    private final Call recordAfter;
    private final Call synchronize;
    private final Call delay;
    private final Call elapsed;
    private double issueNanos = 1e6;
    private double issueNanosBefore = 1e6;
    private ToDoubleFunction<ElementType> productLimit = this::product;

    /**
     * A site; the handle's calls go to its stream from now on.
     *
     * @param device a {@code cuda} device
     * @param handle on that device
     * @throws IllegalStateException if the driver lacks anything
     */
    public CudaSite(Device device, Handle handle) {
        this.handle = handle;
        driver = ForeignLibrary.load("NVIDIA's driver", null, "libcuda.so.1");
        int ordinal = Integer.parseInt(device.name().substring(device.name().indexOf(':') + 1));
        driver.call("cuDeviceGet", word.address(), ordinal);
        driver.call("cuDevicePrimaryCtxRetain", word.address(), word.get(JAVA_INT, 0));
        driver.call("cuCtxSetCurrent", word.get(JAVA_LONG, 0));
        nativeStream = made("cuStreamCreate", 1);
        before = made("cuEventCreate", 0);
        after = made("cuEventCreate", 0);
        recordBefore = driver.bind("cuEventRecord", before, nativeStream);
        recordAfter = driver.bind("cuEventRecord", after, nativeStream);
        synchronize = driver.bind("cuEventSynchronize", after);
        elapsed = driver.bind("cuEventElapsedTime", word.address(), before, after);
        delay = delay();
        stream = device.wrapStream(nativeStream);
        handle.setStream(stream);
    }

    /** What a function that takes a place for its result and one option made. */
    private long made(String function, int option) {
        driver.call(function, word.address(), option);
        return word.get(JAVA_LONG, 0);
    }

    private Call delay() {
        driver.call("cuModuleLoadData", word.address(), arena.allocateFrom(DELAY).address());
        long module = word.get(JAVA_LONG, 0);
        driver.call("cuModuleGetFunction", word.address(), module, arena.allocateFrom("basalt_delay").address());
        MemorySegment parameters = arena.allocateFrom(JAVA_LONG, delayNanos.address());
        long function = word.get(JAVA_LONG, 0);
        return driver.bind("cuLaunchKernel", function, 1, 1, 1, 1, 1, 1, 0, nativeStream, parameters.address(), 0L);
    }

    /** The stream, as the driver and the vendor's libraries know it. */
    long nativeStream() {
        return nativeStream;
    }

    /**
     * Sets how fast a large matrix product is, which bounds whatever computes.
     *
     * @param measured 10⁹ operations a second of a type
     */
    void productLimit(ToDoubleFunction<ElementType> measured) {
        productLimit = measured;
    }

    /** The speed of Basalt's own product, where there is no other to hold it against. */
    private double product(ElementType type) {
        Workload w = Arguments.of("function=gemm precision=" + type.letter() + " n=" + PRODUCT_ORDER).workload();
        try (Operands operands = new Operands(handle.device(), w, 1, this)) {
            return w.flops() / best(BasaltCalls.bind(handle, w, operands)[0]);
        }
    }

    @Override
    public double nanos(Runnable calls) {
        // Half as long again as issuing took the last two times: players take turns, and one may issue sooner than the
        // other.
        double issue = Math.max(issueNanos, issueNanosBefore);
        delayNanos.set(JAVA_LONG, 0, (long) Math.clamp(1.5 * issue, LEAST_DELAY, MOST_DELAY));
        delay.run();
        recordBefore.run();
        long start = System.nanoTime();
        calls.run();
        issueNanosBefore = issueNanos;
        issueNanos = System.nanoTime() - start;
        recordAfter.run();
        synchronize.run();
        elapsed.run();
        return word.get(JAVA_FLOAT, 0) * 1e6;
    }

    @Override
    public double sampleNanos() {
        return SAMPLE_NANOS;
    }

    @Override
    public boolean isAsynchronous() {
        return true;
    }

    @Override
    public void copy(DevicePointer from, DevicePointer to, long bytes) {
        driver.call("cuMemcpyDtoDAsync_v2", to.address(), from.address(), bytes, nativeStream);
    }

    @Override
    public Call copyCall(long from, long to, long bytes) {
        return driver.bind("cuMemcpyDtoDAsync_v2", to, from, bytes, nativeStream);
    }

    @Override
    public Limit limit(Workload w) {
        return limits.computeIfAbsent(w.routine.unit(), u -> new EnumMap<>(ElementType.class))
                .computeIfAbsent(w.type,
                        type -> w.routine.unit() == Routine.Unit.FLOPS
                                ? new Limit("matrix product", productLimit.applyAsDouble(type))
                                : new Limit("copy bandwidth", copyBandwidth()));
    }

    private double copyBandwidth() {
        long bytes = COPY_BYTES;
        driver.call("cuMemAlloc_v2", word.address(), 2 * bytes);
        long memory = word.get(JAVA_LONG, 0);
        try {
            driver.call("cuMemsetD8Async", memory, 1, 2 * bytes, nativeStream);
            Call copy = driver.bind("cuMemcpyDtoDAsync_v2", memory + bytes, memory, bytes, nativeStream);
            return 2.0 * bytes / best(copy);
        } finally {
            driver.call("cuMemFree_v2", memory);
        }
    }

    /** The shortest of some times. */
    double best(Call call) {
        double best = Double.POSITIVE_INFINITY;
        for (int i = 0; i < REPEATS; i++) {
            best = Math.min(best, nanos(call::run));
        }
        return best;
    }

    @Override
    public void close() {
        handle.synchronize();
        handle.setStream(handle.device().defaultStream());
        stream.close();
        driver.call("cuEventDestroy_v2", before);
        driver.call("cuEventDestroy_v2", after);
        driver.call("cuStreamDestroy_v2", nativeStream);
        arena.close();
    }
}
