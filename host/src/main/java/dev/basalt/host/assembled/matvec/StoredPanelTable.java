package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link StoredPanelCode} of one precision: of real numbers only. */
public final class StoredPanelTable extends Variants<StoredPanelKind> {
    /**
     * Columns up to this many bytes are short: with AVX-512 their last rows are stored under a mask, and the next panel waits for them. tpsv of an upper triangle in s takes 0.90 µs and 0.47 so with
     * order 120, 8.3 and 8.1 with order 600.
     */
    private static final long SHORT_BYTES = 2 << 10;

    /** As much of symmetric ones, of which each vector of rows is loaded for two sums. */
    private static final long SYMMETRIC_SHORT_BYTES = 768;

    /**
     * A matrix beyond this comes from memory, and the processor's prefetchers do not keep up with four columns beside two vectors: there each line is fetched. spmv of order 4000 in s takes
     * 1.21 to 1.36 ms so and 1.33 to 1.75 without; in the L3 cache, with order 2000, it would lose a twentieth.
     */
    private static final long CACHED_BYTES = 16 << 20;

    // Kinds of columns, beside the first.
    private static final int SHORT = 1;
    private static final int LONG = 2;

    private final Shape shape;
    /** What short columns take: a load of less than what was stored a moment ago waits less. */
    private final Shape narrow;

    private final int[] first = new int[StoredPanelKind.values().length];

    /**
     * A table.
     *
     * @param shape registers
     * @param complex whether elements are pairs of numbers, for which there are no kernels
     */
    public StoredPanelTable(Shape shape, boolean complex) {
        super(StoredPanelKind.values());
        this.shape = shape;
        this.narrow = new Shape(Isa.AVX2, shape.precision());
        for (StoredPanelKind kind : StoredPanelKind.values()) {
            first[kind.ordinal()] = count(kind, complex ? 0 : kind.lengths() * kind.forms());
        }
    }

    /** A kernel, for columns of so many bytes, of a matrix of so many. */
    MemorySegment kernel(StoredPanelKind kind, long column, long matrix, int form) {
        boolean isLong = column > 2 * PanelCode.AHEAD && matrix > CACHED_BYTES && kind.lengths() > LONG;
        boolean isShort = column <= (kind == StoredPanelKind.SYMV ? SYMMETRIC_SHORT_BYTES : SHORT_BYTES);
        int length = isShort ? SHORT : isLong ? LONG : 0;
        return kernel(first[kind.ordinal()] + length * kind.forms() + form);
    }

    private static int length(StoredPanelKind kind, int variant) {
        return variant / kind.forms();
    }

    private Shape shape(StoredPanelKind kind, int variant) {
        return length(kind, variant) == SHORT ? narrow : shape;
    }

    @Override
    protected byte[] write(StoredPanelKind kind, int variant) {
        return StoredPanelCode.write(shape(kind, variant), kind, StoredPanelKind.Form.of(kind, variant % kind.forms()),
                length(kind, variant) == LONG);
    }

    @Override
    protected boolean agrees(StoredPanelKind kind, int variant, MemorySegment code) {
        return new StoredPanelCheck(shape(kind, variant), kind, StoredPanelKind.Form.of(kind, variant % kind.forms()))
                .agrees(code);
    }
}
