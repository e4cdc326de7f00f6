package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Memory;
import java.lang.foreign.Arena;

/**
 * Packs micro-panels of a matrix S of which one triangle is stored: lanes are rows of S, or columns of its transpose, and steps
 * the other index. What is stored goes straight from its place; the square on the diagonal is packed both ways and blended.
 */
final class SpecialPack {
    private final ProductTable kernels;
    private final Shape shape;
    private final PanelPack pack;
    private final int unit;
    private final int size;
    private final int element;
    private final Arena memory = Arena.ofAuto();
    /** Those that conjugation changes; and none. */
    private final long signs;

    private final long noSigns;
    /** Masks for the squares of panels of one, two and three vectors and of a tile's columns; lanes from the step on, or up to it. */
    private final long[] masks = new long[2 * (Shape.VECTORS + 1)];

    private Structure structure;
    private boolean across;
    private boolean lower;
    private int order;
    private long a;
    private long lda;
    private long square;

    SpecialPack(ProductTable kernels, boolean complex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.pack = new PanelPack(kernels);
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.element = unit * size;
        this.signs = memory.allocate(shape.isa().bytes, 64).address();
        this.noSigns = memory.allocate(shape.isa().bytes, 64).address();
        for (int i = 1; i < shape.lanes(); i += 2) {
            set(signs + (long) i * size, -0.0);
        }
    }

    /**
     * The matrix to be packed.
     *
     * @param structure what it is
     * @param across whether lanes lie side by side in memory: triangular S is A itself, or else its transpose
     * @param lower whether A's lower triangle is stored
     * @param a address of A
     * @param lda bytes between A's columns
     * @param square memory for a square of a panel's lanes
     */
    void matrix(Structure structure, boolean across, boolean lower, int order, long a, long lda, long square) {
        this.structure = structure;
        this.across = across;
        this.lower = lower;
        this.order = order;
        this.a = a;
        this.lda = lda;
        this.square = square;
    }

    /** Bytes of the square of the widest panel. */
    long squareBytes() {
        return (long) shape.rows() / unit * shape.rows() * size;
    }

    /** The first step in which the panel from a lane on has numbers. */
    int first(int lane) {
        return structure.triangular() && lower != across ? lane : 0;
    }

    /** Steps from there that it has. */
    int steps(int lane, int count) {
        return !structure.triangular() ? order : lower == across ? lane + count : order - lane;
    }

    /**
     * Packs a panel; all counts are of elements.
     *
     * @param vectors vectors of a group, 0 for groups as wide as a tile has columns
     */
    void panel(int lane, int count, int vectors, long to) {
        long group = group(vectors);
        if (structure.triangular()) {
            int first = first(lane);
            put(across, lane, count, first, steps(lane, count), vectors, to);
            long diagonal = to + (lane - first) * group;
            blend(BlendCode.Kind.CLEAR, lower == across, count, vectors, diagonal);
            if (structure == Structure.UNIT_TRIANGULAR) {
                diagonal(diagonal, count, group, true);
            }
            return;
        }
        boolean hermitian = structure == Structure.HERMITIAN;
        int end = lane + count;
        int first = lower ? 0 : lane;
        int last = lower ? end : order;
        put(true, lane, count, first, last - first, vectors, to + first * group);
        int from = lower ? end : 0;
        int steps = lower ? order - end : lane;
        if (steps > 0) {
            long mirrored = to + from * group;
            put(false, lane, count, from, steps, vectors, mirrored);
            if (hermitian) {
                conjugate(mirrored, steps * group);
            }
        }
        put(false, lane, count, lane, count, vectors, square);
        long diagonal = to + lane * group;
        blend(hermitian ? BlendCode.Kind.MERGE_CONJ : BlendCode.Kind.MERGE, lower, count, vectors, diagonal);
        if (hermitian) {
            diagonal(diagonal, count, group, false);
        }
    }

    /** Completes a square of which a triangle is stored from its transpose; a column has as many vectors as a tile at most. */
    void complete(boolean hermitian, boolean lower, int order, int vectors, long at, long transpose) {
        square = transpose;
        blend(hermitian ? BlendCode.Kind.MERGE_CONJ : BlendCode.Kind.MERGE, lower, order, vectors, at);
        if (hermitian) {
            diagonal(at, order, group(vectors), false);
        }
    }

    /** Clears what is not in a triangle of a square that is written out, and sets a unit diagonal. */
    void triangle(boolean lower, boolean unitDiagonal, int order, int vectors, long at) {
        blend(BlendCode.Kind.CLEAR, lower, order, vectors, at);
        if (unitDiagonal) {
            diagonal(at, order, group(vectors), true);
        }
    }

    private long group(int vectors) {
        return (long) (vectors == 0 ? shape.columns() : vectors * shape.lanes()) * size;
    }

    void conjugate(long at, long bytes) {
        long whole = bytes / shape.isa().bytes;
        if (whole > 0) {
            NativeCall.code(kernels.blend(BlendCode.Kind.CONJ), whole, at, at, at, signs, 0);
        }
        for (long i = whole * shape.isa().bytes + size; i < bytes; i += element) {
            set(at + i, -get(at + i));
        }
    }

    /** Adds numbers that fill whole vectors, conjugated or not, to others. */
    void add(boolean conj, long from, long to, long bytes) {
        long vectors = bytes / shape.isa().bytes;
        NativeCall.code(kernels.blend(BlendCode.Kind.ADD), vectors, to, from, from, conj ? signs : noSigns, 0);
    }

    /** S(lane, step) for a rectangle, from A(lane, step) if {@code straight}, else from A(step, lane). */
    private void put(boolean straight, int lane, int count, int first, int steps, int vectors, long to) {
        long group = group(vectors);
        if (straight) {
            long from = a + (long) lane * element + first * lda;
            if (vectors == 0) {
                pack.rows(count * unit, steps, from, lda, to, group);
            } else {
                pack.rowsPadded(count * unit, steps, from, lda, to);
            }
        } else {
            if (vectors != 0) {
                pack.clear(count * unit, vectors * shape.lanes(), steps, to);
            }
            pack.columns(element, count, steps, a + (long) first * element + lane * lda, lda, to, group);
        }
    }

    /** Steps of a square that are not whole vectors end in the memory behind, which is not in use yet. */
    private void blend(BlendCode.Kind kind, boolean after, int count, int vectors, long diagonal) {
        long bytes = count * group(vectors);
        long length = (bytes + shape.isa().bytes - 1) / shape.isa().bytes;
        NativeCall.code(kernels.blend(kind), length, diagonal, square, masks(after, vectors), signs, 0);
    }

    private long masks(boolean after, int vectors) {
        int index = 2 * vectors + (after ? 1 : 0);
        if (masks[index] == 0) {
            int lanes = vectors == 0 ? shape.columns() : vectors * shape.lanes();
            int steps = lanes / unit;
            long bytes = (long) steps * lanes * size + shape.isa().bytes;
            long at = memory.allocate(bytes, 64).address();
            for (int p = 0; p < steps; p++) {
                for (int i = 0; i < lanes; i++) {
                    boolean stays = after ? i / unit >= p : i / unit <= p;
                    Memory.fill(at + ((long) p * lanes + i) * size, size, (byte) (stays ? -1 : 0));
                }
            }
            masks[index] = at;
        }
        return masks[index];
    }

    private void diagonal(long at, int count, long group, boolean one) {
        for (int j = 0; j < count; j++) {
            long d = at + j * group + (long) j * element;
            if (one) {
                set(d, 1);
            }
            if (unit == 2) {
                set(d + size, 0);
            }
        }
    }

    private double get(long at) {
        return size == 8 ? f64(at) : f32(at);
    }

    private void set(long at, double value) {
        if (size == 8) {
            f64(at, value);
        } else {
            f32(at, (float) value);
        }
    }
}
