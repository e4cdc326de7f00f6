package dev.basalt.internal.workspace;

import dev.basalt.BlasException;
import dev.basalt.Status;
import dev.basalt.spi.DeviceDriver;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Sanitizer;
import dev.basalt.spi.SystemMemory;

/**
 * Guard mode: what is lent is poisoned, and a redzone lies before, between and behind the slots, looked at when the lease
 * closes. The redzones are memory of the guard's own, beside what the scheme allows: a guarded handle never needs more than the
 * query said. In a user's block, where there is no room of ours, only the chunk behind the last slot is watched, if there
 * is one. Where the process runs under the vendor's sanitizer, that is told of the slots for as long as they are lent.
 */
final class Guard {
    /** Bytes of one redzone. */
    static final long ZONE = 64;
    /** Extra bytes of a block so that every slot of a lease can have a redzone on both sides. */
    static final long EXTRA = ZONE * 10;

    private static final byte RED = (byte) 0xFB;
    private static final byte POISON = (byte) 0xFF;

    private final DeviceDriver driver;
    private final long[] zones = new long[16];
    private int zoneCount;
    private long staging;
    private final Sanitizer sanitizer;
    /** The block of the lease that the sanitizer watches, null for none; between leases all of a block is allowed. */
    private Block watched;

    private final long[] allowed = new long[16];
    private int allowedCount;

    Guard(DeviceDriver driver) {
        this.driver = driver;
        this.sanitizer = driver.sanitizer();
    }

    void begin() {
        zoneCount = 0;
    }

    void poison(long address, long bytes, long stream) {
        if (bytes > 0) {
            driver.fill(address, bytes, POISON, stream);
        }
    }

    void zone(long address, long stream) {
        driver.fill(address, ZONE, RED, stream);
        zones[zoneCount++] = address;
    }

    /** Has the sanitizer watch a block of ours until {@link #check}; after the redzones are painted, which is no access of a kernel's. */
    void watch(Block block, long stream) {
        if (sanitizer == null || driver.isCapturing(stream)) {
            return;
        }
        driver.synchronizeStream(stream);
        if (block.watched == 0) {
            block.watched = sanitizer.watch(block.address, block.bytes);
        } else {
            sanitizer.forbid(block.address);
        }
        watched = block;
    }

    /** A slot that the call may use. */
    void allow(long address, long bytes) {
        if (watched != null && bytes > 0) {
            sanitizer.allow(watched.watched, address, bytes);
            allowed[allowedCount++] = address;
        }
    }

    /** Looks at every redzone; waits for the stream, as a debug mode may. */
    void check(String routine, long stream) {
        if (watched != null) {
            driver.synchronizeStream(stream);
            unwatch();
        }
        if (zoneCount == 0 || driver.isCapturing(stream)) {
            return;
        }
        if (staging == 0) {
            staging = SystemMemory.allocate(ZONE, 64);
        }
        for (int z = 0; z < zoneCount; z++) {
            driver.download(zones[z], ZONE, staging, ZONE, ZONE, 1, stream);
            driver.synchronizeStream(stream);
            for (int i = 0; i < ZONE; i++) {
                byte found = Memory.i8(staging + i);
                if (found != RED) {
                    zoneCount = 0;
                    throw new BlasException(
                            Status.INTERNAL_ERROR,
                            routine,
                            routine + " wrote outside its workspace: redzone " + z + ", byte " + i + " holds 0x"
                                    + Integer.toHexString(found & 0xFF)
                                    + ". This is a defect of the library; please report it with the shape");
                }
            }
        }
        zoneCount = 0;
    }

    /** Ends a lease that did not come about. */
    void forget() {
        zoneCount = 0;
        if (watched != null) {
            unwatch();
        }
    }

    private void unwatch() {
        Block block = watched;
        watched = null;
        for (int i = 0; i < allowedCount; i++) {
            sanitizer.forbid(allowed[i]);
        }
        allowedCount = 0;
        sanitizer.allow(block.watched, block.address, block.bytes);
    }

    void close() {
        if (staging != 0) {
            SystemMemory.free(staging);
            staging = 0;
        }
    }
}
