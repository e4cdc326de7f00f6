package dev.basalt.internal.workspace;

import java.util.Arrays;

/**
 * What one call asks for: a list of tiers from the best algorithm to the one that needs least memory, each a list of named
 * slots. A call frame owns one and refills it for every call, so it allocates nothing.
 *
 * <p>A tier that asks for no less than the one before it can never be chosen and is dropped: a shape too small for any
 * workspace thus has one tier of 0 bytes, and is never reported as degraded.
 *
 * <p>A routine made of others asks for what they ask for, one after the other in the same memory: between {@link #part} and
 * {@link #together} each of them declares its tiers, and a slot becomes the largest of its name in its tier.
 */
public final class Need {
    /** The tier of a call that declares none. */
    public static final String NO_WORKSPACE = "no workspace";

    /** The slot for the products inside a routine. */
    public static final String PACKING = "packing";

    private static final int MAX_TIERS = 8;

    /** One more is {@link #spare}. */
    private static final int ROOM = MAX_TIERS + 1;
    private static final int FEW_SLOTS = 8;

    private final String[] names = new String[ROOM];
    private final String[][] slotNames = new String[ROOM][FEW_SLOTS];
    private final long[][] slots = new long[ROOM][FEW_SLOTS];
    private final int[] ids = new int[ROOM];
    private final int[] algorithms = new int[ROOM];
    private final int[] slotCounts = new int[ROOM];
    private final long[] totals = new long[ROOM];
    private final long[] inner = new long[ROOM];
    private int tiers;
    /** The tier that slots are added to. */
    private int current = -1;
    /** Whether tiers are those of a further part, which are laid over what is there. */
    private boolean over;
    /** The first tier of the algorithm that is being declared, and its number. */
    private int first;
    private int algorithm;

    /** No tiers. */
    public Need() {}

    /** Forgets everything. */
    public void reset() {
        tiers = 0;
        current = -1;
        over = false;
        first = 0;
        algorithm = 0;
    }

    /**
     * Begins another algorithm: its tiers stand below those that are there, and are numbered from 0 again.
     *
     * @return this
     */
    public Need below() {
        over = false;
        first = tiers;
        algorithm++;
        current = tiers - 1;
        return this;
    }

    /**
     * Begins what a part of the routine asks for: its first tier is laid over the first of the algorithm, and so on.
     *
     * @return this
     */
    public Need part() {
        over = true;
        current = first - 1;
        return this;
    }

    /**
     * Ends the last part.
     *
     * @return this
     */
    public Need together() {
        over = false;
        current = tiers - 1;
        return this;
    }

    /**
     * Ends the last part, and takes back the tiers of the algorithm behind the first ones.
     *
     * @param most how many stay
     * @return this
     */
    public Need keep(int most) {
        tiers = Math.min(tiers, first + most);
        return together();
    }

    /**
     * Begins the next tier; call in order of falling need.
     *
     * @param name the algorithm, for people
     * @return this
     * @throws IndexOutOfBoundsException for more than eight
     */
    public Need tier(String name) {
        current++;
        if (current >= MAX_TIERS) {
            throw new IndexOutOfBoundsException(current);
        }
        if (over && current < tiers) {
            return this;
        }
        if (names[current] != name) {
            names[current] = name;
        }
        ids[current] = current - first;
        algorithms[current] = algorithm;
        slotCounts[current] = 0;
        totals[current] = 0;
        inner[current] = 0;
        tiers++;
        return this;
    }

    /**
     * Adds a slot to the tier just begun.
     *
     * @param name what it holds, for people
     * @param bytes its size, not negative; 0 gives a null slot
     * @return this
     * @throws ArithmeticException if the sum overflows
     */
    public Need slot(String name, long bytes) {
        int t = current;
        int s = over ? find(t, name) : slotCounts[t];
        if (s == slotCounts[t]) {
            append(t, name);
        }
        long more = Math.max(0, Chunks.up(bytes) - slots[t][s]);
        slots[t][s] += more;
        totals[t] = Math.addExact(totals[t], more);
        return this;
    }

    /** The slot of a name, or the next that there will be. */
    private int find(int t, String name) {
        int s = 0;
        while (s < slotCounts[t] && !slotNames[t][s].equals(name)) {
            s++;
        }
        return s;
    }

    private void append(int t, String name) {
        int s = slotCounts[t]++;
        if (s == slots[t].length) {
            slots[t] = Arrays.copyOf(slots[t], 2 * s);
            slotNames[t] = Arrays.copyOf(slotNames[t], 2 * s);
        }
        if (slotNames[t][s] != name) {
            slotNames[t][s] = name;
        }
        slots[t][s] = 0;
    }

    /**
     * Adds what the calls made inside the tier just begun will borrow themselves: it must be there, and is not lent.
     *
     * @param bytes their largest need
     * @return this
     * @throws ArithmeticException if the sum overflows
     */
    public Need inner(long bytes) {
        int t = current;
        long more = Chunks.up(bytes);
        inner[t] = Math.addExact(inner[t], more);
        totals[t] = Math.addExact(totals[t], more);
        return this;
    }

    /**
     * Puts a tier behind the first that does without one slot, if the first has it: the same algorithm with a part of it done in another way.
     *
     * @param slot the slot's name
     * @param least a slot of fewer bytes stays
     * @param held what the slot holds, for people
     * @param name the name of the tier without it, for people
     * @return this
     */
    public Need spare(String slot, long least, String held, String name) {
        int s = tiers == 0 ? 0 : find(0, slot);
        if (tiers == 0 || s == slotCounts[0] || slots[0][s] < least) {
            return this;
        }
        for (int t = tiers; t > 1; t--) {
            swap(t, t - 1);
        }
        tiers++;
        current = tiers - 1;
        copy(1, 0);
        names[1] = name;
        slots[1][s] = 0;
        totals[1] -= slots[0][s];
        slotNames[0][s] = held;
        return this;
    }

    private void copy(int to, int from) {
        ids[to] = ids[from];
        algorithms[to] = algorithms[from];
        slotCounts[to] = slotCounts[from];
        totals[to] = totals[from];
        inner[to] = inner[from];
        if (slots[to].length < slots[from].length) {
            slots[to] = new long[slots[from].length];
            slotNames[to] = new String[slots[from].length];
        }
        System.arraycopy(slots[from], 0, slots[to], 0, slotCounts[from]);
        System.arraycopy(slotNames[from], 0, slotNames[to], 0, slotCounts[from]);
    }

    /** Ends the list. */
    public void done() {
        if (tiers == 0) {
            tier(NO_WORKSPACE);
        }
        int kept = 1;
        for (int t = 1; t < tiers; t++) {
            if (totals[t] < totals[kept - 1]) {
                if (kept != t) {
                    swap(kept, t);
                }
                kept++;
            }
        }
        tiers = kept;
    }

    /** Moves a tier to the place of one that is dropped, whose arrays are used again. */
    private void swap(int to, int from) {
        String[] oldNames = slotNames[to];
        long[] oldSlots = slots[to];
        names[to] = names[from];
        ids[to] = ids[from];
        algorithms[to] = algorithms[from];
        slotNames[to] = slotNames[from];
        slots[to] = slots[from];
        slotCounts[to] = slotCounts[from];
        totals[to] = totals[from];
        inner[to] = inner[from];
        slotNames[from] = oldNames;
        slots[from] = oldSlots;
    }

    /**
     * How many tiers there are.
     *
     * @return at least 1 after {@link #done}
     */
    public int tiers() {
        return tiers;
    }

    /**
     * The number a tier had among all the algorithm declared, dropped ones included.
     *
     * @param tier index
     * @return number from 0
     */
    public int id(int tier) {
        return ids[tier];
    }

    /**
     * The algorithm a tier belongs to.
     *
     * @param tier index
     * @return number from 0
     */
    public int algorithm(int tier) {
        return algorithms[tier];
    }

    /**
     * A tier's algorithm.
     *
     * @param tier index
     * @return name
     */
    public String name(int tier) {
        return names[tier];
    }

    /**
     * What a tier asks for.
     *
     * @param tier index
     * @return bytes, a multiple of the chunk
     */
    public long total(int tier) {
        return totals[tier];
    }

    /**
     * What a tier's slots take.
     *
     * @param tier index
     * @return bytes, a multiple of the chunk
     */
    public long lent(int tier) {
        return totals[tier] - inner[tier];
    }

    /**
     * How many slots a tier has.
     *
     * @param tier index
     * @return slots
     */
    public int slots(int tier) {
        return slotCounts[tier];
    }

    /**
     * The size of a slot.
     *
     * @param tier index
     * @param slot index
     * @return bytes, a multiple of the chunk
     */
    public long slot(int tier, int slot) {
        return slots[tier][slot];
    }

    /**
     * A slot's name.
     *
     * @param tier index
     * @param slot index
     * @return name
     */
    public String slotName(int tier, int slot) {
        return slotNames[tier][slot];
    }

    /**
     * What the best tier asks for.
     *
     * @return bytes
     */
    public long optimal() {
        return totals[0];
    }

    /**
     * What the last tier asks for.
     *
     * @return bytes
     */
    public long minimum() {
        return totals[tiers - 1];
    }
}
