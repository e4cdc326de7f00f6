package dev.basalt.host;

/**
 * Two numbers for each address that was given out: open addressing in plain arrays, so that a steady stream of entries that
 * come and go makes no garbage. Not thread-safe.
 */
final class AddressTable {
    private long[] keys = new long[64];
    private long[] bytes = new long[64];
    private long[] extras = new long[64];
    private int size;

    /** How many addresses there are. */
    int size() {
        return size;
    }

    /**
     * Adds an address or replaces its numbers.
     *
     * @param address not 0
     * @param byteCount first number
     * @param extra second number
     */
    void put(long address, long byteCount, long extra) {
        if (2 * (size + 1) > keys.length) {
            grow();
        }
        int slot = find(address);
        if (keys[slot] == 0) {
            size++;
        }
        keys[slot] = address;
        bytes[slot] = byteCount;
        extras[slot] = extra;
    }

    /** Whether an address is there. */
    boolean contains(long address) {
        return address != 0 && keys[find(address)] == address;
    }

    /** The first number of an address, 0 if it is not there. */
    long bytes(long address) {
        return address == 0 ? 0 : bytes[find(address)];
    }

    /** The second number of an address, 0 if it is not there. */
    long extra(long address) {
        return address == 0 ? 0 : extras[find(address)];
    }

    /**
     * Removes an address.
     *
     * @param address the address
     * @return its first number, 0 if it was not there
     */
    long remove(long address) {
        if (!contains(address)) {
            return 0;
        }
        int hole = find(address);
        long removed = bytes[hole];
        clear(hole);
        size--;
        // Entries behind the hole move up, so that no search ends at it (Knuth 6.4, algorithm R): no tombstones pile
        // up.
        int mask = keys.length - 1;
        for (int i = (hole + 1) & mask; keys[i] != 0; i = (i + 1) & mask) {
            int home = home(keys[i]);
            if (((i - home) & mask) >= ((i - hole) & mask)) {
                keys[hole] = keys[i];
                bytes[hole] = bytes[i];
                extras[hole] = extras[i];
                clear(i);
                hole = i;
            }
        }
        return removed;
    }

    private void clear(int slot) {
        keys[slot] = 0;
        bytes[slot] = 0;
        extras[slot] = 0;
    }

    private int home(long address) {
        return (int) ((address * 0x9E3779B97F4A7C15L) >>> 32) & (keys.length - 1);
    }

    private int find(long address) {
        int slot = home(address);
        while (keys[slot] != 0 && keys[slot] != address) {
            slot = (slot + 1) & (keys.length - 1);
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        long[] oldBytes = bytes;
        long[] oldExtras = extras;
        keys = new long[2 * oldKeys.length];
        bytes = new long[keys.length];
        extras = new long[keys.length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                int slot = find(oldKeys[i]);
                keys[slot] = oldKeys[i];
                bytes[slot] = oldBytes[i];
                extras[slot] = oldExtras[i];
            }
        }
    }
}
