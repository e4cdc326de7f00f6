package dev.basalt.sim;

import dev.basalt.spi.Memory;

/**
 * The content of memory that nobody has written yet. Read as any floating type it is NaN, as an integer a large negative
 * number and as an address nothing that exists, so whoever uses it shows.
 */
final class Poison {
    /** Bytes behind the end of every allocation that must stay as they are. */
    static final int REDZONE = 64;

    /** Fresh blocks up to this size are poisoned whole; larger ones at both ends, since touching pages costs real memory. */
    static final long WHOLE = 4L << 20;

    private static final long END = 64L << 10;
    /** Bytes that are copied at a time; they stay in the first cache. */
    private static final long BLOCK = 8L << 10;
    private static final long PATTERN = 0xFFFDA5A5FFFDA5A5L;

    private Poison() {}

    /** The pattern goes in once, and is copied on in blocks that double. */
    static void fill(long address, long bytes) {
        long done = Math.min(bytes, 8);
        for (long i = 0; i < done; i++) {
            Memory.i8(address + i, (byte) (PATTERN >>> (8 * i)));
        }
        while (done < bytes) {
            long more = Math.min(Math.min(done, BLOCK), bytes - done);
            Memory.copy(address, address + done, more);
            done += more;
        }
    }

    /** Poisons an allocation, and the redzone behind it. */
    static void allocation(long address, long bytes) {
        if (bytes <= WHOLE) {
            fill(address, bytes);
        } else {
            fill(address, END);
            long last = (address + bytes - END) & -8;
            fill(last, address + bytes - last);
        }
        fill(address + bytes, REDZONE);
    }

    /** Poisons pages; they have no redzone, as what follows them cannot be touched. */
    static void pages(long address, long bytes) {
        fill(address, Math.min(bytes, WHOLE));
    }

    /** Whether the redzone behind an allocation is as it was. */
    static boolean intact(long end) {
        for (int i = 0; i < REDZONE; i++) {
            if (Memory.i8(end + i) != (byte) (PATTERN >>> (8 * (i & 7)))) {
                return false;
            }
        }
        return true;
    }
}
