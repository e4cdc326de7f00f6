package dev.basalt.host.assembled.matvec;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.product.Transposition;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.portable.Leaf;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.lang.foreign.MemorySegment;

/**
 * Sums of matrices, and matrices times diagonal ones, by assembled kernels. What is transposed is transposed in registers. Each element is
 * computed in the same way whatever the shape, so bits do not depend on cuts. Any number of threads may use one object.
 */
public final class Maps {
    private static final long CALL_BYTES = 256 << 10;
    private static final long COLUMN_BYTES = 32 << 10;
    private static final int TILE_ROWS = 32;
    private static final int TILE_COLUMNS = 32;
    private static final long TILE_BYTES = TILE_ROWS * TILE_COLUMNS * 16L;
    private static final int LINE = 64;
    private static final long FACTORS = TurnTable.FACTOR_BYTES;

    private final Real precision;
    private final boolean complex;
    private final int parts;
    private final long element;
    private final Transposition transposition;
    /** From so many bytes on, of C and all that is read for it, C is stored past the caches. */
    private static final long PAST = 20L << 20;

    /** Bytes of the shortest column that is stored so where columns lie differently to lines: each has a part of one at both ends. */
    private static final long PAST_COLUMN = 4 << 10;

    /** Columns of so many bytes that meet the same vector go side by side, as it does not stay in the first cache. */
    private static final long LONG_COLUMN = 12 << 10;

    private final MapTable table;
    /** What transposes by lines, or null, and what transposes by halves of them. */
    private final Turns lines;

    private final Turns halves;
    private final ScratchPool scratch = new ScratchPool(FACTORS + Math.max(2 * TILE_BYTES, COLUMN_BYTES));

    /** Kernels of one element type; they must not be called where the processor lacks the vectors. */
    public Maps(Shape shape, boolean complex, Transposition transposition) {
        this.precision = shape.precision();
        this.complex = complex;
        this.parts = complex ? 2 : 1;
        this.element = (long) parts * precision.bytes;
        this.transposition = transposition;
        this.table = new MapTable(shape, complex);
        this.lines = shape.isa() == Isa.AVX512 ? new Turns(shape, complex) : null;
        this.halves = new Turns(new Shape(Isa.AVX2, precision), complex);
    }

    /**
     * See {@link Leaf#dgmm}.
     *
     * @param leaf copies vectors
     */
    public void dgmm(Leaf leaf, Side side, long m, long n, long a, long lda, long x, long incx, long c, long ldc) {
        if (side == Side.RIGHT) {
            walk(MapCode.Kind.COLUMNS, m, n, a, lda, a, lda, x, incx, c, ldc);
            return;
        }
        boolean apart = past(false, m, n, a, a, c, ldc) && !alike(ldc);
        long beside = m * element >= LONG_COLUMN && !apart ? 1 : 0;
        if (incx == 1) {
            walk(MapCode.Kind.TIMES, m, n, a, lda, x, 0, 0, beside, c, ldc);
            return;
        }
        MemorySegment memory = scratch.take();
        long gathered = memory.address() + FACTORS;
        long rows = COLUMN_BYTES / element;
        for (long i = 0; i < m; i += rows) {
            long count = Math.min(rows, m - i);
            leaf.copy(count, x + i * incx * element, incx, gathered, 1);
            walk(MapCode.Kind.TIMES, count, n, a + i * element, lda, gathered, 0, 0, beside, c + i * element, ldc);
        }
        scratch.give(memory);
    }

    /**
     * See {@link Leaf#geam}.
     *
     * @param leaf clears a matrix
     */
    public void geam(Leaf leaf, Op opA, Op opB, long m, long n, double alphaRe, double alphaIm, long a, long lda,
            double betaRe, double betaIm, long b, long ldb, long c, long ldc) {
        boolean usesA = alphaRe != 0 || alphaIm != 0;
        boolean usesB = betaRe != 0 || betaIm != 0;
        if (!usesA && !usesB) {
            leaf.scalMatrix(m, n, 0, 0, c, ldc);
            return;
        }
        if (!usesA) {
            geam(leaf, opB, opA, m, n, betaRe, betaIm, b, ldb, 0, 0, a, lda, c, ldc);
            return;
        }
        MapCode.Kind kind = usesB ? MapCode.Kind.ADD : MapCode.Kind.SCALE;
        MemorySegment memory = scratch.take();
        long factors = memory.address();
        factor(factors, alphaRe, alphaIm, opA == Op.CONJ_TRANS);
        factor(factors + 2 * MapCode.FACTOR_BYTES, betaRe, betaIm, opB == Op.CONJ_TRANS);
        boolean turnsA = opA != Op.NONE;
        boolean turnsB = usesB && opB != Op.NONE;
        if (turnsA || turnsB) {
            TurnKind turned =
                    !usesB ? TurnKind.ALONE : turnsB ? turnsA ? TurnKind.BOTH : TurnKind.SECOND : TurnKind.FIRST;
            Turns turns = lines != null && lines.suits(turned, m, n, c, ldc) ? lines : halves;
            long whole = turns.wholeRows(m);
            long inPanels = turns.wholeColumns(n);
            if (c != a && c != b && turns.holds(m, n)) {
                turns.all(turned, m, n, a, lda, b, ldb, factors, c, ldc);
            } else {
                turns.blocks(turned, 0, whole, 0, inPanels, a, lda, b, ldb, factors, c, ldc, false);
                tiles(kind, turnsA, turnsB, whole, m, 0, inPanels, a, lda, b, ldb, factors, c, ldc);
                tiles(kind, turnsA, turnsB, 0, m, inPanels, n, a, lda, b, ldb, factors, c, ldc);
            }
        } else if (lda == m && ldc == m && (!usesB || ldb == m)) {
            // One vector, in columns of what a call takes at a time.
            long rows = COLUMN_BYTES / element;
            long columns = m * n / rows;
            long done = columns * rows * element;
            walk(kind, rows, columns, a, rows, b, rows, factors, 0, c, rows);
            walk(kind, m * n - columns * rows, 1, a + done, m, b + done, m, factors, 0, c + done, m);
        } else {
            walk(kind, m, n, a, lda, b, ldb, factors, 0, c, ldc);
        }
        scratch.give(memory);
    }

    /** Whether C is stored past the caches: it is large, apart from the operands, and its columns lie alike to lines or are long. */
    private boolean past(boolean adds, long m, long n, long a, long b, long c, long ldc) {
        return (adds ? 3 : 2) * m * n * element >= PAST && (alike(ldc) || m * element >= PAST_COLUMN)
                && c % element == 0 && c != a && c != b;
    }

    /** Whether the columns of C lie alike to lines. */
    private boolean alike(long ldc) {
        return ldc * element % LINE == 0;
    }

    /** Some rows and columns of C, by tiles, where an operand is transposed. */
    private void tiles(MapCode.Kind kind, boolean turnsA, boolean turnsB, long fromRow, long toRow, long fromColumn,
            long toColumn, long a, long lda, long b, long ldb, long factors, long c, long ldc) {
        boolean usesB = kind == MapCode.Kind.ADD;
        long tileA = factors + FACTORS;
        long tileB = tileA + TILE_BYTES;
        for (long j = fromColumn; j < toColumn; j += TILE_COLUMNS) {
            int columns = (int) Math.min(TILE_COLUMNS, toColumn - j);
            for (long i = fromRow; i < toRow; i += TILE_ROWS) {
                int rows = (int) Math.min(TILE_ROWS, toRow - i);
                long fromA = turnsA ? turn(rows, columns, a, lda, i, j, tileA) : a + (i + j * lda) * element;
                long fromB =
                        turnsB ? turn(rows, columns, b, ldb, i, j, tileB) : usesB ? b + (i + j * ldb) * element : 0;
                walk(kind, rows, columns, fromA, turnsA ? TILE_ROWS : lda, fromB, turnsB ? TILE_ROWS : ldb, factors, 0,
                        c + (i + j * ldc) * element, ldc);
            }
        }
    }

    private long turn(int rows, int columns, long a, long lda, long i, long j, long tile) {
        transposition.run((int) element, rows, columns, a + (j + i * lda) * element, lda * element, tile,
                TILE_ROWS * element);
        return tile;
    }

    /** Two vectors: what an element is multiplied by, and what it is with its parts exchanged. */
    private void factor(long at, double re, double im, boolean conj) {
        for (int i = 0; i < MapCode.FACTOR_BYTES / precision.bytes; i++) {
            boolean odd = complex && i % 2 == 1;
            double first = odd && conj ? -re : re;
            double second = odd || conj ? im : -im;
            if (precision == Real.F64) {
                f64(at + i * 8L, first);
                f64(at + MapCode.FACTOR_BYTES + i * 8L, second);
            } else {
                f32(at + i * 4L, (float) first);
                f32(at + MapCode.FACTOR_BYTES + i * 4L, (float) second);
            }
        }
    }

    private void walk(MapCode.Kind kind, long m, long n, long a, long lda, long b, long ldb, long factors, long next,
            long c, long ldc) {
        walk(table.kernel(kind, past(kind == MapCode.Kind.ADD, m, n, a, b, c, ldc)), m, n, a, lda, b, ldb, factors,
                next, c, ldc);
    }

    private void walk(MemorySegment code, long m, long n, long a, long lda, long b, long ldb, long factors, long next,
            long c, long ldc) {
        long height = COLUMN_BYTES / element;
        for (long i = 0; i < m; i += height) {
            long rows = Math.min(height, m - i);
            long width = Math.max(1, CALL_BYTES / (rows * element));
            for (long j = 0; j < n; j += width) {
                long fromA = a + (i + j * lda) * element;
                long fromB = b + (i + j * ldb) * element;
                NativeCall.direct(code, rows * parts, Math.min(width, n - j), c + (i + j * ldc) * element,
                        ldc * element, fromA, factors + j * next * element, fromB - fromA, lda * element,
                        (ldb - lda) * element, next * element, 0, 0);
            }
        }
    }
}
