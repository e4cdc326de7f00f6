package dev.basalt.portable;

import dev.basalt.spi.Memory;
import dev.basalt.type.Diag;
import dev.basalt.type.Eform;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;

/**
 * Eigenvalues and eigenvectors of one small problem in one call, over the kernels of a leaf and those of its real type: the steps that the long way launches one by one, to the same bits. Launches take longer than the work of
 * such a problem.
 */
public final class DriverLeaf {
    private static final long LINE = 64;

    private final Leaf leaf;
    private final Leaf real;
    private final ElementType type;
    private final long bytes;
    private final long realBytes;
    /** Numbers of an element. */
    private final long numbers;

    private final SymmetricLeaf symmetric;
    private final SteqrLeaf steqr;
    private final NormLeaf norms;

    DriverLeaf(Leaf leaf, Leaf real, ElementType type) {
        this.leaf = leaf;
        this.real = real;
        this.type = type;
        bytes = type.bytes();
        realBytes = type.real().bytes();
        numbers = bytes / realBytes;
        symmetric = switch (type) {
            case F32 -> new SSymmetric(leaf);
            case F64 -> new DSymmetric(leaf);
            case C32 -> new CSymmetric(leaf);
            default -> new ZSymmetric(leaf);
        };
        steqr = type.real() == ElementType.F32 ? new SSteqr(real) : new DSteqr(real);
        norms = switch (type) {
            case F32 -> new SNorm(leaf);
            case F64 -> new DNorm(leaf);
            case C32 -> new CNorm(leaf);
            default -> new ZNorm(leaf);
        };
    }

    /** The address behind so many bytes, at the beginning of a line. */
    private static long behind(long address, long size) {
        return address + size + LINE - 1 & -LINE;
    }

    /**
     * d := the eigenvalues of a symmetric or Hermitian matrix in rising order, and the matrix := its eigenvectors.
     *
     * @param e n numbers of scratch
     * @param work n elements and 2n numbers of scratch, from the beginning of lines
     * @return how many elements have not converged
     */
    public long syev(Evect evect, Uplo uplo, long n, long a, long lda, long d, long e, long work) {
        int power = enter(uplo, n, a, lda);
        long missed = iterate(evect, uplo, n, a, lda, d, e, work, behind(work, n * bytes));
        NormKernels.scale(real, type.real(), n, -power, d);
        return missed;
    }

    /**
     * The same with e in scratch.
     *
     * @param work n elements and 3n numbers of scratch, from the beginning of lines
     * @return how many elements have not converged
     */
    public long syevdj(Evect evect, Uplo uplo, long n, long a, long lda, long d, long work) {
        long e = behind(work, n * bytes);
        int power = enter(uplo, n, a, lda);
        long missed = iterate(evect, uplo, n, a, lda, d, e, work, behind(e, n * realBytes));
        NormKernels.scale(real, type.real(), n, -power, d);
        return missed;
    }

    private long iterate(Evect evect, Uplo uplo, long n, long a, long lda, long d, long e, long tau, long rotations) {
        boolean lower = uplo == Uplo.LOWER;
        symmetric.sytd2(lower, n, a, lda, d, e, tau);
        if (evect == Evect.NONE) {
            return steqr.sterf(n, d, e);
        }
        leaf.orgtr(!lower, n, 0, n, a, lda, tau);
        return steqr.steqr(n, d, e, numbers * n, a, numbers * lda, rotations);
    }

    /**
     * The same of a packed triangle, which is written out at z, or where there are no eigenvectors in scratch.
     *
     * @param work n elements and 3n numbers of scratch, from the beginning of lines; n×n elements before them where there are no eigenvectors
     */
    public long spev(Evect evect, Uplo uplo, long n, long ap, long step, long growth, long d, long z, long ldz,
            long work) {
        boolean vectors = evect != Evect.NONE;
        long a = vectors ? z : work;
        long lda = vectors ? ldz : n;
        long tau = vectors ? work : behind(work, n * n * bytes);
        leaf.cholesky().copyStored(uplo, n, ap, step, growth, a, lda, 0);
        long e = behind(tau, n * bytes);
        int power = enter(uplo, n, a, lda);
        long missed = iterate(evect, uplo, n, a, lda, d, e, tau, behind(e, n * realBytes));
        NormKernels.scale(real, type.real(), n, -power, d);
        return missed;
    }

    /**
     * The same of a generalised problem with a positive definite b, which becomes its factor.
     *
     * @param work n×n + n elements and 2n numbers of scratch, from the beginning of lines
     * @return how many elements have not converged, or n + i if the leading minor of order i is not positive
     */
    public long sygv(Eform form, Evect evect, Uplo uplo, long n, long a, long lda, long b, long ldb, long d, long e,
            long work) {
        long tau = behind(work, n * n * bytes);
        return sygv(form, evect, uplo, n, a, lda, b, ldb, d, e, work, tau, behind(tau, n * bytes));
    }

    /**
     * The same with e in scratch.
     *
     * @param work n×n + n elements and 3n numbers of scratch, from the beginning of lines
     * @return how many elements have not converged, or n + i if the leading minor of order i is not positive
     */
    public long sygvdj(Eform form, Evect evect, Uplo uplo, long n, long a, long lda, long b, long ldb, long d,
            long work) {
        long tau = behind(work, n * n * bytes);
        long e = behind(tau, n * bytes);
        return sygv(form, evect, uplo, n, a, lda, b, ldb, d, e, work, tau, behind(e, n * realBytes));
    }

    private long sygv(Eform form, Evect evect, Uplo uplo, long n, long a, long lda, long b, long ldb, long d, long e,
            long work, long tau, long rotations) {
        long minor = leaf.potf2(uplo, n, b, ldb);
        if (minor != 0) {
            return n + minor;
        }
        leaf.sygst(form, uplo, type.isComplex(), n, b, ldb, work, n, a, lda);
        int power = enter(uplo, n, a, lda);
        long missed = iterate(evect, uplo, n, a, lda, d, e, tau, rotations);
        if (missed != 0) {
            return missed;
        }
        NormKernels.scale(real, type.real(), n, -power, d);
        boolean lower = uplo == Uplo.LOWER;
        if (evect == Evect.NONE) {
            return 0;
        }
        if (form == Eform.BAX) {
            leaf.trmm(Side.LEFT, uplo, lower ? Op.NONE : Op.CONJ_TRANS, Diag.NON_UNIT, n, n, 1, 0, b, ldb, a, lda, 0,
                    0);
        } else {
            leaf.wholeTrsm(Side.LEFT, uplo, lower ? Op.CONJ_TRANS : Op.NONE, Diag.NON_UNIT, n, n, 1, 0, b, ldb, a, lda,
                    0, 0);
        }
        return 0;
    }

    /**
     * d := the eigenvalues of a tridiagonal matrix in rising order, and z := its eigenvectors, or z times these.
     *
     * @param work 2n numbers of scratch
     * @return how many elements have not converged
     */
    public long steqr(Evect evect, long n, long d, long e, long z, long ldz, long work) {
        if (evect == Evect.NONE) {
            return steqr.sterf(n, d, e);
        }
        if (evect == Evect.TRIDIAGONAL) {
            leaf.scalMatrix(n, n, 0, 0, z, ldz);
            leaf.fill(n, 1, 0, z, ldz + 1);
        }
        return steqr.steqr(n, d, e, numbers * n, z, numbers * ldz, work);
    }

    /** The same, without eigenvectors. */
    public long sterf(long n, long d, long e) {
        return steqr.sterf(n, d, e);
    }

    // ---- the range

    /** Brings a triangle into the range; returns the power that its elements were multiplied by. */
    private int enter(Uplo uplo, long n, long a, long lda) {
        boolean lower = uplo == Uplo.LOWER;
        int power = isPlain(lower, n, a, lda) ? 0 : NormKernels.power(type, largest(lower, n, a, lda));
        for (long j = 0; j < n && power != 0; j++) {
            long first = lower ? j : 0;
            NormKernels.scale(leaf, type, lower ? n - j : j + 1, power, a + (first + j * lda) * bytes);
        }
        return power;
    }

    /** The largest modulus of a symmetric or Hermitian matrix, as a norm of it is stored. */
    private double largest(boolean lower, long n, long a, long lda) {
        double largest = 0;
        for (long j = 0; j < n; j++) {
            long first = lower ? j + 1 : 0;
            double beside = norms.largest(lower ? n - 1 - j : j, a + (first + j * lda) * bytes, 1);
            double main = norms.modulus(a + j * (lda + 1) * bytes, type.isComplex());
            largest = Math.max(largest, Math.max(beside, main));
        }
        return type.real() == ElementType.F32 ? (float) largest : largest;
    }

    /** Whether the largest number of a triangle is 0, or so far within the range that the largest modulus must be, too. */
    private boolean isPlain(boolean lower, long n, long a, long lda) {
        long largest = 0;
        for (long j = 0; j < n; j++) {
            long column = a + j * lda * bytes;
            // The imaginary part of a diagonal element is not looked at.
            long from = lower ? j * numbers + numbers : 0;
            long to = lower ? n * numbers : j * numbers;
            long main = column + j * bytes;
            if (realBytes == 4) {
                largest = Math.max(largest, Memory.i32(main) & Integer.MAX_VALUE);
                for (long i = from; i < to; i++) {
                    largest = Math.max(largest, Memory.i32(column + i * 4) & Integer.MAX_VALUE);
                }
            } else {
                largest = Math.max(largest, Memory.i64(main) & Long.MAX_VALUE);
                for (long i = from; i < to; i++) {
                    largest = Math.max(largest, Memory.i64(column + i * 8) & Long.MAX_VALUE);
                }
            }
        }
        double value = realBytes == 4 ? Float.intBitsToFloat((int) largest) : Double.longBitsToDouble(largest);
        return largest == 0 || NormKernels.isWithin(type, value);
    }
}
