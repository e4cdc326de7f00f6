package dev.basalt.gpu.device;

import dev.basalt.spi.DriverException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Gives out numbers for streams, events, pools or graphs and finds what they stand for. A number is a slot, a kind and a
 * count of how often the slot was used, so one that was destroyed or is of another kind is refused and never reaches the
 * driver, where it would end the process. A look-up is a few loads and a compare.
 */
final class Table<T> {
    private static final int SLOT_BITS = 24;
    private static final int KIND_BITS = 2;
    private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;
    private static final long REUSE = 1L << (SLOT_BITS + KIND_BITS);

    /** Replaced as a whole, so that a reader sees a number together with what it stands for. */
    private record Entry<T>(long number, T value) {}

    private final String what;
    private final long kind;
    private final ArrayDeque<Integer> idle = new ArrayDeque<>();
    private Entry<?>[] entries = new Entry<?>[16];
    private long[] next = new long[16];
    private int slots;

    /**
     * An empty table.
     *
     * @param what the noun for messages
     * @param kind 0…3, another one for each table of a device; the first number of kind 0 is 0
     */
    Table(String what, int kind) {
        this.what = what;
        this.kind = (long) kind << SLOT_BITS;
    }

    /** A new number. */
    synchronized long add(T value) {
        int slot = idle.isEmpty() ? slots++ : idle.removeFirst();
        if (slot == next.length) {
            next = Arrays.copyOf(next, 2 * slot);
            entries = Arrays.copyOf(entries, 2 * slot);
        }
        long number = next[slot] | kind | slot;
        next[slot] += REUSE;
        entries[slot] = new Entry<>(number, value);
        return number;
    }

    /** Ends a number's life and returns what it stood for. */
    synchronized T remove(long number) {
        T value = get(number);
        int slot = (int) number & SLOT_MASK;
        entries[slot] = null;
        idle.addLast(slot);
        return value;
    }

    /**
     * What a number stands for.
     *
     * @throws DriverException INVALID_HANDLE if it is not alive
     */
    @SuppressWarnings("unchecked") // only add() fills the array
    T get(long number) {
        Entry<?>[] all = entries;
        int slot = (int) number & SLOT_MASK;
        Entry<?> entry = slot < all.length ? all[slot] : null;
        if (entry == null || entry.number != number) {
            throw new DriverException(DriverException.Code.INVALID_HANDLE, what + " 0x" + Long.toHexString(number)
                    + " was destroyed, was never created or is of another device");
        }
        return (T) entry.value;
    }

    /** Everything that is alive, with its numbers gone. */
    @SuppressWarnings("unchecked") // only add() fills the array
    synchronized List<T> removeAll() {
        List<T> all = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            if (entries[slot] != null) {
                all.add((T) entries[slot].value);
                remove(entries[slot].number);
            }
        }
        return all;
    }

    /** Everything that is alive. */
    @SuppressWarnings("unchecked") // only add() fills the array
    synchronized List<T> all() {
        List<T> all = new ArrayList<>();
        for (Entry<?> entry : entries) {
            if (entry != null) {
                all.add((T) entry.value);
            }
        }
        return all;
    }
}
