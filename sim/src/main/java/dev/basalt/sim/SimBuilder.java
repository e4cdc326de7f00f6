package dev.basalt.sim;

import dev.basalt.portable.BatchedKernels;
import dev.basalt.portable.CLeaf;
import dev.basalt.portable.DLeaf;
import dev.basalt.portable.MixedBlocks;
import dev.basalt.portable.SLeaf;
import dev.basalt.portable.ZLeaf;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Reach;
import dev.basalt.spi.SystemMemory;
import dev.basalt.type.ElementType;
import java.util.function.Consumer;

/** Settings of a simulated device. Every one has a default; {@link #open} may be called more than once. */
public final class SimBuilder {
    private static final long MOST_MEMORY = 1L << 40;
    private static final int REDUCTION_BLOCK = 256;

    String name = "sim";
    long seed = Long.getLong("basalt.sim.seed", 1);
    long memory = 4L << 30;
    Scheduling scheduling = Scheduling.RANDOM;
    boolean throwOnHazard;
    boolean logCalls;
    private Consumer<Launch> kernels;
    private boolean memoryPools = true;
    private boolean virtualMemory = true;
    private int alignment = 256;
    private long defaultWorkspace = 32L << 20;
    private boolean waves;

    SimBuilder() {}

    /**
     * Sets the device's name.
     *
     * @param deviceName the name; default {@code sim}
     * @return this
     */
    public SimBuilder name(String deviceName) {
        name = deviceName;
        return this;
    }

    /**
     * Sets the seed of the scheduler: the same program with the same seed runs in the same order.
     *
     * @param schedulerSeed the seed; default the system property {@code basalt.sim.seed}, else 1
     * @return this
     */
    public SimBuilder seed(long schedulerSeed) {
        seed = schedulerSeed;
        return this;
    }

    /**
     * Sets how much memory the device has. Nothing is taken from the system before it is allocated.
     *
     * @param bytes bytes; default 4 GiB
     * @return this
     */
    public SimBuilder memory(long bytes) {
        Failures.require(bytes > 0 && bytes <= MOST_MEMORY, "memory must be 1 … " + MOST_MEMORY + " bytes: " + bytes);
        memory = bytes;
        return this;
    }

    /**
     * Sets whether the device can allocate in stream order.
     *
     * @param supported default true
     * @return this
     */
    public SimBuilder memoryPools(boolean supported) {
        memoryPools = supported;
        return this;
    }

    /**
     * Sets whether the device can reserve addresses and commit memory to them. Never true where the system cannot.
     *
     * @param supported default true
     * @return this
     */
    public SimBuilder virtualMemory(boolean supported) {
        virtualMemory = supported;
        return this;
    }

    /**
     * Sets the alignment of every allocation.
     *
     * @param bytes a power of two from 16; default 256
     * @return this
     */
    public SimBuilder alignment(int bytes) {
        Failures.require(bytes >= 16 && Integer.bitCount(bytes) == 1, "not a power of two from 16: " + bytes);
        alignment = bytes;
        return this;
    }

    /**
     * Sets what a managed handle starts with.
     *
     * @param bytes bytes; default 32 MiB
     * @return this
     */
    public SimBuilder defaultWorkspace(long bytes) {
        Failures.require(bytes >= 0, "negative default workspace: " + bytes);
        defaultWorkspace = bytes;
        return this;
    }

    /**
     * Sets whether routines are split as for a GPU, whose launches take the time of whole waves of blocks.
     *
     * @param on default false
     * @return this
     */
    public SimBuilder waves(boolean on) {
        waves = on;
        return this;
    }

    /**
     * Sets when submitted work runs.
     *
     * @param mode default {@link Scheduling#RANDOM}
     * @return this
     */
    public SimBuilder scheduling(Scheduling mode) {
        scheduling = mode;
        return this;
    }

    /**
     * Sets what runs a kernel: it is called, under the device's lock, with addresses that the CPU can load and store.
     *
     * @param executor the kernels; default the portable ones of the library
     * @return this
     */
    public SimBuilder kernels(Consumer<Launch> executor) {
        kernels = executor;
        return this;
    }

    /**
     * Sets whether a hazard is thrown as an {@link AssertionError} by the call that finds it, besides being recorded.
     *
     * @param on default false
     * @return this
     */
    public SimBuilder throwOnHazard(boolean on) {
        throwOnHazard = on;
        return this;
    }

    /**
     * Sets whether the call log is kept from the start.
     *
     * @param on default false
     * @return this
     */
    public SimBuilder logCalls(boolean on) {
        logCalls = on;
        return this;
    }

    /**
     * Opens the device.
     *
     * @return the driver; close it
     */
    public SimDriver open() {
        return new SimDriver(this);
    }

    Consumer<Launch> kernels() {
        return kernels != null
                ? kernels
                : new BatchedKernels(new SLeaf(), new DLeaf(), new CLeaf(), new ZLeaf(), REDUCTION_BLOCK)::run;
    }

    int alignment() {
        return alignment;
    }

    /** A double matrix of order 40. */
    private static final long TWO_STAGES = 40 * 40 * 8;

    private static Reach inWaves() {
        return Reach.ofBlocks(16)
                .upTo(Reach.ANY, Kernel.SYRK, Kernel.TRMM_APART, Kernel.EXPAND, Kernel.LATRD, Kernel.LABRD_PANEL,
                        Kernel.SYEVJ, Kernel.GESVJ, Kernel.CHASED)
                .upTo(48, Kernel.SYTD2, Kernel.GEBD2)
                .upTo(64, Kernel.POTF2, ElementType.F64)
                .without(Kernel.ORM2R, Kernel.ORG2R)
                .inWaves();
    }

    /** Block sizes are small, so that small shapes reach every path of every algorithm. */
    DeviceTraits traits() {
        GemmBlocking real = new GemmBlocking(4, 4, 32, 32, 64, 1, 8);
        GemmBlocking complex = new GemmBlocking(4, 4, 32, 32, 64, 2, 8);
        boolean reservable = virtualMemory && SystemMemory.canReserve();
        return DeviceTraits.of(waves ? "sim-waves" : "sim")
                .memory(alignment, memoryPools, reservable, false)
                .workspace(defaultWorkspace)
                .sums(REDUCTION_BLOCK, 64)
                .reach(waves ? inWaves() : Reach.ofBlocks(16))
                .gemm(real, real, complex, complex)
                .mixed(new MixedBlocks(1))
                .twoStages(TWO_STAGES)
                .build();
    }
}
