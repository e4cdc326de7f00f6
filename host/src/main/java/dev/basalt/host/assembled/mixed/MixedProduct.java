package dev.basalt.host.assembled.mixed;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.product.Lane;
import dev.basalt.host.assembled.product.Product;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.product.Transposition;
import dev.basalt.host.assembled.x86.Format;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.GemmBlocking;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Products of matrices of narrow numbers: packing converts them, into floats for the micro-kernels of single precision, or into lanes of several for
 * those that multiply such. Where C is narrower than single precision, a block of it is summed up in scratch for the whole inner dimension and
 * rounded once.
 *
 * <p>The inner dimension is cut alike whatever memory there is, and an element's sum does not depend on the tile that it falls in, so bits depend neither on
 * memory nor on how rows and columns are cut among threads. For one thread at a time.
 */
final class MixedProduct {
    /** Rows and columns of blocks where there is no packing memory. */
    private static final int OWN = 192;
    /** Behind what is packed of bytes lies one lane more for each column of B. */
    private static final int BYTES_DEPTH = Product.KC - 8;

    private final MixedTable table;
    private final ProductTable numbers;
    private final Shape shape;
    private final GemmBlocking blocking;
    private final LanePack pack;
    private final int lanes;
    private final int mr;
    private final int nr;
    private final Arena memory = Arena.ofAuto();
    private final long own = memory.allocate(4L * OWN * (2 * Product.KC + OWN), 64).address();

    private Lane lane = Lane.NUMBER;
    private Format formatA = Format.F32;
    private Format formatB = Format.F32;
    private boolean plainA;
    private boolean plainB;
    private int sizeA;
    private int sizeB;
    private long n;
    private long a;
    private long lda;
    private long b;
    private long ldb;
    private double alpha;

    MixedProduct(MixedTable table, ProductTable numbers) {
        this.table = table;
        this.numbers = numbers;
        this.shape = table.shape();
        this.blocking = Product.mixedBlocking(shape);
        this.pack = new LanePack(table, new Transposition(numbers));
        this.lanes = shape.lanes();
        this.mr = shape.rows();
        this.nr = shape.columns();
    }

    /** What is multiplied: by lanes of several numbers, or as floats that both formats become. */
    void operands(Lane packed, Format fromA, Format fromB) {
        lane = packed;
        formatA = fromA;
        formatB = fromB;
        sizeA = packed == Lane.NUMBER ? fromA.bytes : packed == Lane.HALVES ? 2 : 1;
        sizeB = packed == Lane.NUMBER ? fromB.bytes : sizeA;
    }

    /** C := alpha·op(A)·op(B) + beta·C of {@link #operands}; m, n, k at least 1; leading dimensions count bytes; {@code out} is null for integers. */
    void multiply(boolean asItIsA, boolean asItIsB, long rows, long columns, long k, double factor, long fromA,
            long stepA, long fromB, long stepB, double beta, Format out, long c, long ldc, long work, long workBytes) {
        plainA = asItIsA;
        plainB = asItIsB;
        n = columns;
        a = fromA;
        lda = stepA;
        b = fromB;
        ldb = stepB;
        alpha = factor;
        boolean narrow = out != null && out != Format.F32;
        long panels = blocking.bytes(0, rows, columns, k, 4, 1);
        long mc = blocking.mc(0, rows);
        long nc = blocking.nc(0, columns);
        long need = MixedPanels.bytes(blocking, out == null ? 4 : out.bytes, rows, columns, k);
        // One byte takes two lanes behind each other, which the formula does not know.
        boolean lent = panels > 0 && workBytes >= need && (k > 1 || lane != Lane.BYTES);
        int mb = even(rows, lent ? (int) mc : OWN, mr);
        int nb = even(columns, lent ? (int) nc : OWN, nr);
        long packedB = lent ? work : own;
        // A copy's last vector may reach beyond B: into A, which is packed after it.
        long packedA = packedB + (lent ? blocking.bBytes(0, columns, k, 4) : 4L * OWN * Product.KC);
        long sums = lent ? work + panels : own + 8L * OWN * Product.KC;
        int all = lane.lanes(k);
        int kb = depth(all);
        for (long j = 0; j < columns; j += nb) {
            int width = (int) Math.min(nb, columns - j);
            if (narrow) {
                for (long i = 0; i < rows; i += mb) {
                    int height = (int) Math.min(mb, rows - i);
                    for (int p = 0; p < all; p += kb) {
                        if (i == 0 || kb < all) {
                            packB(j, width, p, Math.min(kb, all - p), k, packedB);
                        }
                        packA(i, height, p, Math.min(kb, all - p), k, packedA);
                        tiles(height, width, Math.min(kb, all - p), packedA, packedB, p == 0 ? 0 : 1, sums, 4L * mb);
                    }
                    finish(height, width, sums, 4L * mb, beta, out, c + i * out.bytes + j * ldc, ldc);
                }
            } else {
                for (int p = 0; p < all; p += kb) {
                    packB(j, width, p, Math.min(kb, all - p), k, packedB);
                    for (long i = 0; i < rows; i += mb) {
                        int height = (int) Math.min(mb, rows - i);
                        packA(i, height, p, Math.min(kb, all - p), k, packedA);
                        tiles(height, width, Math.min(kb, all - p), packedA, packedB, p == 0 ? beta : 1,
                                c + 4 * i + j * ldc, ldc);
                    }
                }
            }
        }
    }

    /** Lanes of the pieces, all but the last, that an inner dimension is cut into. */
    private int depth(int all) {
        int most = lane == Lane.BYTES ? BYTES_DEPTH : Product.KC;
        int pieces = (all + most - 1) / most;
        return pieces == 1 ? all : up((all + pieces - 1) / pieces, 8);
    }

    /** A part of C := sums + beta·C, rounded. */
    private void finish(int rows, int columns, long sums, long step, double beta, Format out, long c, long ldc) {
        MixedStreamCode.Kind kind = beta == 0 ? MixedStreamCode.Kind.SET : MixedStreamCode.Kind.COMBINE;
        MemorySegment code = table.stream(kind, Format.F32, out);
        for (int j = 0; j < columns; j++) {
            NativeCall.stream(code, rows, sums + j * step, c + j * ldc, 1, beta);
        }
    }

    /** The panels of a block of A, from a lane of the inner dimension on. */
    private void packA(long row, int rows, int from, int kc, long k, long to) {
        pack.of(lane, formatA);
        int depth = elements(from, kc, k);
        long first = (long) from * lane.numbers;
        for (int i = 0; i < rows;) {
            int width = shape.vectors(rows - i) * lanes;
            int count = Math.min(width, rows - i);
            if (plainA) {
                pack.rows(count, count, width, depth, a + (row + i) * sizeA + first * lda, lda, to);
            } else {
                pack.columns(count, width, true, depth, a + (row + i) * lda + first * sizeA, lda, to);
            }
            to += 4L * width * kc;
            i += count;
        }
    }

    private void packB(long column, int columns, int from, int kc, long k, long to) {
        pack.of(lane, formatB);
        int depth = elements(from, kc, k);
        long first = (long) from * lane.numbers;
        for (int j = 0; j < columns; j += nr) {
            int count = Math.min(nr, columns - j);
            if (plainB) {
                pack.columns(count, nr, false, depth, b + (column + j) * ldb + first * sizeB, ldb, to);
            } else {
                long at = b + (column + j) * sizeB + first * ldb;
                pack.rows(count, n - column - j, nr, depth, at, ldb, to);
            }
            if (lane == Lane.BYTES) {
                NativeCall.code(table.lower(), kc, to, 0, 0, 0, 0);
            }
            to += panel(kc);
        }
    }

    /** Elements of the inner dimension in some lanes. */
    private int elements(int from, int kc, long k) {
        return (int) Math.min((long) kc * lane.numbers, k - (long) from * lane.numbers);
    }

    /** Bytes of a micro-panel of B. */
    private long panel(int kc) {
        return 4L * nr * (lane == Lane.BYTES ? kc + 1 : kc);
    }

    private void tiles(int rows, int columns, int kc, long packedA, long packedB, double beta, long c, long ldc) {
        for (int j = 0; j < columns; j += nr, packedB += panel(kc)) {
            int width = Math.min(nr, columns - j);
            long from = packedA;
            long to = c + j * ldc;
            for (int i = 0; i < rows;) {
                int vectors = shape.vectors(rows - i);
                int height = vectors * lanes;
                // Whole tiles of three vectors follow each other in one call.
                int count = vectors == Shape.VECTORS ? whole(rows - i) : 0;
                if (count > 0) {
                    NativeCall.tile(tile(vectors, width, false), kc, from, packedB, to, ldc, count, alpha, beta);
                    height *= count;
                } else {
                    int part = Math.min(height, rows - i) % lanes;
                    long extra = part == 0 ? 1 : shape.mask(part);
                    NativeCall.tile(tile(vectors, width, part != 0), kc, from, packedB, to, ldc, extra, alpha, beta);
                }
                from += 4L * height * kc;
                to += 4L * height;
                i += height;
            }
        }
    }

    /** Tiles of three whole vectors before others come. */
    private int whole(int rows) {
        int count = 0;
        while (rows >= mr && shape.vectors(rows) == Shape.VECTORS) {
            count++;
            rows -= mr;
        }
        return count;
    }

    private MemorySegment tile(int vectors, int columns, boolean masked) {
        return lane == Lane.NUMBER
                ? numbers.tile(vectors, columns, masked)
                : table.tile(lane, vectors, columns, masked);
    }

    /** Rows of each block but the last, so that blocks are about as large, none larger than a number, and of whole tiles. */
    private static int even(long size, int most, int tile) {
        long blocks = (size + most - 1) / most;
        return up((int) ((size + blocks - 1) / blocks), tile);
    }

    private static int up(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
