package dev.basalt;

import dev.basalt.spi.DeviceDriver;

/**
 * A block of device memory: from a {@link DeviceArena}, or somebody else's, wrapped. It borrows; whoever owns it frees it.
 */
public final class DeviceMemory {
    private final DeviceDriver driver;
    private final long address;
    private final long bytes;
    private volatile boolean open = true;

    DeviceMemory(DeviceDriver driver, long address, long bytes) {
        this.driver = driver;
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
        return open;
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

    DeviceDriver driver() {
        return driver;
    }

    void close() {
        open = false;
    }

    @Override
    public String toString() {
        return bytes + " bytes at 0x" + Long.toHexString(address) + " on " + driver.name() + (open ? "" : " (closed)");
    }
}
