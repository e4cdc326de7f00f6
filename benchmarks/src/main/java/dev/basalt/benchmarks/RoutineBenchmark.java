package dev.basalt.benchmarks;

import dev.basalt.bench.Arguments;
import dev.basalt.bench.NativeLibrary;
import dev.basalt.bench.NativePeer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A routine by Basalt, by OpenBLAS with the kernels that it chooses, and by OpenBLAS with its AVX-512 kernels, each in JVMs of
 * its own. The forks come one after the other: where the machine changes its speed meanwhile, {@link Paired} is the one to
 * believe.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@State(Scope.Thread)
public class RoutineBenchmark {
    /** A workload, by the arguments of {@code basalt bench}. */
    @Param({
            "function=gemm precision=d n=512",
            "function=gemm precision=d n=1024",
            "function=dot precision=d n=100000",
            "function=getrf precision=d n=1024",
            "function=potrf precision=d uplo=L n=1024"})
    public String workload;

    private Contest contest;

    /** Makes the operands. */
    @Setup
    public void open() {
        NativeLibrary library = NativeLibrary.of("openblas", null, System.getProperty(Jvm.PEER, ""));
        NativePeer peer = new NativePeer(library, 1);
        contest = new Contest(Arguments.of(workload).workload(), peer);
        System.out.println(peer.description());
    }

    /** Frees the operands. */
    @TearDown
    public void close() {
        contest.close();
    }

    /** Basalt's public API. */
    @Benchmark
    @Fork(value = 2,
            jvmArgs = {Jvm.HEAP_START, Jvm.HEAP_MOST, Jvm.TOUCH, Jvm.STACK, Jvm.VECTORS, Jvm.NATIVE, Jvm.ONE_THREAD})
    public double basalt() {
        contest.restore();
        return contest.basalt(1);
    }

    /** OpenBLAS as it comes. */
    @Benchmark
    @Fork(value = 2,
            jvmArgs = {Jvm.HEAP_START, Jvm.HEAP_MOST, Jvm.TOUCH, Jvm.STACK, Jvm.VECTORS, Jvm.NATIVE, Jvm.ONE_THREAD})
    public double openBlas() {
        contest.restore();
        return contest.peer(1);
    }

    /** OpenBLAS made to use its AVX-512 kernels. */
    @Benchmark
    @Fork(value = 2,
            jvmArgs = {
                    Jvm.HEAP_START,
                    Jvm.HEAP_MOST,
                    Jvm.TOUCH,
                    Jvm.STACK,
                    Jvm.VECTORS,
                    Jvm.NATIVE,
                    Jvm.ONE_THREAD,
                    Jvm.SKYLAKE_X})
    public double openBlasSkylakeX() {
        contest.restore();
        return contest.peer(1);
    }
}
