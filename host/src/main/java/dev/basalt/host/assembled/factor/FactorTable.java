package dev.basalt.host.assembled.factor;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of the factorisations of one shape. */
public final class FactorTable extends Variants<FactorTable.Kind> {
    /** What there is. */
    public enum Kind {
        CHOLESKY, ELIMINATE, PIVOT, SWAP, REFLECT
    }

    private final Shape shape;
    private final boolean complex;
    private final FactorCheck check;
    /** Bytes of an element. */
    private final int element;

    private final int cholesky;
    private final int eliminate;
    private final int pivot;
    private final int swap;
    private final int reflect;
    private long constants;

    /**
     * A table.
     *
     * @param shape registers and their use
     * @param complex whether elements are pairs of numbers
     */
    public FactorTable(Shape shape, boolean complex) {
        super(Kind.values());
        this.shape = shape;
        this.complex = complex;
        this.check = new FactorCheck(shape, complex);
        this.element = shape.precision().bytes * (complex ? 2 : 1);
        int widths = FactorTile.block(shape, complex);
        this.cholesky = count(Kind.CHOLESKY, widths);
        this.eliminate = count(Kind.ELIMINATE, widths);
        this.pivot = count(Kind.PIVOT, widths);
        this.swap = count(Kind.SWAP, 2);
        // Complex upper triangles are not turned over.
        this.reflect = count(Kind.REFLECT, complex ? 0 : 2);
    }

    Shape shape() {
        return shape;
    }

    /** A {@link CholeskyCode}. */
    MemorySegment cholesky(int width) {
        return kernel(cholesky + width - 1);
    }

    /** An {@link EliminateCode}. */
    MemorySegment eliminate(int width) {
        return kernel(eliminate + width - 1);
    }

    /** A {@link PivotCode}. */
    MemorySegment pivot(int width) {
        return kernel(pivot + width - 1);
    }

    /** A {@link SwapCode}. */
    MemorySegment swap(boolean backward) {
        return kernel(swap + (backward ? 1 : 0));
    }

    /** A {@link ReflectCode}. */
    MemorySegment reflect(boolean gather) {
        return kernel(reflect + (gather ? 1 : 0));
    }

    @Override
    protected void prepare() {
        constants = Lanes.constants(shape);
    }

    @Override
    protected byte[] write(Kind kind, int variant) {
        return switch (kind) {
            case CHOLESKY -> CholeskyCode.write(shape, constants, complex, variant + 1);
            case ELIMINATE -> EliminateCode.write(shape, constants, complex, variant + 1);
            case PIVOT -> PivotCode.write(shape, constants, complex, variant + 1);
            case SWAP -> SwapCode.write(element, variant == 1);
            case REFLECT -> ReflectCode.write(shape.precision(), variant == 1);
        };
    }

    @Override
    protected boolean agrees(Kind kind, int variant, MemorySegment code) {
        return switch (kind) {
            case CHOLESKY -> check.cholesky(code, variant + 1);
            case ELIMINATE -> check.eliminate(code, variant + 1);
            case PIVOT -> check.pivot(code, variant + 1);
            case SWAP -> check.swap(code, element, variant == 1);
            case REFLECT -> check.reflect(code, variant == 1);
        };
    }
}
