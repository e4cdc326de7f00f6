package dev.basalt.gpu.device;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.DriverException.Code;
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

    private final GpuApi api;
    private final long granularity;
    private final Map<Long, Range> ranges = new HashMap<>();

    /** No ranges yet; the GPU's context is current. */
    Ranges(GpuApi api) {
        this.api = api;
        granularity = api.granularity();
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
        long address = api.reserve(size);
        ranges.put(address, new Range(size));
        return address;
    }

    /** Puts memory behind the next bytes of a range; returns how many there are now. */
    synchronized long commit(long address, long from, long to) {
        Range range = range(address);
        if (from != range.committed || to > range.bytes) {
            throw new DriverException(Code.INVALID_VALUE, "cannot commit bytes " + from + " to " + to
                    + " of a range of " + range.bytes + " with " + range.committed + " committed");
        }
        if (to <= from) {
            return from;
        }
        long piece = rounded(to - from);
        api.map(address + from, piece);
        range.add(piece);
        return range.committed;
    }

    /** Gives a range and its memory back. */
    synchronized void release(long address) {
        Range range = range(address);
        ranges.remove(address);
        long at = address;
        for (int i = 0; i < range.count; i++) {
            api.unmap(at, range.pieces[i]);
            at += range.pieces[i];
        }
        api.release(address, range.bytes);
    }

    private Range range(long address) {
        Range range = ranges.get(address);
        if (range == null) {
            throw new DriverException(Code.INVALID_HANDLE,
                    "no reserved range begins at 0x" + Long.toHexString(address));
        }
        return range;
    }
}
