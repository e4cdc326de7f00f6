package dev.basalt.host.assembled.mixed;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.product.Lane;
import dev.basalt.host.assembled.product.TileCode;
import dev.basalt.host.assembled.x86.Extension;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The kernels on numbers narrower than single precision, of one shape of that. */
public final class MixedTable extends Variants<MixedTable.Kind> {
    /** What there is. */
    public enum Kind {
        STREAM, WIDEN, PANEL, COPY, EXTEND, LOWER, HALVES, WORDS, BYTES
    }

    private static final MixedStreamCode.Kind[] STREAMS = MixedStreamCode.Kind.values();
    private static final Format[] FORMATS = Format.values();
    /** Formats that are stored too come first. */
    private static final int STORED = 3;

    /** Numbers of lanes, and for each its formats or how many columns there are. */
    private record Source(Lane lane, Format format, int columns) {}

    private static final Source[] SOURCES = {
            new Source(Lane.NUMBER, Format.F32, 1),
            new Source(Lane.NUMBER, Format.F16, 1),
            new Source(Lane.NUMBER, Format.BF16, 1),
            new Source(Lane.NUMBER, Format.E4M3, 1),
            new Source(Lane.NUMBER, Format.E5M2, 1),
            new Source(Lane.HALVES, null, 1),
            new Source(Lane.HALVES, null, 2),
            new Source(Lane.WORDS, null, 1),
            new Source(Lane.WORDS, null, 2),
            new Source(Lane.BYTES, null, 1),
            new Source(Lane.BYTES, null, 2),
            new Source(Lane.BYTES, null, 3),
            new Source(Lane.BYTES, null, 4)};

    private static final int HALVES_SOURCE = 5;
    private static final int WORDS_SOURCE = 7;
    private static final int BYTES_SOURCE = 9;

    private final Shape shape;
    private final MixedCheck check;
    private final int streams;
    private final int widens;
    private final int panels;
    private final int copies;
    private final int extend;
    private final int lower;
    private final Set<Extension> extensions;
    private final int[] tiles = new int[Lane.values().length];

    /**
     * A table.
     *
     * @param shape registers of single precision and their use
     * @param extensions what the processor has beyond the shape's instructions
     */
    public MixedTable(Shape shape, Set<Extension> extensions) {
        super(Kind.values());
        this.shape = shape;
        this.extensions = extensions;
        this.check = new MixedCheck(shape);
        boolean masks = shape.isa() == Isa.AVX512;
        this.streams = count(Kind.STREAM, STREAMS.length * STORED * STORED);
        this.widens = count(Kind.WIDEN, FORMATS.length - STORED);
        this.panels = count(Kind.PANEL, 2 * STORED * MixedPanelCode.COLUMNS);
        this.copies = count(Kind.COPY, SOURCES.length * Shape.VECTORS * (masks ? 2 : 1));
        this.extend = count(Kind.EXTEND, 1);
        this.lower = count(Kind.LOWER, 1);
        int sizes = 2 * Shape.VECTORS * shape.columns();
        // AVX2 has no products of halves.
        tiles[Lane.HALVES.ordinal()] = count(Kind.HALVES, masks ? sizes : 0);
        tiles[Lane.WORDS.ordinal()] = count(Kind.WORDS, sizes);
        tiles[Lane.BYTES.ordinal()] = count(Kind.BYTES, sizes);
    }

    Shape shape() {
        return shape;
    }

    Set<Extension> extensions() {
        return extensions;
    }

    /** Which of the kinds can run; of the others some need conversions of halves too, and their callers know. */
    @Override
    public boolean runs(Kind kind) {
        return switch (kind) {
            case LOWER, BYTES -> extensions.contains(Extension.VNNI);
            case HALVES -> extensions.contains(Extension.BF16);
            case EXTEND, WORDS -> true;
            default -> extensions.contains(Extension.F16C);
        };
    }

    /** A {@link MixedStreamCode} over what is stored too. */
    MemorySegment stream(MixedStreamCode.Kind kind, Format x, Format y) {
        return kernel(streams + (kind.ordinal() * STORED + x.ordinal()) * STORED + y.ordinal());
    }

    /** y := alpha·x with y in single precision. */
    MemorySegment widen(Format x) {
        return x.stored() ? stream(MixedStreamCode.Kind.SET, x, Format.F32) : kernel(widens + x.ordinal() - STORED);
    }

    /** A {@link MixedPanelCode} of a format that is stored too. */
    MemorySegment panel(Format format, boolean trans, int columns) {
        return kernel(panels + ((trans ? STORED : 0) + format.ordinal()) * MixedPanelCode.COLUMNS + columns - 1);
    }

    /** A {@link MixedPackCode#rows}. */
    MemorySegment copy(Lane lane, Format format, int columns, int vectors, boolean masked) {
        int source = switch (lane) {
            case NUMBER -> format.ordinal();
            case HALVES -> HALVES_SOURCE + columns - 1;
            case WORDS -> WORDS_SOURCE + columns - 1;
            case BYTES -> BYTES_SOURCE + columns - 1;
        };
        return kernel(copies + ((masked ? SOURCES.length : 0) + source) * Shape.VECTORS + vectors - 1);
    }

    /** A {@link MixedPackCode#extend}. */
    MemorySegment extend() {
        return kernel(extend);
    }

    /** A {@link MixedPackCode#lower}. */
    MemorySegment lower() {
        return kernel(lower);
    }

    /** A {@link TileCode} on lanes of several numbers. */
    MemorySegment tile(Lane lane, int vectors, int columns, boolean masked) {
        return kernel(
                tiles[lane.ordinal()] + ((masked ? Shape.VECTORS : 0) + vectors - 1) * shape.columns() + columns - 1);
    }

    @Override
    protected byte[] write(Kind kind, int i) {
        Isa isa = shape.isa();
        return switch (kind) {
            case STREAM -> MixedStreamCode.write(streamKind(i), isa, formatX(i), formatY(i));
            case WIDEN -> MixedStreamCode.write(MixedStreamCode.Kind.SET, isa, FORMATS[STORED + i], Format.F32);
            case PANEL -> MixedPanelCode.write(isa, panelFormat(i), panelTrans(i), panelColumns(i));
            case COPY -> {
                Source s = source(i);
                yield MixedPackCode.rows(isa, s.lane, s.format, s.columns, vectors(i), copyMasked(i));
            }
            case EXTEND -> MixedPackCode.extend(isa);
            case LOWER -> MixedPackCode.lower(isa);
            case HALVES, WORDS, BYTES ->
                TileCode.write(shape, tileVectors(i), tileColumns(i), tileMasked(i), Lane.valueOf(kind.name()));
        };
    }

    @Override
    protected boolean agrees(Kind kind, int i, MemorySegment code) {
        return switch (kind) {
            case STREAM -> check.stream(code, streamKind(i), formatX(i), formatY(i));
            case WIDEN -> check.stream(code, MixedStreamCode.Kind.SET, FORMATS[STORED + i], Format.F32);
            case PANEL -> check.panel(code, panelFormat(i), panelTrans(i), panelColumns(i));
            case COPY -> {
                Source s = source(i);
                yield check.copy(code, s.lane, s.format, s.columns, vectors(i), copyMasked(i));
            }
            case EXTEND -> check.extend(code);
            case LOWER -> check.lower(code);
            case HALVES, WORDS, BYTES ->
                check.tile(code, Lane.valueOf(kind.name()), tileVectors(i), tileColumns(i), tileMasked(i));
        };
    }

    private static MixedStreamCode.Kind streamKind(int i) {
        return STREAMS[i / (STORED * STORED)];
    }

    private static Format formatX(int i) {
        return FORMATS[i / STORED % STORED];
    }

    private static Format formatY(int i) {
        return FORMATS[i % STORED];
    }

    private static Format panelFormat(int i) {
        return FORMATS[i / MixedPanelCode.COLUMNS % STORED];
    }

    private static boolean panelTrans(int i) {
        return i >= STORED * MixedPanelCode.COLUMNS;
    }

    private static int panelColumns(int i) {
        return 1 + i % MixedPanelCode.COLUMNS;
    }

    private static Source source(int i) {
        return SOURCES[i / Shape.VECTORS % SOURCES.length];
    }

    private static int vectors(int i) {
        return 1 + i % Shape.VECTORS;
    }

    private static boolean copyMasked(int i) {
        return i >= SOURCES.length * Shape.VECTORS;
    }

    private int tileVectors(int i) {
        return 1 + i / shape.columns() % Shape.VECTORS;
    }

    private int tileColumns(int i) {
        return 1 + i % shape.columns();
    }

    private boolean tileMasked(int i) {
        return i >= Shape.VECTORS * shape.columns();
    }
}
