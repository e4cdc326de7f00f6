package dev.basalt.cuda;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/**
 * Address ranges that are filled with memory from the front. Putting pages behind a range costs about 60 µs, does not wait
 * for the device, and leaves what was there where it was.
 */
final class Ranges {
    /** One range: the sizes of the pieces of memory behind it, in order. */
    private static final class Range {
        final long bytes;
        long[] pieces = new long[4];
        int count;
        long committed;

        Range(long bytes) {
            this.bytes = bytes;
        }

        void add(long piece) {
            if (count == pieces.length) {
                pieces = java.util.Arrays.copyOf(pieces, 2 * count);
            }
            pieces[count++] = piece;
            committed += piece;
        }
    }

    private final int device;
    private final long granularity;
    private final Map<Long, Range> ranges = new HashMap<>();

    /** No ranges yet; the GPU's context is current. */
    Ranges(int device) {
        this.device = device;
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long properties = arena.allocate(Structs.ALLOCATION_BYTES, 8).address();
            Structs.allocation(properties, device);
            CudaErrors.check(
                    Libcuda.call(Libcuda.MEM_GET_ALLOCATION_GRANULARITY, out, properties, Structs.GRANULARITY_MINIMUM),
                    "cuMemGetAllocationGranularity");
            granularity = Memory.i64(out);
        }
    }

    private long rounded(long bytes) {
        long up = (bytes + granularity - 1) / granularity * granularity;
        if (bytes <= 0 || up < bytes) {
            throw new DriverException(Code.INVALID_VALUE, "cannot reserve or commit " + bytes + " bytes");
        }
        return up;
    }

    /** A range of addresses without memory. */
    synchronized long reserve(long bytes) {
        long size = rounded(bytes);
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            CudaErrors.check(
                    Libcuda.call(Libcuda.MEM_ADDRESS_RESERVE, out, size, 0, 0, 0), "cuMemAddressReserve", size);
            long address = Memory.i64(out);
            ranges.put(address, new Range(size));
            return address;
        }
    }

    /** Puts memory behind the next bytes of a range; returns how many there are now. */
    synchronized long commit(long address, long from, long to) {
        Range range = range(address);
        if (from != range.committed || to > range.bytes) {
            throw new DriverException(
                    Code.INVALID_VALUE,
                    "cannot commit bytes " + from + " to " + to + " of a range of " + range.bytes + " with "
                            + range.committed + " committed");
        }
        if (to <= from) {
            return from;
        }
        long piece = rounded(to - from);
        try (Arena arena = Arena.ofConfined()) {
            long out = arena.allocate(ValueLayout.JAVA_LONG).address();
            long properties = arena.allocate(Structs.ALLOCATION_BYTES, 8).address();
            Structs.allocation(properties, device);
            CudaErrors.check(Libcuda.call(Libcuda.MEM_CREATE, out, piece, properties, 0), "cuMemCreate", piece);
            long memory = Memory.i64(out);
            int mapped = Libcuda.call(Libcuda.MEM_MAP, address + from, piece, 0, memory, 0);
            // The mapping keeps the memory; without one it goes back at once.
            int released = Libcuda.call(Libcuda.MEM_RELEASE, memory);
            CudaErrors.check(mapped, "cuMemMap", piece);
            long access = arena.allocate(Structs.ACCESS_BYTES, 8).address();
            Structs.access(access, device);
            int permitted = Libcuda.call(Libcuda.MEM_SET_ACCESS, address + from, piece, access, 1);
            if (permitted != CudaErrors.SUCCESS) {
                CudaErrors.check(Libcuda.call(Libcuda.MEM_UNMAP, address + from, piece), "cuMemUnmap", piece);
                throw CudaErrors.failure(permitted, "cuMemSetAccess of " + piece + " bytes");
            }
            CudaErrors.check(released, "cuMemRelease", piece);
        }
        range.add(piece);
        return range.committed;
    }

    /** Gives a range and its memory back. */
    synchronized void release(long address) {
        Range range = range(address);
        ranges.remove(address);
        long at = address;
        for (int i = 0; i < range.count; i++) {
            CudaErrors.check(Libcuda.call(Libcuda.MEM_UNMAP, at, range.pieces[i]), "cuMemUnmap", range.pieces[i]);
            at += range.pieces[i];
        }
        CudaErrors.check(Libcuda.call(Libcuda.MEM_ADDRESS_FREE, address, range.bytes), "cuMemAddressFree", range.bytes);
    }

    private Range range(long address) {
        Range range = ranges.get(address);
        if (range == null) {
            throw new DriverException(
                    Code.INVALID_HANDLE, "no reserved range begins at 0x" + Long.toHexString(address));
        }
        return range;
    }
}
