package dev.basalt.host.asm;

import java.lang.foreign.MemorySegment;

/** The kernels of {@link ExtremeCode} and {@link PairCode} of one element type, written, checked and installed at first use. */
final class Level1Table {
    private static final ExtremeCode.Kind[] EXTREMES = ExtremeCode.Kind.values();
    private static final PairCode.Kind[] PAIRS = PairCode.Kind.values();

    private final KernelTable kernels;
    private final Shape shape;
    private final boolean complex;
    private final Level1Check check;
    private final MemorySegment[] extremes = new MemorySegment[EXTREMES.length];
    /** As wide as can be, of 256 bits, and of 256 bits that fetch ahead. */
    private final MemorySegment[] pairs = new MemorySegment[3 * PAIRS.length];

    Level1Table(KernelTable kernels, boolean complex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.complex = complex;
        this.check = new Level1Check(kernels, complex);
    }

    MemorySegment extreme(ExtremeCode.Kind kind) {
        MemorySegment found = extremes[kind.ordinal()];
        return found != null ? found : makeExtreme(kind);
    }

    /** As wide as can be, or of 256 bits as {@link KernelTable#narrow} and {@link KernelTable#ahead}. */
    MemorySegment pair(PairCode.Kind kind, boolean narrow, boolean ahead) {
        int i = (ahead ? 2 : narrow ? 1 : 0) * PAIRS.length + kind.ordinal();
        MemorySegment found = pairs[i];
        return found != null ? found : makePair(i, kind, narrow || ahead, ahead);
    }

    private synchronized MemorySegment makeExtreme(ExtremeCode.Kind kind) {
        MemorySegment code = CodeMemory.install(ExtremeCode.write(kind, shape, complex));
        require(check.extreme(code, kind));
        extremes[kind.ordinal()] = code;
        return code;
    }

    private synchronized MemorySegment makePair(int i, PairCode.Kind kind, boolean narrow, boolean ahead) {
        Shape own = narrow ? kernels.narrowShape() : shape;
        MemorySegment code = CodeMemory.install(PairCode.write(kind, own, ahead));
        int rest = Level1Check.COUNT % own.lanes();
        require(check.pair(code, kind, narrow ? kernels.narrowMask(rest) : kernels.mask(rest)));
        pairs[i] = code;
        return code;
    }

    static void require(boolean good) {
        if (!good) {
            throw new IllegalStateException(
                    "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
        }
    }
}
