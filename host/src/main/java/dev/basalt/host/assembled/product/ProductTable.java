package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/**
 * The kernels of one shape, written, checked and installed at their first use: a program needs few of them, and the first
 * call of a program should not wait for the others.
 */
public final class ProductTable {
    /** What kernels there are. */
    private enum Family {
        TILE,
        COMPLEX_TILE,
        DIRECT,
        COMPLEX_DIRECT,
        COPY,
        PAD,
        TRANSPOSE,
        SOLVE,
        COMPLEX_SOLVE,
        BLEND,
        MERGE,
        COMPLEX_MERGE
    }

    private static final BlendCode.Kind[] BLENDS = BlendCode.Kind.values();

    private final Shape shape;
    private final ProductCheck check;
    private final MemorySegment[] tiles;
    private final MemorySegment[] complexTiles;
    private final MemorySegment[] direct;
    private final MemorySegment[] complexDirect;
    private final MemorySegment[] copies = new MemorySegment[4 * Shape.VECTORS];
    private final MemorySegment[] transposes = new MemorySegment[12];
    private final MemorySegment[] solves = new MemorySegment[4 * Shape.VECTORS];
    private final MemorySegment[] blends = new MemorySegment[BLENDS.length];
    private final MemorySegment[] merges = new MemorySegment[4 * Shape.VECTORS];

    public ProductTable(Shape shape) {
        this.shape = shape;
        this.check = new ProductCheck(shape);
        int variants = 2 * Shape.VECTORS * shape.columns();
        this.tiles = new MemorySegment[variants];
        this.complexTiles = new MemorySegment[variants];
        this.direct = new MemorySegment[variants];
        this.complexDirect = new MemorySegment[variants];
    }

    public Shape shape() {
        return shape;
    }

    /** The mask of the first elements of a vector, for kernels. */
    public long mask(int count) {
        return shape.mask(count);
    }

    private int variant(int rows, int columns, boolean masked) {
        return ((masked ? Shape.VECTORS : 0) + rows - 1) * shape.columns() + columns - 1;
    }

    /** A {@link TileCode} of a real product. */
    public MemorySegment tile(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = tiles[i];
        return found != null ? found : make(Family.TILE, tiles, i, rows, columns, masked);
    }

    /** A {@link TileCode} of a complex product; rows and columns still count real numbers. */
    public MemorySegment complexTile(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = complexTiles[i];
        return found != null ? found : make(Family.COMPLEX_TILE, complexTiles, i, rows, columns, masked);
    }

    /** A {@link DirectCode}. */
    public MemorySegment direct(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = direct[i];
        return found != null ? found : make(Family.DIRECT, direct, i, rows, columns, masked);
    }

    /** A {@link DirectCode} of a complex product; rows and columns still count real numbers. */
    public MemorySegment complexDirect(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = complexDirect[i];
        return found != null ? found : make(Family.COMPLEX_DIRECT, complexDirect, i, rows, columns, masked);
    }

    /** A {@link PackCode#copy} of whole vectors, or with a partial last one. */
    public MemorySegment copy(int vectors, boolean masked, boolean padded) {
        int i = ((masked ? 2 : 0) + (padded ? 1 : 0)) * Shape.VECTORS + vectors - 1;
        MemorySegment found = copies[i];
        return found != null ? found : make(padded ? Family.PAD : Family.COPY, copies, i, vectors, 0, masked);
    }

    /** A {@link PackCode#transpose}. */
    public MemorySegment transpose(int unit, int halves, boolean unpack) {
        int i = (unpack ? 6 : 0) + Integer.numberOfTrailingZeros(unit / 4) * 2 + halves - 1;
        MemorySegment found = transposes[i];
        return found != null ? found : make(Family.TRANSPOSE, transposes, i, unit, halves, unpack);
    }

    /** A {@link SolveCode}. */
    public MemorySegment solve(int rows, boolean backward, boolean complex) {
        int i = ((complex ? 2 : 0) + (backward ? 1 : 0)) * Shape.VECTORS + rows - 1;
        MemorySegment found = solves[i];
        return found != null
                ? found
                : make(complex ? Family.COMPLEX_SOLVE : Family.SOLVE, solves, i, rows, 0, backward);
    }

    /** A {@link BlendCode}. */
    public MemorySegment blend(BlendCode.Kind kind) {
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
            case SOLVE -> SolveCode.write(shape, x, masked, false);
            case COMPLEX_SOLVE -> SolveCode.write(shape, x, masked, true);
            case MERGE -> MergeCode.write(shape, x, false, masked);
            case COMPLEX_MERGE -> MergeCode.write(shape, x, true, masked);
            case BLEND -> BlendCode.write(BLENDS[x], shape.isa(), shape.precision());
        };
    }

    private boolean check(Family family, MemorySegment code, int x, int y, boolean masked) {
        return switch (family) {
            case TILE -> check.tile(code, x, y, masked);
            case COMPLEX_TILE -> check.complexTile(code, x, y, masked);
            case DIRECT -> check.direct(code, x, y, masked);
            case COMPLEX_DIRECT -> check.complexDirect(code, x, y, masked);
            case COPY -> check.copy(code, x, masked, false);
            case PAD -> check.copy(code, x, masked, true);
            case TRANSPOSE -> check.transpose(code, x, y, masked);
            case SOLVE -> SolveCheck.good(shape, code, x, masked, false);
            case COMPLEX_SOLVE -> SolveCheck.good(shape, code, x, masked, true);
            case MERGE -> MergeCode.good(shape, code, x, false, masked);
            case COMPLEX_MERGE -> MergeCode.good(shape, code, x, true, masked);
            case BLEND -> BlendCode.good(BLENDS[x], code, shape.isa());
        };
    }
}
