package dev.basalt.host.vector;

import static dev.basalt.host.vector.VectorDLanes.LANES;
import static dev.basalt.host.vector.VectorDLanes.SIZE;
import static dev.basalt.host.vector.VectorDTile.MR;
import static dev.basalt.host.vector.VectorDTile.NR;
import static dev.basalt.spi.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import dev.basalt.spi.GemmBlocking;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * The matrix product around the micro-kernel: loops and packing of Goto and van de Geijn, "Anatomy of high-performance
 * matrix multiplication" (ACM TOMS 34, 2008), in the form of BLIS. Rows and columns are counted in real numbers, since a
 * complex product is run as a real one ({@link VectorZGemm}).
 *
 * <p>B is packed micro-panel by micro-panel into an array of this object, at its first use; it is kept in packing memory only
 * if there is a second block of rows. Without packing memory A is read where it is, and only a transposed or a very low A is copied,
 * a few panels at a time, into an array.
 *
 * <p>The inner dimension is cut into the same pieces on every path, and every element of C is summed in the order of k, so
 * a result's bits depend neither on the packing memory nor on how rows and columns are cut.
 *
 * <p>Not for two threads at once: {@link VectorPool} hands one to each.
 */
abstract class VectorDProduct {
    /** Depth of packed blocks: a micro-panel of B and one of A share an L1 cache of 32 or 48 KiB. */
    static final int KC = 256;
    /** Bytes of a packed block of A: half of an L2 cache of 1 MiB, for B and C stream through the other half. */
    private static final int BLOCK = 512 << 10;
    /** Rows of a packed block of A. */
    static final int MC = BLOCK / (KC * SIZE) / MR * MR;
    /** Columns of a packed panel of B. */
    static final int NC = 2048;
    /** Products up to this run without packing memory. */
    static final int SMALL = 64;

    /** Micro-panels of A that are copied into an array at a time. */
    private static final int PANELS = 4;

    /** The micro-panel of B in use, and room for a vector that is stored for a part of one. */
    final double[] panel = new double[KC * NR + LANES];
    /** The tile that the micro-kernel leaves, and room for a vector that is loaded for a part of one. */
    final double[] tile = new double[MR * NR + LANES];
    /** Micro-panels of A without packing memory. */
    private final double[] block = new double[PANELS * MR * KC + LANES];

    long a;
    /** Bytes between the columns of A. */
    long lda;

    long b;
    long ldb;
    long c;
    long ldc;
    /** Whether op(A) is A. */
    boolean plainA;

    boolean plainB;
    /** The only triangle of C that is computed, or null. */
    private Uplo triangle;
    /** Reals of an element. */
    private int unit;

    /** Packs {@code kc} steps of {@code rows} rows of op(A), where that is transposed. */
    abstract void transposeA(int row, int depth, int rows, int kc, double[] to, int at, int width);

    /** Packs {@code kc} steps of {@code columns} columns of op(B) into {@link #panel}. */
    abstract void packB(int depth, int column, int kc, int columns);

    /** Adds a part of the tile to C; {@code once} is for the first piece of k, which scales C by beta. */
    abstract void update(int from, int ld, int row, int column, int rows, int columns, boolean once);

    final void operands(boolean plainA, boolean plainB, long a, long lda, long b, long ldb, long c, long ldc) {
        this.plainA = plainA;
        this.plainB = plainB;
        this.a = a;
        this.lda = lda;
        this.b = b;
        this.ldb = ldb;
        this.c = c;
        this.ldc = ldc;
    }

    /** Multiplies; m, n and k count elements of {@code unit} reals. */
    final void run(GemmBlocking blocking, int unit, long m, long n, long k, long work, long workBytes) {
        this.unit = unit;
        triangle = null;
        int bytes = unit * SIZE;
        int tier = blocking.tier(m, n, k, bytes, 1, workBytes);
        if (tier == GemmBlocking.PACKED_TIERS) {
            multiply(unit * (int) m, unit * (int) n, (int) k, 0, NC, 0, 0);
        } else {
            int mc = unit * (int) blocking.mc(tier, m);
            int nc = unit * (int) blocking.nc(tier, n);
            multiply(unit * (int) m, unit * (int) n, (int) k, mc, nc, work, work + blocking.aBytes(tier, m, k, bytes));
        }
    }

    /** Multiplies for one triangle of C, n×n, without packing memory. */
    final void run(Uplo uplo, int unit, long n, long k) {
        this.unit = unit;
        triangle = uplo;
        multiply(unit * (int) n, unit * (int) n, (int) k, 0, NC, 0, 0);
    }

    private void multiply(int m, int n, int k, int mc, int nc, long packedA, long packedB) {
        int pieces = (k + KC - 1) / KC;
        int kb = pieces == 1 ? k : up((k + pieces - 1) / pieces, 8);
        for (int column = 0; column < n; column += nc) {
            int columns = Math.min(nc, n - column);
            for (int depth = 0; depth < k; depth += kb) {
                int kc = Math.min(kb, k - depth);
                if (packedA != 0) {
                    packed(m, column, columns, depth, kc, mc, packedA, packedB);
                } else if (plainA && m >= MR) {
                    direct(m, column, columns, depth, kc);
                } else {
                    array(m, column, columns, depth, kc);
                }
            }
        }
    }

    private void packed(int m, int column, int columns, int depth, int kc, int mc, long packedA, long packedB) {
        int blocks = (m + mc - 1) / mc;
        int mb = up((m + blocks - 1) / blocks, MR);
        for (int row = 0; row < m; row += mb) {
            int rows = Math.min(mb, m - row);
            packA(row, rows, depth, kc, packedA);
            for (int j = 0; j < columns; j += NR) {
                int nr = Math.min(NR, columns - j);
                long kept = packedB + (long) j * kc * SIZE;
                if (row > 0) {
                    MemorySegment.copy(ALL, JAVA_DOUBLE_UNALIGNED, kept, panel, 0, kc * NR);
                } else {
                    packB(depth, column + j, kc, nr);
                    if (rows < m) {
                        MemorySegment.copy(panel, 0, ALL, JAVA_DOUBLE_UNALIGNED, kept, kc * NR);
                    }
                }
                long at = packedA;
                for (int i = 0; i < rows;) {
                    int vectors = vectors(rows - i);
                    int width = vectors * LANES;
                    VectorDTile.multiply(vectors, kc, at, (long) width * SIZE, panel, tile);
                    update(0, width, row + i, column + j, Math.min(width, rows - i), nr, depth == 0);
                    at += (long) width * kc * SIZE;
                    i += width;
                }
            }
        }
    }

    private void packA(int row, int rows, int depth, int kc, long to) {
        for (int i = 0; i < rows;) {
            int vectors = vectors(rows - i);
            int width = vectors * LANES;
            int count = Math.min(width, rows - i);
            if (plainA) {
                VectorDPack.rows(count, vectors, kc, a + (long) (row + i) * SIZE + depth * lda, lda, to);
            } else {
                transposeA(row + i, depth, count, kc, block, 0, width);
                MemorySegment.copy(block, 0, ALL, JAVA_DOUBLE_UNALIGNED, to, kc * width);
            }
            to += (long) width * kc * SIZE;
            i += width;
        }
    }

    /** Reads A where it is. The last tile overlaps the one before, so that no row beyond A is read. */
    private void direct(int m, int column, int columns, int depth, int kc) {
        for (int row = 0; row < m; row += MC) {
            for (int j = 0; j < columns; j += NR) {
                int nr = Math.min(NR, columns - j);
                int top = triangle == Uplo.LOWER ? Math.max(row, column + j) : row;
                int end = Math.min(m, row + MC);
                int bottom = triangle == Uplo.UPPER ? Math.min(end, column + j + nr) : end;
                if (top < bottom) {
                    packB(depth, column + j, kc, nr);
                }
                for (int i = top; i < bottom;) {
                    int vectors = vectors(bottom - i);
                    int width = vectors * LANES;
                    int start = Math.min(i, m - width);
                    int rows = Math.min(width - (i - start), bottom - i);
                    VectorDTile.multiply(vectors, kc, a + (long) start * SIZE + depth * lda, lda, panel, tile);
                    place(i - start, width, i, column + j, rows, nr, depth == 0);
                    i += rows;
                }
            }
        }
    }

    /** Copies a few micro-panels of A into an array. */
    private void array(int m, int column, int columns, int depth, int kc) {
        for (int row = 0; row < m; row += PANELS * MR) {
            int rows = Math.min(PANELS * MR, m - row);
            for (int i = 0; i < rows; i += MR) {
                int count = Math.min(MR, rows - i);
                if (plainA) {
                    long from = a + (long) (row + i) * SIZE + depth * lda;
                    VectorDPack.rows(count, kc, from, lda, block, i * kc, MR);
                } else {
                    transposeA(row + i, depth, count, kc, block, i * kc, MR);
                }
            }
            for (int j = 0; j < columns; j += NR) {
                int nr = Math.min(NR, columns - j);
                packB(depth, column + j, kc, nr);
                for (int i = 0; i < rows; i += MR) {
                    int count = Math.min(MR, rows - i);
                    boolean above = row + i + count <= column + j;
                    boolean below = row + i >= column + j + nr;
                    if (triangle == null || !(triangle == Uplo.LOWER ? above : below)) {
                        VectorDArrayTile.multiply(kc, block, i * kc, panel, tile);
                        place(0, MR, row + i, column + j, count, nr, depth == 0);
                    }
                }
            }
        }
    }

    /** Adds the tile to C, or what of it lies in the triangle. */
    private void place(int from, int ld, int row, int column, int rows, int columns, boolean once) {
        boolean lower = triangle == Uplo.LOWER;
        if (triangle == null || (lower ? row >= column + columns - unit : row + rows <= column + unit)) {
            update(from, ld, row, column, rows, columns, once);
            return;
        }
        for (int j = 0; j < columns; j += unit) {
            int top = lower ? Math.max(0, column + j - row) : 0;
            int bottom = lower ? rows : Math.min(rows, column + j + unit - row);
            if (top < bottom) {
                update(from + j * ld + top, ld, row + top, column + j, bottom - top, unit, once);
            }
        }
    }

    /** The next micro-panel's vectors: 3, or 2 where that ends without waste. */
    private static int vectors(int rows) {
        return rows > 4 * LANES || rows > 2 * LANES && rows <= 3 * LANES ? 3 : 2;
    }

    private static int up(int value, int multiple) {
        return (value + multiple - 1) / multiple * multiple;
    }
}
