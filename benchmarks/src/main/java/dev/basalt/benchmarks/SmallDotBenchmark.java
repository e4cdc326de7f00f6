package dev.basalt.benchmarks;

import dev.basalt.Blas;
import dev.basalt.ClassicLevel1;
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
@Fork(
        value = 3,
        jvmArgs = {Jvm.HEAP_START, Jvm.HEAP_MOST, Jvm.TOUCH, Jvm.STACK, Jvm.VECTORS, Jvm.NATIVE, Jvm.ONE_THREAD})
@State(Scope.Thread)
public class SmallDotBenchmark {
    private static final int N = 8;

    private DotContest contest;
    private Handle handle;
    private VectorView x;
    private VectorView y;
    private DevicePointer pointerX;
    private DevicePointer pointerY;

    /** Makes the vectors. */
    @Setup
    public void open() {
        contest = new DotContest(N);
        handle = contest.handle();
        x = contest.x();
        y = contest.y();
        pointerX = x.pointer();
        pointerY = y.pointer();
        System.out.println("OpenBLAS " + OpenBlas.core() + ", " + OpenBlas.config());
    }

    /** Frees the vectors. */
    @TearDown
    public void close() {
        contest.close();
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

    /** OpenBLAS by a critical downcall, the cheapest there is. */
    @Benchmark
    public double openBlas() {
        return contest.openBlas();
    }
}
