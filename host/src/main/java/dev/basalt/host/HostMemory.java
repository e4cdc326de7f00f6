package dev.basalt.host;

import dev.basalt.spi.DriverException;
import dev.basalt.spi.SystemMemory;

/**
 * Blocks and address ranges of the system, each known by its address: an address that is not known is refused, where the C
 * library would end the process.
 */
final class HostMemory {
    /** Every block begins at a cache line, which is also the widest vector register. */
    static final int ALIGNMENT = 64;
    /** Ranges are filled in huge pages. */
    static final long GRANULE = 2L << 20;

    private static final long OWN = 0;
    private static final long POOLED = 1;

    private final MemoryBudget budget;
    private final AddressTable blocks = new AddressTable();
    private final AddressTable ranges = new AddressTable();

    /**
     * Memory with nothing allocated.
     *
     * @param budget who decides how much there may be
     */
    HostMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    /** A block for the user. */
    long allocate(long bytes) {
        return allocate(bytes, OWN);
    }

    /** A block for a pool, which only the pool may free. */
    long allocatePooled(long bytes) {
        return allocate(bytes, POOLED);
    }

    private synchronized long allocate(long bytes, long owner) {
        if (bytes <= 0) {
            throw new DriverException(DriverException.Code.INVALID_VALUE, "cannot allocate " + bytes + " bytes");
        }
        budget.claim(bytes);
        try {
            long address = SystemMemory.allocate(bytes, ALIGNMENT);
            blocks.put(address, bytes, owner);
            return address;
        } catch (Throwable t) {
            budget.giveBack(bytes);
            throw t;
        }
    }

    /** Frees a block of the user. */
    void free(long address) {
        free(address, OWN);
    }

    /** Frees a block of a pool. */
    void freePooled(long address) {
        free(address, POOLED);
    }

    private synchronized void free(long address, long owner) {
        if (!blocks.contains(address) || blocks.extra(address) != owner) {
            throw unknown(address);
        }
        budget.giveBack(blocks.remove(address));
        SystemMemory.free(address);
    }

    /**
     * Reserves an address range that begins at a huge page.
     *
     * @param bytes how many
     * @return address
     */
    synchronized long reserve(long bytes) {
        if (!SystemMemory.canReserve()) {
            throw new DriverException(DriverException.Code.NOT_SUPPORTED,
                    "this system cannot reserve address ranges for us");
        }
        if (bytes <= 0 || bytes > 1L << 60) {
            throw new DriverException(DriverException.Code.INVALID_VALUE, "cannot reserve " + bytes + " bytes");
        }
        // The system aligns to small pages only: reserve one huge page more and give the ends back.
        long size = up(bytes);
        long raw = SystemMemory.reserve(size + GRANULE);
        long address = up(raw);
        if (address > raw) {
            SystemMemory.unreserve(raw, address - raw);
        }
        if (raw + GRANULE > address) {
            SystemMemory.unreserve(address + size, raw + GRANULE - address);
        }
        ranges.put(address, size, 0);
        return address;
    }

    /**
     * Puts memory behind the first bytes of a range.
     *
     * @param address the range
     * @param to bytes that shall be there
     * @return bytes that are there now
     */
    synchronized long commit(long address, long to) {
        if (!ranges.contains(address)) {
            throw unknown(address);
        }
        long reserved = ranges.bytes(address);
        if (to < 0 || to > reserved) {
            throw new DriverException(DriverException.Code.INVALID_VALUE,
                    "cannot put " + to + " bytes into a range of " + reserved + " bytes");
        }
        long committed = ranges.extra(address);
        long grown = up(to);
        if (grown <= committed) {
            return committed;
        }
        budget.claim(grown - committed);
        try {
            SystemMemory.commit(address + committed, grown - committed);
        } catch (Throwable t) {
            budget.giveBack(grown - committed);
            throw t;
        }
        ranges.put(address, reserved, grown);
        return grown;
    }

    /** Gives a range and what is behind it back. */
    synchronized void release(long address) {
        if (!ranges.contains(address)) {
            throw unknown(address);
        }
        SystemMemory.unreserve(address, ranges.bytes(address));
        budget.giveBack(ranges.extra(address));
        ranges.remove(address);
    }

    private static long up(long bytes) {
        return (bytes + GRANULE - 1) & -GRANULE;
    }

    /** What a call is told that names an address this device did not give out. */
    static DriverException unknown(long address) {
        return new DriverException(DriverException.Code.INVALID_HANDLE,
                "address 0x" + Long.toHexString(address) + " was freed or was not allocated this way on this device");
    }
}
