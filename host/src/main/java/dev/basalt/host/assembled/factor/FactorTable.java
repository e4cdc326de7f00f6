package dev.basalt.host.assembled.factor;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.Lanes;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of the factorisations of one shape, written, checked and installed at their first use, as {@code ProductTable}. */
final class FactorTable {
    private enum Family {
        CHOLESKY,
        ELIMINATE,
        PIVOT,
        SWAP,
        REFLECT
    }

    private final Shape shape;
    private final boolean complex;
    private final FactorCheck check;
    private final MemorySegment[] cholesky;
    private final MemorySegment[] eliminate;
    private final MemorySegment[] pivot;
    private final MemorySegment[] swaps = new MemorySegment[2];
    private final MemorySegment[] reflections = new MemorySegment[2];
    private final int element;
    private long constants;

    /**
     * A table.
     *
     * @param shape registers and their use
     * @param complex whether elements are pairs of numbers
     */
    FactorTable(Shape shape, boolean complex) {
        this.shape = shape;
        this.complex = complex;
        this.check = new FactorCheck(shape, complex);
        this.element = shape.precision().bytes * (complex ? 2 : 1);
        this.cholesky = new MemorySegment[shape.columns()];
        this.eliminate = new MemorySegment[shape.columns()];
        this.pivot = new MemorySegment[shape.columns()];
    }

    Shape shape() {
        return shape;
    }

    /** A {@link CholeskyCode}. */
    MemorySegment cholesky(int width) {
        MemorySegment found = cholesky[width - 1];
        return found != null ? found : make(Family.CHOLESKY, cholesky, width - 1);
    }

    /** An {@link EliminateCode}. */
    MemorySegment eliminate(int width) {
        MemorySegment found = eliminate[width - 1];
        return found != null ? found : make(Family.ELIMINATE, eliminate, width - 1);
    }

    /** A {@link PivotCode}. */
    MemorySegment pivot(int width) {
        MemorySegment found = pivot[width - 1];
        return found != null ? found : make(Family.PIVOT, pivot, width - 1);
    }

    /** A {@link SwapCode}. */
    MemorySegment swap(boolean backward) {
        int i = backward ? 1 : 0;
        MemorySegment found = swaps[i];
        return found != null ? found : make(Family.SWAP, swaps, i);
    }

    /** A {@link ReflectCode}. */
    MemorySegment reflect(boolean gather) {
        int i = gather ? 1 : 0;
        MemorySegment found = reflections[i];
        return found != null ? found : make(Family.REFLECT, reflections, i);
    }

    private synchronized MemorySegment make(Family family, MemorySegment[] table, int index) {
        if (constants == 0) {
            constants = Lanes.constants(shape);
        }
        if (table[index] == null) {
            MemorySegment code = CodeMemory.install(write(family, index));
            if (!check(family, code, index)) {
                throw new IllegalStateException(
                        "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
            }
            table[index] = code;
        }
        return table[index];
    }

    private byte[] write(Family family, int index) {
        return switch (family) {
            case CHOLESKY -> CholeskyCode.write(shape, constants, complex, index + 1);
            case ELIMINATE -> EliminateCode.write(shape, constants, complex, index + 1);
            case PIVOT -> PivotCode.write(shape, constants, complex, index + 1);
            case SWAP -> SwapCode.write(element, index == 1);
            case REFLECT -> ReflectCode.write(shape.precision(), index == 1);
        };
    }

    private boolean check(Family family, MemorySegment code, int index) {
        return switch (family) {
            case CHOLESKY -> check.cholesky(code, index + 1);
            case ELIMINATE -> check.eliminate(code, index + 1);
            case PIVOT -> check.pivot(code, index + 1);
            case SWAP -> check.swap(code, element, index == 1);
            case REFLECT -> check.reflect(code, index == 1);
        };
    }
}
