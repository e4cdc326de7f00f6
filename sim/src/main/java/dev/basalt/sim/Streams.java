package dev.basalt.sim;

import dev.basalt.spi.DriverException.Code;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The streams and events of the device, and the one way by which operations come onto a stream. */
final class Streams {
    /** Handles of different kinds come from different ranges, so that one is never taken for another. */
    private static final long FIRST_EVENT = 1_000_000;

    private final TouchResolver resolver;
    private final OrderChecker checker;
    private final Scheduler scheduler;
    private final Timeline timeline;
    private final Map<Long, SimStream> streams = new HashMap<>();
    /** The last recording of every event; null before the first. */
    private final Map<Long, Recording> events = new HashMap<>();

    private long nextStream;
    private long nextEvent = FIRST_EVENT;
    private long sequence;

    Streams(TouchResolver resolver, OrderChecker checker, Scheduler scheduler, Timeline timeline) {
        this.resolver = resolver;
        this.checker = checker;
        this.scheduler = scheduler;
        this.timeline = timeline;
        create();
    }

    long create() {
        SimStream stream = new SimStream(nextStream++, checker.addStream());
        streams.put(stream.number, stream);
        scheduler.add(stream);
        return stream.number;
    }

    SimStream stream(long number) {
        SimStream stream = streams.get(number);
        if (stream == null) {
            throw Failures.of(Code.INVALID_HANDLE, "no stream " + number + ", or it was destroyed");
        }
        return stream;
    }

    /** The stream of the device's own that runs beside another. */
    SimStream beside(SimStream stream) {
        if (stream.beside == null) {
            stream.beside = stream(create());
        }
        return stream.beside;
    }

    void destroy(SimStream stream) {
        Failures.require(stream.number != 0, "stream 0 cannot be destroyed");
        if (stream.beside != null) {
            destroy(stream.beside);
        }
        streams.remove(stream.number);
        stream.destroyed = true;
        checker.removeStream(stream.index);
        scheduler.remove(stream);
    }

    /** Puts an operation behind everything submitted to a stream until now, or into what the stream records. */
    void submit(Op op, SimStream stream) {
        if (stream.capture != null) {
            stream.capture.record(op, stream, nextSequence());
            return;
        }
        op.stamp = checker.stamp(stream.index, stream.number, nextSequence(), op.label);
        if (op.recorded != null) {
            resolver.verifyRecorded(op.recorded, op.stamp);
        }
        op.touches = resolver.resolve(op, op.stamp);
        if (op.hasTables()) {
            op.touchesLate = tablesPending(op);
            if (!op.touchesLate) {
                List<Touch> all = new ArrayList<>(op.touches);
                all.addAll(resolver.resolveThroughTables(op, false));
                op.touches = all;
            }
        }
        checker.check(op.touches, op.stamp);
        op.stream = stream;
        op.submitted();
        timeline.submit(stream, op.nanos());
        stream.queue.add(op);
        scheduler.submitted();
    }

    long createEvent() {
        events.put(nextEvent, null);
        return nextEvent++;
    }

    void destroyEvent(long event) {
        recording(event);
        events.remove(event);
    }

    /** An event's last recording, or null. */
    Recording recording(long event) {
        if (!events.containsKey(event)) {
            throw Failures.of(Code.INVALID_HANDLE, "no event " + event + ", or it was destroyed");
        }
        return events.get(event);
    }

    void record(long event, SimStream stream) {
        recording(event);
        events.put(event, record(stream));
    }

    /** What is behind the work submitted to a stream until now. */
    Recording record(SimStream stream) {
        Recording recording = new Recording(stream, stream.capture);
        if (stream.capture != null) {
            recording.stamp = stream.capture.stamp(stream, nextSequence(), "record an event");
        } else {
            RecordOp op = new RecordOp(recording);
            submit(op, stream);
            recording.stamp = op.stamp;
            recording.readyAt = stream.readyAt;
        }
        return recording;
    }

    /** Orders a stream behind a recording made outside any capture. */
    void await(SimStream stream, Recording recording) {
        checker.wait(stream.index, recording.stamp);
        stream.readyAt = Math.max(stream.readyAt, recording.readyAt);
        submit(new WaitOp(recording), stream);
    }

    boolean query(Recording recording) {
        scheduler.poll(recording);
        if (recording.done) {
            checker.hostSees(recording.stamp);
        }
        return recording.done;
    }

    void synchronize(Recording recording) {
        scheduler.complete(recording);
        checker.hostSees(recording.stamp);
        timeline.await(recording.readyAt);
    }

    void synchronize(SimStream stream) {
        scheduler.drain(stream);
        checker.hostSeesStream(stream.index);
        timeline.await(stream.readyAt);
    }

    void synchronize() {
        scheduler.drainAll();
        checker.hostSeesAll();
        timeline.awaitAll();
    }

    /** Streams and events that were not destroyed, stream 0 and those of the device's own aside. */
    List<String> leaks() {
        List<String> leaks = new ArrayList<>();
        Set<Long> own = new HashSet<>(Set.of(0L));
        streams.values().stream().filter(stream -> stream.beside != null).forEach(s -> own.add(s.beside.number));
        streams.keySet()
                .stream()
                .filter(number -> !own.contains(number))
                .forEach(number -> leaks.add("stream " + number));
        events.keySet().forEach(number -> leaks.add("event " + number));
        return leaks;
    }

    long nextSequence() {
        return sequence++;
    }

    /** A table whose content is still to be written can be read only when the kernel runs. */
    private boolean tablesPending(Op op) {
        return op.touches.stream()
                .anyMatch(touch -> touch.operand().startsWith(LaunchTouches.TABLE)
                        && scheduler.pendingWrite(touch.block(), touch.bytes()));
    }
}
