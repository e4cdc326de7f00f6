package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link ChainCode} and {@link BandRowCode}, of complex numbers only, and of {@link RowBlockCode}. */
public final class ChainTable extends Variants<ChainKind> {
    private final Real precision;
    private final boolean complex;
    private final int[] first = new int[ChainKind.values().length];

    /**
     * A table.
     *
     * @param shape registers; the kernels take a part of them
     * @param complex whether elements are pairs of numbers; else there are only {@link ChainKind#BLOCKS}
     */
    public ChainTable(Shape shape, boolean complex) {
        super(ChainKind.values());
        this.precision = shape.precision();
        this.complex = complex;
        for (ChainKind kind : ChainKind.values()) {
            first[kind.ordinal()] = count(kind, kind.variants(shape.isa(), complex));
        }
    }

    /** A kernel of {@link ChainKind#BLOCKS}. */
    MemorySegment blocks(boolean descends, boolean adds) {
        return kernel(ChainKind.BLOCKS, descends, adds, false);
    }

    /** Any other kernel. */
    MemorySegment kernel(ChainKind kind, boolean descends, boolean conj, boolean unit) {
        return kernel(first[kind.ordinal()] + ChainKind.variant(descends, conj, unit));
    }

    @Override
    protected byte[] write(ChainKind kind, int variant) {
        if (kind == ChainKind.BLOCKS) {
            return RowBlockCode.write(precision, complex, variant);
        }
        return kind.adds() ? BandRowCode.write(precision, kind, variant) : ChainCode.write(precision, kind, variant);
    }

    @Override
    protected boolean agrees(ChainKind kind, int variant, MemorySegment code) {
        if (kind == ChainKind.BLOCKS) {
            return new RowBlockCheck(precision.bytes, complex, variant).agrees(code);
        }
        return kind.adds()
                ? new BandRowCheck(precision.bytes, kind, variant).agrees(code)
                : new ChainCheck(precision.bytes, kind, variant).agrees(code);
    }
}
