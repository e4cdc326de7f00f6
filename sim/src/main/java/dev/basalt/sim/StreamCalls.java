package dev.basalt.sim;

import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Launch;

/** The driver calls about streams, events, work and capture. */
abstract class StreamCalls extends MemoryCalls {
    StreamCalls(SimBuilder builder) {
        super(builder);
    }

    @Override
    public final synchronized long createStream() {
        enter(DriverCall.CREATE_STREAM);
        return streams.create();
    }

    @Override
    public final synchronized void destroyStream(long stream) {
        enter(DriverCall.DESTROY_STREAM, "stream", stream);
        SimStream on = streams.stream(stream);
        captures.forbidDestroying(on);
        streams.destroy(on);
    }

    @Override
    public final synchronized void synchronizeStream(long stream) {
        enter(DriverCall.SYNCHRONIZE_STREAM, "stream", stream);
        SimStream on = streams.stream(stream);
        captures.forbid("synchronizeStream");
        streams.synchronize(on);
    }

    @Override
    public final synchronized void synchronize() {
        enter(DriverCall.SYNCHRONIZE);
        captures.forbid("synchronize");
        streams.synchronize();
    }

    @Override
    public final synchronized long createEvent() {
        enter(DriverCall.CREATE_EVENT);
        return streams.createEvent();
    }

    @Override
    public final synchronized void destroyEvent(long event) {
        enter(DriverCall.DESTROY_EVENT, "event", event);
        streams.destroyEvent(event);
    }

    @Override
    public final synchronized void recordEvent(long event, long stream) {
        enter(DriverCall.RECORD_EVENT, "event", event, "stream", stream);
        streams.record(event, streams.stream(stream));
    }

    @Override
    public final synchronized void waitEvent(long stream, long event) {
        enter(DriverCall.WAIT_EVENT, "stream", stream, "event", event);
        SimStream on = streams.stream(stream);
        Recording recording = streams.recording(event);
        if (recording != null) {
            await(on, recording);
        }
    }

    private void await(SimStream on, Recording recording) {
        if (on.capture != null || recording.capture != null) {
            captures.await(on, recording);
        } else {
            streams.await(on, recording);
        }
    }

    @Override
    public final synchronized long fork(long stream) {
        enter(DriverCall.FORK, "stream", stream);
        SimStream on = streams.stream(stream);
        SimStream beside = streams.beside(on);
        await(beside, streams.record(on));
        return beside.number;
    }

    @Override
    public final synchronized void join(long stream, long beside) {
        enter(DriverCall.JOIN, "stream", stream);
        await(streams.stream(stream), streams.record(streams.stream(beside)));
    }

    @Override
    public final synchronized boolean queryEvent(long event) {
        enter(DriverCall.QUERY_EVENT, "event", event);
        Recording recording = visible(event, "queryEvent");
        return recording == null || streams.query(recording);
    }

    @Override
    public final synchronized void synchronizeEvent(long event) {
        enter(DriverCall.SYNCHRONIZE_EVENT, "event", event);
        Recording recording = visible(event, "synchronizeEvent");
        if (recording != null) {
            streams.synchronize(recording);
        }
    }

    @Override
    public final synchronized void upload(long host, long hostPitch, long device, long devicePitch, long width,
            long columns, long stream) {
        enter(DriverCall.UPLOAD, "device", device, "width", width, "columns", columns, "stream", stream);
        copy(new CopyOp(true, host, hostPitch, device, devicePitch, width, columns), stream);
    }

    @Override
    public final synchronized void download(long device, long devicePitch, long host, long hostPitch, long width,
            long columns, long stream) {
        enter(DriverCall.DOWNLOAD, "device", device, "width", width, "columns", columns, "stream", stream);
        copy(new CopyOp(false, host, hostPitch, device, devicePitch, width, columns), stream);
    }

    @Override
    public final synchronized void fill(long address, long bytes, byte value, long stream) {
        enter(DriverCall.FILL, "address", address, "bytes", bytes, "value", value, "stream", stream);
        SimStream on = streams.stream(stream);
        Failures.require(bytes >= 0, "cannot fill " + bytes + " bytes");
        if (bytes > 0) {
            streams.submit(new FillOp(address, bytes, value), on);
        }
    }

    @Override
    public final synchronized void launch(Launch launch, long stream) {
        enter(DriverCall.LAUNCH, "kernel", launch.kernel, "type", launch.type, "count", launch.count, "stream", stream);
        SimStream on = streams.stream(stream);
        faults.launch(launch.kernel.name());
        streams.submit(new KernelOp(new Launch().set(launch), kernels), on);
    }

    @Override
    public final synchronized void beginCapture(long stream) {
        enter(DriverCall.BEGIN_CAPTURE, "stream", stream);
        captures.begin(streams.stream(stream));
    }

    @Override
    public final synchronized boolean isCapturing(long stream) {
        enter(DriverCall.IS_CAPTURING, "stream", stream);
        return streams.stream(stream).capture != null;
    }

    @Override
    public final synchronized long endCapture(long stream) {
        enter(DriverCall.END_CAPTURE, "stream", stream);
        return captures.end(streams.stream(stream));
    }

    @Override
    public final synchronized void launchGraph(long graph, long stream) {
        enter(DriverCall.LAUNCH_GRAPH, "graph", graph, "stream", stream);
        captures.launch(graph, streams.stream(stream));
    }

    @Override
    public final synchronized void destroyGraph(long graph) {
        enter(DriverCall.DESTROY_GRAPH, "graph", graph);
        captures.destroy(graph);
    }

    private void copy(CopyOp op, long stream) {
        SimStream on = streams.stream(stream);
        Failures.require(op.isValid(), "not a copy: " + op);
        if (!op.isEmpty()) {
            streams.submit(op, on);
        }
    }

    /** A recording that the host may ask about, or null. */
    private Recording visible(long event, String call) {
        Recording recording = streams.recording(event);
        captures.forbid(call);
        if (recording != null && recording.capture != null) {
            throw Failures.of(Code.CAPTURE, call + " of an event that was last recorded in a capture");
        }
        return recording;
    }
}
