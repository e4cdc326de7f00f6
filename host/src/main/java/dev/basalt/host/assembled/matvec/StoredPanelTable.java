package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link StoredPanelCode} of one precision: of real numbers only. */
public final class StoredPanelTable extends Variants<StoredPanelKind> {
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
            first[kind.ordinal()] = count(kind, complex ? 0 : 2 * kind.forms());
        }
    }

    /** A kernel, for columns of some length or for short ones. */
    MemorySegment kernel(StoredPanelKind kind, boolean isShort, int form) {
        return kernel(first[kind.ordinal()] + (isShort ? kind.forms() : 0) + form);
    }

    private Shape shape(StoredPanelKind kind, int variant) {
        return variant < kind.forms() ? shape : narrow;
    }

    @Override
    protected byte[] write(StoredPanelKind kind, int variant) {
        return StoredPanelCode.write(shape(kind, variant), kind, StoredPanelKind.Form.of(kind, variant % kind.forms()));
    }

    @Override
    protected boolean agrees(StoredPanelKind kind, int variant, MemorySegment code) {
        return new StoredPanelCheck(shape(kind, variant), kind, StoredPanelKind.Form.of(kind, variant % kind.forms()))
                .agrees(code);
    }
}
