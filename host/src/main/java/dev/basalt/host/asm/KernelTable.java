package dev.basalt.host.asm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The kernels of one shape, written, checked and installed at their first use: a program needs few of them, and the first
 * call of a program should not wait for the others.
 */
final class KernelTable {
    /** What kernels there are. */
    private enum Family {
        TILE,
        COMPLEX_TILE,
        DIRECT,
        COMPLEX_DIRECT,
        COPY,
        PAD,
        TRANSPOSE,
        STREAM,
        NARROW,
        AHEAD,
        SOLVE,
        COMPLEX_SOLVE,
        BLEND,
        MERGE,
        COMPLEX_MERGE
    }

    private static final StreamCode.Kind[] KINDS = StreamCode.Kind.values();
    private static final BlendCode.Kind[] BLENDS = BlendCode.Kind.values();

    /** Where AVX2's masks are cut from: the bytes of a vector all ones, then as many zeros. */
    private static final long ONES = ones();

    private final Shape shape;
    private final KernelCheck check;
    private final MemorySegment[] tiles;
    private final MemorySegment[] complexTiles;
    private final MemorySegment[] direct;
    private final MemorySegment[] complexDirect;
    private final MemorySegment[] copies = new MemorySegment[4 * Shape.VECTORS];
    private final MemorySegment[] transposes = new MemorySegment[12];
    private final MemorySegment[] solves = new MemorySegment[4 * Shape.VECTORS];
    private final MemorySegment[] blends = new MemorySegment[BLENDS.length];
    private final MemorySegment[] merges = new MemorySegment[4 * Shape.VECTORS];
    private final MemorySegment[] streams = new MemorySegment[KINDS.length];
    private final MemorySegment[] narrow = new MemorySegment[KINDS.length];
    private final MemorySegment[] ahead = new MemorySegment[KINDS.length];
    private final Shape narrowShape;

    KernelTable(Shape shape) {
        this.shape = shape;
        this.narrowShape = new Shape(Isa.AVX2, shape.precision());
        this.check = new KernelCheck(shape);
        int variants = 2 * Shape.VECTORS * shape.columns();
        this.tiles = new MemorySegment[variants];
        this.complexTiles = new MemorySegment[variants];
        this.direct = new MemorySegment[variants];
        this.complexDirect = new MemorySegment[variants];
    }

    private static long ones() {
        MemorySegment segment = Arena.global().allocate(2L * Isa.AVX2.bytes, 64);
        segment.asSlice(0, Isa.AVX2.bytes).fill((byte) -1);
        return segment.address();
    }

    Shape shape() {
        return shape;
    }

    /** The mask of the first elements of a vector, for kernels. */
    long mask(int count) {
        return shape.mask(count, ONES);
    }

    /** The shape of kernels of 256 bits. */
    Shape narrowShape() {
        return narrowShape;
    }

    /** As {@link #mask} for kernels of 256 bits. */
    long narrowMask(int count) {
        return narrowShape.mask(count, ONES);
    }

    private int variant(int rows, int columns, boolean masked) {
        return ((masked ? Shape.VECTORS : 0) + rows - 1) * shape.columns() + columns - 1;
    }

    /** A {@link TileCode} of a real product. */
    MemorySegment tile(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = tiles[i];
        return found != null ? found : make(Family.TILE, tiles, i, rows, columns, masked);
    }

    /** A {@link TileCode} of a complex product; rows and columns still count real numbers. */
    MemorySegment complexTile(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = complexTiles[i];
        return found != null ? found : make(Family.COMPLEX_TILE, complexTiles, i, rows, columns, masked);
    }

    /** A {@link DirectCode}. */
    MemorySegment direct(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = direct[i];
        return found != null ? found : make(Family.DIRECT, direct, i, rows, columns, masked);
    }

    /** A {@link DirectCode} of a complex product; rows and columns still count real numbers. */
    MemorySegment complexDirect(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = complexDirect[i];
        return found != null ? found : make(Family.COMPLEX_DIRECT, complexDirect, i, rows, columns, masked);
    }

    /** A {@link PackCode#copy} of whole vectors, or with a partial last one. */
    MemorySegment copy(int vectors, boolean masked, boolean padded) {
        int i = ((masked ? 2 : 0) + (padded ? 1 : 0)) * Shape.VECTORS + vectors - 1;
        MemorySegment found = copies[i];
        return found != null ? found : make(padded ? Family.PAD : Family.COPY, copies, i, vectors, 0, masked);
    }

    /** A {@link PackCode#transpose}. */
    MemorySegment transpose(int unit, int halves, boolean unpack) {
        int i = (unpack ? 6 : 0) + Integer.numberOfTrailingZeros(unit / 4) * 2 + halves - 1;
        MemorySegment found = transposes[i];
        return found != null ? found : make(Family.TRANSPOSE, transposes, i, unit, halves, unpack);
    }

    /** A {@link StreamCode}. */
    MemorySegment stream(StreamCode.Kind kind) {
        int i = kind.ordinal();
        MemorySegment found = streams[i];
        return found != null ? found : make(Family.STREAM, streams, i, i, 0, false);
    }

    /**
     * A {@link StreamCode} of 256 bits on every processor: for vectors that lie in the second-level cache, where one line a cycle is the
     * most, and the hardware's prefetchers keep ahead of that (8 % for y := alpha·x + y, 3 % for y := x, n = 10 000, Zen 5).
     */
    MemorySegment narrow(StreamCode.Kind kind) {
        int i = kind.ordinal();
        MemorySegment found = narrow[i];
        return found != null ? found : make(Family.NARROW, narrow, i, i, 0, false);
    }

    /** As {@link #narrow} for vectors that lie in the third-level cache, whose lines it fetches ahead. Sums have the same bits. */
    MemorySegment ahead(StreamCode.Kind kind) {
        int i = kind.ordinal();
        MemorySegment found = ahead[i];
        return found != null ? found : make(Family.AHEAD, ahead, i, i, 0, false);
    }

    /** A {@link SolveCode}. */
    MemorySegment solve(int rows, boolean backward, boolean complex) {
        int i = ((complex ? 2 : 0) + (backward ? 1 : 0)) * Shape.VECTORS + rows - 1;
        MemorySegment found = solves[i];
        return found != null
                ? found
                : make(complex ? Family.COMPLEX_SOLVE : Family.SOLVE, solves, i, rows, 0, backward);
    }

    /** A {@link BlendCode}. */
    MemorySegment blend(BlendCode.Kind kind) {
        int i = kind.ordinal();
        MemorySegment found = blends[i];
        return found != null ? found : make(Family.BLEND, blends, i, i, 0, false);
    }

    /** A {@link MergeCode}. */
    MemorySegment merge(int rows, boolean complex, boolean add) {
        int i = ((complex ? 2 : 0) + (add ? 1 : 0)) * Shape.VECTORS + rows - 1;
        MemorySegment found = merges[i];
        return found != null ? found : make(complex ? Family.COMPLEX_MERGE : Family.MERGE, merges, i, rows, 0, add);
    }

    private synchronized MemorySegment make(
            Family family, MemorySegment[] table, int index, int x, int y, boolean masked) {
        if (table[index] == null) {
            MemorySegment code = CodeMemory.install(write(family, x, y, masked));
            if (!check(family, code, x, y, masked)) {
                throw new IllegalStateException(
                        "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
            }
            table[index] = code;
        }
        return table[index];
    }

    // No lambdas here: the first lambda of a program costs more than a kernel.

    private byte[] write(Family family, int x, int y, boolean masked) {
        return switch (family) {
            case TILE -> TileCode.write(shape, x, y, masked, false);
            case COMPLEX_TILE -> TileCode.write(shape, x, y, masked, true);
            case DIRECT -> DirectCode.write(shape, x, y, masked, false);
            case COMPLEX_DIRECT -> DirectCode.write(shape, x, y, masked, true);
            case COPY -> PackCode.copy(shape, x, masked, false);
            case PAD -> PackCode.copy(shape, x, masked, true);
            case TRANSPOSE -> PackCode.transpose(x, y, masked);
            case STREAM -> StreamCode.write(KINDS[x], shape.isa(), shape.precision());
            case NARROW -> StreamCode.write(KINDS[x], Isa.AVX2, shape.precision());
            case AHEAD -> StreamCode.write(KINDS[x], Isa.AVX2, shape.precision(), true);
            case SOLVE -> SolveCode.write(shape, x, masked, false);
            case COMPLEX_SOLVE -> SolveCode.write(shape, x, masked, true);
            case MERGE -> MergeCode.write(shape, x, false, masked);
            case COMPLEX_MERGE -> MergeCode.write(shape, x, true, masked);
            case BLEND -> BlendCode.write(BLENDS[x], shape.isa(), shape.precision());
        };
    }

    private boolean check(Family family, MemorySegment code, int x, int y, boolean masked) {
        return switch (family) {
            case TILE -> check.tile(this, code, x, y, masked);
            case COMPLEX_TILE -> check.complexTile(this, code, x, y, masked);
            case DIRECT -> check.direct(this, code, x, y, masked);
            case COMPLEX_DIRECT -> check.complexDirect(this, code, x, y, masked);
            case COPY -> check.copy(this, code, x, masked, false);
            case PAD -> check.copy(this, code, x, masked, true);
            case TRANSPOSE -> check.transpose(code, x, y, masked);
            case STREAM, NARROW, AHEAD -> check.stream(code, KINDS[x]);
            case SOLVE -> SolveCheck.good(shape, code, x, masked, false);
            case COMPLEX_SOLVE -> SolveCheck.good(shape, code, x, masked, true);
            case MERGE -> MergeCode.good(shape, code, x, false, masked);
            case COMPLEX_MERGE -> MergeCode.good(shape, code, x, true, masked);
            case BLEND -> BlendCode.good(BLENDS[x], code, shape.isa());
        };
    }
}
