package dev.basalt.host.assembled.product;

import dev.basalt.host.assembled.code.Variants;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/** The kernels of products and solves of one shape, for real and for complex numbers. */
public final class ProductTable extends Variants<ProductTable.Kind> {
    /** What there is. */
    public enum Kind {
        TILE, COMPLEX_TILE, DIRECT, COMPLEX_DIRECT, COPY, TRANSPOSE, SOLVE, COMPLEX_SOLVE, BLEND, MERGE, COMPLEX_MERGE
    }

    private static final BlendCode.Kind[] BLENDS = BlendCode.Kind.values();
    /** Sizes of what a transposition moves (4, 8, 16 bytes), and registers of 128 or 256 bits. */
    private static final int UNITS = 3;

    private static final int HALVES = 2;

    private final Shape shape;
    private final ProductCheck check;
    private final int tiles;
    private final int complexTiles;
    private final int direct;
    private final int complexDirect;
    private final int copies;
    private final int transposes;
    private final int solves;
    private final int complexSolves;
    private final int blends;
    private final int merges;
    private final int complexMerges;

    /**
     * A table.
     *
     * @param shape registers and their use
     */
    public ProductTable(Shape shape) {
        super(Kind.values());
        this.shape = shape;
        this.check = new ProductCheck(shape);
        int sizes = 2 * Shape.VECTORS * shape.columns();
        this.tiles = count(Kind.TILE, sizes);
        this.complexTiles = count(Kind.COMPLEX_TILE, sizes / 2);
        this.direct = count(Kind.DIRECT, sizes);
        this.complexDirect = count(Kind.COMPLEX_DIRECT, sizes / 2);
        this.copies = count(Kind.COPY, 4 * Shape.VECTORS);
        this.transposes = count(Kind.TRANSPOSE, 2 * UNITS * HALVES);
        this.solves = count(Kind.SOLVE, 2 * Shape.VECTORS);
        this.complexSolves = count(Kind.COMPLEX_SOLVE, 2 * Shape.VECTORS);
        this.blends = count(Kind.BLEND, BLENDS.length);
        this.merges = count(Kind.MERGE, 2 * MergeCode.VECTORS);
        this.complexMerges = count(Kind.COMPLEX_MERGE, 2 * MergeCode.VECTORS);
    }

    /**
     * Registers and their use.
     *
     * @return the shape
     */
    public Shape shape() {
        return shape;
    }

    /** The mask of the first elements of a vector, for kernels. */
    long mask(int count) {
        return shape.mask(count);
    }

    // Variants of a size: rows in vectors, columns of one real number or of two, and whether the last vector is not
    // whole.

    private int size(int rows, int columns, boolean masked, int parts) {
        return ((masked ? Shape.VECTORS : 0) + rows - 1) * (shape.columns() / parts) + columns / parts - 1;
    }

    private int rows(int size, int parts) {
        return 1 + size / (shape.columns() / parts) % Shape.VECTORS;
    }

    private int columns(int size, int parts) {
        return parts * (1 + size % (shape.columns() / parts));
    }

    private boolean masked(int size, int parts) {
        return size >= Shape.VECTORS * (shape.columns() / parts);
    }

    /** A {@link TileCode} of a real product. */
    public MemorySegment tile(int rows, int columns, boolean masked) {
        return kernel(tiles + size(rows, columns, masked, 1));
    }

    /** A {@link TileCode} of a complex product; rows and columns still count real numbers. */
    MemorySegment complexTile(int rows, int columns, boolean masked) {
        return kernel(complexTiles + size(rows, columns, masked, 2));
    }

    /** A {@link DirectCode}. */
    public MemorySegment direct(int rows, int columns, boolean masked) {
        return kernel(direct + size(rows, columns, masked, 1));
    }

    /** A {@link DirectCode} of a complex product; rows and columns still count real numbers. */
    MemorySegment complexDirect(int rows, int columns, boolean masked) {
        return kernel(complexDirect + size(rows, columns, masked, 2));
    }

    /** A {@link PackCode#copy} of whole vectors, or with a partial last one. */
    MemorySegment copy(int vectors, boolean masked, boolean padded) {
        return kernel(copies + ((masked ? 2 : 0) + (padded ? 1 : 0)) * Shape.VECTORS + vectors - 1);
    }

    /** A {@link PackCode#transpose}. */
    MemorySegment transpose(int unit, int halves, boolean unpack) {
        int units = Integer.numberOfTrailingZeros(unit / 4);
        return kernel(transposes + ((unpack ? UNITS : 0) + units) * HALVES + halves - 1);
    }

    /** A {@link SolveCode}. */
    MemorySegment solve(int rows, boolean backward, boolean complex) {
        return kernel((complex ? complexSolves : solves) + (backward ? Shape.VECTORS : 0) + rows - 1);
    }

    /** A {@link BlendCode}. */
    MemorySegment blend(BlendCode.Kind kind) {
        return kernel(blends + kind.ordinal());
    }

    /** A {@link MergeCode}. */
    MemorySegment merge(int rows, boolean complex, boolean add) {
        return kernel((complex ? complexMerges : merges) + (add ? MergeCode.VECTORS : 0) + rows - 1);
    }

    @Override
    protected byte[] write(Kind kind, int i) {
        int vectors = 1 + i % Shape.VECTORS;
        boolean second = i >= Shape.VECTORS;
        return switch (kind) {
            case TILE -> TileCode.write(shape, rows(i, 1), columns(i, 1), masked(i, 1), false);
            case COMPLEX_TILE -> TileCode.write(shape, rows(i, 2), columns(i, 2), masked(i, 2), true);
            case DIRECT -> DirectCode.write(shape, rows(i, 1), columns(i, 1), masked(i, 1), false);
            case COMPLEX_DIRECT -> DirectCode.write(shape, rows(i, 2), columns(i, 2), masked(i, 2), true);
            case COPY -> PackCode.copy(shape, vectors, i >= 2 * Shape.VECTORS, i / Shape.VECTORS % 2 == 1);
            case TRANSPOSE -> PackCode.transpose(unit(i), 1 + i % HALVES, i >= UNITS * HALVES);
            case SOLVE -> SolveCode.write(shape, vectors, second, false);
            case COMPLEX_SOLVE -> SolveCode.write(shape, vectors, second, true);
            case BLEND -> BlendCode.write(BLENDS[i], shape.isa(), shape.precision());
            case MERGE -> MergeCode.write(shape, false, i);
            case COMPLEX_MERGE -> MergeCode.write(shape, true, i);
        };
    }

    private static int unit(int transpose) {
        return 4 << transpose / HALVES % UNITS;
    }

    @Override
    protected boolean agrees(Kind kind, int i, MemorySegment code) {
        int vectors = 1 + i % Shape.VECTORS;
        boolean second = i >= Shape.VECTORS;
        return switch (kind) {
            case TILE -> check.tile(code, rows(i, 1), columns(i, 1), masked(i, 1));
            case COMPLEX_TILE -> check.complexTile(code, rows(i, 2), columns(i, 2), masked(i, 2));
            case DIRECT -> check.direct(code, rows(i, 1), columns(i, 1), masked(i, 1));
            case COMPLEX_DIRECT -> check.complexDirect(code, rows(i, 2), columns(i, 2), masked(i, 2));
            case COPY -> check.copy(code, vectors, i >= 2 * Shape.VECTORS, i / Shape.VECTORS % 2 == 1);
            case TRANSPOSE -> check.transpose(code, unit(i), 1 + i % HALVES);
            case SOLVE -> SolveCheck.good(shape, code, vectors, second, false);
            case COMPLEX_SOLVE -> SolveCheck.good(shape, code, vectors, second, true);
            case BLEND -> BlendCode.good(BLENDS[i], code, shape.isa(), shape.precision());
            case MERGE -> MergeCode.good(shape, code, false, i);
            case COMPLEX_MERGE -> MergeCode.good(shape, code, true, i);
        };
    }
}
