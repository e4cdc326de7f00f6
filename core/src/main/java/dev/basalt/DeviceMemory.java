package dev.basalt;

import dev.basalt.spi.DeviceDriver;

/**
 * A block of device memory: from a {@link DeviceArena}, or somebody else's, wrapped. It borrows; whoever owns it frees it.
 */
public final class DeviceMemory {
    private final DeviceDriver driver;
    private final long address;
    private final long bytes;
    /** The device as long as the memory may be used, then null: short calls ask for both at once. */
    private volatile DeviceDriver usable;

    DeviceMemory(DeviceDriver driver, long address, long bytes) {
        this.driver = driver;
        this.usable = driver;
        this.address = address;
        this.bytes = bytes;
    }

    /**
     * The address on the device.
     *
     * @return address
     */
    public long address() {
        return address;
    }

    /**
     * The size.
     *
     * @return bytes
     */
    public long byteSize() {
        return bytes;
    }

    /**
     * Whether the memory may still be used.
     *
     * @return false once its owner is closed
     */
    public boolean isOpen() {
        return usable != null;
    }

    /**
     * The name of the device the memory is on.
     *
     * @return such as {@code host}
     */
    public String deviceName() {
        return driver.name();
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
     * Whether this memory belongs to a device.
     *
     * @param other the driver of the device
     * @return true if it is the same device
     */
    public boolean isOn(DeviceDriver other) {
        return driver == other;
    }

    /** Whether this memory belongs to a device and is open. */
    boolean isUsable(DeviceDriver other) {
        return usable == other;
    }

    DeviceDriver driver() {
        return driver;
    }

    void close() {
        usable = null;
    }

    @Override
    public String toString() {
        return bytes + " bytes at 0x" + Long.toHexString(address) + " on " + driver.name()
                + (isOpen() ? "" : " (closed)");
    }
}
