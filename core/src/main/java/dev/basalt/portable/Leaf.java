package dev.basalt.portable;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Semiring;
import dev.basalt.spi.Structure;
import dev.basalt.type.Diag;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * The kernels for one problem of one element type, over absolute addresses: what {@link BatchedKernels} calls once a
 * problem. Shapes are checked before. Leading dimensions and increments are in elements. A vector's address is that of its
 * element 0, and element i lies {@code i·inc} elements on, so a negative increment walks down. Scalars of real types
 * ignore the imaginary part.
 */
public abstract class Leaf {
    /** Instead of a distance from problem to problem: addresses point to a table of those of the problems, of eight bytes each. */
    public static final long POINTERS = Long.MIN_VALUE;

    /** Made when it is asked for first, by any thread: all that are made are alike. */
    private HessenbergLeaf hessenberg;

    private DriverLeaf drivers;

    /** The kernels of the real type, and the type of these; told by whoever has all of them. */
    private Leaf real;

    private ElementType elements;

    /** y := x. */
    public abstract void copy(long n, long x, long incx, long y, long incy);

    /** x and y exchange their elements. */
    public abstract void swap(long n, long x, long incx, long y, long incy);

    /** x := alpha·x + beta·y and y := alpha·y - conj(beta)·x, a plane rotation; with {@code real} betaIm is not looked at. */
    public abstract void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx,
            long y, long incy);

    /**
     * A sequence of real plane rotations: column x with the next one, that with the one behind it, and so on. The first of two becomes cosine·first + sine·second, the second cosine·second - sine·first.
     *
     * @param step numbers from one cosine or sine to the next, 1 or -1
     * @param turned whether sines have the other sign
     * @param ld elements from one column to the next; negative to go back
     */
    public abstract void sweep(long count, long cosines, long sines, long step, boolean turned, long rows, long x,
            long ld);

    /**
     * A reflector that chases a bulge, from the left: I - tau·v·vᵀ with v = (1, second, third) on three rows of a real matrix, or (I - tau·v·vᴴ)ᴴ with v = (1, second) on two of a complex one.
     *
     * @param alphaRe tau
     * @param alphaIm its imaginary part
     * @param betaRe second
     * @param betaIm its imaginary part; of a real reflector third
     */
    public abstract void chaseRows(long cols, long x, long ld, double alphaRe, double alphaIm, double betaRe,
            double betaIm);

    /** The same from the right, on three or two columns: of a complex matrix without the outer conjugation. */
    public abstract void chaseColumns(long rows, long x, long ld, double alphaRe, double alphaIm, double betaRe,
            double betaIm);

    /** y := alpha·x + y. Not called with alpha = 0. */
    public abstract void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy);

    /** x := alpha·x; with {@code real} each part is multiplied by alphaRe. alpha = 0 multiplies too, so NaN stays NaN. */
    public abstract void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx);

    /** x := alpha. */
    public abstract void fill(long n, double alphaRe, double alphaIm, long x, long incx);

    /** The element at {@code result} := Σ xᵢ·yᵢ, or Σ conj(xᵢ)·yᵢ. */
    public abstract void dot(long n, long x, long incx, long y, long incy, boolean conj, long result);

    /**
     * As {@link #dot} above for a part of vectors of {@code whole} elements, which tell in what memory they lie. The sum may depend on that, but with
     * {@code whole} = n it is that of the form above.
     */
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result, long whole) {
        dot(n, x, incx, y, incy, conj, result);
    }

    /**
     * As {@link #dot} for some problems of real vectors without gaps, up to {@link DirectDevice#DOTS} elements, with the bits of a launch of more than one.
     *
     * @param count problems, up to {@link DirectDevice#VECTORS}
     * @param x address of the first problem's x, or of the table of addresses
     * @param stepX bytes from one problem to the next, or {@link #POINTERS}
     * @param y as x
     * @param stepY as stepX
     * @param result where the first result goes
     * @param step bytes from one result to the next, not 0
     */
    public void dots(long n, long count, long x, long stepX, long y, long stepY, long result, long step) {
        for (long i = 0; i < count; i++) {
            dot(n, problem(x, stepX, i), 1, problem(y, stepY, i), 1, false, result + i * step);
        }
    }

    private static long problem(long first, long step, long i) {
        return step == POINTERS ? Memory.i64(first + 8 * i) : first + i * step;
    }

    /** Σ xᵢ·yᵢ of real vectors, rounded to their precision; kernels of complex types have none. */
    public double dotReal(long n, long x, long incx, long y, long incy) {
        throw new UnsupportedOperationException("a sum of complex products has two parts");
    }

    /** Σ |re xᵢ| + |im xᵢ|. */
    public abstract double asum(long n, long x, long incx);

    /** ‖x‖₂ without avoidable overflow or underflow; NaN if an element is NaN, ∞ if one is infinite and none NaN. */
    public abstract double nrm2(long n, long x, long incx);

    /** 1-based index of the first largest |re| + |im|; the first NaN wins; 0 if n ≤ 0. */
    public abstract long iamax(long n, long x, long incx);

    /** 1-based index of the first smallest |re| + |im|; NaN is larger than all, so it only wins if all are NaN; 0 if n ≤ 0. */
    public abstract long iamin(long n, long x, long incx);

    /** y := alpha·op(A)·x + beta·y, A m×n. alpha = 0 reads neither A nor x; beta = 0 does not read y. */
    public abstract void gemv(Op op, long m, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy);

    /** A := alpha·x·yᵀ + A, or x·yᴴ with {@code conj}. */
    public abstract void ger(long m, long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy,
            boolean conj, long a, long lda);

    /**
     * y := alpha·op(A)·x + beta·y, A m×n with {@code kl} diagonals below and {@code ku} above the main one, in band storage: element (i, j) lies {@code ku + i
     * - j} behind the top of column j. One of the two may be negative: a block beside the diagonal. alpha = 0 reads neither A nor x; beta = 0 does not read y.
     */
    public abstract void gbmv(Op op, long m, long n, long kl, long ku, double alphaRe, double alphaIm, long a, long lda,
            long x, long incx, double betaRe, double betaIm, long y, long incy);

    /** y := alpha·A·x + beta·y, A symmetric, or Hermitian (the diagonal's imaginary part is not used). */
    public void symv(Uplo uplo, boolean hermitian, long n, double alphaRe, double alphaIm, long a, long lda, long x,
            long incx, double betaRe, double betaIm, long y, long incy) {
        symvStored(uplo, hermitian, n, n, alphaRe, alphaIm, a, lda, 0, x, incx, betaRe, betaIm, y, incy);
    }

    /**
     * As {@link #symv} for a triangle stored in any way: element (i, j) lies {@code i + step·j + growth·j·(j-1)/2} behind address {@code a}, and those more than
     * {@code k} from the diagonal are zero and not stored. That covers dense triangles (step lda, growth 0), bands (lda - 1, 0), packed upper (1, 1) and
     * packed lower ones (n - 1, -1).
     */
    public abstract void symvStored(Uplo uplo, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long step, long growth, long x, long incx, double betaRe, double betaIm, long y, long incy);

    /** x := op(A)·x in place, for a triangle stored as in {@link #symvStored}. */
    public abstract void trmvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx);

    /** Solves op(A)·x = b in place, for a triangle stored as in {@link #symvStored}. */
    public abstract void trsvStored(Uplo uplo, Op op, Diag diag, long n, long k, long a, long step, long growth, long x,
            long incx);

    /** Columns {@code from} to {@code to} - 1 of the triangle of A := alpha·x·xᵀ + A; Hermitian: x·xᴴ, alpha is real, the diagonal ends real. Stored as in {@link #symvStored}; alpha = 0 does nothing. */
    public abstract void syr(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm,
            long x, long incx, long a, long step, long growth);

    /** Such columns of the triangle of A := alpha·x·yᵀ + alpha·y·xᵀ + A; Hermitian: alpha·x·yᴴ + conj(alpha)·y·xᴴ. Otherwise as {@link #syr}. */
    public abstract void syr2(Uplo uplo, boolean hermitian, long n, long from, long to, double alphaRe, double alphaIm,
            long x, long incx, long y, long incy, long a, long step, long growth);

    /**
     * The rotation that takes (a, b) to (r, 0): a := r, the real at {@code c} := cosine, the element at {@code s} := sine, and for real types b := z, from which both
     * can be had again.
     */
    public abstract void rotg(long a, long b, long c, long s);

    /** x and y := H·(x, y) with the flag and the four elements of H at {@code param}; for real types. */
    public void rotm(long n, long x, long incx, long y, long incy, long param) {
        throw new UnsupportedOperationException("modified rotations are real");
    }

    /** The modified rotation that makes the second component of (√d1·x1, √d2·y1) zero: the five elements at {@code param}; for real types. */
    public void rotmg(long d1, long d2, long x1, long y1, long param) {
        throw new UnsupportedOperationException("modified rotations are real");
    }

    /** C := diag(x)·A (LEFT) or A·diag(x), both m×n; C may be A. */
    public abstract void dgmm(Side side, long m, long n, long a, long lda, long x, long incx, long c, long ldc);

    /** C := alpha·op(A) + beta·op(B), m×n; alpha = 0 does not read A, beta = 0 not B. C may be one of them that is not transposed. */
    public abstract void geam(Op opA, Op opB, long m, long n, double alphaRe, double alphaIm, long a, long lda,
            double betaRe, double betaIm, long b, long ldb, long c, long ldc);

    /** D := a product of op(A) and op(B) over a semiring, joined with beta·C, as {@link dev.basalt.spi.Kernel#GEAM_EX} says; for real types. */
    public void geamEx(Semiring semiring, Op opA, Op opB, long m, long n, long k, double alphaRe, long a, long lda,
            long b, long ldb, double betaRe, long c, long ldc, long d, long ldd) {
        throw new UnsupportedOperationException("complex numbers have no minimum");
    }

    /** Triangle of C := alpha·op(A)·op(B) + beta·C, inner dimension k; Hermitian: the diagonal ends real. Scratch as in {@link #gemm}. */
    public abstract void gemmt(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe,
            double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc,
            long work, long workBytes);

    /**
     * Triangle of C := alpha·op(A)·op(B)ᵀ + alpha·op(B)·op(A)ᵀ + beta·C; Hermitian: ᴴ, the second product times conj(alpha), the diagonal ends real. op is
     * NONE, or what a symmetric or Hermitian product turns by. Scratch as in {@link #gemm}.
     */
    public abstract void syr2k(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes);

    /** x := op(A)·x in place. */
    public abstract void trmv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx);

    /** Solves op(A)·x = b in place. */
    public abstract void trsv(Uplo uplo, Op op, Diag diag, long n, long a, long lda, long x, long incx);

    /**
     * C := alpha·op(A)·op(B) + beta·C, C m×n, inner dimension k. alpha = 0 or k = 0 reads neither A nor B; beta = 0 does not
     * read C. {@code work} is scratch for packing of any size from 0 bytes (64-byte aligned); the more the faster, by the
     * tiers of {@link dev.basalt.spi.GemmBlocking}.
     */
    public abstract void gemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes);

    /** C := alpha·A·B + beta·C (LEFT) or alpha·B·A + beta·C, C m×n, A symmetric or Hermitian. For small blocks. */
    public abstract void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc);

    /** Triangle of C := alpha·op(A)·op(A)ᵀ + beta·C (ᴴ and real diagonal if Hermitian); op(A) is n×k. For small n. */
    public abstract void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, double betaRe, double betaIm, long c, long ldc);

    /** B := alpha·op(A)·B (LEFT) or alpha·B·op(A), B m×n, A triangular; alpha = 0 does not read A and clears B. For small blocks. */
    public abstract void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb);

    /** Solves op(A)·X = alpha·B (LEFT) or X·op(A) = alpha·B in place; alpha = 0 does not read A and clears B. For small triangles. */
    public abstract void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb);

    /** As {@link #symm} above, with scratch for packing as in {@link #gemm}, for leaves that have a use for it. */
    public void symm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc);
    }

    /** As {@link #syrk} above, with scratch for packing. */
    public void syrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc);
    }

    /** As {@link #trmm} above, with scratch for packing. */
    public void trmm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        trmm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
    }

    /** As {@link #trsm} above, with scratch for packing. */
    public void trsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, long work, long workBytes) {
        trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb);
    }

    /** As {@link #gemm}, for all of a launch, or for a part of one that has more lines than are few: few rows or columns may take a path with other bits. */
    public void wholeGemm(Op opA, Op opB, long m, long n, long k, double alphaRe, double alphaIm, long a, long lda,
            long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
    }

    /** As {@link #gemmt}, under the same condition. */
    public void wholeGemmt(Uplo uplo, Op opA, Op opB, boolean hermitian, long n, long k, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        gemmt(uplo, opA, opB, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                workBytes);
    }

    /** As {@link #syrk}, for all of a launch, or for a part of one, whose triangle is larger: a small one may take a path with other bits. */
    public void wholeSyrk(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        syrk(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, betaRe, betaIm, c, ldc, work, workBytes);
    }

    /** As {@link #syr2k}, for all of a launch, or for a part of one, whose triangle is larger: a small one may take a path with other bits. */
    public void wholeSyr2k(Uplo uplo, Op op, boolean hermitian, long n, long k, double alphaRe, double alphaIm, long a,
            long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work, long workBytes) {
        syr2k(uplo, op, hermitian, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
    }

    /** As {@link #wholeSyr2k}, of columns p to q - 1 of the triangle alone. */
    public abstract void syr2kColumns(Uplo uplo, Op op, boolean hermitian, long n, long p, long q, long k,
            double alphaRe, double alphaIm, long a, long lda, long b, long ldb, double betaRe, double betaIm, long c,
            long ldc, long work, long workBytes);

    /** As {@link #symm}, for all of a call: a single row or column is a vector, as in the routine's launches. */
    public void wholeSymm(Side side, Uplo uplo, boolean hermitian, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, double betaRe, double betaIm, long c, long ldc, long work,
            long workBytes) {
        boolean left = side == Side.LEFT;
        if ((left ? n : m) == 1 && (left || !hermitian)) {
            symv(uplo, hermitian, left ? m : n, alphaRe, alphaIm, a, lda, b, left ? 1 : ldb, betaRe, betaIm, c,
                    left ? 1 : ldc);
        } else {
            symm(side, uplo, hermitian, m, n, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work,
                    workBytes);
        }
    }

    /** As {@link #trsm}, for all of a call: a single right-hand side is a vector, as in the routine's launches. */
    public void wholeTrsm(Side side, Uplo uplo, Op op, Diag diag, long m, long n, double alphaRe, double alphaIm,
            long a, long lda, long b, long ldb, long work, long workBytes) {
        boolean zero = alphaRe == 0 && alphaIm == 0;
        if (side == Side.LEFT && n == 1 && !zero) {
            if (alphaRe != 1 || alphaIm != 0) {
                scalMatrix(m, 1, alphaRe, alphaIm, b, ldb);
            }
            trsv(uplo, op, diag, m, a, lda, b, 1);
        } else {
            trsm(side, uplo, op, diag, m, n, alphaRe, alphaIm, a, lda, b, ldb, work, workBytes);
        }
    }

    /** The triangle of c := the inverse of that of a, which may be c, as the routine's launches make it. */
    public void trtri(Uplo uplo, Diag diag, long n, long a, long lda, long c, long ldc) {
        if (a != c) {
            copyTriangle(uplo, diag, n, a, lda, c, ldc);
        }
        trtri(uplo, diag, n, c, ldc);
    }

    /** Solves A·X = B in place from the factor that {@link #potf2} leaves, for all of a call. */
    public void potrs(Uplo uplo, long n, long nrhs, long a, long lda, long b, long ldb) {
        boolean lower = uplo == Uplo.LOWER;
        Op first = lower ? Op.NONE : Op.CONJ_TRANS;
        Op second = lower ? Op.CONJ_TRANS : Op.NONE;
        wholeTrsm(Side.LEFT, uplo, first, Diag.NON_UNIT, n, nrhs, 1, 0, a, lda, b, ldb, 0, 0);
        wholeTrsm(Side.LEFT, uplo, second, Diag.NON_UNIT, n, nrhs, 1, 0, a, lda, b, ldb, 0, 0);
    }

    /** The triangle of a := that of L⁻¹·A·L⁻ᴴ, or of Lᴴ·A·L, with the factor L or Lᴴ at {@code b} and n×n elements of scratch. */
    public void sygst(Eform form, Uplo uplo, boolean hermitian, long n, long b, long ldb, long scratch, long lds,
            long a, long lda) {
        boolean lower = uplo == Uplo.LOWER;
        Op own = lower ? Op.NONE : Op.CONJ_TRANS;
        Op turned = lower ? Op.CONJ_TRANS : Op.NONE;
        expand(uplo, Diag.NON_UNIT, hermitian ? Structure.HERMITIAN : Structure.SYMMETRIC, n, a, lda, scratch, lds);
        if (form == Eform.AX) {
            wholeTrsm(Side.LEFT, uplo, own, Diag.NON_UNIT, n, n, 1, 0, b, ldb, scratch, lds, 0, 0);
            trsm(Side.RIGHT, uplo, turned, Diag.NON_UNIT, n, n, 1, 0, b, ldb, scratch, lds, 0, 0);
        } else {
            trmm(Side.LEFT, uplo, turned, Diag.NON_UNIT, n, n, 1, 0, b, ldb, scratch, lds, 0, 0);
            trmm(Side.RIGHT, uplo, own, Diag.NON_UNIT, n, n, 1, 0, b, ldb, scratch, lds, 0, 0);
        }
        addTriangle(uplo, hermitian, n, scratch, lds, 0, 0, a, lda);
    }

    /** The same from the factor of a band, stored as in {@link #symvStored}, with elements of so many bytes. */
    public void pbtrs(long bytes, Uplo uplo, long n, long k, long nrhs, long a, long step, long growth, long b,
            long ldb) {
        boolean lower = uplo == Uplo.LOWER;
        for (long j = 0; j < nrhs; j++) {
            long x = b + j * ldb * bytes;
            trsvStored(uplo, lower ? Op.NONE : Op.CONJ_TRANS, Diag.NON_UNIT, n, k, a, step, growth, x, 1);
            trsvStored(uplo, lower ? Op.CONJ_TRANS : Op.NONE, Diag.NON_UNIT, n, k, a, step, growth, x, 1);
        }
    }

    /**
     * Solves op(A)·X = B in place from the factors and pivots that {@link #getf2} leaves, for all of a call.
     *
     * @return 0, or {@link Kernel#WRONG_PIVOTS}; B is then NaN
     */
    public long getrs(Op op, long n, long nrhs, long a, long lda, long ipiv, long b, long ldb) {
        if (op == Op.NONE) {
            boolean rows = exchange(n, nrhs, b, ldb, 0, n, ipiv, 0, false);
            wholeTrsm(Side.LEFT, Uplo.LOWER, op, Diag.UNIT, n, nrhs, 1, 0, a, lda, b, ldb, 0, 0);
            wholeTrsm(Side.LEFT, Uplo.UPPER, op, Diag.NON_UNIT, n, nrhs, 1, 0, a, lda, b, ldb, 0, 0);
            return rows ? 0 : Kernel.WRONG_PIVOTS;
        }
        wholeTrsm(Side.LEFT, Uplo.UPPER, op, Diag.NON_UNIT, n, nrhs, 1, 0, a, lda, b, ldb, 0, 0);
        wholeTrsm(Side.LEFT, Uplo.LOWER, op, Diag.UNIT, n, nrhs, 1, 0, a, lda, b, ldb, 0, 0);
        return exchange(n, nrhs, b, ldb, 0, n, ipiv, 0, true) ? 0 : Kernel.WRONG_PIVOTS;
    }

    /** The inverse from the factors that {@link #getf2} leaves, in place; columns are not exchanged if {@code ipiv} is 0. Elements have so many bytes. */
    public void getri(long bytes, long n, long a, long lda, long ipiv) {
        LuKernels.getri(this, bytes, n, a, lda, ipiv);
    }

    /** QR iterations of batches of tridiagonal matrices of the same type with eigenvectors, or null where problems go one by one. */
    public SideBySide steqrLanes() {
        return null;
    }

    /** The same of bidiagonal matrices, with and without vectors. */
    public SideBySide bdsqrLanes() {
        return null;
    }

    /** Reductions of batches of the same type to tridiagonal form, or null. */
    public SideBySide sytd2Lanes() {
        return null;
    }

    /** Reductions of batches of the same type to bidiagonal form, or null. */
    public SideBySide gebd2Lanes() {
        return null;
    }

    /** New kernels for secular equations of the same type, which is real. */
    public SecularLeaf secular() {
        throw new UnsupportedOperationException("secular equations are real");
    }

    /**
     * A new tile for two-sided Jacobi of numbers of the same type, which is real.
     *
     * @param parts 1, or 2 where elements are complex
     */
    public JacobiTile jacobiTile(int parts) {
        throw new UnsupportedOperationException("tiles are of real numbers");
    }

    /** The tridiagonal kernels of the same type. */
    public abstract TridiagonalLeaf tridiagonal();

    /** The other kernels of Cholesky, over these. */
    public abstract CholeskyLeaf cholesky();

    /** LDLᵀ of small matrices, over these. */
    public abstract IndefiniteLeaf indefinite();

    /** LU of a band, over these. */
    public abstract BandLeaf band();

    /** Triangle of A := its inverse, in place. For small n. */
    public abstract void trtri(Uplo uplo, Diag diag, long n, long a, long lda);

    /** C := A, both m×n. */
    public abstract void copyMatrix(long m, long n, long a, long lda, long c, long ldc);

    /** C := beta·C, m×n; beta = 0 overwrites without reading. */
    public abstract void scalMatrix(long m, long n, double betaRe, double betaIm, long c, long ldc);

    /** Triangle of C := beta·C; beta = 0 overwrites; Hermitian: the diagonal ends real. */
    public abstract void scalTriangle(Uplo uplo, boolean hermitian, long n, double betaRe, double betaIm, long c,
            long ldc);

    /** Full C (n×n) := the matrix in a triangle of A; triangular (the other triangle 0; diag), symmetric or Hermitian (diagonal real). */
    public abstract void expand(Uplo uplo, Diag diag, Structure structure, long n, long a, long lda, long c, long ldc);

    /** Triangle of C := A + beta·C; beta = 0 does not read C; Hermitian: the diagonal ends real. */
    public abstract void addTriangle(Uplo uplo, boolean hermitian, long n, long a, long lda, double betaRe,
            double betaIm, long c, long ldc);

    /** Triangle of C := that of A; UNIT: the diagonal := 1. Nothing if C is A, whose diagonal may then hold anything. */
    public abstract void copyTriangle(Uplo uplo, Diag diag, long n, long a, long lda, long c, long ldc);

    /**
     * LU factorisation with partial pivoting of an m×n panel in place, as LAPACK's getrf: same pivot rule (first largest
     * |re| + |im|), continues past a zero pivot.
     *
     * @param ipiv address of min(m, n) 64-bit integers, set to offset + the 1-based row each row was exchanged with
     * @return 1-based column of the first exactly zero pivot, 0 if none
     */
    public abstract long getf2(long m, long n, long a, long lda, long ipiv, long offset);

    /**
     * Exchanges row i of A with row ipiv[i] - 1 - offset for i = from…to-1, in that order or backwards; A is m×n. Each pivot is looked at when it is
     * used: one that names no row of A ends the exchanges, and nothing beside A is touched even if somebody changes pivots meanwhile.
     *
     * @return whether all pivots named rows of A; if not, some rows may have been exchanged
     */
    public abstract boolean laswp(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward);

    /**
     * As {@link #laswp}, but where a pivot names no row all of A becomes NaN: half exchanged, it would be a wrong answer in silence.
     *
     * @return whether all pivots named rows of A
     */
    public boolean exchange(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward) {
        boolean rows = laswp(m, n, a, lda, from, to, ipiv, offset, backward);
        if (!rows) {
            scalMatrix(m, n, Double.NaN, Double.NaN, a, lda);
        }
        return rows;
    }

    /**
     * Householder QR of a panel in place, m ≥ n, as LAPACK's geqr2. At {@code tau} the factors of the n reflectors.
     *
     * @param rows whether the panel is read as the conjugate transpose of C, so that reflectors lie in rows
     * @param backward whether it is read from its last row and column on, and its factors from the last on
     * @param t address of n×n elements whose upper (backward: lower) triangle := T of I - V·T·Vᴴ, below it anything; 0: none
     */
    public abstract void geqr2(boolean rows, boolean backward, long m, long n, long c, long ldc, long tau, long t,
            long ldt);

    /** The reflector of n elements, the first at {@code alpha}, the others from x on, as LAPACK's larfg. {@code turned}: elements are conjugates of those meant. */
    public abstract void larfg(boolean turned, long n, long alpha, long x, long dx, long tau);

    /** C := op(H₁…Hₖ)·C (LEFT) or C·op(H₁…Hₖ), C m×n, op the conjugate transpose with {@code conj}; reflectors as {@link #geqr2} left them. */
    public abstract void orm2r(Side side, boolean conj, boolean rows, boolean backward, long m, long n, long k, long a,
            long lda, long tau, long c, long ldc);

    /** C (m×n as it is read) := the first n columns of H₁…Hₖ, m ≥ n ≥ k; reflectors as {@link #geqr2} left them. */
    public abstract void org2r(boolean rows, boolean backward, long m, long n, long k, long c, long ldc, long tau);

    /** A (n×n) := Q of a reduction to tridiagonal or Hessenberg form, whose reflectors lie in rows and columns from {@code low} to before {@code high}, each one row below its column; from the end on with {@code backward}. */
    public abstract void orgtr(boolean backward, long n, long low, long high, long a, long lda, long tau);

    /** See {@link Kernel#GEHD2}. */
    public final void gehd2(ElementType type, long n, long low, long high, long a, long lda, long tau, long work) {
        HessenbergLeaf made = hessenberg;
        if (made == null) {
            made = new HessenbergLeaf(this, type);
            hessenberg = made;
        }
        made.gehd2(n, low, high, a, lda, tau, work);
    }

    /** Tells the type, and the kernels of its real one. */
    final void over(Leaf realKernels, ElementType type) {
        real = realKernels;
        elements = type;
    }

    /** Eigenvalues of small problems, over these. */
    public final DriverLeaf drivers() {
        DriverLeaf made = drivers;
        if (made == null) {
            made = new DriverLeaf(this, real, elements);
            drivers = made;
        }
        return made;
    }

    /** C := op(Q)·C (LEFT) or C·op(Q), C m×n, Q of a reduction to tridiagonal form. */
    public abstract void ormtr(Side side, boolean backward, boolean conj, long m, long n, long a, long lda, long tau,
            long c, long ldc);

    /** 1-based place of the first element of a diagonal that is exactly zero, 0 if none is. */
    public abstract long zeroDiagonal(long n, long a, long lda);

    /** The same of a triangle, whose diagonal is not read where it is UNIT. */
    public long zeroDiagonal(Diag diag, long n, long a, long lda) {
        return diag == Diag.UNIT ? 0 : zeroDiagonal(n, a, lda);
    }

    /** T (k×k) of the block reflector of V (m×k as it is read), as {@link #geqr2} says; {@code a} = 0: its triangle holds VᴴV. */
    public abstract void larft(boolean rows, boolean backward, long m, long k, long a, long lda, long tau, long t,
            long ldt);

    /**
     * Cholesky factorisation of a triangle in place (A = LLᴴ or UᴴU).
     *
     * @return 1-based order of the first leading minor that is not positive definite (NaN counts as not), 0 if all are
     */
    public abstract long potf2(Uplo uplo, long n, long a, long lda);
}
