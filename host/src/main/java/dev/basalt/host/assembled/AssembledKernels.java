package dev.basalt.host.assembled;

import dev.basalt.host.assembled.batch.BatchDots;
import dev.basalt.host.assembled.code.CodeMemory;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.factor.Factor;
import dev.basalt.host.assembled.matvec.FewLines;
import dev.basalt.host.assembled.matvec.Maps;
import dev.basalt.host.assembled.matvec.Matvec;
import dev.basalt.host.assembled.matvec.Stored;
import dev.basalt.host.assembled.product.PlainComplexProduct;
import dev.basalt.host.assembled.product.PlainProduct;
import dev.basalt.host.assembled.product.Product;
import dev.basalt.host.assembled.product.ProductPool;
import dev.basalt.host.assembled.product.ProductTable;
import dev.basalt.host.assembled.product.Solve;
import dev.basalt.host.assembled.product.Structure;
import dev.basalt.host.assembled.product.Transposition;
import dev.basalt.host.assembled.product.WrittenOut;
import dev.basalt.host.assembled.reflect.Reflectors;
import dev.basalt.host.assembled.stream.Level1;
import dev.basalt.host.assembled.stream.StreamTable;
import dev.basalt.host.assembled.stream.Strided;
import dev.basalt.host.assembled.stream.StridedPairs;
import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.CpuFeatures;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.spi.DriverException;
import dev.basalt.spi.GemmBlocking;
import dev.basalt.spi.RankUpdates;
import dev.basalt.type.Op;
import java.lang.foreign.MemorySegment;

/**
 * The assembled kernels of one element type: what the leaves of the engine are made of. Any number of threads may use one object.
 */
public final class AssembledKernels {
    /** Bytes of a transposed A that is written out: a part of the second-level cache. */
    private static final long TURNED = 128 << 10;

    /** Few lines beside a triangle or a symmetric matrix, columns on its right or rows on its left, are vectors; so no part of more of them may have as few. */
    public static final long FEW_LINES = 4;

    /** Sums of so few products of vectors are updates by rank. */
    public static final long RANKS = RankUpdates.FEW;

    /** The same of one factor, which is added to a triangle as it is. */
    public static final long SINGLE_RANKS = 2;

    /** Order up to which both products of a complex syr2k or her2k are one; so no part of a larger one may be as small. */
    public static final long BOTH = RankUpdates.SQUARE;

    /** Inner dimension up to which a triangle is better computed as a square. */
    public static final long SHALLOW = 48;

    /** Order up to which it is with any inner dimension of one piece: with more, beta·C would be added last instead of first. */
    private static final long NARROW = 12;

    /** Complex products with an inner dimension up to this read their operands in place, whatever the sides (up to twice the speed, Zen 3). */
    private static final long FLAT = 32;

    /** So do those with an inner dimension of one piece beside so few rows or columns, which gain as much. */
    private static final long FEW = 64;

    private final ProductTable kernels;
    private final Transposition transposition;
    private final ScratchPool turns = new ScratchPool(TURNED);
    private final GemmBlocking blocking;
    private final PlainProduct plain;
    private final ProductPool products;
    private final boolean complex;
    /** Order up to which products read their operands in place. */
    private final int small;
    /** Bytes of a real number. */
    private final int size;

    private final Matvec level2;
    private final Stored stored;
    private final Maps maps;
    /** Null of complex numbers. */
    private final FewLines fewLines;

    private final Factor factor;
    private final Reflectors reflectors;
    private final StreamTable streams;
    private final Level1 level1;
    private final Strided strided;
    private final StridedPairs stridedPairs;
    /** Null of complex numbers. */
    private final BatchDots dots;

    private AssembledKernels(Shape shape, boolean complex) {
        this.kernels = new ProductTable(shape);
        this.blocking = Product.blocking(shape, complex);
        this.complex = complex;
        this.small = Product.small(shape, complex);
        this.size = shape.precision().bytes;
        this.plain = new PlainProduct(kernels);
        this.products = new ProductPool(kernels, complex);
        this.level2 = new Matvec(shape, complex);
        this.stored = new Stored(shape, complex, level2);
        this.transposition = new Transposition(kernels);
        this.maps = new Maps(shape, complex, transposition);
        this.fewLines = level2.fewLines();
        this.factor = new Factor(shape, complex);
        this.reflectors = new Reflectors(shape, complex);
        this.streams = new StreamTable(shape, complex);
        this.level1 = new Level1(streams, complex);
        this.strided = new Strided(streams);
        this.stridedPairs = new StridedPairs(streams);
        this.dots = complex ? null : new BatchDots(shape);
    }

    /**
     * Kernels for real numbers.
     *
     * @param bits width of the vectors: 512 or 256
     * @param bytes 8 for double, 4 for float
     * @return kernels; they must not be called where the processor lacks the vectors
     */
    public static AssembledKernels real(int bits, int bytes) {
        return new AssembledKernels(shape(bits, bytes), false);
    }

    /**
     * Kernels for complex numbers.
     *
     * @param bits width of the vectors: 512 or 256
     * @param bytes of a real number: 8 for double, 4 for float
     * @return kernels; they must not be called where the processor lacks the vectors
     */
    public static AssembledKernels complex(int bits, int bytes) {
        return new AssembledKernels(shape(bits, bytes), true);
    }

    /**
     * The kernels of products.
     *
     * @return their table
     */
    public ProductTable products() {
        return kernels;
    }

    private static Shape shape(int bits, int bytes) {
        return new Shape(bits == 512 ? Isa.AVX512 : Isa.AVX2, bytes == 8 ? Real.F64 : Real.F32);
    }

    /**
     * The widest vectors that there are kernels for here.
     *
     * @return 512 or 256
     * @throws UnsupportedOperationException with the reason, if assembled kernels cannot run in this process
     */
    public static int vectorBits() {
        CallingConvention.current();
        try {
            return 8 * CpuFeatures.detect().best().bytes;
        } catch (DriverException e) {
            throw new UnsupportedOperationException(e.getMessage(), e);
        }
    }

    /**
     * Why new kernels cannot be written any more although the system allowed it before.
     *
     * @return the reason, or null while all is well
     */
    public static String refusal() {
        return CodeMemory.refusal();
    }

    /**
     * Writes the micro-kernels of whole tiles and checks them against scalar Java, as their first use would; with that the two
     * signatures of machine code are bound, which takes longer than the first product.
     *
     * @throws IllegalStateException if it computes nonsense
     */
    public void check() {
        kernels.tile(Shape.VECTORS, kernels.shape().columns(), false);
        kernels.direct(Shape.VECTORS, kernels.shape().columns(), false);
    }

    /**
     * Bytes of an element.
     *
     * @return those of one number, or of two
     */
    public long elementBytes() {
        return complex ? 2L * size : size;
    }

    /**
     * The packing blocks.
     *
     * @return blocks
     */
    public GemmBlocking blocking() {
        return blocking;
    }

    /**
     * The kernels of matrices and vectors.
     *
     * @return kernels
     */
    public Matvec level2() {
        return level2;
    }

    /**
     * The kernels of bands and of triangles stored in any way.
     *
     * @return kernels
     */
    public Stored stored() {
        return stored;
    }

    /**
     * Whether elements are complex.
     *
     * @return false for real ones
     */
    public boolean complex() {
        return complex;
    }

    /**
     * The kernels of reflectors.
     *
     * @return kernels
     */
    public Reflectors reflectors() {
        return reflectors;
    }

    /**
     * Dot products of a few problems.
     *
     * @return them; null if elements are complex
     */
    public BatchDots dots() {
        return dots;
    }

    /**
     * Sums of matrices, and products with diagonal ones.
     *
     * @return their kernels
     */
    public Maps maps() {
        return maps;
    }

    /**
     * Products whose result has few rows or columns.
     *
     * @return them; null if elements are complex
     */
    public FewLines fewLines() {
        return fewLines;
    }

    /**
     * Factorisations and interchanges of rows.
     *
     * @return their kernels
     */
    public Factor factor() {
        return factor;
    }

    /**
     * C := alpha·op(A)·op(B) + beta·C with m, n, k and alpha not 0, as {@link dev.basalt.portable.Leaf#gemm}.
     *
     * @param opA form of A
     * @param opB form of B
     * @param m rows of C
     * @param n columns of C
     * @param k inner dimension
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param betaRe beta
     * @param betaIm its imaginary part
     * @param c address of C
     * @param ldc elements between C's columns
     * @param work packing memory, 64-byte aligned
     * @param workBytes bytes of it
     */
    public void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda, long b,
            long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        boolean inPlace = inPlace(opA, m, n, k, betaRe != 0);
        if (inPlace && opA == Op.NONE && !complex) {
            plain.run(opB == Op.NONE, (int) m, (int) n, (int) k, alphaRe, a, lda, b, ldb, betaRe, c, ldc);
            return;
        }
        if (inPlace && !complex) {
            turned(opB, m, n, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc);
            return;
        }
        Product product = products.take();
        multiply(product, inPlace, opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
        products.give(product);
    }

    private void multiply(Product product, boolean inPlace, Op opA, Op opB, long m, long n, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes) {
        if (!inPlace) {
            product.multiply(blocking, opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc,
                    work, workBytes);
        } else if (complex) {
            inPlace(product.plainComplex(), opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c,
                    ldc);
        } else if (opA == Op.NONE) {
            plain.run(opB == Op.NONE, (int) m, (int) n, (int) k, alphaRe, a, lda, b, ldb, betaRe, c, ldc);
        } else {
            turned(opB, m, n, k, alphaRe, a, lda, b, ldb, betaRe, c, ldc);
        }
    }

    /** A complex product that reads its operands in place, but for a transposed A, which is written out. */
    private void inPlace(PlainComplexProduct product, Op opA, Op opB, long m, long n, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc) {
        boolean plainB = opB == Op.NONE;
        boolean conjA = opA == Op.CONJ_TRANS;
        boolean conjB = opB == Op.CONJ_TRANS;
        if (opA == Op.NONE || m == 1) {
            // One row that lies in a column lies as it is wanted.
            product.run(plainB, conjA, conjB, (int) m, (int) n, (int) k, alphaRe, alphaIm, a, opA == Op.NONE ? lda : 1,
                    b, ldb, betaRe, betaIm, c, ldc);
            return;
        }
        int unit = 2 * size;
        MemorySegment memory = turns.take();
        long left = memory.address();
        long most = turnedRows(m, k);
        for (long i = 0; i < m; i += most) {
            long rows = Math.min(most, m - i);
            long column = turnedColumn(rows);
            transposition.run(unit, (int) rows, (int) k, a + i * lda * unit, lda * unit, left, column);
            product.run(plainB, conjA, conjB, (int) rows, (int) n, (int) k, alphaRe, alphaIm, left, column / unit, b,
                    ldb, betaRe, betaIm, c + i * unit, ldc);
        }
        turns.give(memory);
    }

    /** The product of a transposed real A, which is written out: nothing but the scratch for it is taken. */
    private void turned(Op opB, long m, long n, long k, double alpha, long a, long lda, long b, long ldb, double beta,
            long c, long ldc) {
        boolean plainB = opB == Op.NONE;
        if (m == 1) {
            // One row that lies in a column lies as it is wanted.
            plain.run(plainB, 1, (int) n, (int) k, alpha, a, 1, b, ldb, beta, c, ldc);
            return;
        }
        if (n == 1) {
            // One column is a row, and A lies as the second factor: the same products, in the same order.
            plain.run(true, 1, (int) m, (int) k, alpha, b, plainB ? 1 : ldb, a, lda, beta, c, 1);
            return;
        }
        MemorySegment memory = turns.take();
        long left = memory.address();
        if (plain.turns(m, k, TURNED)) {
            long column = plain.turn((int) m, (int) k, a, lda * size, left);
            plain.run(plainB, (int) m, (int) n, (int) k, alpha, left, column / size, b, ldb, beta, c, ldc);
            turns.give(memory);
            return;
        }
        long most = turnedRows(m, k);
        for (long i = 0; i < m; i += most) {
            long rows = Math.min(most, m - i);
            long column = turnedColumn(rows);
            transposition.run(size, (int) rows, (int) k, a + i * lda * size, lda * size, left, column);
            plain.run(plainB, (int) rows, (int) n, (int) k, alpha, left, column / size, b, ldb, beta, c + i * size,
                    ldc);
        }
        turns.give(memory);
    }

    /** Whether operands are read where they are; a transposed A, which would be packed anyway, where it is written out as one piece. */
    private boolean inPlace(Op opA, long m, long n, long k, boolean added) {
        boolean near = complex ? complexInPlace(m, n, k, added) : Product.inPlace(size, m, n, k, added);
        // Where there is no packing memory a transposed A is sooner written out in blocks of rows; else it is better packed.
        return near && (opA == Op.NONE || m <= turnedRows(m, k) || blocking.unpacked(m, n, k));
    }

    private boolean complexInPlace(long m, long n, long k, boolean added) {
        if (m <= small && n <= small && k <= small) {
            return true;
        }
        boolean shallow = k <= FLAT || k <= Product.KC && Math.min(m, n) <= FEW;
        return shallow && Product.isNear(2L * size, m, n, added);
    }

    /** Rows of a transposed A that are written out at a time: all, or whole tiles. */
    private long turnedRows(long m, long k) {
        if (k * turnedColumn(m) <= TURNED) {
            return m;
        }
        long tile = kernels.shape().rows() * (long) size;
        return (TURNED / k & -64) / tile * tile / elementBytes();
    }

    /** Bytes of a column of a transposed A: whole cache lines. */
    private long turnedColumn(long rows) {
        return rows * elementBytes() + 63 & -64;
    }

    /**
     * Solves op(A)·X = alpha·B or X·op(A) = alpha·B in place, as {@link dev.basalt.portable.Leaf#trsm}, with alpha not 0.
     *
     * @param left whether A is on the left
     * @param lower whether A is stored in its lower triangle
     * @param op form of A
     * @param unit whether the diagonal is one and is not read
     * @param m rows of B, at least 1
     * @param n columns of B, at least 1
     * @param alpha factor of B
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param work packing memory, 64-byte aligned; if it is too small, the kernels' own is used
     * @param workBytes bytes of it
     * @return false if nothing was done, because the reciprocal of a diagonal element would lose accuracy
     */
    public boolean trsm(boolean left, boolean lower, Op op, boolean unit, long m, long n, double alpha, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        Product product = products.take();
        boolean done =
                product.solve().run(left, lower, op, unit, (int) m, (int) n, alpha, a, lda, b, ldb, work, workBytes);
        products.give(product);
        return done;
    }

    /**
     * The largest triangle that {@link #trsm} and {@link #trmm} take, and the largest matrix that {@link #symm} takes.
     *
     * @return order
     */
    public int triangle() {
        return Solve.ORDER;
    }

    /**
     * The largest triangle that {@link #trmm} writes out, and multiplies with in place.
     *
     * @return order
     */
    public int panel() {
        return WrittenOut.panel(kernels.shape(), complex);
    }

    /**
     * Up to how many unknowns of {@link #trsm} are one block, so that substitution by element has the same bits.
     *
     * @return order
     */
    public int unknowns() {
        return kernels.shape().columns() / (complex ? 2 : 1);
    }

    /**
     * B := alpha·op(A)·B or alpha·B·op(A) with a triangular A of order up to {@link #triangle}, as
     * {@link dev.basalt.portable.Leaf#trmm}, with alpha not 0.
     *
     * @param left whether A is on the left
     * @param lower whether A is stored in its lower triangle
     * @param op form of A
     * @param unit whether the diagonal is one and is not read
     * @param m rows of B, at least 1
     * @param n columns of B, at least 1
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param work packing memory, 64-byte aligned; if it is too small, the kernels' own is used
     * @param workBytes bytes of it
     */
    public void trmm(boolean left, boolean lower, Op op, boolean unit, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, long work, long workBytes) {
        Structure structure = unit ? Structure.UNIT_TRIANGULAR : Structure.TRIANGULAR;
        Product product = products.take();
        if ((left ? m : n) <= panel()) {
            product.writtenOut().triangular(left, lower, op, unit, (int) m, (int) n, alphaRe, alphaIm, a, lda, b, ldb);
            products.give(product);
            return;
        }
        product.special()
                .run(structure, left, lower, op, (int) m, (int) n, alphaRe, alphaIm, a, lda, b, ldb, 0, 0, b, ldb, work,
                        workBytes);
        products.give(product);
    }

    /**
     * C := alpha·A·B + beta·C or alpha·B·A + beta·C with a symmetric or Hermitian A of order up to {@link #triangle}, as
     * {@link dev.basalt.portable.Leaf#symm}, with alpha not 0.
     *
     * @param left whether A is on the left
     * @param lower whether A is stored in its lower triangle
     * @param hermitian whether A is Hermitian
     * @param m rows of C, at least 1
     * @param n columns of C, at least 1
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param betaRe beta
     * @param betaIm its imaginary part
     * @param c address of C
     * @param ldc elements between C's columns
     * @param work packing memory, 64-byte aligned; if it is too small, the kernels' own is used
     * @param workBytes bytes of it
     */
    public void symm(boolean left, boolean lower, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        Structure structure = hermitian && complex ? Structure.HERMITIAN : Structure.SYMMETRIC;
        Product product = products.take();
        if ((left ? m : n) <= WrittenOut.SYMMETRIC) {
            product.writtenOut()
                    .symmetric(left, lower, hermitian && complex, (int) m, (int) n, alphaRe, alphaIm, a, lda, b, ldb,
                            betaRe, betaIm, c, ldc);
            products.give(product);
            return;
        }
        product.special()
                .run(structure, left, lower, Op.NONE, (int) m, (int) n, alphaRe, alphaIm, a, lda, b, ldb, betaRe,
                        betaIm, c, ldc, work, workBytes);
        products.give(product);
    }

    /**
     * The largest triangle that {@link #gemmt} computes as a whole square aside: of more, the square costs more than calls of kernels.
     *
     * @return order
     */
    public int square() {
        return WrittenOut.merged(kernels.shape(), complex);
    }

    /**
     * Triangle of C := alpha·op(A)·op(B) + beta·C, as {@link dev.basalt.portable.Leaf#gemmt}, with alpha and k not 0 and a real beta.
     *
     * @param lower whether C's lower triangle is meant
     * @param opA form of A
     * @param opB form of B
     * @param hermitian whether the diagonal ends real
     * @param n order of C, 1 to {@link #triangle}
     * @param k inner dimension
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param beta beta
     * @param c address of C
     * @param ldc elements between C's columns
     * @param work packing memory, 64-byte aligned; if it is too small, the kernels' own is used
     * @param workBytes bytes of it
     */
    public void gemmt(boolean lower, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double beta, long c, long ldc, long work, long workBytes) {
        Product product = products.take();
        if (n <= square() && k <= (n <= NARROW ? Product.KC : SHALLOW)) {
            WrittenOut aside = product.writtenOut();
            multiply(product, inPlace(opA, n, n, k, false), opA, opB, n, n, k, alphaRe, alphaIm, a, lda, b, ldb, 0, 0,
                    aside.square(), aside.pitch((int) n), work, workBytes);
            aside.merge(lower, hermitian, (int) n, beta, c, ldc);
        } else {
            product.rankUpdate()
                    .run(lower, opA, opB, hermitian, (int) n, (int) k, alphaRe, alphaIm, a, lda, b, ldb, beta, c, ldc,
                            work, workBytes);
        }
        products.give(product);
    }

    /**
     * Up to which inner dimension {@link #syr2k} of real numbers has the bits of two products: one piece of it.
     *
     * @return inner dimension
     */
    public long bothDepth() {
        return Product.KC;
    }

    /**
     * Triangle of C := alpha·op(A)·op(B)ᵀ + alpha·op(B)·op(A)ᵀ + beta·C, or with ᴴ and conj(alpha), as {@link dev.basalt.portable.Leaf#syr2k}, with alpha and k not 0: one product of a square and
     * its transpose, which has the bits of the other product where numbers are real. In complex products parts are added in another order there.
     *
     * @param lower whether C's lower triangle is meant
     * @param op form of A and B: NONE or another
     * @param hermitian whether the second product is conjugated, and the diagonal ends real
     * @param n order of C, 1 to {@link #square}
     * @param k inner dimension
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param beta beta
     * @param c address of C
     * @param ldc elements between C's columns
     * @param work scratch for packing, 0 if none
     * @param workBytes its size
     */
    public void syr2k(boolean lower, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double beta, long c, long ldc, long work, long workBytes) {
        Product product = products.take();
        WrittenOut aside = product.writtenOut();
        boolean conjugated = hermitian && complex;
        Op turned = op != Op.NONE ? Op.NONE : conjugated ? Op.CONJ_TRANS : Op.TRANS;
        multiply(product, inPlace(op, n, n, k, false), op, turned, n, n, k, alphaRe, alphaIm, a, lda, b, ldb, 0, 0,
                aside.square(), aside.pitch((int) n), work, workBytes);
        if (complex) {
            aside.mergeSum(transposition, lower, conjugated, (int) n, beta, c, ldc);
        } else {
            aside.mergeBoth(transposition, lower, (int) n, beta, c, ldc);
        }
        products.give(product);
    }

    /**
     * The kernels of vectors.
     *
     * @return their table
     */
    public StreamTable streams() {
        return streams;
    }

    /**
     * Columns p to q - 1 of the same triangle, of any order, as one product of both factors beside each other; in other bits.
     *
     * @param lower whether C's lower triangle is meant
     * @param op form of A and B: NONE or another
     * @param hermitian whether the second product is conjugated, and the diagonal ends real
     * @param n order of C
     * @param p first column
     * @param q column behind the last
     * @param k inner dimension, up to half of a piece of products
     * @param alphaRe alpha
     * @param alphaIm its imaginary part
     * @param a address of A
     * @param lda elements between A's columns
     * @param b address of B
     * @param ldb elements between B's columns
     * @param betaRe beta
     * @param betaIm its imaginary part, 0 where Hermitian
     * @param c address of C
     * @param ldc elements between C's columns
     * @param work scratch for packing, 0 if none
     * @param workBytes its size
     */
    public void syr2kBeside(boolean lower, Op op, boolean hermitian, long n, long p, long q, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes) {
        Product product = products.take();
        product.rankUpdate()
                .pair(level1, lower, op, hermitian, (int) n, (int) p, (int) q, (int) k, alphaRe, alphaIm, a, lda, b,
                        ldb, betaRe, betaIm, c, ldc, work, workBytes);
        products.give(product);
    }

    /**
     * The kernels of vectors without gaps.
     *
     * @return kernels for the same element type
     */
    public Level1 level1() {
        return level1;
    }

    /**
     * The kernels of real vectors whose elements lie apart.
     *
     * @return kernels; only where elements are real
     */
    public Strided strided() {
        return strided;
    }

    /**
     * The kernels of complex vectors whose elements lie apart.
     *
     * @return kernels; only where elements are complex
     */
    public StridedPairs stridedPairs() {
        return stridedPairs;
    }
}
