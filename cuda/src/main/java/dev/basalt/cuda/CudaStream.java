package dev.basalt.cuda;

import dev.basalt.gpu.Arguments;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.List;

/**
 * A stream of the driver's with what its work needs on the host, allocated once: the kernels' arguments with the array of the
 * one pointer to them, the structs of a launch and of a strided copy, and a word for results. One thread at a time feeds a stream, so one of
 * each is enough.
 */
final class CudaStream {
    private static final int POINTERS = 0;
    private static final int WORD = 64;
    private static final int COPY = 128;
    private static final int ARGUMENTS = 256;
    private static final int CONFIG = (ARGUMENTS + Arguments.BYTES + 63) / 64 * 64;
    private static final int ATTRIBUTE = CONFIG + 64;
    private static final int HOST_BYTES = ATTRIBUTE + Structs.LAUNCH_ATTRIBUTE_BYTES;

    final long stream;
    /** Whether it was made here and not wrapped. */
    private final boolean owned;
    /** The struct of a strided copy. */
    final long copy;
    /** The struct of a launch that may overlap the one before it. */
    final long config;
    /** Eight bytes that the driver writes results to. */
    final long word;

    private final Gpu gpu;
    private final long host;
    private final long tickets;
    /** Null where all products are done by the kernels of this library. */
    private final LtProducts products;
    /** The counters' area of the capture under way, else 0. */
    private long captured;
    /** Threads that wait for the stream's work; the last of them destroys a stream that was given up. */
    private int waiting;

    private boolean given;

    /** A new stream; the GPU's context is current. */
    CudaStream(Gpu gpu, GemmEngine engine) {
        this(gpu, engine, create(), true);
    }

    /** Somebody else's stream, which is not destroyed with this. */
    static CudaStream wrapped(Gpu gpu, GemmEngine engine, long foreign) {
        return new CudaStream(gpu, engine, foreign, false);
    }

    private static long create() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            // Non-blocking: the legacy stream of others in this process must not order our streams with each other.
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_CREATE, out, Structs.STREAM_NON_BLOCKING), "cuStreamCreate");
            return Memory.i64(out);
        }
    }

    private CudaStream(Gpu gpu, GemmEngine engine, long stream, boolean owned) {
        this.gpu = gpu;
        this.stream = stream;
        this.owned = owned;
        long area = 0;
        long block = 0;
        try {
            area = gpu.tickets().obtain();
            block = SystemMemory.allocate(HOST_BYTES, 64);
        } finally {
            if (block == 0) {
                discard(area);
            }
        }
        tickets = area;
        host = block;
        copy = host + COPY;
        word = host + WORD;
        config = host + CONFIG;
        Structs.overlapping(config, host + ATTRIBUTE, stream);
        Memory.i64(host + POINTERS, host + ARGUMENTS);
        products = engine == null ? null : new LtProducts(gpu, CublasLt.installed(), engine);
    }

    private void discard(long area) {
        if (area != 0) {
            gpu.tickets().giveBack(area, List.of());
        }
        end();
    }

    private void end() {
        if (owned) {
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_DESTROY, stream), "cuStreamDestroy");
        }
    }

    /** Runs a launch in stream order. The arguments go through memory of this stream, so handles of two threads on it take turns. */
    synchronized void launch(Launch launch) {
        if (products != null && products.run(launch, stream)) {
            return;
        }
        gpu.code().run(launch, host + ARGUMENTS, captured != 0 ? captured : tickets, this);
    }

    /** The array of the pointers to a kernel's arguments: one, to the arguments of this stream. */
    long pointers() {
        return host + POINTERS;
    }

    /** Whether a capture was begun on this stream. */
    boolean hasCapture() {
        return captured != 0;
    }

    /** Whether work issued now is recorded: by a capture of this stream, or by one of another that it has joined. */
    synchronized boolean isCapturing() {
        CudaErrors.check(Libcuda.call(Libcuda.STREAM_IS_CAPTURING, stream, word), "cuStreamIsCapturing");
        return Memory.i32(word) != 0;
    }

    /** Begins a capture, with counters that will belong to the graph. */
    synchronized void beginCapture() {
        long area = gpu.tickets().obtain();
        int result = Libcuda.call(Libcuda.STREAM_BEGIN_CAPTURE, stream, Structs.CAPTURE_THREAD_LOCAL);
        if (result != CudaErrors.SUCCESS) {
            gpu.tickets().giveBack(area, List.of());
            throw CudaErrors.failure(result, "cuStreamBeginCapture");
        }
        captured = area;
    }

    /** Ends a capture and makes it a graph that can be launched. */
    synchronized CudaGraph endCapture() {
        int result = Libcuda.call(Libcuda.STREAM_END_CAPTURE, stream, word);
        long area = captured;
        long graph = Memory.i64(word);
        if (area == 0) {
            throw CudaErrors.failure(result, "cuStreamEndCapture");
        }
        captured = 0;
        if (result != CudaErrors.SUCCESS) {
            gpu.tickets().giveBack(area, List.of());
            throw CudaErrors.failure(result, "cuStreamEndCapture");
        }
        int made = Libcuda.call(Libcuda.GRAPH_INSTANTIATE, word, graph, (long) Structs.GRAPH_FREE_ON_LAUNCH);
        int destroyed = Libcuda.call(Libcuda.GRAPH_DESTROY, graph);
        if (made != CudaErrors.SUCCESS) {
            gpu.tickets().giveBack(area, List.of());
            throw CudaErrors.failure(made, "cuGraphInstantiate");
        }
        CudaErrors.check(destroyed, "cuGraphDestroy");
        return new CudaGraph(gpu, Memory.i64(word), area);
    }

    /** Waits for the work issued until now, even if another thread gives the stream up meanwhile. */
    void synchronize() {
        if (enter()) {
            try {
                CudaErrors.check(Libcuda.call(Libcuda.STREAM_SYNCHRONIZE, stream), "cuStreamSynchronize");
            } finally {
                leave();
            }
        }
    }

    private synchronized boolean enter() {
        if (!given) {
            waiting++;
        }
        return !given;
    }

    private synchronized void leave() {
        waiting--;
        if (given && waiting == 0) {
            free();
        }
    }

    /** Gives the stream up; work on it still completes. */
    synchronized void destroy() {
        given = true;
        if (waiting == 0) {
            free();
        }
    }

    private void free() {
        gpu.tickets().giveBack(tickets, List.of(stream));
        end();
        SystemMemory.free(host);
        if (products != null) {
            products.close();
        }
    }
}
