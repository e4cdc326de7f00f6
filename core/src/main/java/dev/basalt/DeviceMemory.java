package dev.basalt;

import dev.basalt.foreign.NativeAccess;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.spi.DeviceDriver;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A block of device memory: from a {@link DeviceArena} or a {@link Lease}, or somebody else's, wrapped. It borrows; whoever owns it
 * frees it.
 */
public final class DeviceMemory {
    /** Who owns memory, and with it the arena of the segments that show it to Java code. */
    interface Owner {
        /** The arena that ends with the memory; made when first asked for. */
        Arena segments();
    }

    final MemoryCore core;
    private MemorySegment segment;

    DeviceMemory(MemoryCore core) {
        this.core = core;
    }

    /**
     * The address on the device.
     *
     * @return address
     */
    public long address() {
        return core.address;
    }

    /**
     * The size.
     *
     * @return bytes
     */
    public long byteSize() {
        return core.bytes;
    }

    /**
     * Whether the memory may still be used.
     *
     * @return false once its owner is closed
     */
    public boolean isOpen() {
        return core.isOpen();
    }

    /**
     * The name of the device the memory is on.
     *
     * @return such as {@code host}
     */
    public String deviceName() {
        return core.driver.name();
    }

    /**
     * A pointer to the start, for the classic names.
     *
     * @return pointer
     */
    public DevicePointer pointer() {
        return new DevicePointer(this, 0);
    }

    /**
     * The memory as Java code reads and writes it, on a device whose memory the CPU can reach. On a device that works asynchronously wait
     * for its work before. The segment is as long open as the memory.
     *
     * @return segment of all bytes; that of a {@link Lease} belongs to the thread that asks first
     * @throws BlasException INVALID_VALUE on a GPU, INVALID_POINTER if the memory is closed
     */
    public synchronized MemorySegment segment() {
        if (!isOpen()) {
            throw new BlasException(Status.INVALID_POINTER, "DeviceMemory.segment", core.objection(core.driver));
        }
        if (!core.driver.traits().hostAccessible()) {
            throw new BlasException(Status.INVALID_VALUE, "DeviceMemory.segment",
                    core.driver.name() + " has memory that Java code cannot reach; use download() and upload()");
        }
        if (core.segment() != null) {
            return core.segment();
        }
        if (segment == null || !segment.scope().isAlive()) {
            Owner owner = (Owner) core.lifetime().owner();
            segment = NativeAccess.memory(core.address, core.bytes, owner.segments());
        }
        return segment;
    }

    /**
     * Whether this memory belongs to a device.
     *
     * @param other the driver of the device
     * @return true if it is the same device
     */
    public boolean isOn(DeviceDriver other) {
        return core.driver == other;
    }

    DeviceDriver driver() {
        return core.driver;
    }

    @Override
    public String toString() {
        return core.bytes + " bytes at 0x" + Long.toHexString(core.address) + " on " + core.driver.name()
                + (isOpen() ? "" : " (closed)");
    }
}
