package dev.basalt.host.asm;

import java.lang.foreign.MemorySegment;

/** The kernels of {@link ExtremeCode} and {@link PairCode} of one element type, written, checked and installed at first use. */
final class Level1Table {
    private static final ExtremeCode.Kind[] EXTREMES = ExtremeCode.Kind.values();
    private static final PairCode.Kind[] PAIRS = PairCode.Kind.values();

    private final Shape shape;
    private final boolean complex;
    private final Level1Check check;
    private final MemorySegment[] extremes = new MemorySegment[EXTREMES.length];
    private final MemorySegment[] pairs = new MemorySegment[PAIRS.length];

    Level1Table(KernelTable kernels, boolean complex) {
        this.shape = kernels.shape();
        this.complex = complex;
        this.check = new Level1Check(kernels, complex);
    }

    MemorySegment extreme(ExtremeCode.Kind kind) {
        MemorySegment found = extremes[kind.ordinal()];
        return found != null ? found : makeExtreme(kind);
    }

    MemorySegment pair(PairCode.Kind kind) {
        MemorySegment found = pairs[kind.ordinal()];
        return found != null ? found : makePair(kind);
    }

    private synchronized MemorySegment makeExtreme(ExtremeCode.Kind kind) {
        MemorySegment code = CodeMemory.install(ExtremeCode.write(kind, shape, complex));
        require(check.extreme(code, kind));
        extremes[kind.ordinal()] = code;
        return code;
    }

    private synchronized MemorySegment makePair(PairCode.Kind kind) {
        MemorySegment code = CodeMemory.install(PairCode.write(kind, shape));
        require(check.pair(code, kind));
        pairs[kind.ordinal()] = code;
        return code;
    }

    static void require(boolean good) {
        if (!good) {
            throw new IllegalStateException(
                    "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
        }
    }
}
