package dev.basalt.host.assembled.product;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.Memory;
import dev.basalt.type.Op;
import java.lang.foreign.Arena;

/**
 * Triangular solves around {@link SolveCode}. Both sides come down to X·T = alpha·B with B's rows (its columns, if the triangle
 * is on the left) in the lanes of vectors: T is packed once, then each panel of B is packed, solved and moved back.
 *
 * <p>The diagonal is multiplied by its reciprocals. That is as accurate as to divide, unless a reciprocal overflows or
 * underflows: then nothing is done. For one thread at a time.
 */
public final class Solve {
    /** The largest order: packed T then leaves half of an L2 cache of 1 MiB to the panels. */
    public static final int ORDER = 256;

    private final ProductTable kernels;
    private final Shape shape;
    private final PanelPack pack;
    private final boolean complex;
    private final int unit;
    private final int size;
    private final int element;
    private final int lanes;
    /** Unknowns of a block. */
    private final int block;
    /** Bytes of a group of T. */
    private final int group;

    private final long constants;
    private final Arena memory = Arena.ofAuto();
    /** Memory for calls that bring too little. */
    private long own;

    private long capacity;
    private long packedT;
    private long panel;

    Solve(ProductTable kernels, boolean complex) {
        this.kernels = kernels;
        this.shape = kernels.shape();
        this.pack = new PanelPack(kernels);
        this.complex = complex;
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes;
        this.element = unit * size;
        this.lanes = shape.lanes();
        this.block = shape.columns() / unit;
        this.group = shape.columns() * size;
        this.constants = memory.allocate(shape.isa().bytes, 64).address();
    }

    /** See {@code AssembledKernels.trsm}. */
    public boolean run(boolean left, boolean lower, Op op, boolean unitDiagonal, int m, int n, double alpha, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        int order = left ? m : n;
        int other = (left ? n : m) * (left ? unit : 1) * (left ? 1 : unit);
        // T is op(A) on the right, its transpose on the left.
        boolean backward = (lower == (op == Op.NONE)) != left;
        boolean across = left == (op == Op.NONE);
        reserve(order, other, work, workBytes);
        if (!packT(order, backward, across, unitDiagonal, a, lda * element)) {
            return false;
        }
        if (complex) {
            signs(op == Op.CONJ_TRANS ? -1 : 1);
        }
        int blocks = (order + block - 1) / block;
        int padded = blocks * block;
        int first = backward ? order - padded + block : block;
        for (int i = 0; i < other;) {
            int vectors = shape.vectors(other - i);
            int count = Math.min(vectors * lanes, other - i);
            long width = (long) vectors * lanes * size;
            long from = b + (left ? i / unit * ldb * element : (long) i * size);
            if (left) {
                pack.columns(element, count / unit, order, from, ldb * element, panel, width);
            } else {
                pack.rowsPadded(count, order, from, ldb * element, panel);
            }
            Memory.fill(panel + order * width, (padded - order) * width, (byte) 0);
            long tile = panel + (backward ? (padded - block) * width : 0);
            NativeCall.tile(kernels.solve(vectors, backward, complex), blocks, panel, packedT, tile, first, constants,
                    alpha, 0);
            if (left) {
                pack.unpack(element, count / unit, order, panel, width, from, ldb * element);
            } else {
                int part = count % lanes;
                NativeCall.code(kernels.copy(vectors, part != 0, false), order, panel, width, from, ldb * element,
                        kernels.mask(part));
            }
            i += count;
        }
        return true;
    }

    /** Packed T and one panel: in the packing memory if there is enough of it. */
    private void reserve(int order, int other, long work, long workBytes) {
        long blocks = ((long) order + block - 1) / block;
        long bytesT = (blocks * (blocks + 1) / 2 * block * group + 63) & -64;
        long bytes = bytesT + blocks * block * Math.min(Shape.VECTORS, (other + lanes - 1) / lanes) * lanes * size;
        long from = work;
        if (bytes > workBytes) {
            if (bytes > capacity) {
                capacity = bytes;
                own = memory.allocate(bytes, 64).address();
            }
            from = own;
        }
        packedT = from;
        panel = from + bytesT;
    }

    /** The sign of imaginary parts; see {@link SolveCode}. */
    private void signs(double sign) {
        for (int i = 0; i < lanes; i++) {
            set(constants + (long) i * size, (i & 1) == 0 ? -sign : sign);
        }
    }

    /** Packs T in the order in which blocks are solved; false if a reciprocal is not to be trusted. */
    private boolean packT(int order, boolean backward, boolean across, boolean unitDiagonal, long a, long lda) {
        int blocks = (order + block - 1) / block;
        long to = packedT;
        for (int s = 0; s < blocks; s++) {
            int column = (backward ? blocks - 1 - s : s) * block;
            int count = Math.min(block, order - column);
            int from = backward ? column : 0;
            int steps = backward ? order - column : column + count;
            long square = backward ? to : to + (long) column * group;
            if (count < block) {
                Memory.fill(square, (long) block * group, (byte) 0);
            }
            if (across) {
                pack.rows(count * unit, steps, a + (long) column * element + from * lda, lda, to, group);
            } else {
                pack.columns(element, count, steps, a + (long) from * element + column * lda, lda, to, group);
            }
            if (!diagonal(square, count, unitDiagonal)) {
                return false;
            }
            to = square + (long) (backward ? steps - count + block : block) * group;
        }
        return true;
    }

    private boolean diagonal(long square, int count, boolean unitDiagonal) {
        for (int j = 0; j < block; j++) {
            long at = square + (long) j * group + (long) j * element;
            if (unitDiagonal || j >= count) {
                set(at, 1);
                if (complex) {
                    set(at + size, 0);
                }
            } else if (!(complex ? complexReciprocal(at) : reciprocal(at))) {
                return false;
            }
        }
        return true;
    }

    private boolean reciprocal(long at) {
        if (size == 8) {
            double x = f64(at);
            f64(at, 1 / x);
            return safe(x, 0x1p-1020, 0x1p1020);
        }
        float x = f32(at);
        f32(at, 1 / x);
        return safe(x, 0x1p-124, 0x1p124);
    }

    private static boolean safe(double x, double smallest, double largest) {
        double magnitude = Math.abs(x);
        return magnitude >= smallest && magnitude <= largest;
    }

    /** 1/(x + iy) by Smith's formula (CACM 5, 1962). Squares of products stay in range with half of the exponents. */
    private boolean complexReciprocal(long at) {
        double re = get(at);
        double im = get(at + size);
        double largest = Math.max(Math.abs(re), Math.abs(im));
        if (Math.abs(re) >= Math.abs(im)) {
            double ratio = im / re;
            double scale = re + im * ratio;
            set(at, 1 / scale);
            set(at + size, -ratio / scale);
        } else {
            double ratio = re / im;
            double scale = im + re * ratio;
            set(at, ratio / scale);
            set(at + size, -1 / scale);
        }
        return size == 8 ? safe(largest, 0x1p-1020, 0x1p1020) : safe(largest, 0x1p-124, 0x1p124);
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
