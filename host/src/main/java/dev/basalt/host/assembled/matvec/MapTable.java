package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link Maps} of one element type. */
public final class MapTable extends Variants<MapCode.Kind> {
    private final Shape shape;
    private final boolean complex;

    /**
     * A table.
     *
     * @param shape registers
     * @param complex whether elements are pairs of numbers
     */
    public MapTable(Shape shape, boolean complex) {
        super(MapCode.Kind.values());
        this.shape = shape;
        this.complex = complex;
        for (MapCode.Kind kind : MapCode.Kind.values()) {
            count(kind, 2);
        }
    }

    MemorySegment kernel(MapCode.Kind kind, boolean past) {
        return kernel(2 * kind.ordinal() + (past ? 1 : 0));
    }

    @Override
    protected byte[] write(MapCode.Kind kind, int variant) {
        return MapCode.write(shape, complex, kind, variant == 1);
    }

    @Override
    protected boolean agrees(MapCode.Kind kind, int variant, MemorySegment code) {
        int rows = 6 * shape.lanes() / (complex ? 2 : 1) - 1;
        MapCheck check = new MapCheck(shape.precision(), complex, rows);
        return check.agrees(kind, code, 0) && (kind != MapCode.Kind.TIMES || check.agrees(kind, code, 1));
    }
}
