package dev.basalt.conformance.golden;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DeviceTraits;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Launch;
import java.util.ArrayList;
import java.util.List;

/**
 * A device of any class that computes nothing: it hands out addresses without memory behind them and notes its launches. So shapes of
 * any size cost nothing, and what a routine would launch on hardware can be read without it.
 */
final class PaperDriver implements DeviceDriver {
    private final DeviceTraits traits;
    private final List<String> launches = new ArrayList<>();
    private long allocations;
    private long numbers;

    PaperDriver(DeviceTraits traits) {
        this.traits = traits;
    }

    /** What has been launched since the last time, a line each. */
    List<String> takeLaunches() {
        List<String> taken = List.copyOf(launches);
        launches.clear();
        return taken;
    }

    /** The next addresses are those of a device just opened; what it gave out must not be used any more. */
    void forget() {
        allocations = 0;
    }

    @Override
    public void launch(Launch launch, long stream) {
        launches.add(LaunchText.of(launch));
    }

    @Override
    public String name() {
        return "paper";
    }

    @Override
    public String description() {
        return "notes launches";
    }

    @Override
    public DeviceTraits traits() {
        return traits;
    }

    @Override
    public long freeMemory() {
        return totalMemory();
    }

    @Override
    public long totalMemory() {
        return 1L << LaunchText.SPACE;
    }

    @Override
    public long allocate(long bytes) {
        if (bytes > totalMemory()) {
            throw new DriverException(DriverException.Code.OUT_OF_MEMORY, "an address space is full");
        }
        return ++allocations << LaunchText.SPACE;
    }

    @Override
    public void free(long address) {}

    @Override
    public long createPool() {
        return ++numbers;
    }

    @Override
    public void destroyPool(long pool) {}

    @Override
    public void trimPool(long pool, long keep) {}

    @Override
    public long allocateAsync(long pool, long bytes, long stream) {
        return allocate(bytes);
    }

    @Override
    public void freeAsync(long address, long stream) {}

    @Override
    public long reserve(long bytes) {
        return allocate(bytes);
    }

    @Override
    public long commit(long address, long from, long to) {
        return to;
    }

    @Override
    public void release(long address) {}

    @Override
    public long createStream() {
        return ++numbers;
    }

    @Override
    public void destroyStream(long stream) {}

    @Override
    public void synchronizeStream(long stream) {}

    @Override
    public void synchronize() {}

    @Override
    public long createEvent() {
        return ++numbers;
    }

    @Override
    public void destroyEvent(long event) {}

    @Override
    public void recordEvent(long event, long stream) {}

    @Override
    public void waitEvent(long stream, long event) {}

    @Override
    public boolean queryEvent(long event) {
        return true;
    }

    @Override
    public void synchronizeEvent(long event) {}

    @Override
    public void upload(long host, long hostPitch, long device, long devicePitch, long width, long columns,
            long stream) {}

    @Override
    public void download(long device, long devicePitch, long host, long hostPitch, long width, long columns,
            long stream) {}

    @Override
    public void fill(long address, long bytes, byte value, long stream) {}

    @Override
    public void beginCapture(long stream) {
        throw noGraphs();
    }

    @Override
    public boolean isCapturing(long stream) {
        return false;
    }

    @Override
    public long endCapture(long stream) {
        throw noGraphs();
    }

    @Override
    public void launchGraph(long graph, long stream) {
        throw noGraphs();
    }

    @Override
    public void destroyGraph(long graph) {
        throw noGraphs();
    }

    private static DriverException noGraphs() {
        return new DriverException(DriverException.Code.NOT_SUPPORTED, "paper has no graphs");
    }

    @Override
    public void close() {}
}
