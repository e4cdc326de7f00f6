package dev.basalt.host.assembled.matvec;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.lang.foreign.MemorySegment;

/**
 * Matrices and vectors of one element type by assembled kernels: cut into pieces that fit the cache, and so short that the
 * garbage collector need not wait. Vectors have no gaps. Any number of threads may use one object.
 */
public final class Matvec {
    /**
     * Bytes of a column in a piece: the vector along it stays in the L2 cache while all columns pass by. Not less, for where
     * columns are cut the hardware loses track of its streams.
     */
    private static final long COLUMN_BYTES = 64 << 10;

    /** Bytes of the matrix in a call, which holds up the garbage collector: 10 to 40 µs. */
    private static final long CALL_BYTES = 512 << 10;

    /** A matrix up to this comes from the L1 cache when it is used again. */
    private static final long NEAR_BYTES = 40 << 10;

    /** A matrix beyond this comes from memory, or is large enough that prefetching matters more than caches. */
    private static final long FAR_BYTES = 8 << 20;

    /** Columns up to this and beyond that are like matrices that are near and far: those of square ones that are. */
    private static final long SHORT_BYTES = 576;

    private static final long LONG_BYTES = 8 << 10;

    /** Columns of a call for a few rows. */
    private static final long TALL_COLUMNS = 512;

    /**
     * Rows up to which a product with many columns may have sums of its own, and so other bits than beside more rows: no part of a larger product may be as small. A matrix of as few elements may, too.
     */
    public static final long FEW_ROWS = 64;

    /** Many columns: more than have been added up by the time that the sums are. */
    private static final long MANY_COLUMNS = 12;

    /** Columns of a call are a multiple of this, which all panels divide. */
    private static final long PANEL = 8;

    private final MatvecTable kernels;
    private final int parts;
    private final long element;
    private final long columnBytes;
    /** The same in elements. */
    private final long columnElements;
    /** Rows that are one piece of a {@link #tall} matrix. */
    private final long tallRows;
    /** Rows up to which many columns are added up in several sums; at most {@link #FEW_ROWS}. */
    private final long fewRows;
    /** Logarithm of the elements of a vector. */
    private final int laneShift;

    public Matvec(Shape shape, boolean complex) {
        this(shape, complex, COLUMN_BYTES);
    }

    /** With shorter pieces, for tests. */
    public Matvec(Shape shape, boolean complex, long columnBytes) {
        this.columnBytes = columnBytes;
        this.kernels = new MatvecTable(shape, complex);
        this.parts = complex ? 2 : 1;
        this.element = (long) parts * shape.precision().bytes;
        this.columnElements = columnBytes / element;
        this.tallRows = (long) kernels.mostTall() * kernels.lanes();
        this.fewRows = (long) kernels.mostFew() * kernels.lanes();
        this.laneShift = Integer.numberOfTrailingZeros(kernels.lanes());
    }

    /**
     * Products whose result has few rows or columns.
     *
     * @return them; null if elements are complex
     */
    public FewLines fewLines() {
        return parts == 2 ? null : new FewLines(kernels, element);
    }

    /**
     * y := alpha·op(A)·x + y, or alpha·op(A)·x, with m and n not 0.
     *
     * @param op form of A
     * @param set whether y is overwritten, or else added to
     * @param m rows of A
     * @param n columns of A
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param x address, contiguous
     * @param y address, contiguous
     */
    public void gemv(Op op, boolean set, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long y) {
        if (op == Op.NONE) {
            if (m <= fewRows && n >= MANY_COLUMNS) {
                few(set, m, n, alphaRe, alphaIm, a, lda, x, y);
                return;
            }
            if (m <= tallRows || m * n * element <= NEAR_BYTES) {
                tall(set, m, n, alphaRe, alphaIm, a, lda, x, y);
                return;
            }
            long bytes = m * n * element;
            boolean single = kernels.oneStream() && bytes <= FAR_BYTES && !kernels.sideBySide(bytes);
            boolean far = !single && kernels.fetches(bytes);
            MemorySegment code = code(PanelKind.GEMV, single, far);
            MemorySegment first = set ? code(PanelKind.GEMV_SET, single, far) : code;
            run(code, first, true, m, n, alphaRe, alphaIm, a, lda, y, x);
        } else {
            // Threads share the columns of Aᵀ·x, and all must come to the same kernel: the columns' length decides.
            boolean single =
                    m * element > SHORT_BYTES && m * element <= LONG_BYTES && !kernels.sideBySide(m * m * element);
            boolean conj = op == Op.CONJ_TRANS && parts == 2;
            boolean far = !single && kernels.fetches(m * n * element);
            MemorySegment code = code(conj ? PanelKind.GEMV_C : PanelKind.GEMV_T, single, far);
            MemorySegment first = set ? code(conj ? PanelKind.GEMV_C_SET : PanelKind.GEMV_T_SET, single, far) : code;
            run(code, first, false, m, n, alphaRe, alphaIm, a, lda, x, y);
        }
    }

    private MemorySegment code(PanelKind kind, boolean single, boolean far) {
        return single ? kernels.singles(kind) : far ? kernels.fetching(kind) : kernels.panels(kind);
    }

    /**
     * A := alpha·x·yᵀ + A, or alpha·x·yᴴ + A.
     *
     * @param conj whether y is conjugated
     * @param m rows of A
     * @param n columns of A
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param x address, contiguous
     * @param y address, contiguous
     * @param a address of A
     * @param lda elements between A's columns
     */
    public void ger(boolean conj, long m, long n, double alphaRe, double alphaIm, long x, long y, long a, long lda) {
        PanelKind kind = conj && parts == 2 ? PanelKind.GERC : PanelKind.GER;
        // What is written is one stream better than several, even in memory; not in columns of less than a vector.
        MemorySegment code = code(kind, m * n * element > NEAR_BYTES && m > kernels.lanes(), false);
        run(code, code, false, m, n, alphaRe, alphaIm, a, lda, x, y);
    }

    /**
     * y := alpha·A·x + y for a symmetric or Hermitian A of order n, not 0.
     *
     * @param uplo the triangle that is read
     * @param hermitian whether A is Hermitian
     * @param n order
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param x address, contiguous
     * @param y address, contiguous
     */
    public void symv(Uplo uplo, boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long y) {
        if (uplo == Uplo.LOWER) {
            lower(hermitian, n, alphaRe, alphaIm, a, lda, x, y);
        } else {
            upper(hermitian, n, alphaRe, alphaIm, a, lda, x, y);
        }
    }

    private void lower(boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x, long y) {
        int block = kernels.block();
        if (n * element > columnBytes) {
            long n1 = n / 2 / block * block;
            long down = n1 * element;
            long a22 = a + down + n1 * lda * element;
            lower(hermitian, n1, alphaRe, alphaIm, a, lda, x, y);
            beside(hermitian, n - n1, n1, alphaRe, alphaIm, a + down, lda, x + down, y + down, y);
            lower(hermitian, n - n1, alphaRe, alphaIm, a22, lda, x + down, y + down);
            return;
        }
        long rest = n & block - 1;
        long blocks = n >> kernels.blockShift();
        long call = call(n, block);
        for (long b = 0; b < blocks; b += call) {
            long down = (b + 1) * block;
            MemorySegment code = kernels.symmetric(SymvCode.Part.LOWER, hermitian);
            NativeCall.tile(code, (n - down) * parts, Math.min(call, blocks - b),
                    a + (down + b * block * lda) * element, lda * element, y + down * element, x + down * element,
                    alphaRe, alphaIm);
        }
        if (rest > 0) {
            long at = (n - rest) * element;
            long corner = a + at + (n - rest) * lda * element;
            MemorySegment code = kernels.corner(true, hermitian, (int) rest);
            NativeCall.tile(code, rest * parts, 1, corner, lda * element, y + at, x + at, alphaRe, alphaIm);
        }
    }

    private void upper(boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x, long y) {
        int block = kernels.block();
        if (n * element > columnBytes) {
            long n2 = n / 2 / block * block;
            long n1 = n - n2;
            long down = n1 * element;
            long a12 = a + n1 * lda * element;
            upper(hermitian, n1, alphaRe, alphaIm, a, lda, x, y);
            beside(hermitian, n1, n2, alphaRe, alphaIm, a12, lda, x, y, y + down);
            upper(hermitian, n2, alphaRe, alphaIm, a12 + down, lda, x + down, y + down);
            return;
        }
        long rest = n & block - 1;
        long blocks = n >> kernels.blockShift();
        long call = call(n, block);
        if (rest > 0) {
            MemorySegment code = kernels.corner(false, hermitian, (int) rest);
            NativeCall.tile(code, rest * parts, 1, a, lda * element, y, x, alphaRe, alphaIm);
        }
        for (long b = 0; b < blocks; b += call) {
            long above = rest + b * block;
            MemorySegment code = kernels.symmetric(SymvCode.Part.UPPER, hermitian);
            NativeCall.tile(code, above * parts, Math.min(call, blocks - b), a + above * lda * element, lda * element,
                    y, x, alphaRe, alphaIm);
        }
    }

    /** A block beside the diagonal and its transpose; n is a multiple of the kernels' blocks, {@code columns} is y at them. */
    private void beside(boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long y, long columns) {
        int block = kernels.block();
        long height = columnElements;
        MemorySegment code = kernels.symmetric(SymvCode.Part.BESIDE, hermitian);
        for (long i = 0; i < m; i += height) {
            long count = Math.min(height, m - i);
            long call = Math.max(1, CALL_BYTES / (count * element * block));
            for (long b = 0; b < n / block; b += call) {
                NativeCall.panels(code, count * parts, Math.min(call, n / block - b),
                        a + (i + b * block * lda) * element, lda * element, y + i * element, x + i * element,
                        columns + b * block * element, alphaRe, alphaIm);
            }
        }
    }

    /**
     * The largest order of {@link #trmv} and {@link #trsv}.
     *
     * @return order
     */
    public long largestTriangle() {
        return columnElements;
    }

    /**
     * x := op(A)·x for a triangular A of order n, not 0 and at most {@link #largestTriangle}.
     *
     * @param uplo the triangle of A
     * @param op form of A
     * @param diag whether the diagonal counts as ones
     * @param n order
     * @param a address of A
     * @param lda elements between A's columns
     * @param x address, contiguous
     */
    public void trmv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x) {
        triangle(what(false, uplo, op, diag), n, a, lda, 0, x);
    }

    /**
     * Solves op(A)·x = b in place for a triangular A of order n, not 0 and at most {@link #largestTriangle}.
     *
     * @param uplo the triangle of A
     * @param op form of A
     * @param diag whether the diagonal counts as ones
     * @param n order
     * @param a address of A
     * @param lda elements between A's columns
     * @param x address of b, contiguous
     * @return order of the triangle that is left because a result is not finite: the last unknowns if op(A) is lower, else
     *     the first; the others are solved. If A is not transposed, they are subtracted from the right-hand side.
     */
    public long trsv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x) {
        return triangle(what(true, uplo, op, diag), n, a, lda, 0, x);
    }

    /**
     * {@link #trmv} or {@link #trsv} of a packed triangle of complex numbers, of any order.
     *
     * @param a address of row 0 in column 0
     * @param step elements from there to row 0 in column 1
     * @param growth by how much that grows from column to column
     * @return as {@link #trsv}
     */
    long packed(boolean solves, Uplo uplo, Op op, Diag diag, long n, long a, long step, long growth, long x) {
        return triangle(what(solves, uplo, op, diag), n, a, step, growth, x);
    }

    private Triangle what(boolean solves, Uplo uplo, Op op, Diag diag) {
        boolean conj = op == Op.CONJ_TRANS && parts == 2;
        return Triangle.of(solves, uplo == Uplo.LOWER, op != Op.NONE, conj, diag == Diag.UNIT);
    }

    private long triangle(Triangle what, long n, long a, long step, long growth, long x) {
        int block = TriangleCode.block(parts == 2);
        // A constant of each type, and a power of two.
        int rest = (int) n & block - 1;
        boolean shrinks = what.shrinks();
        boolean forward = what.forward();
        long blocks = n >> Integer.numberOfTrailingZeros(block);
        long call = call(n, block);
        // The small square belongs to the first call or to the last.
        for (long b = 0; b == 0 || b < blocks; b += call) {
            boolean ends = shrinks ? b + call >= blocks : b == 0;
            long height = shrinks ? n - (b + 1) * block : rest + (b > 0 ? b * block : 0);
            long behind = shrinks ? b * block : b == 0 ? 0 : rest + b * block;
            long first = forward ? behind : n - behind - (shrinks ? block : b == 0 ? rest : 0);
            long count = Math.min(call, blocks - b);
            MemorySegment code = kernels.triangle(what, growth != 0, ends ? rest : 0);
            long square = a + (first * (step + 1) + growth * (first * (first - 1) / 2)) * element;
            long stopped = NativeCall.code(code, height * parts, count, square, (step + growth * first) * element,
                    x + first * element, 0);
            if (stopped != 0) {
                long left = stopped < 0 ? blocks : blocks - b - count + stopped - 1;
                return left * block + (shrinks || stopped < 0 ? rest : 0);
            }
        }
        return 0;
    }

    /** Blocks of columns of a triangle in a call. */
    private long call(long n, int block) {
        return n * (n + block) * element <= CALL_BYTES ? n : Math.max(1, CALL_BYTES / (n * element * block));
    }

    /** Few rows of many columns. */
    private void few(boolean set, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long y) {
        int lanes = 1 << laneShift;
        boolean half = kernels.halves() > 0 && 2 * m <= lanes;
        int vectors = half ? 0 : (int) (m + lanes - 1) >> laneShift;
        boolean masked = (m & (half ? lanes / 2 : lanes) - 1) != 0;
        for (long j = 0; j < n; j += TALL_COLUMNS) {
            NativeCall.tile(kernels.fewRows(set && j == 0, vectors, masked), m * parts, Math.min(TALL_COLUMNS, n - j),
                    a + j * lda * element, lda * element, y, x + j * element, alphaRe, alphaIm);
        }
    }

    /** A few rows, as many as fit the registers, for all columns; then the next. */
    private void tall(boolean set, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x, long y) {
        int lanes = 1 << laneShift;
        long vectors = (m + lanes - 1) >> laneShift;
        if (m <= tallRows && n <= TALL_COLUMNS) {
            // A short call has no time for divisions, here and below.
            boolean masked = (m & lanes - 1) != 0;
            NativeCall.tile(kernels.tall(set ? PanelKind.GEMV_SET : PanelKind.GEMV, (int) vectors, masked), m * parts,
                    n, a, lda * element, y, x, alphaRe, alphaIm);
            return;
        }
        long pieces = (vectors + kernels.mostTall() - 1) / kernels.mostTall();
        long i = 0;
        for (long left = pieces; left > 0; left--) {
            int height = (int) ((vectors + left - 1) / left);
            long rows = Math.min((long) height * lanes, m - i);
            boolean masked = (rows & lanes - 1) != 0;
            for (long j = 0; j < n; j += TALL_COLUMNS) {
                PanelKind kind = set && j == 0 ? PanelKind.GEMV_SET : PanelKind.GEMV;
                NativeCall.tile(kernels.tall(kind, height, masked), rows * parts, Math.min(TALL_COLUMNS, n - j),
                        a + (i + j * lda) * element, lda * element, y + i * element, x + j * element, alphaRe, alphaIm);
            }
            vectors -= height;
            i += rows;
        }
    }

    /**
     * All pieces of a matrix.
     *
     * @param first the kernel of the first piece along each element of the result
     * @param down whether the result lies along the rows
     */
    private void run(MemorySegment code, MemorySegment first, boolean down, long m, long n, double alphaRe,
            double alphaIm, long a, long lda, long rows, long columns) {
        long ld = lda * element;
        if (m <= columnElements && m * (n + PANEL) * element <= CALL_BYTES) {
            NativeCall.tile(first, m * parts, n, a, ld, rows, columns, alphaRe, alphaIm);
            return;
        }
        long height = columnElements;
        for (long i = 0; i < m; i += height) {
            long count = Math.min(height, m - i);
            long width = Math.max(PANEL, CALL_BYTES / (count * element) & -PANEL);
            for (long j = 0; j < n; j += width) {
                NativeCall.tile((down ? j : i) == 0 ? first : code, count * parts, Math.min(width, n - j),
                        a + i * element + j * ld, ld, rows + i * element, columns + j * element, alphaRe, alphaIm);
            }
        }
    }
}
