package dev.basalt.portable;

import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.type.Uplo;

/**
 * The portable kernels of one real precision: this class adds the maps over matrices and the factorisations of LAPACK to
 * the BLAS kernels it inherits. Faster engines extend it and override what they have.
 */
public class DLeaf extends DReflectors {
    /** Columns that are exchanged in one sweep over the pivots: each pivot is loaded once for all of them. */
    private static final long SWEEP = 4;

    /** Made when it is asked for first, by any thread: all that are made are alike. */
    private CholeskyLeaf cholesky;

    private BandLeaf band;

    private IndefiniteLeaf indefinite;

    /** Kernels without state. */
    public DLeaf() {}

    @Override
    public TridiagonalLeaf tridiagonal() {
        return DTridiagonal.KERNELS;
    }

    @Override
    public SecularLeaf secular() {
        return new DSecular();
    }

    @Override
    public JacobiTile jacobiTile(int parts) {
        return new DJacobiTile(parts);
    }

    @Override
    public final CholeskyLeaf cholesky() {
        CholeskyLeaf made = cholesky;
        if (made == null) {
            made = new DCholesky(this);
            cholesky = made;
        }
        return made;
    }

    @Override
    public final IndefiniteLeaf indefinite() {
        IndefiniteLeaf made = indefinite;
        if (made == null) {
            made = new IndefiniteLeaf(new DBunchKaufman(this));
            indefinite = made;
        }
        return made;
    }

    @Override
    public final BandLeaf band() {
        BandLeaf made = band;
        if (made == null) {
            made = new BandLeaf(this, 8L, bandColumns());
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
        return new DBand(this);
    }

    @Override
    public void addTriangle(Uplo uplo, boolean hermitian, long n, long a, long lda, double betaRe, double betaIm,
            long c, long ldc) {
        double beta = betaRe;
        for (long j = 0; j < n; j++) {
            long first = uplo == Uplo.LOWER ? j : 0;
            long rows = uplo == Uplo.LOWER ? n - j : j + 1;
            long aij = a + (first + j * lda) * 8L;
            long cij = c + (first + j * ldc) * 8L;
            for (long end = cij + rows * 8L; cij < end; cij += 8L, aij += 8L) {
                f64(cij, beta == 0 ? f64(aij) : f64(aij) + beta * f64(cij));
            }
        }
    }

    @Override
    final void solveColumn(long n, long a, long lda, long column) {
        solve(true, true, n, a, 8L, lda * 8L, column, 8L);
    }

    @Override
    final boolean isZero(long element) {
        return f64(element) == 0;
    }

    /** Times the reciprocal of the pivot, unless that overflows. */
    @Override
    final void divideByPivot(long n, long pivot) {
        double v = f64(pivot);
        if (Math.abs(v) >= Double.MIN_NORMAL) {
            scal(n, 1 / v, 0, true, pivot + 8L, 1);
        } else {
            divide(n, pivot + 8L, pivot);
        }
    }

    // Written for each type: over a call for each pair of rows it takes twice as long where all types are in use.

    @Override
    public boolean laswp(long m, long n, long a, long lda, long from, long to, long ipiv, long offset,
            boolean backward) {
        long da = lda * 8L;
        for (long j = 0; j < n; j += SWEEP, a += SWEEP * da) {
            long columns = Math.min(SWEEP, n - j);
            for (long r = from; r < to; r++) {
                long i = backward ? to - 1 - (r - from) : r;
                long p = i64(ipiv + i * 8) - 1 - offset;
                if (p < 0 || p >= m) {
                    return false;
                }
                if (p != i) {
                    exchange(columns, a + i * 8L, a + p * 8L, da);
                }
            }
        }
        return true;
    }

    private static void exchange(long n, long x, long y, long step) {
        for (long j = 0; j < n; j++, x += step, y += step) {
            double t = f64(x);
            f64(x, f64(y));
            f64(y, t);
        }
    }

    /** By element. With {@code di} and {@code dj} exchanged for the upper triangle, both triangles follow the same formula. */
    @Override
    final long smallPotf2(Uplo uplo, long n, long a, long lda) {
        long di = uplo == Uplo.LOWER ? 8L : lda * 8L;
        long dj = uplo == Uplo.LOWER ? lda * 8L : 8L;
        for (long j = 0; j < n; j++) {
            long row = a + j * di;
            long ajj = row + j * dj;
            double d = f64(ajj) - dot(j, row, dj, row, dj);
            if (!(d > 0)) {
                // NaN too. LAPACK leaves the offending value on the diagonal.
                f64(ajj, d);
                return j + 1;
            }
            d = Math.sqrt(d);
            f64(ajj, d);
            for (long i = j + 1; i < n; i++) {
                long aij = a + i * di + j * dj;
                f64(aij, (f64(aij) - dot(j, a + i * di, dj, row, dj)) / d);
            }
        }
        return 0;
    }
}
