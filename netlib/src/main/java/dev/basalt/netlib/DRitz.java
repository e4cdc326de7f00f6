package dev.basalt.netlib;

import dev.basalt.arrays.ArrayBlas;
import dev.basalt.arrays.ArrayLapack;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.netlib.util.intW;

/**
 * The projected problem of {@link DLanczos}, in ARPACK's {@code workl}: a diagonal, couplings, Ritz values, their error bounds, couplings of
 * kept vectors, a projection, numbers that live from call to call, and eigenvectors.
 */
final class DRitz {
    /** Numbers that live from call to call; whether the vector at hand is a random one. */
    static final int RANDOM = 0;

    /** How many random vectors have lain in the space already. */
    static final int TRIED = 1;

    /** The largest norm of OP times a vector. */
    static final int SCALE = 2;

    /** The norm of the vector at hand before it was made orthogonal. */
    static final int BEFORE = 3;

    /** The order of the projected problem; it takes the place of BEFORE, which is over then. */
    static final int SIZE = 3;

    /** Rows of vectors that are rotated at a time. */
    private static final int ROWS = 256;

    final double[] work;
    private final String which;
    private final int nev;
    private final double tol;
    private final int ncv;
    private final int w0;

    DRitz(String which, int nev, double tol, int ncv, double[] workl, int offsetworkl) {
        this.which = which.toUpperCase(Locale.ROOT);
        this.nev = nev;
        this.tol = tol;
        this.ncv = ncv;
        this.work = workl;
        this.w0 = offsetworkl;
    }

    /** Whether ARPACK has such an end of the spectrum for so many values. */
    static boolean isEnd(String which, int nev) {
        String letters = which.toUpperCase(Locale.ROOT);
        return List.of("LM", "SM", "LA", "SA").contains(letters) || letters.equals("BE") && nev > 1;
    }

    int values() {
        return 2 * ncv;
    }

    int bounds() {
        return 3 * ncv;
    }

    private int couplings() {
        return w0 + 4 * ncv;
    }

    int projection() {
        return w0 + 5 * ncv;
    }

    private int vectors() {
        return w0 + 8 * ncv;
    }

    int next() {
        return 8 * ncv + ncv * ncv;
    }

    double get(int number) {
        return work[w0 + 6 * ncv + number];
    }

    void set(int number, double value) {
        work[w0 + 6 * ncv + number] = value;
    }

    void clear() {
        Arrays.fill(work, w0, w0 + 8 * ncv, 0);
    }

    void alpha(int j, double share, boolean first) {
        work[w0 + j] = first ? share : work[w0 + j] + share;
    }

    void beta(int j, double norm) {
        work[w0 + ncv + j] = norm;
    }

    double lastBeta(int m) {
        return work[w0 + ncv + m - 1];
    }

    int wanted(int m) {
        return Math.min(nev, m);
    }

    /** Ritz values, eigenvectors and error bounds of the projected problem; returns LAPACK's info. */
    int solve(int m, int kept) {
        int s = vectors();
        for (int j = 0; j < m; j++) {
            Arrays.fill(work, s + j * ncv, s + j * ncv + m, 0);
            work[s + j + j * ncv] = j < kept ? work[w0 + values() + j] : work[w0 + j];
            if (j < kept) {
                work[s + kept + j * ncv] = work[couplings() + j];
            } else if (j + 1 < m) {
                work[s + j + 1 + j * ncv] = work[w0 + ncv + j];
            }
        }
        int info = ArrayLapack.dsyevd(Evect.ORIGINAL, Uplo.LOWER, m, work, s, ncv, work, w0 + values(), work,
                projection());
        for (int i = 0; i < m; i++) {
            work[w0 + bounds() + i] = Math.abs(lastBeta(m) * work[s + m - 1 + i * ncv]);
        }
        return info;
    }

    private double value(int i) {
        return work[w0 + values() + i];
    }

    /** The numbers of the Ritz values, those wanted most first. */
    int[] order(int m) {
        Comparator<Integer> rising = Comparator.comparingDouble(this::value);
        Comparator<Integer> magnitude = Comparator.comparingDouble(i -> Math.abs(value(i)));
        Comparator<Integer> order = switch (which) {
            case "SA" -> rising;
            case "LM" -> magnitude.reversed();
            case "SM" -> magnitude;
            default -> rising.reversed();
        };
        int[] sorted = IntStream.range(0, m).boxed().sorted(order).mapToInt(i -> i).toArray();
        return which.equals("BE")
                ? IntStream.range(0, m).map(i -> sorted[i % 2 == 0 ? i / 2 : m - 1 - i / 2]).toArray()
                : sorted;
    }

    /** Whether a Ritz value is as accurate as is asked for, or as rounding lets it be. */
    private boolean isConverged(int m, int i) {
        double largest = Math.max(Math.abs(value(0)), Math.abs(value(m - 1)));
        double eps = Math.ulp(1.0);
        return work[w0 + bounds() + i] <= Math.max(tol * Math.abs(value(i)), eps * largest);
    }

    int converged(int m) {
        return (int) Arrays.stream(order(m), 0, wanted(m)).filter(i -> isConverged(m, i)).count();
    }

    /**
     * Keeps the wanted Ritz vectors, and as many of the next ones as have converged, half of the others at most: ARPACK's rule (Lehoucq, Sorensen and Yang
     * 1998), with which it takes as many products. To keep more takes up to a third more of them where values lie close.
     *
     * @return how many
     */
    int restart(int n, double[] v, int v0, int ldv, int m) {
        int keep = Math.min(m - 1, kept(m));
        int[] order = order(m);
        rotate(n, v, v0, ldv, v, v0, ldv, order, keep, m);
        for (int i = 0; i < keep; i++) {
            work[projection() + i] = value(order[i]);
            work[couplings() + i] = lastBeta(m) * work[vectors() + m - 1 + order[i] * ncv];
        }
        System.arraycopy(work, projection(), work, w0 + values(), keep);
        return keep;
    }

    private int kept(int m) {
        int keep = nev + Math.min(converged(m), (m - nev) / 2);
        // One vector alone would be a method of steepest descent.
        return keep > 1 ? keep : m >= 6 ? m / 2 : 2;
    }

    /** Combines vectors by columns of eigenvectors; the result may take the vectors' place. */
    void rotate(int n, double[] v, int v0, int ldv, double[] z, int z0, int ldz, int[] columns, int count, int m) {
        double[] chosen = new double[m * count];
        for (int i = 0; i < count; i++) {
            System.arraycopy(work, vectors() + columns[i] * ncv, chosen, i * m, m);
        }
        int most = Math.min(ROWS, n);
        double[] part = new double[most * count];
        for (int row = 0; row < n; row += most) {
            int rows = Math.min(most, n - row);
            ArrayBlas.dgemm(Op.NONE, Op.NONE, rows, count, m, 1, v, v0 + row, ldv, chosen, 0, m, 0, part, 0, rows);
            for (int i = 0; i < count; i++) {
                System.arraycopy(part, i * rows, z, z0 + row + i * ldz, rows);
            }
        }
    }

    /** ARPACK's dseupd: the converged values in rising order, and their vectors. */
    static void seupd(boolean rvec, String howmny, boolean[] select, int offsetselect, double[] d, int offsetd,
            double[] z, int offsetz, int ldz, double sigma, String bmat, int n, String which, intW nev, double tol,
            double[] resid, int offsetresid, int ncv, double[] v, int offsetv, int ldv, int[] iparam, int offsetiparam,
            int[] ipntr, int offsetipntr, double[] workd, int offsetworkd, double[] workl, int offsetworkl, int lworkl,
            intW info) {
        boolean inverse = iparam[offsetiparam + 6] == 3;
        int found = iparam[offsetiparam + 4];
        info.val = 0;
        if (found == 0) {
            return;
        }
        DRitz ritz = new DRitz(which, nev.val, tol > 0 ? tol : Math.ulp(1.0) / 2, ncv, workl, offsetworkl);
        int m = (int) ritz.get(SIZE);
        int[] chosen = Arrays.stream(ritz.order(m), 0, ritz.wanted(m))
                .filter(i -> ritz.isConverged(m, i))
                .boxed()
                .sorted(Comparator.comparingDouble(i -> ritz.result(i, inverse, sigma)))
                .mapToInt(i -> i)
                .toArray();
        if (chosen.length != found) {
            info.val = -17;
            return;
        }
        for (int i = 0; i < found; i++) {
            d[offsetd + i] = ritz.result(chosen[i], inverse, sigma);
        }
        if (rvec) {
            ritz.rotate(n, v, offsetv, ldv, z, offsetz, ldz, chosen, found, m);
            for (int i = 0; inverse && i < found; i++) {
                // One more step towards OP takes off what OP would not give (Ericsson and Ruhe 1980).
                double last = ritz.work[ritz.vectors() + m - 1 + chosen[i] * ncv];
                ArrayBlas.daxpy(n, last / ritz.value(chosen[i]), resid, offsetresid, 1, z, offsetz + i * ldz, 1);
            }
        }
    }

    /** An eigenvalue of the caller's problem by one of OP. */
    private double result(int i, boolean inverse, double sigma) {
        return inverse ? sigma + 1 / value(i) : value(i);
    }
}
