package dev.basalt.host.assembled.x86;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The tile of C that a micro-kernel keeps in registers. Rows are the larger side, since A is loaded by vectors and B by
 * broadcasts, which are as dear: 24 of 32 registers hold 3×8 vectors with AVX-512, 12 of 16 hold 3×4 with AVX2.
 *
 * @param isa instruction set
 * @param precision real numbers
 */
public record Shape(Isa isa, Real precision) {
    /** Vectors of a column of the tile. */
    public static final int VECTORS = 3;

    /** Where AVX2's masks are cut from: the bytes of a vector all ones, then as many zeros. */
    private static final long ONES = ones();

    public int lanes() {
        return isa.lanes(precision);
    }

    /** Rows of the tile. */
    public int rows() {
        return VECTORS * lanes();
    }

    /** Columns of the tile. */
    public int columns() {
        return isa == Isa.AVX512 ? 8 : 4;
    }

    /** Vectors of the next tile, when so many rows are left: 3, or 2 where that ends without waste, or 1. */
    public int vectors(int rows) {
        return tile((rows + lanes() - 1) / lanes());
    }

    /** The vectors of the next tile, when so many vectors are left. */
    public static int tile(int left) {
        return left > 4 || left == 3 ? 3 : left == 1 ? 1 : 2;
    }

    /** The register of a vector of A. */
    public int a(int vector) {
        return VECTORS * columns() + vector;
    }

    /** The register of an element of B: two in turn where there is room. */
    public int b(int column) {
        return VECTORS * columns() + VECTORS + (isa == Isa.AVX512 ? column & 1 : 0);
    }

    /** What a kernel takes for a mask of the first {@code count} elements: bits, or an address within {@link #ONES}. */
    public long mask(int count) {
        return isa == Isa.AVX512 ? (1L << count) - 1 : ONES + isa.bytes - (long) count * precision.bytes;
    }

    private static long ones() {
        MemorySegment segment = Arena.global().allocate(2L * Isa.AVX2.bytes, 64);
        segment.asSlice(0, Isa.AVX2.bytes).fill((byte) -1);
        return segment.address();
    }
}
