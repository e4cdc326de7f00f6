package dev.basalt.host.assembled.stream;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of level 1 of one element type, written, checked and installed at first use. */
public final class StreamTable {
    private static final StreamCode.Kind[] STREAMS = StreamCode.Kind.values();
    private static final ExtremeCode.Kind[] EXTREMES = ExtremeCode.Kind.values();
    private static final PairCode.Kind[] PAIRS = PairCode.Kind.values();

    private final Shape shape;
    private final Shape narrow;
    private final boolean complex;
    private final StreamCheck check;
    /** As wide as can be, of 256 bits, and of 256 bits that fetch ahead. */
    private final MemorySegment[] streams = new MemorySegment[3 * STREAMS.length];

    private final MemorySegment[] extremes = new MemorySegment[EXTREMES.length];
    /** As {@link #streams}. */
    private final MemorySegment[] pairs = new MemorySegment[3 * PAIRS.length];

    public StreamTable(Shape shape, boolean complex) {
        this.shape = shape;
        this.narrow = new Shape(Isa.AVX2, shape.precision());
        this.complex = complex;
        this.check = new StreamCheck(shape, complex);
    }

    public Shape shape() {
        return shape;
    }

    /** The shape of kernels of 256 bits. */
    Shape narrowShape() {
        return narrow;
    }

    /** A {@link StreamCode}. */
    public MemorySegment stream(StreamCode.Kind kind) {
        MemorySegment found = streams[kind.ordinal()];
        return found != null ? found : makeStream(kind.ordinal(), kind, false, false);
    }

    /**
     * A {@link StreamCode} of 256 bits on every processor: for vectors that lie in the second-level cache, where one line a cycle is the
     * most, and the hardware's prefetchers keep ahead of that (8 % for y := alpha·x + y, 3 % for y := x, n = 10 000, Zen 5).
     */
    public MemorySegment narrow(StreamCode.Kind kind) {
        int i = STREAMS.length + kind.ordinal();
        MemorySegment found = streams[i];
        return found != null ? found : makeStream(i, kind, true, false);
    }

    /** As {@link #narrow} for vectors that lie in the third-level cache, whose lines it fetches ahead. Sums have the same bits. */
    public MemorySegment ahead(StreamCode.Kind kind) {
        int i = 2 * STREAMS.length + kind.ordinal();
        MemorySegment found = streams[i];
        return found != null ? found : makeStream(i, kind, true, true);
    }

    public MemorySegment extreme(ExtremeCode.Kind kind) {
        MemorySegment found = extremes[kind.ordinal()];
        return found != null ? found : makeExtreme(kind);
    }

    /** As wide as can be, or of 256 bits as {@link #narrow(StreamCode.Kind)} and {@link #ahead}. */
    MemorySegment pair(PairCode.Kind kind, boolean narrow, boolean ahead) {
        int i = (ahead ? 2 : narrow ? 1 : 0) * PAIRS.length + kind.ordinal();
        MemorySegment found = pairs[i];
        return found != null ? found : makePair(i, kind, narrow || ahead, ahead);
    }

    private synchronized MemorySegment makeStream(int i, StreamCode.Kind kind, boolean slim, boolean ahead) {
        Isa isa = slim ? Isa.AVX2 : shape.isa();
        MemorySegment code = CodeMemory.install(StreamCode.write(kind, isa, shape.precision(), ahead));
        require(check.stream(code, kind));
        streams[i] = code;
        return code;
    }

    private synchronized MemorySegment makeExtreme(ExtremeCode.Kind kind) {
        MemorySegment code = CodeMemory.install(ExtremeCode.write(kind, shape, complex));
        require(check.extreme(code, kind));
        extremes[kind.ordinal()] = code;
        return code;
    }

    private synchronized MemorySegment makePair(int i, PairCode.Kind kind, boolean slim, boolean ahead) {
        Shape own = slim ? narrow : shape;
        MemorySegment code = CodeMemory.install(PairCode.write(kind, own, ahead));
        require(check.pair(code, kind, own.mask(StreamCheck.COUNT % own.lanes())));
        pairs[i] = code;
        return code;
    }

    public static void require(boolean good) {
        if (!good) {
            throw new IllegalStateException(
                    "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
        }
    }
}
