package dev.basalt;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.Memory;
import dev.basalt.spi.SystemMemory;
import java.lang.foreign.MemorySegment;

/**
 * Host memory that a blocking copy goes through: two halves in turn, so that the CPU fills (or empties) one while the other
 * crosses the bus. Pinned where the device has that and the copy is long enough to be worth it.
 */
final class Staging implements AutoCloseable {
    private static final long HALF = 4L << 20;

    /** Copies up to that long go through ordinary memory: a driver moves those as fast by itself. */
    private static final long SHORT = 256L << 10;

    private final DeviceDriver driver;
    private final MemorySegment host;
    private final boolean up;
    private final boolean pinned;
    private final long half;
    private final long memory;
    private final long[] events = new long[2];
    private final boolean[] busy = new boolean[2];
    private final long[] positions = new long[2];
    private final long[] sizes = new long[2];
    private int turn;

    /**
     * Staging for one copy.
     *
     * @param driver the device
     * @param host what is copied from or to
     * @param up whether towards the device
     */
    Staging(DeviceDriver driver, MemorySegment host, boolean up) {
        this.driver = driver;
        this.host = host;
        this.up = up;
        boolean isLong = host.byteSize() > SHORT;
        half = isLong ? HALF : SHORT;
        long block = isLong ? pinned(2 * half) : 0;
        pinned = block != 0;
        memory = pinned ? block : SystemMemory.allocate(2 * half, 64);
        events[0] = driver.createEvent();
        events[1] = driver.createEvent();
    }

    private long pinned(long bytes) {
        try {
            return driver.allocateHost(bytes);
        } catch (DriverException e) {
            return 0; // ordinary memory does as well, slower
        }
    }

    /** Bytes that one step can take. */
    long stepBytes() {
        return half;
    }

    /** Copies some columns, all in one half: from or to a position of the host's data. */
    void move(long position, long address, long width, long pitch, long columns) {
        int h = turn;
        turn ^= 1;
        finish(h);
        long at = memory + h * half;
        positions[h] = position;
        sizes[h] = width * columns;
        if (up) {
            MemorySegment.copy(host, JAVA_BYTE, position, Memory.ALL, JAVA_BYTE, at, sizes[h]);
            driver.upload(at, width, address, pitch, width, columns, 0);
        } else {
            driver.download(address, pitch, at, width, width, columns, 0);
        }
        driver.recordEvent(events[h], 0);
        busy[h] = true;
    }

    private void finish(int h) {
        if (busy[h]) {
            busy[h] = false;
            driver.synchronizeEvent(events[h]);
            if (!up) {
                MemorySegment.copy(Memory.ALL, JAVA_BYTE, memory + h * half, host, JAVA_BYTE, positions[h], sizes[h]);
            }
        }
    }

    /** Waits for what is under way, the older half first, and gives the memory back. */
    @Override
    public void close() {
        try {
            finish(turn);
            finish(turn ^ 1);
        } finally {
            driver.destroyEvent(events[0]);
            driver.destroyEvent(events[1]);
            if (pinned) {
                driver.freeHost(memory);
            } else {
                SystemMemory.free(memory);
            }
        }
    }
}
