package dev.basalt.host.asm;

import java.lang.foreign.MemorySegment;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The kernels of one shape, written, checked and installed at their first use: a program needs few of them, and the first
 * call of a program should not wait for the others.
 */
final class KernelTable {
    /** Operands shorter than all masks: as many bytes of ones as the widest vector of AVX2, then zeros. */
    private static final long ONES = ones();

    private final Shape shape;
    private final KernelCheck check;
    private final MemorySegment[] tiles;
    private final MemorySegment[] complexTiles;
    private final MemorySegment[] direct;
    private final MemorySegment[] copies = new MemorySegment[4 * Shape.VECTORS];
    private final MemorySegment[] transposes = new MemorySegment[6];
    private final MemorySegment[] streams = new MemorySegment[StreamCode.Kind.values().length];

    KernelTable(Shape shape) {
        this.shape = shape;
        this.check = new KernelCheck(shape);
        int variants = 2 * Shape.VECTORS * shape.columns();
        this.tiles = new MemorySegment[variants];
        this.complexTiles = new MemorySegment[variants];
        this.direct = new MemorySegment[variants];
    }

    private static long ones() {
        MemorySegment segment = java.lang.foreign.Arena.global().allocate(2L * Isa.AVX2.bytes, 64);
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

    private int variant(int rows, int columns, boolean masked) {
        return ((masked ? Shape.VECTORS : 0) + rows - 1) * shape.columns() + columns - 1;
    }

    /** A {@link TileCode} of a real product. */
    MemorySegment tile(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = tiles[i];
        return found != null
                ? found
                : make(
                        tiles,
                        i,
                        () -> TileCode.write(shape, rows, columns, masked, false),
                        code -> check.tile(this, code, rows, columns, masked));
    }

    /** A {@link TileCode} of a complex product; rows and columns still count real numbers. */
    MemorySegment complexTile(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = complexTiles[i];
        return found != null
                ? found
                : make(
                        complexTiles,
                        i,
                        () -> TileCode.write(shape, rows, columns, masked, true),
                        code -> check.complexTile(this, code, rows, columns, masked));
    }

    /** A {@link DirectCode}. */
    MemorySegment direct(int rows, int columns, boolean masked) {
        int i = variant(rows, columns, masked);
        MemorySegment found = direct[i];
        return found != null
                ? found
                : make(
                        direct,
                        i,
                        () -> DirectCode.write(shape, rows, columns, masked),
                        code -> check.direct(this, code, rows, columns, masked));
    }

    /** A {@link PackCode#copy}. */
    MemorySegment copy(int vectors, boolean masked, boolean padded) {
        int i = ((masked ? 2 : 0) + (padded ? 1 : 0)) * Shape.VECTORS + vectors - 1;
        MemorySegment found = copies[i];
        return found != null
                ? found
                : make(
                        copies,
                        i,
                        () -> PackCode.copy(shape, vectors, masked, padded),
                        code -> check.copy(this, code, vectors, masked, padded));
    }

    /** A {@link PackCode#transpose}. */
    MemorySegment transpose(int unit, int halves) {
        int i = Integer.numberOfTrailingZeros(unit / 4) * 2 + halves - 1;
        MemorySegment found = transposes[i];
        return found != null
                ? found
                : make(
                        transposes,
                        i,
                        () -> PackCode.transpose(unit, halves),
                        code -> check.transpose(code, unit, halves));
    }

    /** A {@link StreamCode}. */
    MemorySegment stream(StreamCode.Kind kind) {
        int i = kind.ordinal();
        MemorySegment found = streams[i];
        return found != null
                ? found
                : make(
                        streams,
                        i,
                        () -> StreamCode.write(kind, shape.isa(), shape.precision()),
                        code -> check.stream(code, kind));
    }

    private synchronized MemorySegment make(
            MemorySegment[] table, int index, Supplier<byte[]> writer, Predicate<MemorySegment> checker) {
        if (table[index] == null) {
            MemorySegment code = CodeMemory.install(writer.get());
            if (!checker.test(code)) {
                throw new IllegalStateException(
                        "an assembled kernel computes nonsense on this processor; set basalt.engine=vector or scalar");
            }
            table[index] = code;
        }
        return table[index];
    }
}
