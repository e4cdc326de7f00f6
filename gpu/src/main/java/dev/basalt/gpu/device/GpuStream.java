package dev.basalt.gpu.device;

import dev.basalt.gpu.Arguments;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmEngine;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import java.util.ArrayList;
import java.util.List;

/**
 * A stream of the driver's with what its work needs on the host, allocated once: the kernels' arguments with the array of the
 * one pointer to them, the structs of a launch and of a strided copy, and a word for results. One thread at a time feeds a stream, so one of
 * each is enough.
 */
public final class GpuStream {
    /** No stream beside this one. */
    static final long NONE = -1;

    private static final int POINTERS = 0;
    private static final int WORD = 64;
    private static final int ARGUMENTS = 128;
    private static final int AREA = (ARGUMENTS + Arguments.BYTES + 63) / 64 * 64;

    final long stream;
    /** Whether it was made here and not wrapped. */
    private final boolean owned;
    /** Eight bytes that the driver writes results to. */
    final long word;

    private final GpuContext context;
    private final GpuApi api;
    private final long host;
    private final long tickets;
    /** Null where all products are done by the kernels of this library. */
    private final GpuApi.Products products;
    /** The counters' area of the capture under way, else 0. */
    private long captured;
    /** The stream beside this one and the events that order both; made when something runs beside this for the first time. */
    private long beside = NONE;

    private long forks;
    private long joins;
    /** Whether the next launch is to wait for the end of all before it, and not only for that of the last kernel. */
    private boolean ordered;
    /** The stream beside this one that takes part in the capture under way, with counters of the graph's. */
    private GpuStream recorded;

    /** Threads that wait for the stream's work; the last of them destroys a stream that was given up. */
    private int waiting;

    private boolean given;

    /** A new stream; the GPU's context is current. */
    GpuStream(GpuContext context, GemmEngine engine) {
        this(context, engine, context.api.createStream(), true);
    }

    /** A stream whose kernels get places sooner than those of others. */
    private static GpuStream urgent(GpuContext context, GemmEngine engine) {
        return new GpuStream(context, engine, context.api.createUrgentStream(), true);
    }

    /** Somebody else's stream, which is not destroyed with this. */
    static GpuStream wrapped(GpuContext context, GemmEngine engine, long foreign) {
        return new GpuStream(context, engine, foreign, false);
    }

    private GpuStream(GpuContext context, GemmEngine engine, long stream, boolean owned) {
        this.context = context;
        this.api = context.api;
        this.stream = stream;
        this.owned = owned;
        long area = 0;
        long block = 0;
        try {
            area = context.tickets.obtain();
            block = SystemMemory.allocate(AREA + api.areaBytes(), 64);
        } finally {
            if (block == 0) {
                discard(area);
            }
        }
        tickets = area;
        host = block;
        word = host + WORD;
        api.prepareArea(host + AREA, stream);
        Memory.i64(host + POINTERS, host + ARGUMENTS);
        products = api.products(engine);
    }

    private void discard(long area) {
        if (area != 0) {
            context.tickets.giveBack(area, List.of());
        }
        end();
    }

    private void end() {
        if (owned) {
            api.destroyStream(stream);
        }
    }

    /** The number of the stream beside this one, or {@link #NONE}. */
    long beside() {
        return beside;
    }

    /** Makes the stream beside this one, if there is room for it: without it work goes one after the other. */
    void open(Table<GpuStream> streams, GemmEngine engine) {
        long fork = 0;
        try {
            fork = api.createEvent();
            long join = api.createEvent();
            joins = join;
            beside = api.relaxed(() -> streams.add(urgent(context, engine)));
            forks = fork;
        } catch (DriverException e) {
            for (long event : new long[] {fork, joins}) {
                if (event != 0) {
                    api.destroyEvent(event);
                }
            }
            joins = 0;
        }
    }

    /** Has another stream's further work wait for what was issued here. */
    void fork(GpuStream other) {
        if (captured != 0 && recorded == null) {
            other.captured = api.relaxed(context.tickets::obtain);
            recorded = other;
        }
        api.recordEvent(forks, stream);
        api.waitEvent(other.stream, forks);
        other.ordered = true;
    }

    /** Has further work here wait for what was issued on another stream. */
    synchronized void join(GpuStream other) {
        api.recordEvent(joins, other.stream);
        api.waitEvent(stream, joins);
        ordered = true;
    }

    /** Whether the launch that is issued now is the first since this stream was to wait for another. */
    boolean takeOrdered() {
        boolean first = ordered;
        ordered = false;
        return first;
    }

    /** Runs a launch in stream order. The arguments go through memory of this stream, so handles of two threads on it take turns. */
    synchronized void launch(Launch launch) {
        if (products != null && products.run(launch, stream)) {
            return;
        }
        context.code.run(launch, host + ARGUMENTS, captured != 0 ? captured : tickets, this);
    }

    /**
     * The array of the pointers to a kernel's arguments: one, to the arguments of this stream.
     *
     * @return address
     */
    public long pointers() {
        return host + POINTERS;
    }

    /**
     * The driver's stream.
     *
     * @return handle
     */
    public long handle() {
        return stream;
    }

    /**
     * Host memory of {@link GpuApi#areaBytes} bytes, for the driver's structs.
     *
     * @return address
     */
    public long area() {
        return host + AREA;
    }

    /** Whether a capture was begun on this stream. */
    boolean hasCapture() {
        return captured != 0;
    }

    /** Whether work issued now is recorded: by a capture of this stream, or by one of another that it has joined. */
    synchronized boolean isCapturing() {
        return api.isCapturing(stream, word);
    }

    /** Begins a capture, with counters that will belong to the graph. */
    synchronized void beginCapture() {
        long area = context.tickets.obtain();
        try {
            api.beginCapture(stream);
        } catch (RuntimeException e) {
            context.tickets.giveBack(area, List.of());
            throw e;
        }
        captured = area;
    }

    /** Ends a capture and makes it a graph that can be launched. */
    synchronized GpuGraph endCapture() {
        List<Long> areas = new ArrayList<>();
        if (captured != 0) {
            areas.add(captured);
        }
        if (recorded != null) {
            areas.add(recorded.captured);
            recorded.captured = 0;
            recorded = null;
        }
        captured = 0;
        try {
            return new GpuGraph(context, api.endCapture(stream, word), areas);
        } catch (RuntimeException e) {
            for (long area : areas) {
                context.tickets.giveBack(area, List.of());
            }
            throw e;
        }
    }

    /** Waits for the work issued until now, even if another thread gives the stream up meanwhile. */
    void synchronize() {
        if (enter()) {
            try {
                api.synchronizeStream(stream);
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
        context.tickets.giveBack(tickets, List.of(stream));
        end();
        if (beside != NONE) {
            api.destroyEvent(forks);
            api.destroyEvent(joins);
        }
        SystemMemory.free(host);
        if (products != null) {
            products.close();
        }
    }
}
