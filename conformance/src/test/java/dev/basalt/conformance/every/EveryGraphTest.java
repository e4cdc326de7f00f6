package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.Graph;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.Stream;
import dev.basalt.conformance.support.Devices;
import dev.basalt.conformance.support.OnDevice;
import dev.basalt.internal.call.Routine;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every routine of the table recorded into a graph: recording runs nothing and allocates nothing, and each of two runs gives the bits of
 * the direct call, with scalars that the graph keeps as with those that it reads in device memory. No routine is named here, and none is
 * left out: what could not be recorded would have to say so by an error, and would fail.
 */
class EveryGraphTest {
    private static final long SEED = Long.getLong("basalt.test.seed", 20261127);
    private static final String FAMILY = System.getProperty("basalt.test.family", ".*");
    private static final int LARGEST = 24;
    private static final int RUNS = 2;

    /** Those with queues; the host runs a call before it returns, and refuses to capture. */
    static List<String> devices() {
        return Devices.NAMES.stream().filter(name -> !name.startsWith("host")).toList();
    }

    @OnDevice
    @ParameterizedTest
    @MethodSource("devices")
    void runsAsTheCallDoes(String name) {
        for (Routine routine : Sample.routines()) {
            if (!routine.family().matches(FAMILY)) {
                continue;
            }
            // A new device each time: a simulated one remembers every operation.
            try (Device device = Devices.open(name);
                    Stream stream = device.createStream();
                    Handle handle = device.handleBuilder().stream(stream).create()) {
                long seed = SEED + 31L * routine.family().hashCode();
                for (Sample sample : Sample.ofSomeTypes(routine, seed, 0, LARGEST, "graph " + routine.family() + name,
                        1)) {
                    check(device, stream, handle, sample, name);
                }
            }
        }
    }

    private static void check(Device device, Stream stream, Handle handle, Sample sample, String name) {
        try (DeviceArena arena = device.arena()) {
            run(stream, handle, sample, sample.load(arena), operands -> operands::run);
            if (sample.hasScalars()) {
                run(stream, handle, sample, sample.load(arena), operands -> operands::runWithDeviceScalars);
            }
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(sample + " on " + name + ":\n" + e, e);
        }
    }

    private static void run(Stream stream, Handle handle, Sample sample, Sample.Operands operands,
            Function<Sample.Operands, Function<Handle, Status>> way) {
        Function<Handle, Status> call = way.apply(operands);
        List<Integer> before = operands.contents();
        // The first call also puts scalars in their place.
        call.apply(handle);
        List<Integer> expected = operands.contents();
        operands.reload();
        handle.setDeviceMemorySize(0);
        handle.reserve(handle.plan(sample::shapes));
        long held = handle.getDeviceMemorySize();
        try (Graph graph = handle.capture(call::apply)) {
            assertThat(operands.contents()).as("nothing has run").isEqualTo(before);
            for (int i = 0; i < RUNS; i++) {
                operands.reload();
                graph.launch(stream);
                stream.synchronize();
                assertThat(operands.contents()).as("run %d", i).isEqualTo(expected);
            }
        }
        assertThat(handle.getDeviceMemorySize()).as("bytes held after the capture").isEqualTo(held);
    }
}
