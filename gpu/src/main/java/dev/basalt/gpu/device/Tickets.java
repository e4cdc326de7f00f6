package dev.basalt.gpu.device;

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

    private final GpuApi api;
    private final int areaBytes;
    private final long stream;
    private final ArrayDeque<Long> free = new ArrayDeque<>();
    private final ArrayDeque<Returned> returned = new ArrayDeque<>();

    /**
     * No areas yet.
     *
     * @param api the driver
     * @param areaBytes size of one
     * @param stream the stream on which new memory is cleared; the GPU's context is current
     */
    Tickets(GpuApi api, int areaBytes, long stream) {
        this.api = api;
        this.areaBytes = areaBytes;
        this.stream = stream;
    }

    /** An area of zeros; the GPU's context is current. */
    synchronized long obtain() {
        collect();
        if (free.isEmpty()) {
            long slab = api.relaxed(this::slab);
            for (int i = 0; i < AREAS_PER_SLAB; i++) {
                free.addLast(slab + (long) i * areaBytes);
            }
        }
        return free.removeFirst();
    }

    private long slab() {
        long bytes = (long) AREAS_PER_SLAB * areaBytes;
        long address = api.allocate(bytes);
        api.fill(address, (byte) 0, bytes, stream);
        api.synchronizeStream(stream);
        return address;
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
            long event = api.createEvent();
            events.add(event);
            api.recordEvent(event, user);
        }
        returned.addLast(new Returned(address, events));
    }

    private void collect() {
        for (int i = returned.size(); i > 0; i--) {
            Returned area = returned.removeFirst();
            boolean done = true;
            for (long event : area.events) {
                done = done && api.queryEvent(event);
            }
            if (done) {
                for (long event : area.events) {
                    api.destroyEvent(event);
                }
                free.addLast(area.address);
            } else {
                returned.addLast(area);
            }
        }
    }
}
