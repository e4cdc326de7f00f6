package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Uplo;

/** The portable kernels of one complex precision; see {@link DLeaf}. */
public class ZLeaf extends ZReflectors {
    /** Columns that are exchanged in one sweep over the pivots: each pivot is loaded once for all of them. */
    private static final long SWEEP = 4;

    /** Made when it is asked for first, by any thread: all that are made are alike. */
    private CholeskyLeaf cholesky;

    private BandLeaf band;

    private IndefiniteLeaf indefinite;

    /** Kernels without state. */
    public ZLeaf() {}

    @Override
    public TridiagonalLeaf tridiagonal() {
        return ZTridiagonal.KERNELS;
    }

    @Override
    public final CholeskyLeaf cholesky() {
        CholeskyLeaf made = cholesky;
        if (made == null) {
            made = new ZCholesky(this);
            cholesky = made;
        }
        return made;
    }

    @Override
    public final IndefiniteLeaf indefinite() {
        IndefiniteLeaf made = indefinite;
        if (made == null) {
            made = new IndefiniteLeaf(new ZBunchKaufman(this));
            indefinite = made;
        }
        return made;
    }

    @Override
    public final BandLeaf band() {
        BandLeaf made = band;
        if (made == null) {
            made = new BandLeaf(this, 16L, bandColumns());
            band = made;
        }
        return made;
    }

    /**
     * What is done with the columns of a narrow band.
     *
     * @return kernels over these
     */
    protected BandColumns bandColumns() {
        return new ZBand(this);
    }

    @Override
    public void addTriangle(Uplo uplo, boolean hermitian, long n, long a, long lda, double betaRe, double betaIm,
            long c, long ldc) {
        double re = betaRe;
        double im = hermitian ? 0 : betaIm;
        boolean clear = re == 0 && im == 0;
        for (long j = 0; j < n; j++) {
            long first = uplo == Uplo.LOWER ? j : 0;
            long rows = uplo == Uplo.LOWER ? n - j : j + 1;
            long aij = a + (first + j * lda) * 16L;
            long cij = c + (first + j * ldc) * 16L;
            for (long end = cij + rows * 16L; cij < end; cij += 16L, aij += 16L) {
                double cr = clear ? 0 : f64(cij);
                double ci = clear ? 0 : f64(cij + 8L);
                f64(cij, f64(aij) + (hermitian ? re * cr : re * cr - im * ci));
                f64(cij + 8L, f64(aij + 8L) + (hermitian ? re * ci : re * ci + im * cr));
            }
            if (hermitian) {
                f64(c + (j + j * ldc) * 16L + 8L, 0);
            }
        }
    }

    @Override
    final void solveColumn(long n, long a, long lda, long column) {
        solve(true, false, true, n, a, 16L, lda * 16L, column, 16L);
    }

    @Override
    final boolean isZero(long element) {
        return magnitude(element) == 0;
    }

    /** Times the reciprocal of the pivot, unless that overflows. */
    @Override
    final void divideByPivot(long n, long pivot) {
        if (magnitude(pivot) >= Double.MIN_NORMAL) {
            double re = f64(pivot);
            double im = f64(pivot + 8L);
            boolean swap = Math.abs(re) < Math.abs(im);
            double ratio = swap ? re / im : im / re;
            double whole = swap ? re * ratio + im : re + im * ratio;
            scal(n, (swap ? ratio : 1) / whole, (swap ? -1 : -ratio) / whole, false, pivot + 16L, 1);
        } else {
            divide(n, pivot + 16L, pivot, false);
        }
    }

    @Override
    public boolean laswp(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward) {
        long da = lda * 16L;
        for (long j = 0; j < n; j += SWEEP, a += SWEEP * da) {
            long columns = Math.min(SWEEP, n - j);
            for (long r = from; r < to; r++) {
                long i = backward ? to - 1 - (r - from) : r;
                long p = i64(ipiv + i * 8) - 1 - offset;
                if (p < 0 || p >= m) {
                    return false;
                }
                if (p != i) {
                    exchange(columns, a + i * 16L, a + p * 16L, da);
                }
            }
        }
        return true;
    }

    private static void exchange(long n, long x, long y, long step) {
        for (long j = 0; j < n; j++, x += step, y += step) {
            double re = f64(x);
            double im = f64(x + 8L);
            f64(x, f64(y));
            f64(x + 8L, f64(y + 8L));
            f64(y, re);
            f64(y + 8L, im);
        }
    }

    /** By element. With {@code di} and {@code dj} exchanged for the upper triangle, both triangles follow the same formula. */
    @Override
    final long smallPotf2(Uplo uplo, long n, long a, long lda) {
        long di = uplo == Uplo.LOWER ? 16L : lda * 16L;
        long dj = uplo == Uplo.LOWER ? lda * 16L : 16L;
        for (long j = 0; j < n; j++) {
            long row = a + j * di;
            long ajj = row + j * dj;
            addDot(j, -1, 0, row, dj, false, row, dj, true, ajj);
            double d = f64(ajj);
            f64(ajj + 8L, 0);
            if (!(d > 0)) {
                // NaN too. LAPACK leaves the offending value on the diagonal.
                return j + 1;
            }
            d = Math.sqrt(d);
            f64(ajj, d);
            for (long i = j + 1; i < n; i++) {
                long aij = a + i * di + j * dj;
                addDot(j, -1, 0, a + i * di, dj, false, row, dj, true, aij);
                f64(aij, f64(aij) / d);
                f64(aij + 8L, f64(aij + 8L) / d);
            }
        }
        return 0;
    }
}
