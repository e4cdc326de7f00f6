package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of {@link ChainCode} and {@link BandRowCode} of one precision: of complex numbers only. */
public final class ChainTable extends Variants<ChainKind> {
    private final Real precision;
    private final int[] first = new int[ChainKind.values().length];

    /**
     * A table.
     *
     * @param shape registers; the kernels take a part of them
     * @param complex whether elements are pairs of numbers; there are no kernels else
     */
    public ChainTable(Shape shape, boolean complex) {
        super(ChainKind.values());
        this.precision = shape.precision();
        for (ChainKind kind : ChainKind.values()) {
            first[kind.ordinal()] = count(kind, complex ? kind.variants() : 0);
        }
    }

    /** A kernel. */
    MemorySegment kernel(ChainKind kind, boolean descends, boolean conj, boolean unit) {
        return kernel(first[kind.ordinal()] + ChainKind.variant(descends, conj, unit));
    }

    @Override
    protected byte[] write(ChainKind kind, int variant) {
        return kind.adds() ? BandRowCode.write(precision, kind, variant) : ChainCode.write(precision, kind, variant);
    }

    @Override
    protected boolean agrees(ChainKind kind, int variant, MemorySegment code) {
        return kind.adds()
                ? new BandRowCheck(precision.bytes, kind, variant).agrees(code)
                : new ChainCheck(precision.bytes, kind, variant).agrees(code);
    }
}
