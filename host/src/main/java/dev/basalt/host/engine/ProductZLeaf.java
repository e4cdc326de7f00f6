package dev.basalt.host.engine;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.matvec.FewLines;
import dev.basalt.portable.HeapOperands;
import dev.basalt.spi.Memory;
import dev.basalt.spi.RankUpdates;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The part of {@link AssembledZLeaf} for products, and for triangles and symmetric matrices beside matrices: room {@code product} of machine code. */
public abstract class ProductZLeaf extends MatvecZLeaf {
    /** Sums of so few products of vectors. */
    private static final long FEW = AssembledKernels.RANKS;

    /** Complex columns that are multiplied with each other one by one, if they are no shorter than there are columns: fewer ones always are. */
    private static final long FEW_COLUMNS = FewLines.MOST;

    private static final long FEWER_COLUMNS = 8;

    /** The same of a Hermitian triangle, in lengths of its order. */
    private static final long LONG = 8;

    /** The same for columns of two matrices, if they are so many times as long as there are columns. */
    private static final long PAIRED_COLUMNS = COMPLEX ? FEW_COLUMNS : 5;

    private static final long FEWEST_COLUMNS = 3;

    private static final long DEEP = 3;

    /** Inner dimension from which on one line of a small product is a vector. */
    private static final long LINE = FewLines.LINE;

    /** Rows of a factor that are turned by element. */
    private static final long TURNED = 3;

    /** Elements of a row that are conjugated one by one. */
    private static final long ROW = 64;

    /** Rows beside a symmetric matrix that is no larger than this and four times their number are sooner multiplied than given to it one by one: they lie apart. */
    private static final long ROWS = COMPLEX ? 6 : 12;

    /** So are three columns beside one whose columns have no more bytes. */
    private static final long COLUMN = COMPLEX ? 192 : 128;

    /** And two beside one of single precision up to this order. */
    private static final long COLUMNS = 16;

    /** Columns beside so small a triangle are always vectors. */
    private static final long SHORTEST = 4;

    /** So few lines beside a triangle are always vectors. */
    private static final long PAIR = 2;

    /** Up to so many columns from the right are vectors, from so many rows on. */
    private static final long VECTORS = 4;

    private static final long APART = 48;

    /** Up to this order of a triangle three rows and more are solved together. */
    private static final long TOGETHER = 64;

    /** Multiplications of a solve that are done by element; of up to three unknowns more of them. */
    private static final long TINY_SOLVE = 128;

    private static final long LEAST_SOLVE = 1024;

    /** The same where sides are columns, which panels would gather from two or three elements each; but pairs of floats. */
    private static final long LEAST_COLUMNS = 1 << 16;

    /** Triangles up to this order have halves of whole vectors: whole tiles would leave a half too small. */
    private static final long HALVED = 64;

    /** Bytes of a vector. */
    private static final long VECTOR = 64;

    /** Rows and columns that are whole tiles. */
    private static final long TILE = 16;

    /** Orders up to which matrices are copied to scratch. */
    static final long COPIED = 64;

    /** Elements of a line in scratch. */
    static final long LONGEST = 1024;

    /** Scratch of a small matrix. */
    final ScratchPool matrices;
    /** Scratch of two lines. */
    final ScratchPool lines;

    /** Order up to which a triangle is a square aside: complex halves take less, as nobody computes the other triangle. */
    private final long square;

    ProductZLeaf(AssembledKernels kernels) {
        super(kernels);
        this.square = Math.min(kernels.square(), COMPLEX ? element == 16 ? 16 : 24 : Long.MAX_VALUE);
        this.matrices = new ScratchPool(COPIED * COPIED * element);
        this.lines = new ScratchPool(2 * LONGEST * element);
    }

    @Override
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if ((alphaRe == 0 && alphaIm == 0) || k <= 0) {
            scalMatrix(m, n, betaRe, betaIm, c, ldc);
            return;
        }
        kernels.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
    }

    @Override
    public void wholeGemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if ((m == 1 || n == 1) && k >= LINE && (alphaRe != 0 || alphaIm != 0)
                && oneLine(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc)) {
            return;
        }
        boolean few = kernels.fewLines() != null && m > 0 && n > 0 && alphaRe != 0;
        if (!few || !kernels.fewLines().gemm(this, opA, opB, m, n, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc)) {
            gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
        }
    }

    /**
     * A small product of one row or column, as a matrix times a vector: tiles of one row are mostly empty. Longer ones are launched so. False, with nothing done, where tiles are
     * columns, and for what would have to be conjugated.
     */
    private boolean oneLine(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        boolean row = m == 1 && (n > 1 || opA == Op.NONE);
        long longest = Math.max(k, m * n);
        boolean conjugated = COMPLEX && (opB == Op.CONJ_TRANS || row && opA == Op.CONJ_TRANS);
        if (longest > kernels.blocking().thin() || m * n == 0 || conjugated || !row && opA == Op.NONE) {
            return false;
        }
        if (row) {
            boolean plain = opB == Op.NONE;
            gemv(plain ? Op.TRANS : Op.NONE, plain ? k : n, plain ? n : k, alphaRe, alphaIm, b, ldb, a,
                    opA == Op.NONE ? lda : 1, betaRe, betaIm, c, ldc);
        } else {
            gemv(opA, k, m, alphaRe, alphaIm, a, lda, b, opB == Op.NONE ? 1 : ldb, betaRe, betaIm, c, 1);
        }
        return true;
    }

    @Override
    public void gemmt(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        if ((alphaRe == 0 && alphaIm == 0) || n <= 0 || k <= 0) {
            scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
            return;
        }
        if (betaIm != 0 && !hermitian) {
            scalTriangle(uplo, false, n, betaRe, betaIm, c, ldc);
            gemmt(uplo, opA, opB, false, n, k, alphaRe, alphaIm, a, lda, b, ldb, 1, 0, c, ldc, work, workBytes);
            return;
        }
        if (n == 1) {
            oneSum(opA, opB, hermitian, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, 1);
            return;
        }
        boolean lower = uplo == Uplo.LOWER;
        if (COMPLEX && opA != Op.NONE && n <= square && k <= TURNED && (a | b) >= 0) {
            // By element: a small product would have it turned by machine code, in blocks.
            MemorySegment memory = matrices.take();
            long x = memory.address();
            if (opA == Op.TRANS) {
                turn(n, k, a, lda, x);
            } else {
                rows(n, k, a, lda, x);
            }
            kernels.gemmt(lower, Op.NONE, opB, hermitian, n, k, alphaRe, alphaIm, x, n, b, ldb, betaRe, c, ldc, work,
                    workBytes);
            matrices.give(memory);
            return;
        }
        if (n <= square || (n <= kernels.triangle() && k > AssembledKernels.SHALLOW)) {
            kernels.gemmt(lower, opA, opB, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, c, ldc, work,
                    workBytes);
            return;
        }
        // Halves, and the product beside them: the lower left of C, or the upper right.
        if (opA != Op.NONE && !(opA == Op.CONJ_TRANS && COMPLEX) && n * k <= 2 * LONGEST && (a | b) >= 0) {
            // Each half would transpose its rows.
            MemorySegment memory = lines.take();
            long x = memory.address();
            turn(n, k, a, lda, x);
            gemmt(uplo, Op.NONE, opB, hermitian, n, k, alphaRe, alphaIm, x, n, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
            lines.give(memory);
            return;
        }
        long n1 = firstHalf(n);
        long n2 = n - n1;
        long a2 = a + n1 * (opA == Op.NONE ? 1 : lda) * element;
        long b2 = b + n1 * (opB == Op.NONE ? ldb : 1) * element;
        long c22 = c + n1 * (ldc + 1) * element;
        long m = lower ? n2 : n1;
        long left = lower ? a2 : a;
        long right = lower ? b : b2;
        long beside = c + n1 * (lower ? 1 : ldc) * element;
        gemmt(uplo, opA, opB, hermitian, n1, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
        gemm(opA, opB, m, n - m, k, alphaRe, alphaIm, left, lda, right, ldb, betaRe, 0, beside, ldc, work, workBytes);
        gemmt(uplo, opA, opB, hermitian, n2, k, alphaRe, alphaIm, a2, lda, b2, ldb, betaRe, betaIm, c22, ldc, work,
                workBytes);
    }

    /** A triangle of one number, to which the sum is added so many times. */
    private void oneSum(Op opA, Op opB, boolean hermitian, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, double betaRe, double betaIm, long c, long ldc, int times) {
        boolean conjA = COMPLEX && opA == Op.CONJ_TRANS;
        boolean conjB = COMPLEX && opB == Op.CONJ_TRANS;
        long incA = opA == Op.NONE ? lda : 1;
        long incB = opB == Op.NONE ? 1 : ldb;
        MemorySegment memory = matrices.take();
        long number = memory.address();
        if (conjB && !conjA) {
            dot(k, b, incB, a, incA, true, number);
        } else {
            dot(k, a, incA, b, incB, conjA && !conjB, number);
        }
        if (conjA && conjB) {
            conjugate(1, number, 1, number, 1);
        }
        if (alphaRe != 1 || alphaIm != 0) {
            scal(1, alphaRe, alphaIm, !COMPLEX, number, 1);
        }
        if (hermitian) {
            scalTriangle(Uplo.LOWER, true, 1, 1, 0, number, 1);
        }
        scalTriangle(Uplo.LOWER, hermitian, 1, betaRe, betaIm, c, ldc);
        for (int i = 0; i < times; i++) {
            axpy(1, 1, 0, number, 1, c, 1);
        }
        matrices.give(memory);
    }

    @Override
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc) {
        syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, 0, 0);
    }

    @Override
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        if ((alphaRe == 0 && alphaIm == 0) || n <= 0 || k <= 0 || n > kernels.triangle()) {
            super.syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc);
        } else if (n == 1) {
            long step = op == Op.NONE ? lda : 1;
            MemorySegment memory = matrices.take();
            long number = memory.address();
            dot(k, a, step, a, step, hermitian, number);
            if (hermitian) {
                scalTriangle(uplo, true, 1, 1, 0, number, 1);
            }
            scalTriangle(uplo, hermitian, 1, betaRe, betaIm, c, ldc);
            axpy(1, alphaRe, alphaIm, number, 1, c, 1);
            matrices.give(memory);
        } else if (k <= AssembledKernels.SINGLE_RANKS && betaRe == 1 && betaIm == 0 && n <= LONGEST) {
            byRank(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, c, ldc);
        } else {
            Op factor = hermitian ? Op.CONJ_TRANS : Op.TRANS;
            boolean turned = op != Op.NONE;
            gemmt(uplo, turned ? factor : Op.NONE, turned ? Op.NONE : factor, hermitian, n, k, alphaRe, alphaIm, a, lda,
                    a, lda, betaRe, betaIm, c, ldc, work, workBytes);
        }
    }

    @Override
    public void wholeSyrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        // The diagonal of a Hermitian triangle becomes real column by column, which takes as long as a short column.
        boolean deep = k >= (hermitian ? LONG * n : n);
        boolean columns =
                COMPLEX && n > 1 && k > 0 && n <= (deep ? FEW_COLUMNS : hermitian ? FEWER_COLUMNS / 2 : FEWER_COLUMNS);
        if (columns && op != Op.NONE && (alphaRe != 0 || alphaIm != 0)) {
            columnByColumn(uplo, hermitian ? Op.CONJ_TRANS : Op.TRANS, hermitian, n, k, alphaRe, alphaIm, a, lda, a,
                    lda, betaRe, betaIm, c, ldc);
            return;
        }
        boolean few = kernels.fewLines() != null && n > 1 && alphaRe != 0;
        if (!few || !kernels.fewLines().syrk(this, uplo, op, n, k, alphaRe, a, lda, betaRe, c, ldc)) {
            syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, work, workBytes);
        }
    }

    @Override
    public void wholeGemmt(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        boolean few = n > 1 && k > 0 && n <= (k >= DEEP * n ? PAIRED_COLUMNS : FEWEST_COLUMNS);
        if (few && opA != Op.NONE && opB == Op.NONE && (alphaRe != 0 || alphaIm != 0)) {
            columnByColumn(uplo, opA, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc);
            return;
        }
        gemmt(uplo, opA, opB, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
    }

    /** Few columns beside each other: of each column of the triangle the products of one of the second factor with those of the first. They lie as they are wanted, where a small product would turn the first. */
    private void columnByColumn(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        boolean lower = uplo == Uplo.LOWER;
        for (long j = 0; j < n; j++) {
            long first = lower ? j : 0;
            long diagonal = c + j * (ldc + 1) * element;
            if (hermitian && betaRe != 0) {
                scalTriangle(uplo, true, 1, 1, 0, diagonal, 1);
            }
            gemv(op, k, lower ? n - j : j + 1, alphaRe, alphaIm, a + first * lda * element, lda, b + j * ldb * element,
                    1, betaRe, betaIm, c + (first + j * ldc) * element, 1);
            if (hermitian) {
                scalTriangle(uplo, true, 1, 1, 0, diagonal, 1);
            }
        }
    }

    /** Few products of vectors are updates by rank. They come here without a launch alone: scopes launch the updates, so that none is cut for threads. Rows that are conjugated have no such launch, and are not cut either. */
    @Override
    public void syr2k(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean plain = op == Op.NONE;
        boolean turned = hermitian && !plain && COMPLEX;
        if (k > RankUpdates.most(COMPLEX, turned, n) || turned && n > LONGEST || (alphaRe == 0 && alphaIm == 0)) {
            if (!COMPLEX && n > 0 && n <= kernels.triangle() && k > 0 && k <= kernels.bothDepth() && alphaRe != 0) {
                both(uplo, op, n, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc, work, workBytes);
                return;
            }
            super.syr2k(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
            return;
        }
        scalTriangle(uplo, hermitian, n, betaRe, betaIm, c, ldc);
        long next = (plain ? lda : 1) * element;
        long nextB = (plain ? ldb : 1) * element;
        if (turned) {
            MemorySegment memory = lines.take();
            long x = memory.address();
            long most = LONGEST / n;
            for (long i = 0; i < k; i += most) {
                long count = Math.min(most, k - i);
                long y = x + n * count * element;
                rows(n, count, a + i * element, lda, x);
                rows(n, count, b + i * element, ldb, y);
                for (long j = 0; j < count; j++) {
                    long column = j * n * element;
                    syr2(uplo, true, n, 0, n, alphaRe, alphaIm, x + column, 1, y + column, 1, c, ldc, 0);
                }
            }
            lines.give(memory);
            return;
        }
        for (long i = 0; i < k; i++) {
            syr2(uplo, hermitian, n, 0, n, alphaRe, alphaIm, a + i * next, plain ? 1 : lda, b + i * nextB,
                    plain ? 1 : ldb, c, ldc, 0);
        }
    }

    /** A small complex triangle is that of one square and its transpose, too, conjugated or not. Its bits are not those of two products, so no part of a larger one is as small. */
    @Override
    public void wholeSyr2k(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (!zero && RankUpdates.beside(COMPLEX, hermitian && op != Op.NONE && COMPLEX, n, k)) {
            syr2kColumns(uplo, op, hermitian, n, 0, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc,
                    work, workBytes);
            return;
        }
        if (!COMPLEX || zero || k <= FEW || n <= 1 || n > Math.min(AssembledKernels.BOTH, kernels.square())) {
            syr2k(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
            return;
        }
        double beta = betaRe;
        if (betaIm != 0 && !hermitian) {
            scalTriangle(uplo, false, n, betaRe, betaIm, c, ldc);
            beta = 1;
        }
        kernels.syr2k(uplo == Uplo.LOWER, op, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, beta, c, ldc, work,
                workBytes);
    }

    @Override
    public void syr2kColumns(Uplo uplo, Op op, boolean hermitian, long n, long p, long q, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes) {
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (!zero && RankUpdates.beside(COMPLEX, hermitian && op != Op.NONE && COMPLEX, n, k)) {
            kernels.syr2kBeside(uplo == Uplo.LOWER, op, hermitian, n, p, q, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe,
                    hermitian ? 0 : betaIm, c, ldc, work, workBytes);
        } else {
            super.syr2kColumns(uplo, op, hermitian, n, p, q, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c,
                    ldc, work, workBytes);
        }
    }

    /** The order of the first half of a triangle: whole tiles, or whole vectors of a small one. */
    private long firstHalf(long n) {
        long whole = n <= HALVED ? VECTOR / element : TILE;
        return n / 2 + whole - 1 & -whole;
    }

    /** Both products of a real syr2k: small triangles are those of one square and its transpose, halves of larger ones meet at two products. */
    private void both(Uplo uplo, Op op, long n, long k, double alphaRe, long a, long lda, long b, long ldb,
            double betaRe, long c, long ldc, long work, long workBytes) {
        boolean lower = uplo == Uplo.LOWER;
        if (n == 1) {
            // With exchanged factors the sum is the same.
            oneSum(op, op == Op.NONE ? Op.TRANS : Op.NONE, false, k, alphaRe, 0, a, lda, b, ldb, betaRe, 0, c, ldc, 2);
            return;
        }
        if (n <= kernels.square()) {
            kernels.syr2k(lower, op, false, n, k, alphaRe, 0, a, lda, b, ldb, betaRe, c, ldc, work, workBytes);
            return;
        }
        boolean plain = op == Op.NONE;
        if (!plain && n * k <= LONGEST && (a | b) >= 0) {
            // Each half would transpose its rows.
            MemorySegment memory = lines.take();
            long x = memory.address();
            long y = x + n * k * element;
            turn(n, k, a, lda, x);
            turn(n, k, b, ldb, y);
            both(uplo, Op.NONE, n, k, alphaRe, x, n, y, n, betaRe, c, ldc, work, workBytes);
            lines.give(memory);
            return;
        }
        Op turned = plain ? Op.TRANS : Op.NONE;
        long n1 = firstHalf(n);
        long n2 = n - n1;
        long a2 = a + n1 * (plain ? 1 : lda) * element;
        long b2 = b + n1 * (plain ? 1 : ldb) * element;
        long c22 = c + n1 * (ldc + 1) * element;
        long m = lower ? n2 : n1;
        long beside = c + n1 * (lower ? 1 : ldc) * element;
        both(uplo, op, n1, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc, work, workBytes);
        gemm(op, turned, m, n - m, k, alphaRe, 0, lower ? a2 : a, lda, lower ? b : b2, ldb, betaRe, 0, beside, ldc,
                work, workBytes);
        gemm(op, turned, m, n - m, k, alphaRe, 0, lower ? b2 : b, ldb, lower ? a : a2, lda, 1, 0, beside, ldc, work,
                workBytes);
        both(uplo, op, n2, k, alphaRe, a2, lda, b2, ldb, betaRe, c22, ldc, work, workBytes);
    }

    /** Updates by rank one: a triangle that stays is read and written as often as a square aside would be. */
    private void byRank(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long c, long ldc) {
        boolean plain = op == Op.NONE;
        boolean turned = hermitian && !plain && COMPLEX;
        MemorySegment memory = turned ? lines.take() : null;
        for (long i = 0; i < k; i++) {
            long x = a + i * (plain ? lda : 1) * element;
            long step = plain ? 1 : lda;
            if (turned) {
                rows(n, 1, x, lda, memory.address());
                x = memory.address();
                step = 1;
            }
            syr(uplo, hermitian, n, 0, n, alphaRe, alphaIm, x, step, c, ldc, 0);
        }
        if (turned) {
            lines.give(memory);
        }
    }

    /** Some rows of n elements as columns without gaps. */
    private void turn(long n, long count, long a, long lda, long x) {
        long to = x;
        for (long i = 0; i < count; i++) {
            long from = a + i * element;
            for (long j = 0; j < n; j++, from += lda * element, to += element) {
                f64(to, f64(from));
                if (COMPLEX) {
                    f64(to + 8L, f64(from + 8L));
                }
            }
        }
    }

    /** The conjugates of some rows of n elements as columns without gaps; few elements are moved one by one. */
    private void rows(long n, long count, long a, long lda, long x) {
        if (n > ROW) {
            geam(Op.CONJ_TRANS, Op.NONE, n, count, 1, 0, a, lda, 0, 0, x, n, x, n);
            return;
        }
        for (long i = 0; i < count; i++) {
            conjugate(n, a + i * element, lda, x + i * n * element, 1);
        }
    }

    @Override
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
    }

    @Override
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        boolean left = side == Side.LEFT;
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (!zero && m > 0 && n > 0 && (left ? m : n) == 1) {
            oneFactor(side, op, unit, m, n, alphaRe, alphaIm, a, b, ldb);
        } else if (zero || m <= 0 || n <= 0 || (left ? m : n) > kernels.triangle()) {
            super.trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        } else if ((left ? n : m) <= AssembledKernels.FEW_LINES && isVector(left, op)
                && !isWorthATile(left, left ? m : n, left ? n : m)) {
            if (alphaRe != 1 || alphaIm != 0) {
                scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            }
            for (long i = 0; i < (left ? n : m); i++) {
                trmv(uplo, left ? op : turned(op), diag, left ? m : n, a, lda, b + i * (left ? ldb : 1) * element,
                        left ? 1 : ldb);
            }
        } else {
            kernels.trmm(left, lower, op, unit, m, n, alphaRe, alphaIm, a, lda, b, ldb, work, workBytes);
        }
    }

    @Override
    public void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, 0, 0);
    }

    @Override
    public void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean left = side == Side.LEFT;
        boolean lower = uplo == Uplo.LOWER;
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (!zero && m > 0 && n > 0 && (left ? m : n) == 1) {
            oneNumber(hermitian, m, n, alphaRe, alphaIm, a, b, ldb, betaRe, betaIm, c, ldc);
        } else if (zero || m <= 0 || n <= 0 || (left ? m : n) > kernels.triangle()) {
            super.symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc);
        } else if (isOneByOne(left, left ? m : n, left ? n : m)) {
            for (long i = 0; i < (left ? n : m); i++) {
                long step = i * element;
                if (left) {
                    symv(uplo, hermitian, m, alphaRe, alphaIm, a, lda, b + step * ldb, 1, betaRe, betaIm,
                            c + step * ldc, 1);
                } else if (hermitian && COMPLEX) {
                    row(uplo, n, alphaRe, alphaIm, a, lda, b + step, ldb, betaRe, betaIm, c + step, ldc);
                } else {
                    symv(uplo, false, n, alphaRe, alphaIm, a, lda, b + step, ldb, betaRe, betaIm, c + step, ldc);
                }
            }
        } else {
            kernels.symm(left, lower, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
        }
    }

    /** Whether lines beside a symmetric matrix are given to it one by one. */
    private boolean isOneByOne(boolean left, long order, long lines) {
        if (lines == 1 || lines >= AssembledKernels.FEW_LINES) {
            return lines == 1;
        }
        if (!left) {
            return order > ROWS + 4 * lines;
        }
        boolean single = element == (COMPLEX ? 8 : 4);
        return lines == PAIR ? !single || order > COLUMNS : order * element > COLUMN;
    }

    /** Whether a few lines beside a small triangle are sooner multiplied together than one by one: tiny triangles are not. */
    private boolean isWorthATile(boolean left, long order, long lines) {
        return lines > PAIR && order <= kernels.panel() && !(left && order <= SHORTEST);
    }

    /** Whether a line beside op(A) is a vector that A, or its transpose, works on: a conjugate on the right is neither. */
    private boolean isVector(boolean left, Op op) {
        return left || op != Op.CONJ_TRANS || !COMPLEX;
    }

    private static Op turned(Op op) {
        return op == Op.NONE ? Op.TRANS : Op.NONE;
    }

    /** c := alpha·b·A + beta·c for rows beside a Hermitian A: what is conjugated of all that is the product with a column. */
    private void row(Uplo uplo, long n, double alphaRe, double alphaIm, long a, long lda, long b, long ldb,
            double betaRe, double betaIm, long c, long ldc) {
        MemorySegment memory = lines.take();
        long x = memory.address();
        long y = x + n * element;
        conjugate(n, b, ldb, x, 1);
        if (betaRe != 0 || betaIm != 0) {
            conjugate(n, c, ldc, y, 1);
        }
        symv(uplo, true, n, alphaRe, -alphaIm, a, lda, x, 1, betaRe, -betaIm, y, 1);
        conjugate(n, y, 1, c, ldc);
        lines.give(memory);
    }

    /** A vector becomes the conjugate of another: by element, but where one lies in an array of Java. */
    private void conjugate(long n, long x, long incx, long y, long incy) {
        if (x < 0 || y < 0) {
            boolean row = incx != 1;
            geam(Op.CONJ_TRANS, Op.NONE, row ? n : 1, row ? 1 : n, 1, 0, x, row ? incx : n, 0, 0, y, row ? n : incy, y,
                    row ? n : incy);
            return;
        }
        for (long i = 0, from = x, to = y; i < n; i++, from += incx * element, to += incy * element) {
            // The imaginary part of a pair of floats is the upper half.
            long first = i64(from);
            i64(to, element == 16 ? first : first ^ Long.MIN_VALUE);
            if (element == 16) {
                i64(to + 8, i64(from + 8) ^ Long.MIN_VALUE);
            }
        }
    }

    /** B := alpha·op(the number at a)·B, a row or a column; the number is 1 if {@code unit}. */
    private void oneFactor(Side side, Op op, boolean unit, long m, long n, double alphaRe, double alphaIm, long a,
            long b, long ldb) {
        if (m == 1 && n > 1 && ldb == 1) {
            // A row without gaps is a column.
            oneFactor(side == Side.LEFT ? Side.RIGHT : Side.LEFT, op, unit, n, 1, alphaRe, alphaIm, a, b, n);
            return;
        }
        if (alphaRe != 1 || alphaIm != 0) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
        }
        if (unit) {
            return;
        }
        if ((a | b) >= 0) {
            double im = op == Op.CONJ_TRANS ? -part(a, 1) : part(a, 1);
            scal(m * n, part(a, 0), im, false, b, n == 1 ? 1 : ldb);
            return;
        }
        MemorySegment memory = matrices.take();
        long number = memory.address();
        geam(op, Op.NONE, 1, 1, 1, 0, a, 1, 0, 0, number, 1, number, 1);
        dgmm(side, m, n, b, ldb, number, 1, b, ldb);
        matrices.give(memory);
    }

    /** The real part of an element, or the imaginary one. */
    private double part(long a, int which) {
        return which == 0 ? f64(a) : COMPLEX ? f64(a + 8L) : 0;
    }

    /** C := alpha·(the number at a)·B + beta·C, a row or a column. */
    private void oneNumber(boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a, long b, long ldb,
            double betaRe, double betaIm, long c, long ldc) {
        if (m == 1 && n > 1 && ldb == 1 && ldc == 1) {
            oneNumber(hermitian, n, 1, alphaRe, alphaIm, a, b, n, betaRe, betaIm, c, n);
            return;
        }
        MemorySegment memory = matrices.take();
        long number = memory.address();
        if (a < 0) {
            expand(Uplo.LOWER, Diag.NON_UNIT, hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC, 1, a, 1, number,
                    1);
        } else {
            f64(number, part(a, 0));
            if (COMPLEX) {
                f64(number + 8L, hermitian ? 0 : part(a, 1));
            }
        }
        if (alphaRe != 1 || alphaIm != 0) {
            scal(1, alphaRe, alphaIm, !COMPLEX, number, 1);
        }
        scalMatrix(m, n, betaRe, betaIm, c, ldc);
        if ((b | c) < 0) {
            ger(m, n, 1, 0, n == 1 ? b : number, 1, n == 1 ? number : b, n == 1 ? 1 : ldb, false, c, ldc);
        } else {
            // As a matrix a row would be gone through column by column.
            axpy(m * n, part(number, 0), part(number, 1), b, n == 1 ? 1 : ldb, c, n == 1 ? 1 : ldc);
        }
        matrices.give(memory);
    }

    /** B := B over op(the number at a), a row or a column, where its reciprocal is to be trusted: with the bits of solves for more unknowns. */
    private boolean oneUnknown(boolean left, Op op, boolean unit, long sides, long a, long b, long ldb) {
        if (unit) {
            return true;
        }
        MemorySegment memory = matrices.take();
        long number = memory.address();
        fill(1, 1, 0, number, 1);
        boolean done = byElement.solve(1, false, op == Op.CONJ_TRANS, a, 1, 1, 1, number, 1, 1);
        if (done) {
            scal(sides, part(number, 0), part(number, 1), !COMPLEX, b, left ? ldb : 1);
        }
        matrices.give(memory);
        return done;
    }

    /** The same for some columns of real numbers: each is a vector, and panels have room for more unknowns. */
    private boolean columns(boolean backward, boolean plain, boolean unit, long order, long sides, long a, long lda,
            long b, long ldb) {
        long first = backward ? order - 1 : 0;
        long step = backward ? -1 : 1;
        long along = (plain ? lda : 1) * step * element;
        MemorySegment memory = matrices.take();
        long numbers = memory.address();
        fill(order, 1, 0, numbers, 1);
        boolean done = true;
        for (long u = 0; u < order && !unit && done; u++) {
            long diagonal = a + (first + u * step) * (lda + 1) * element;
            done = byElement.solve(1, false, false, diagonal, 1, 1, 1, numbers + u * element, 1, 1);
        }
        for (long u = 0; u < order && done; u++) {
            long x = b + (first + u * step) * ldb * element;
            if (!unit) {
                scal(sides, part(numbers + u * element, 0), 0, true, x, 1);
            }
            long diagonal = a + (first + u * step) * (lda + 1) * element;
            for (long v = 1; v < order - u; v++) {
                axpy(sides, -part(diagonal + v * along, 0), 0, x, 1, x + v * step * ldb * element, 1);
            }
        }
        matrices.give(memory);
        return done;
    }

    @Override
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb) {
        trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0);
    }

    @Override
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        boolean left = side == Side.LEFT;
        long order = left ? m : n;
        boolean assembled = (alphaRe != 0 || alphaIm != 0) && m > 0 && n > 0 && order <= kernels.triangle();
        boolean lower = uplo == Uplo.LOWER;
        boolean unit = diag == Diag.UNIT;
        long sides = left ? n : m;
        if (assembled && order == 1 && (a | b) >= 0) {
            if (alphaRe != 1 || alphaIm != 0) {
                scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            }
            if (!oneUnknown(left, op, unit, sides, a, b, ldb)) {
                super.trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb);
            }
            return;
        }
        if (assembled && !COMPLEX && !left && order <= VECTORS && sides >= APART && (a | b) >= 0) {
            if (alphaRe != 1) {
                scalMatrix(m, n, alphaRe, 0, b, ldb);
            }
            if (!columns(lower == (op == Op.NONE), op == Op.NONE, unit, order, sides, a, lda, b, ldb)) {
                super.trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb);
            }
            return;
        }
        long least = left && !(COMPLEX && element == 8) ? LEAST_COLUMNS : LEAST_SOLVE;
        boolean few = order <= kernels.unknowns() && sides * order * order <= (order <= 3 ? least : TINY_SOLVE);
        boolean onHeap = (a | b) < 0;
        // Of one block of unknowns machine code, too, rounds alpha times B before all else.
        // Rows lie apart: three of them are sooner solved together, as long as the triangle is small.
        boolean alone = left || order > TOGETHER;
        boolean vectors = isVector(left, op) && sides <= (alone ? AssembledKernels.FEW_LINES : PAIR);
        boolean scaled = few && !onHeap || vectors;
        if (assembled && (alphaIm != 0 || scaled && alphaRe != 1)) {
            scalMatrix(m, n, alphaRe, alphaIm, b, ldb);
            trsm(side, uplo, op, diag, m, n, 1, 0, a, lda, b, ldb, work, workBytes);
            return;
        }
        boolean tiny = assembled && few && alphaRe == 1;
        if (tiny && !onHeap && tinySolve(left, lower, op, unit, order, sides, a, lda, b, ldb)) {
            return;
        }
        // What is done by element elsewhere has the kernel's bits.
        if (!(tiny && onHeap) && assembled && vectors && alphaRe == 1) {
            for (long i = 0; i < sides; i++) {
                trsv(uplo, left ? op : turned(op), diag, order, a, lda, b + i * (left ? ldb : 1) * element,
                        left ? 1 : ldb);
            }
            return;
        }
        if (assembled && kernels.trsm(left, lower, op, unit, m, n, alphaRe, a, lda, b, ldb, work, workBytes)) {
            return;
        }
        if (onHeap) {
            copiedTrsm(side, uplo, op, diag, m, n, alphaRe, a, lda, b, ldb);
        } else {
            super.trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
        }
    }

    private boolean tinySolve(boolean left, boolean lower, Op op, boolean unit, long n, long sides, long a, long lda,
            long b, long ldb) {
        boolean plain = op == Op.NONE;
        boolean backward = (lower == plain) != left;
        long last = backward ? n - 1 : 0;
        long sign = backward ? -1 : 1;
        long dp = left == plain ? lda : 1;
        long dq = left == plain ? 1 : lda;
        long du = left ? 1 : ldb;
        return byElement.solve(n, unit, op == Op.CONJ_TRANS, a + last * (lda + 1) * element, sign * dp, sign * dq,
                sides, b + last * du * element, sign * du, left ? ldb : 1);
    }

    /** A solve in arrays of Java with a diagonal that kernels do not trust, infinite for one: by element on copies, for which memory is taken. */
    private void copiedTrsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, long a, long lda,
            long b, long ldb) {
        long order = side == Side.LEFT ? m : n;
        try (Arena arena = Arena.ofConfined()) {
            long t = arena.allocate(order * order * element, element).address();
            long x = arena.allocate(m * n * element, element).address();
            copy(true, order, order, a, lda, t);
            copy(true, m, n, b, ldb, x);
            super.trsm(side, uplo, op, diag, m, n, alphaRe, 0, t, order, x, m);
            copy(false, m, n, b, ldb, x);
        }
    }

    /** Copies a matrix to memory, where its columns lie without gaps, or back. */
    private void copy(boolean load, long rows, long cols, long a, long lda, long memory) {
        if (a < 0) {
            HeapOperands.copy(load, rows, cols, a, lda, memory);
            return;
        }
        for (long j = 0; j < cols; j++) {
            long at = a + j * lda * element;
            long place = memory + j * rows * element;
            Memory.copy(load ? at : place, load ? place : at, rows * element);
        }
    }
}
