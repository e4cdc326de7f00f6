package dev.basalt;

import dev.basalt.type.ElementType;

/** A place in device memory, for the classic names: what a C or Fortran program would pass as an address. */
public final class DevicePointer {
    private final DeviceMemory memory;
    private final long offset;

    DevicePointer(DeviceMemory memory, long offset) {
        this.memory = memory;
        this.offset = offset;
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
        return memory.address() + offset;
    }

    /**
     * Bytes from here to the end of the memory.
     *
     * @return bytes
     */
    public long available() {
        return memory.byteSize() - offset;
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
        long most = (memory.byteSize() - offset) / type.bytes();
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
        return "offset " + offset + " of " + memory;
    }
}
