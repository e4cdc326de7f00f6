package dev.basalt.cuda;

import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;

/** Addresses that are reserved apart from the memory behind them. */
final class AddressRanges {
    private AddressRanges() {}

    static long granularity(int device) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long properties = arena.allocate(Structs.ALLOCATION_BYTES, 8).address();
            Structs.allocation(properties, device);
            CudaErrors.check(
                    Libcuda.call(Libcuda.MEM_GET_ALLOCATION_GRANULARITY, out, properties, Structs.GRANULARITY_MINIMUM),
                    "cuMemGetAllocationGranularity");
            return Memory.i64(out);
        }
    }

    static long reserve(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(Libcuda.call(Libcuda.MEM_ADDRESS_RESERVE, out, bytes, 0, 0, 0), "cuMemAddressReserve",
                    bytes);
            return Memory.i64(out);
        }
    }

    static void map(int device, long address, long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long properties = arena.allocate(Structs.ALLOCATION_BYTES, 8).address();
            Structs.allocation(properties, device);
            CudaErrors.check(Libcuda.call(Libcuda.MEM_CREATE, out, bytes, properties, 0), "cuMemCreate", bytes);
            long memory = Memory.i64(out);
            int mapped = Libcuda.call(Libcuda.MEM_MAP, address, bytes, 0, memory, 0);
            // The mapping keeps the memory; without one it goes back at once.
            int released = Libcuda.call(Libcuda.MEM_RELEASE, memory);
            CudaErrors.check(mapped, "cuMemMap", bytes);
            long access = arena.allocate(Structs.ACCESS_BYTES, 8).address();
            Structs.access(access, device);
            int permitted = Libcuda.call(Libcuda.MEM_SET_ACCESS, address, bytes, access, 1);
            if (permitted != CudaErrors.SUCCESS) {
                CudaErrors.check(Libcuda.call(Libcuda.MEM_UNMAP, address, bytes), "cuMemUnmap", bytes);
                throw CudaErrors.failure(permitted, "cuMemSetAccess of " + bytes + " bytes");
            }
            CudaErrors.check(released, "cuMemRelease", bytes);
        }
    }
}
