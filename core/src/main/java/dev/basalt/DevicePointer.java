package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.type.ElementType;

/** A place in device memory, for the classic names: what a C or Fortran program would pass as an address. */
public final class DevicePointer {
    // What a short call asks has a field of its own: through the memory it takes three loads, one behind the other.
    private final DeviceMemory memory;
    private final long address;
    private final long available;
    /** What calls ask of the memory. */
    final MemoryCore core;

    DevicePointer(DeviceMemory memory, long offset) {
        this.memory = memory;
        this.core = memory.core;
        this.address = core.address + offset;
        this.available = core.bytes - offset;
    }

    /**
     * The memory pointed into.
     *
     * @return memory
     */
    public DeviceMemory memory() {
        return memory;
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
     * Bytes from here to the end of the memory.
     *
     * @return bytes
     */
    public long available() {
        return available;
    }

    /**
     * A pointer further on (or back).
     *
     * @param type element type
     * @param elements how many elements
     * @return pointer
     * @throws BlasException INVALID_SIZE if that is outside the memory
     */
    public DevicePointer plus(ElementType type, long elements) {
        // As a count of elements, so that no product can overflow.
        long offset = address - core.address;
        long most = available / type.bytes();
        long least = -(offset / type.bytes());
        if (elements < least || elements > most) {
            throw new BlasException(Status.INVALID_SIZE, "DevicePointer.plus",
                    "pointer + " + elements + " elements of " + type.bytes() + " bytes leaves its memory (" + memory
                            + ", offset " + offset + "); from " + least + " to " + most + " elements are inside");
        }
        return new DevicePointer(memory, offset + elements * type.bytes());
    }

    @Override
    public String toString() {
        return "offset " + (address - core.address) + " of " + memory;
    }
}
