package dev.basalt.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * The simulated device. Besides the driver's calls it offers what tests need: counters and a log of the calls, simulated
 * time, the hazards found, injected failures, and a hand on the scheduler. All methods may be called from any thread.
 *
 * <pre>{@code
 * SimDriver sim = SimDriver.builder().seed(7).memory(64 << 20).open();
 * try (Device device = Device.of(sim); Handle handle = device.createHandle()) {
 *     SpyCounts before = sim.counts();
 *     Blas.gemm(handle, ...);
 *     SpyCounts calls = sim.counts().since(before);
 *     assertThat(calls.allocations() + calls.synchronizations()).isZero();
 *     device.synchronize();
 *     sim.assertNoHazards();
 * }
 * }</pre>
 *
 * <p>A launch, copy or fill that touches memory which is not allocated fails with {@code FAILED}, when it is submitted or
 * when it runs, and from then on so does every call until {@link #clearFault}, as after an illegal address on a GPU.
 */
public final class SimDriver extends StreamCalls {
    private final long seed;
    private List<String> leaksAtClose = List.of();

    SimDriver(SimBuilder builder) {
        super(builder);
        seed = builder.seed;
    }

    /**
     * Begins a simulated device.
     *
     * @return default settings
     */
    public static SimBuilder builder() {
        return new SimBuilder();
    }

    /**
     * The seed; print it when a test fails.
     *
     * @return the scheduler's seed
     */
    public long seed() {
        return seed;
    }

    /**
     * How often each driver call was made.
     *
     * @return a snapshot
     */
    public synchronized SpyCounts counts() {
        return spy.counts();
    }

    /**
     * Starts a new call log, or stops it.
     *
     * @param on true to start an empty log, false to stop and keep what there is
     */
    public synchronized void logCalls(boolean on) {
        spy.logging(on);
    }

    /**
     * The call log.
     *
     * @return the calls since {@link #logCalls} in order; empty if it was never started
     */
    public synchronized List<LoggedCall> log() {
        return spy.log();
    }

    /**
     * Simulated host time: what the calls and the waits so far would have cost on a GPU. It is the same for every seed.
     *
     * @return nanoseconds since the device was opened
     */
    public synchronized long virtualNanos() {
        return timeline.now();
    }

    /**
     * What went wrong or could go wrong on another schedule. Kept until {@link #clearHazards}, also after closing.
     *
     * @return hazards in the order found, one for each pair of operations
     */
    public synchronized List<Hazard> hazards() {
        return hazards.list();
    }

    /** Forgets the hazards found so far. */
    public synchronized void clearHazards() {
        hazards.clear();
    }

    /**
     * Fails if there are hazards.
     *
     * @throws AssertionError with the seed and the hazards
     */
    public synchronized void assertNoHazards() {
        List<Hazard> list = hazards.list();
        if (!list.isEmpty()) {
            StringBuilder text = new StringBuilder(list.size() + " hazards, seed " + seed + ":");
            list.stream().limit(10).forEach(hazard -> text.append("\n  ").append(hazard));
            throw new AssertionError(text.toString());
        }
    }

    /**
     * Sets whether a hazard is thrown as an {@link AssertionError} by the call that finds it, besides being recorded.
     *
     * @param on true to throw
     */
    public synchronized void throwOnHazard(boolean on) {
        hazards.throwing(on);
    }

    /**
     * The failures that can be injected.
     *
     * @return this device's switches
     */
    public SimFaults faults() {
        return faults;
    }

    /** Makes the device usable again after an illegal access. Work that had not run is still queued. */
    public synchronized void clearFault() {
        failures.clear();
    }

    /**
     * What is allocated now.
     *
     * @return allocations by address; empty after closing
     */
    public synchronized List<SimAllocation> allocations() {
        return memory.allocations();
    }

    /**
     * What was not given back: memory, pools, streams, events, graphs.
     *
     * @return one line each; after closing, what had not been given back by then, and how much work had not run
     */
    public synchronized List<String> leaks() {
        if (isClosed()) {
            return leaksAtClose;
        }
        List<String> leaks = new ArrayList<>();
        allocations().forEach(allocation -> leaks.add(allocation.toString()));
        leaks.addAll(pools.leaks());
        leaks.addAll(captures.leaks());
        leaks.addAll(streams.leaks());
        return leaks;
    }

    /**
     * How many operations have been submitted and have not run.
     *
     * @return operations on all streams
     */
    public synchronized int pending() {
        return scheduler.pending();
    }

    /**
     * Runs operations although the host waits for none, and so without the host knowing.
     *
     * @param operations at most how many
     * @return how many ran: fewer if no more can
     */
    public synchronized int run(int operations) {
        requireOpen();
        return scheduler.run(operations);
    }

    /**
     * Submits a kernel that touches nothing and takes simulated time, for asking what waits behind it.
     *
     * @param stream the stream
     * @param nanos how long it takes
     */
    public synchronized void spin(long stream, long nanos) {
        enter(DriverCall.LAUNCH, "kernel", "spin", "nanos", nanos, "stream", stream);
        streams.submit(new SpinOp(nanos), streams.stream(stream));
    }

    /**
     * How many nodes a graph has: kernels, copies, fills, allocations and frees.
     *
     * @param graph the graph
     * @return nodes
     */
    public synchronized int graphNodes(long graph) {
        return captures.graph(graph).nodes().size();
    }

    /**
     * How many nodes of a graph allocate memory. A graph made of work with a workspace of its own has none.
     *
     * @param graph the graph
     * @return allocation nodes
     */
    public synchronized int graphAllocationNodes(long graph) {
        return captures.graph(graph).allocationNodes();
    }

    @Override
    void closing() {
        List<String> leaks = leaks();
        if (pending() > 0) {
            leaks.add(pending() + " operations that were never waited for");
        }
        leaksAtClose = List.copyOf(leaks);
    }
}
