package dev.basalt.host.assembled.stream;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The kernels of level 1 of one element type. */
public final class StreamTable extends Variants<StreamTable.Kind> {
    /** What there is, in variants by what they compute: those of {@link StreamCode}, {@link StrideCode}, {@link ExtremeCode}, {@link PairCode}, {@link StridePairCode}, {@link EachCode} and {@link StrideExtremeCode}. */
    public enum Kind {
        STREAM,
        NARROW_STREAM,
        AHEAD_STREAM,
        STRIDED,
        EXTREME,
        PAIR,
        NARROW_PAIR,
        AHEAD_PAIR,
        STRIDED_PAIR,
        EACH,
        STRIDED_EXTREME
    }

    private static final StreamCode.Kind[] STREAMS = StreamCode.Kind.values();
    private static final ExtremeCode.Kind[] EXTREMES = ExtremeCode.Kind.values();
    private static final PairCode.Kind[] PAIRS = PairCode.Kind.values();
    private static final StridePairCode.Kind[] STRIDED_PAIRS = StridePairCode.Kind.values();
    private static final EachCode.Kind[] EACH = EachCode.Kind.values();
    private static final EachCode.Mode[] MODES = EachCode.Mode.values();

    // Where the addresses of a kind begin. All are constants, and a kind is one where its call is inlined; so a call of a short vector reads one element.
    /** Of {@link #codes}: the first {@link StreamCode}. */
    public static final int STREAM = 0;

    /** The first {@link StrideCode}. */
    public static final int STRIDED = STREAM + STREAMS.length;
    private static final int EXTREME = STRIDED + STREAMS.length;

    /** The first {@link PairCode}. */
    public static final int PAIR = EXTREME + EXTREMES.length;

    /** The first {@link StridePairCode}. */
    public static final int STRIDED_PAIR = PAIR + PAIRS.length;

    /** The place of the largest one with gaps; behind it that of the smallest. */
    public static final int STRIDED_EXTREME = STRIDED_PAIR + STRIDED_PAIRS.length;

    private static final int ALL = STRIDED_EXTREME + 2;

    /** The place of the largest one. */
    public static final int LARGEST = EXTREME + ExtremeCode.Kind.PLACE_OF_LARGEST.ordinal();

    /** The place of the smallest one. */
    public static final int SMALLEST = EXTREME + ExtremeCode.Kind.PLACE_OF_SMALLEST.ordinal();

    private final Shape shape;
    private final Shape narrow;
    private final boolean complex;
    private final StreamCheck check;
    private final int narrowStreams;
    private final int aheadStreams;
    private final int pairs;
    private final int narrowPairs;
    private final int aheadPairs;
    private final int each;

    /** The code of each kernel of the widest vectors, once it is made. */
    private final MemorySegment[] codes = new MemorySegment[ALL];

    /** Their addresses, 0 until then. */
    private final long[] addresses = new long[ALL];

    /**
     * A table.
     *
     * @param shape registers and their use
     * @param complex whether elements are pairs of numbers
     */
    public StreamTable(Shape shape, boolean complex) {
        super(Kind.values());
        this.shape = shape;
        this.narrow = new Shape(Isa.AVX2, shape.precision());
        this.complex = complex;
        this.check = new StreamCheck(shape, complex);
        count(Kind.STREAM, STREAMS.length);
        this.narrowStreams = count(Kind.NARROW_STREAM, STREAMS.length);
        this.aheadStreams = count(Kind.AHEAD_STREAM, STREAMS.length);
        count(Kind.STRIDED, complex ? 0 : StreamCode.Kind.ROTM.ordinal());
        count(Kind.EXTREME, EXTREMES.length);
        int many = complex ? PAIRS.length : 0;
        this.pairs = count(Kind.PAIR, many);
        this.narrowPairs = count(Kind.NARROW_PAIR, many);
        this.aheadPairs = count(Kind.AHEAD_PAIR, many);
        count(Kind.STRIDED_PAIR, complex ? STRIDED_PAIRS.length : 0);
        this.each = count(Kind.EACH, EACH.length * MODES.length);
        count(Kind.STRIDED_EXTREME, 2);
    }

    Shape shape() {
        return shape;
    }

    /** The shape of kernels of 256 bits. */
    Shape narrowShape() {
        return narrow;
    }

    /**
     * The code of each kernel of the widest vectors, for who calls it often.
     *
     * @return the table's own array; null where a kernel was not asked for yet
     */
    public MemorySegment[] codes() {
        return codes;
    }

    /**
     * The address of each, for calls that need no more.
     *
     * @return the table's own array; 0 where a kernel was not asked for yet
     */
    public long[] addresses() {
        return addresses;
    }

    /**
     * The masks of the last vector of one of pairs.
     *
     * @return by how many numbers are in it
     */
    public long[] masks() {
        long[] masks = new long[shape.lanes()];
        Arrays.setAll(masks, shape::mask);
        return masks;
    }

    private MemorySegment code(int at, Kind kind, int variant) {
        MemorySegment found = codes[at + variant];
        return found != null ? found : made(at + variant, kind, variant);
    }

    private MemorySegment made(int at, Kind kind, int variant) {
        MemorySegment code = kernel(kind, variant);
        codes[at] = code;
        addresses[at] = code.address();
        return code;
    }

    /** A {@link StreamCode}. */
    public MemorySegment stream(StreamCode.Kind kind) {
        return code(STREAM, Kind.STREAM, kind.ordinal());
    }

    /**
     * A {@link StreamCode} of 256 bits on every processor: for vectors that lie in the second-level cache, where one line a cycle is the
     * most, and the hardware's prefetchers keep ahead of that (8 % for y := alpha·x + y, 3 % for y := x, n = 10 000, Zen 5).
     */
    public MemorySegment narrow(StreamCode.Kind kind) {
        return kernel(narrowStreams + kind.ordinal());
    }

    /** As {@link #narrow} for vectors that lie in the third-level cache, whose lines it fetches ahead where that is faster. Sums have the same bits. */
    public MemorySegment ahead(StreamCode.Kind kind) {
        return kernel((CpuFeatures.fetchesAhead() ? aheadStreams : narrowStreams) + kind.ordinal());
    }

    /** A {@link StridePairCode} of a complex type. */
    public MemorySegment stridedPair(StridePairCode.Kind kind) {
        return code(STRIDED_PAIR, Kind.STRIDED_PAIR, kind.ordinal());
    }

    /** A {@link StrideCode}; there are none of complex types. */
    public MemorySegment strided(StreamCode.Kind kind) {
        return code(STRIDED, Kind.STRIDED, kind.ordinal());
    }

    /** An {@link ExtremeCode}. */
    MemorySegment extreme(ExtremeCode.Kind kind) {
        return code(EXTREME, Kind.EXTREME, kind.ordinal());
    }

    /**
     * The same by its place.
     *
     * @param at {@link #LARGEST} or {@link #SMALLEST}
     * @return its code
     */
    public MemorySegment extreme(int at) {
        return code(EXTREME, Kind.EXTREME, at - EXTREME);
    }

    /** Elements without gaps from which on an {@link ExtremeCode} gives the place: a vector of them, or any where rests have masks. */
    long leastPlace() {
        return shape.isa() == Isa.AVX512 ? 1 : shape.lanes() / (complex ? 2 : 1);
    }

    /** The same for a single vector: of one element nobody asks. */
    public long leastExtreme() {
        return Math.max(2, leastPlace());
    }

    /**
     * A {@link StrideExtremeCode}.
     *
     * @param largest whether the largest is meant
     * @return its code
     */
    public MemorySegment stridedExtreme(boolean largest) {
        int variant = largest ? 0 : 1;
        return code(STRIDED_EXTREME, Kind.STRIDED_EXTREME, variant);
    }

    /** A {@link PairCode} of a complex type, as wide as can be. */
    public MemorySegment pair(PairCode.Kind kind) {
        return code(PAIR, Kind.PAIR, kind.ordinal());
    }

    /** A {@link PairCode} of a complex type: as wide as can be, or of 256 bits as {@link #narrow} and {@link #ahead}. */
    MemorySegment pair(PairCode.Kind kind, boolean narrow, boolean ahead) {
        int first = ahead && CpuFeatures.fetchesAhead() ? aheadPairs : narrow ? narrowPairs : pairs;
        return kernel(first + kind.ordinal());
    }

    /** An {@link EachCode}. */
    MemorySegment each(EachCode.Kind kind, EachCode.Mode mode) {
        return kernel(each + kind.ordinal() * MODES.length + mode.ordinal());
    }

    @Override
    protected byte[] write(Kind kind, int variant) {
        return switch (kind) {
            case STREAM -> StreamCode.write(STREAMS[variant], shape, false);
            case NARROW_STREAM -> StreamCode.write(STREAMS[variant], narrow, false);
            case AHEAD_STREAM -> StreamCode.write(STREAMS[variant], narrow, true);
            case STRIDED -> StrideCode.write(STREAMS[variant], shape.precision());
            case EXTREME -> ExtremeCode.write(EXTREMES[variant], shape, complex);
            case PAIR -> PairCode.write(PAIRS[variant], shape, false);
            case STRIDED_PAIR -> StridePairCode.write(STRIDED_PAIRS[variant], shape.precision());
            case NARROW_PAIR -> PairCode.write(PAIRS[variant], narrow, false);
            case AHEAD_PAIR -> PairCode.write(PAIRS[variant], narrow, true);
            case EACH -> EachCode.write(EACH[variant / MODES.length], MODES[variant % MODES.length]);
            case STRIDED_EXTREME -> StrideExtremeCode.write(variant == 0, shape, complex);
        };
    }

    @Override
    protected boolean agrees(Kind kind, int variant, MemorySegment code) {
        return switch (kind) {
            case STREAM, NARROW_STREAM, AHEAD_STREAM -> check.stream(code, STREAMS[variant]);
            case STRIDED -> check.stride(code, STREAMS[variant]);
            case EXTREME -> check.extreme(code, EXTREMES[variant]);
            case PAIR -> check.pair(code, PAIRS[variant], shape);
            case STRIDED_PAIR -> check.stridedPair(code, STRIDED_PAIRS[variant]);
            case NARROW_PAIR, AHEAD_PAIR -> check.pair(code, PAIRS[variant], narrow);
            case EACH -> EachCheck.agrees(code, EACH[variant / MODES.length], MODES[variant % MODES.length]);
            case STRIDED_EXTREME -> check.stridedExtreme(code, variant == 0);
        };
    }
}
