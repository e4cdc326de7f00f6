package dev.basalt.benchmarks;

import static dev.basalt.type.ElementType.F64;

import dev.basalt.Blas;
import dev.basalt.ClassicLevel1;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.DevicePointer;
import dev.basalt.Handle;
import dev.basalt.VectorView;
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

/** ddot of 8 elements: what a call costs beside its arithmetic. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3,
        jvmArgs = {Jvm.HEAP_START, Jvm.HEAP_MOST, Jvm.TOUCH, Jvm.STACK, Jvm.VECTORS, Jvm.NATIVE, Jvm.ONE_THREAD})
@State(Scope.Thread)
public class SmallDotBenchmark {
    private static final int N = 8;

    private final Device device = Device.open("host");
    private final Handle handle = device.createHandle();
    private final DeviceArena arena = device.arena();
    private final VectorView x = arena.vector(F64, N);
    private final VectorView y = arena.vector(F64, N);
    private final DevicePointer pointerX = x.pointer();
    private final DevicePointer pointerY = y.pointer();

    /** Fills the vectors. */
    @Setup
    public void open() {
        x.upload(new double[] {1, 2, 3, 4, 5, 6, 7, 8});
        y.upload(new double[] {8, 7, 6, 5, 4, 3, 2, 1});
    }

    /** Frees the vectors. */
    @TearDown
    public void close() {
        arena.close();
        handle.close();
        device.close();
    }

    /** Views. */
    @Benchmark
    public double views() {
        return Blas.dot(handle, x, y);
    }

    /** The classic name. */
    @Benchmark
    public double classic() {
        return ClassicLevel1.ddot(handle, N, pointerX, 1, pointerY, 1);
    }
}
