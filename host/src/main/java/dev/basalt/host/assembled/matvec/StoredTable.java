package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.matvec.StoredKind.What;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link Stored} of one element type. */
public final class StoredTable extends Variants<StoredKind.What> {
    private final Shape shape;
    private final boolean complex;

    /**
     * A table.
     *
     * @param shape registers
     * @param complex whether elements are pairs of numbers
     */
    public StoredTable(Shape shape, boolean complex) {
        super(What.values());
        this.shape = shape;
        this.complex = complex;
        for (What what : What.values()) {
            count(what, StoredKind.variants(what, complex));
        }
    }

    /** A kernel; real columns are never conjugated. */
    MemorySegment kernel(What what, boolean upper, boolean conj, boolean unit, boolean packed) {
        return kernel(what, StoredKind.variant(what, upper, conj && complex, unit, packed));
    }

    @Override
    protected byte[] write(What what, int variant) {
        return StoredCode.write(shape, complex, StoredKind.of(what, variant));
    }

    @Override
    protected boolean agrees(What what, int variant, MemorySegment code) {
        // Three more, so that panels of complex columns end with all parts of a vector.
        int columns = 6 * shape.lanes() / (complex ? 2 : 1) + 3;
        return new StoredCheck(shape.precision(), complex, columns, StoredKind.of(what, variant)).agrees(code);
    }
}
