package dev.basalt.cuda;

import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Zeroed device memory for the counters of kernels, in areas that each belong to one stream or one graph. An area that is
 * given back is given out again once the work of its streams is done, and then holds zeros: every kernel leaves it so.
 */
final class Tickets {
    private static final int AREAS_PER_SLAB = 16;

    /** An area whose last users may still run. */
    private record Returned(long address, List<Long> events) {}

    private final int areaBytes;
    private final long stream;
    private final ArrayDeque<Long> free = new ArrayDeque<>();
    private final ArrayDeque<Returned> returned = new ArrayDeque<>();

    /**
     * No areas yet.
     *
     * @param areaBytes size of one
     * @param stream the stream on which new memory is cleared; the GPU's context is current
     */
    Tickets(int areaBytes, long stream) {
        this.areaBytes = areaBytes;
        this.stream = stream;
    }

    /** An area of zeros; the GPU's context is current. */
    synchronized long obtain() {
        collect();
        if (free.isEmpty()) {
            long slab = RelaxedCapture.during(this::slab);
            for (int i = 0; i < AREAS_PER_SLAB; i++) {
                free.addLast(slab + (long) i * areaBytes);
            }
        }
        return free.removeFirst();
    }

    private long slab() {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long bytes = (long) AREAS_PER_SLAB * areaBytes;
            CudaErrors.check(Libcuda.call(Libcuda.MEM_ALLOC, out, bytes), "cuMemAlloc", bytes);
            long address = Memory.i64(out);
            CudaErrors.check(Libcuda.memset(address, (byte) 0, bytes, stream), "cuMemsetD8Async", bytes);
            CudaErrors.check(Libcuda.call(Libcuda.STREAM_SYNCHRONIZE, stream), "cuStreamSynchronize");
            return address;
        }
    }

    /**
     * Takes an area back.
     *
     * @param address the area
     * @param streams the driver's streams whose work may use it
     */
    synchronized void giveBack(long address, List<Long> streams) {
        List<Long> events = new ArrayList<>();
        for (long user : streams) {
            long event = Events.create();
            events.add(event);
            CudaErrors.check(Libcuda.call(Libcuda.EVENT_RECORD, event, user), "cuEventRecord");
        }
        returned.addLast(new Returned(address, events));
    }

    private void collect() {
        for (int i = returned.size(); i > 0; i--) {
            Returned area = returned.removeFirst();
            boolean done = true;
            for (long event : area.events) {
                done = done && Events.done(event);
            }
            if (done) {
                for (long event : area.events) {
                    Events.destroy(event);
                }
                free.addLast(area.address);
            } else {
                returned.addLast(area);
            }
        }
    }
}
