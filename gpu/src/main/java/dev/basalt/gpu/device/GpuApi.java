package dev.basalt.gpu.device;

import dev.basalt.gpu.Cores;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Sanitizer;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * What a vendor's driver does for one GPU. Handles and device addresses are {@code long}; a failure is a {@link DriverException}, but of
 * {@link #launch}, which answers a number, as it may be tried again. Unless said otherwise the GPU is current on the thread: see
 * {@link #enter}.
 */
public abstract class GpuApi {
    /** How a launch stands to the one before it in its stream. */
    public enum Form {
        /** It begins when that has ended. */
        ORDERED,
        /** It may take its places early: the kernel waits for the end itself. */
        OVERLAPPING,
        /** Ordered, and all blocks run at once, or it fails. */
        COOPERATIVE
    }

    /** A kernel's code as the build may have put it into the jar. */
    public record Prebuilt(String ending, Origin from) {}

    /** Matrix products of one stream by a library of the vendor's. */
    public interface Products {
        /** Runs a launch if it is a product that the library takes. */
        boolean run(Launch launch, long stream);

        /** Ends it; its stream has no work any more. */
        void close();
    }

    /** A compiler for kernels at run time. */
    public interface Compiler {
        /** Its name and version: code of another one is not used. */
        String identity();

        /** Options that it takes for this GPU beside those of the program. */
        List<String> options();

        /** Code that {@link #loadModule} takes. */
        byte[] compile(String name, String source, java.util.Map<String, String> headers, List<String> options);
    }

    /** For the vendor's module. */
    protected GpuApi() {}

    // ---- facts

    /** Multiprocessors. */
    public abstract int multiprocessors();

    /** Bytes of shared memory that a block may have at most. */
    public abstract int shared();

    /** What products its tensor cores form. */
    public abstract Cores cores();

    /** Blocks of the largest cluster, 1 where there are none. */
    public abstract int clusters();

    /** Bytes of memory. */
    public abstract long memoryBytes();

    /** Whether launches may overlap, in graphs too. */
    public abstract boolean overlaps();

    /** Code of the build's that this GPU takes, the best first. */
    public abstract List<Prebuilt> prebuilt();

    /** The compiler for what the build has no code for. */
    public abstract Compiler compiler();

    /** The vendor's products for one stream; null where the engine is null. */
    public abstract Products products(GemmEngine engine);

    /** Who watches memory, or null. */
    public abstract Sanitizer sanitizer();

    /** Makes this GPU the calling thread's; every call of a device starts with it, since others may have changed it. */
    public abstract void enter();

    /** Does work that a capture under way would refuse, such as getting memory. */
    public abstract long relaxed(LongSupplier work);

    // ---- memory

    /** Free bytes. */
    public abstract long freeMemory();

    /** Memory that is aligned for everything. */
    public abstract long allocate(long bytes);

    /** Gives memory back. */
    public abstract void free(long address);

    /** A pool that keeps what comes back. */
    public abstract long createPool();

    /** Ends a pool. */
    public abstract void destroyPool(long pool);

    /** Gives idle memory of a pool back. */
    public abstract void trimPool(long pool, long keep);

    /** Memory in stream order; {@code word} is eight bytes of host memory for the answer. */
    public abstract long allocateAsync(long pool, long bytes, long stream, long word);

    /** Gives memory back in stream order. */
    public abstract void freeAsync(long address, long stream);

    /** Pinned host memory. */
    public abstract long allocateHost(long bytes);

    /** Gives pinned memory back. */
    public abstract void freeHost(long address);

    /** What sizes of {@link #reserve} and {@link #map} are multiples of. */
    public abstract long granularity();

    /** Addresses without memory. */
    public abstract long reserve(long bytes);

    /** Puts memory behind addresses. */
    public abstract void map(long address, long bytes);

    /** Takes it away. */
    public abstract void unmap(long address, long bytes);

    /** Gives addresses back. */
    public abstract void release(long address, long bytes);

    /** Why an address is no memory of this GPU, or null. */
    public abstract String objection(long address, long bytes);

    /** Columns from host to device. */
    public abstract void upload(GpuStream on, long host, long hostPitch, long device, long devicePitch, long width,
            long columns);

    /** Columns from device to host. */
    public abstract void download(GpuStream on, long device, long devicePitch, long host, long hostPitch, long width,
            long columns);

    /** Bytes of one value. */
    public abstract void fill(long address, byte value, long bytes, long stream);

    // ---- streams, events, graphs

    /** A stream that is ordered with no other. */
    public abstract long createStream();

    /** The same, whose kernels get places on the GPU sooner than those of other streams. */
    public abstract long createUrgentStream();

    /** Gives a stream up; its work still completes. */
    public abstract void destroyStream(long stream);

    /** Refuses a stream of another GPU, which could only fail later. */
    public abstract void requireOwn(long stream);

    /** Waits for a stream's work. */
    public abstract void synchronizeStream(long stream);

    /** An event without timing. */
    public abstract long createEvent();

    /** Ends an event. */
    public abstract void destroyEvent(long event);

    /** Puts an event behind a stream's work. */
    public abstract void recordEvent(long event, long stream);

    /** Has a stream's further work wait for an event. */
    public abstract void waitEvent(long stream, long event);

    /** Whether the work before an event is done. */
    public abstract boolean queryEvent(long event);

    /** Waits for an event. */
    public abstract void synchronizeEvent(long event);

    /** Begins to record a stream's work. */
    public abstract void beginCapture(long stream);

    /** Whether a stream's work is recorded; {@code word} is eight bytes of host memory for the answer. */
    public abstract boolean isCapturing(long stream, long word);

    /** Ends a recording and makes it a graph that can be launched. */
    public abstract long endCapture(long stream, long word);

    /** Replays a graph. */
    public abstract void launchGraph(long graph, long stream);

    /** Ends a graph, behind its replays. */
    public abstract void destroyGraph(long graph);

    // ---- kernels

    /** Loads code. */
    public abstract long loadModule(String program, byte[] code);

    /** A function of a module; 0 if it has none of this name. */
    public abstract long function(long module, String name);

    /** Lets a function have so much dynamic shared memory. */
    public abstract void permitShared(long function, int bytes, String name);

    /** Lets a function have clusters of so many blocks. */
    public abstract void permitCluster(long function, int blocks, String name);

    /** Bytes of host memory that launches and copies of a stream want: {@link GpuStream#area}. */
    public abstract int areaBytes();

    /** Writes what of that memory stays the same. */
    public abstract void prepareArea(long area, long stream);

    /**
     * Starts a kernel with the arguments of its stream. Allocates nothing.
     *
     * @return 0, {@link #FOREIGN} if another GPU is current on the thread and nothing was done, else the driver's error
     */
    public abstract int launch(long function, Form form, int gridX, int gridY, int gridZ, int threads, int shared,
            GpuStream on);

    /** Another GPU is current. */
    public static final int FOREIGN = -1;

    /** What an error of {@link #launch} means. */
    public abstract DriverException failure(int error, String what);
}
