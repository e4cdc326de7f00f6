package dev.basalt.host.assembled.code;

import java.lang.foreign.MemorySegment;

/**
 * The kernels of a table. A kind of kernel is written by one emitter in some variants, such as one a size; a variant is written,
 * installed and compared with scalar Java at its first use: a program needs few of them, and its first call should not wait for the
 * others. What fails the comparison is refused, and the ladder of engines says so.
 *
 * <p>A table counts its kinds in its constructor, in the order of the enum. To look a kernel up takes one number; so a table keeps
 * the number of a kind's first variant. There are no lambdas here: the first lambda of a program costs more than a kernel.
 *
 * @param <K> kinds of kernels
 */
public abstract class Variants<K extends Enum<K>> {
    private final K[] kinds;
    /** Number of the first variant of each kind counted so far, and of the one after the last. */
    private final int[] first;

    private int counted;
    private MemorySegment[] kernels = {};
    private boolean prepared;

    /**
     * A table without variants.
     *
     * @param kinds all kinds
     */
    protected Variants(K[] kinds) {
        this.kinds = kinds;
        this.first = new int[kinds.length + 1];
    }

    /**
     * Makes room for the variants of the next kind.
     *
     * @param kind the kind
     * @param count how many variants it has
     * @return the number of the first
     */
    protected final int count(K kind, int count) {
        if (kind.ordinal() != counted) {
            throw new IllegalStateException(kind + " is not the next kind of " + getClass().getSimpleName());
        }
        int at = kernels.length;
        kernels = new MemorySegment[at + count];
        first[++counted] = at + count;
        return at;
    }

    /**
     * A kernel.
     *
     * @param number the number of its kind's first variant, and which variant it is from 0
     * @return its code, checked
     */
    protected final MemorySegment kernel(int number) {
        MemorySegment found = kernels[number];
        return found != null ? found : make(number);
    }

    private synchronized MemorySegment make(int number) {
        if (kernels[number] != null) {
            return kernels[number];
        }
        if (!prepared) {
            prepare();
            prepared = true;
        }
        int k = 0;
        while (first[k + 1] <= number) {
            k++;
        }
        int variant = number - first[k];
        MemorySegment code = CodeMemory.install(write(kinds[k], variant));
        if (!agrees(kinds[k], variant, code)) {
            throw new IllegalStateException(
                    "the assembled kernel " + kinds[k] + " " + variant + " of " + getClass().getSimpleName()
                            + " computes nonsense on this processor; set basalt.engine=vector or scalar");
        }
        kernels[number] = code;
        return code;
    }

    /** Makes what kernels refer to by address, before the first is written for use. */
    protected void prepare() {}

    /**
     * Writes a kernel.
     *
     * @param kind its kind
     * @param variant which of its variants
     * @return code that does not depend on its address
     */
    protected abstract byte[] write(K kind, int variant);

    /**
     * Runs a kernel on a small problem whose result scalar Java knows.
     *
     * @param kind its kind
     * @param variant which of its variants
     * @param code its code
     * @return whether it is right in every bit, and wrote nothing beside it
     */
    protected abstract boolean agrees(K kind, int variant, MemorySegment code);

    // What a test of all kernels asks, on any processor.

    /**
     * Whether a processor that has the table's vectors can run a kind of kernels.
     *
     * @param kind the kind
     * @return false if it lacks instructions that this kind has besides
     */
    public boolean runs(K kind) {
        return true;
    }

    /**
     * All kinds.
     *
     * @return kinds, in order
     */
    public final K[] kinds() {
        return kinds.clone();
    }

    /**
     * How many variants a kind has.
     *
     * @param kind the kind
     * @return their number
     */
    public final int variants(K kind) {
        return first[kind.ordinal() + 1] - first[kind.ordinal()];
    }

    /**
     * The code of a kernel, which is neither installed nor run.
     *
     * @param kind its kind
     * @param variant which of its variants
     * @return code; if no kernel was made yet, what {@link #prepare} makes has the address 0 in it
     */
    public final byte[] bytes(K kind, int variant) {
        return write(kind, variant);
    }

    /**
     * A kernel for use here.
     *
     * @param kind its kind
     * @param variant which of its variants
     * @return its code, checked
     */
    public final MemorySegment kernel(K kind, int variant) {
        return kernel(first[kind.ordinal()] + variant);
    }
}
