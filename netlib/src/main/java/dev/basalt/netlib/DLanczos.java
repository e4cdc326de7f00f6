package dev.basalt.netlib;

import dev.basalt.arrays.ArrayBlas;
import dev.basalt.type.Op;
import org.netlib.util.doubleW;
import org.netlib.util.intW;

/**
 * ARPACK's dsaupd: some eigenvalues of a symmetric operator by reverse communication. The arguments are ARPACK's; the method is Lanczos' with
 * thick restarts (Wu and Simon 2000), which has the same Ritz values as ARPACK's implicit restarts. All that lives from call to call is in the
 * caller's arrays, so any number of computations may run at a time, in any thread.
 *
 * <p>{@code workd} has B·w, then OP·x or w, then x, of n elements each. The rest is {@link DRitz}'s.
 */
final class DLanczos {
    /** What the caller is asked for, or what comes next. */
    private static final int OP = 1;

    private static final int NORM = 2;
    private static final int AGAIN = 3;
    private static final int LAST = 4;

    /** Where integers are kept in ipntr: those that ARPACK's dsaupd leaves alone. */
    private static final int PHASE = 7;

    private static final int VECTORS = 8;
    private static final int KEPT = 9;
    private static final int RESTARTS = 10;

    /** A second orthogonalisation is done where the first takes more than this off (Daniel, Gragg, Kaufman and Stewart 1976). */
    private static final double ENOUGH = 0.717;

    /** Random vectors that are tried before the space is taken to be all there is. */
    private static final int TRIES = 3;

    private final DRitz ritz;
    private final intW ido;
    private final boolean identity;
    private final int n;
    private final double[] resid;
    private final int r;
    private final int ncv;
    private final double[] v;
    private final int v0;
    private final int ldv;
    private final int[] iparam;
    private final int i0;
    private final int[] ipntr;
    private final int p0;
    private final double[] workd;
    private final int d0;
    private final intW info;

    private DLanczos(DRitz ritz, intW ido, boolean identity, int n, double[] resid, int offsetresid, int ncv,
            double[] v, int offsetv, int ldv, int[] iparam, int offsetiparam, int[] ipntr, int offsetipntr,
            double[] workd, int offsetworkd, intW info) {
        this.ritz = ritz;
        this.ido = ido;
        this.identity = identity;
        this.n = n;
        this.resid = resid;
        this.r = offsetresid;
        this.ncv = ncv;
        this.v = v;
        this.v0 = offsetv;
        this.ldv = ldv;
        this.iparam = iparam;
        this.i0 = offsetiparam;
        this.ipntr = ipntr;
        this.p0 = offsetipntr;
        this.workd = workd;
        this.d0 = offsetworkd;
        this.info = info;
    }

    /** Whether arguments are right and ask for what is done here: exact shifts, and the modes from 1 to 3. netlib says what is wrong. */
    static boolean serves(String bmat, int n, String which, int nev, int ncv, int[] iparam, int offsetiparam,
            int lworkl) {
        int mode = iparam[offsetiparam + 6];
        boolean generalised = bmat.regionMatches(true, 0, "G", 0, 1);
        boolean known = generalised ? mode == 2 || mode == 3 : bmat.regionMatches(true, 0, "I", 0, 1);
        return iparam[offsetiparam] == 1 && mode >= 1 && mode <= 3 && known && nev >= 1 && ncv > nev && ncv <= n
                && iparam[offsetiparam + 2] > 0 && lworkl >= ncv * (ncv + 8) && DRitz.isEnd(which, nev);
    }

    /** ARPACK's dsaupd. */
    static void saupd(intW ido, String bmat, int n, String which, int nev, doubleW tol, double[] resid, int offsetresid,
            int ncv, double[] v, int offsetv, int ldv, int[] iparam, int offsetiparam, int[] ipntr, int offsetipntr,
            double[] workd, int offsetworkd, double[] workl, int offsetworkl, int lworkl, intW info) {
        boolean first = ido.val == 0;
        if (first) {
            if (!(tol.val > 0)) {
                tol.val = Math.ulp(1.0) / 2;
            }
        } else if (ido.val == 99) {
            return;
        }
        DRitz ritz = new DRitz(which, nev, tol.val, ncv, workl, offsetworkl);
        DLanczos lanczos = new DLanczos(ritz, ido, bmat.startsWith("I") || bmat.startsWith("i"), n, resid, offsetresid,
                ncv, v, offsetv, ldv, iparam, offsetiparam, ipntr, offsetipntr, workd, offsetworkd, info);
        if (first) {
            lanczos.begin();
        } else {
            lanczos.resume();
        }
    }

    private int get(int place) {
        return ipntr[p0 + place];
    }

    private void set(int place, int value) {
        ipntr[p0 + place] = value;
    }

    private void begin() {
        for (int count = 8; count <= 10; count++) {
            iparam[i0 + count] = 0;
        }
        set(VECTORS, 0);
        set(KEPT, 0);
        set(RESTARTS, 0);
        ritz.clear();
        if (info.val == 0) {
            random();
        }
        info.val = 0;
        start();
    }

    /** Goes on from a vector that has nothing to do with the ones before. It goes through OP where B may be singular, into the space of OP. */
    private void start() {
        ritz.set(DRitz.RANDOM, 1);
        if (identity) {
            orthogonalise(NORM);
        } else {
            System.arraycopy(resid, r, workd, d0 + 2 * n, n);
            ask(-1, OP, 2 * n, n);
        }
    }

    /** A number by its place, so that each run is the same; the mixing is that of Steele, Lea and Flood's SplitMix (2014). */
    private void random() {
        long seed = (long) ritz.get(DRitz.TRIED) + 4 * (long) get(VECTORS);
        for (int i = 0; i < n; i++) {
            long x = (i + (seed << 40)) * 0x9E3779B97F4A7C15L + 0x5851F42D4C957F2DL;
            x = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
            x = (x ^ x >>> 27) * 0x94D049BB133111EBL;
            resid[r + i] = ((x ^ x >>> 31) >> 10) * 0x1p-53;
        }
    }

    private void resume() {
        int phase = get(PHASE);
        if (phase == OP) {
            iparam[i0 + 8]++;
            System.arraycopy(workd, d0 + n, resid, r, n);
            bTimes(NORM);
        } else {
            iparam[i0 + 9]++;
            orthogonalise(phase);
        }
    }

    /** Asks for something. Pointers count from 1. */
    private void ask(int what, int phase, int from, int to) {
        set(PHASE, phase);
        ido.val = what;
        set(0, from + 1);
        set(1, to + 1);
        set(2, 1);
    }

    private void bTimes(int phase) {
        if (identity) {
            orthogonalise(phase);
        } else {
            System.arraycopy(resid, r, workd, d0 + n, n);
            ask(2, phase, n, 0);
        }
    }

    /** The norm of the vector at hand, by B. */
    private double norm() {
        if (identity) {
            return ArrayBlas.dnrm2(n, resid, r, 1);
        }
        return Math.sqrt(Math.abs(ArrayBlas.ddot(n, resid, r, 1, workd, d0, 1)));
    }

    /** The vector at hand is made orthogonal to the others, in two passes at most. */
    private void orthogonalise(int phase) {
        double norm = norm();
        boolean random = ritz.get(DRitz.RANDOM) != 0;
        if (!(norm <= Double.MAX_VALUE)) {
            finish(-9999, 0);
        } else if (phase == NORM) {
            ritz.set(DRitz.BEFORE, norm);
            if (!random) {
                ritz.set(DRitz.SCALE, Math.max(ritz.get(DRitz.SCALE), norm));
            }
            if (get(VECTORS) == 0) {
                ready(norm);
            } else {
                project(true);
                bTimes(AGAIN);
            }
        } else if (phase == LAST || norm > ENOUGH * ritz.get(DRitz.BEFORE)) {
            ready(norm);
        } else {
            iparam[i0 + 10]++;
            project(false);
            bTimes(LAST);
        }
    }

    private void project(boolean first) {
        int c = get(VECTORS);
        double[] work = ritz.work;
        int h = ritz.projection();
        if (identity) {
            ArrayBlas.dgemv(Op.TRANS, n, c, 1, v, v0, ldv, resid, r, 1, 0, work, h, 1);
        } else {
            ArrayBlas.dgemv(Op.TRANS, n, c, 1, v, v0, ldv, workd, d0, 1, 0, work, h, 1);
        }
        ArrayBlas.dgemv(Op.NONE, n, c, -1, v, v0, ldv, work, h, 1, 1, resid, r, 1);
        if (ritz.get(DRitz.RANDOM) == 0) {
            ritz.alpha(c - 1, work[h + c - 1], first);
        }
    }

    /** The vector at hand is orthogonal to the others. */
    private void ready(double norm) {
        int c = get(VECTORS);
        boolean random = ritz.get(DRitz.RANDOM) != 0;
        double least = Math.ulp(1.0) * (random ? ritz.get(DRitz.BEFORE) : ritz.get(DRitz.SCALE));
        if (norm > least) {
            if (!random) {
                ritz.beta(c - 1, norm);
            }
            if (c < ncv) {
                take(norm);
                step();
            } else {
                cycle(c);
            }
            return;
        }
        if (!random) {
            ritz.beta(c - 1, 0);
            ritz.set(DRitz.TRIED, 0);
        }
        int tried = (int) ritz.get(DRitz.TRIED);
        if (c == ncv || c == n || tried == TRIES) {
            if (c == 0) {
                finish(-9, 0);
            } else {
                ritz.beta(c - 1, 0);
                cycle(c);
            }
        } else {
            // The space is invariant: it goes on with a vector that has nothing to do with it.
            ritz.set(DRitz.TRIED, tried + 1);
            random();
            start();
        }
    }

    /** The vector at hand becomes the next of the space. */
    private void take(double norm) {
        int c = get(VECTORS);
        int at = v0 + c * ldv;
        for (int i = 0; i < n; i++) {
            v[at + i] = resid[r + i] / norm;
        }
        for (int i = 0; !identity && i < n; i++) {
            workd[d0 + i] /= norm;
        }
        if (identity) {
            System.arraycopy(v, at, workd, d0, n);
        }
        set(VECTORS, c + 1);
        ritz.set(DRitz.RANDOM, 0);
        ritz.set(DRitz.TRIED, 0);
    }

    /** Asks for OP times the last vector; B times it stands ready. */
    private void step() {
        System.arraycopy(v, v0 + (get(VECTORS) - 1) * ldv, workd, d0 + 2 * n, n);
        ask(1, OP, 2 * n, n);
    }

    /** The space is full, or all there is. */
    private void cycle(int m) {
        ritz.set(DRitz.SIZE, m);
        if (ritz.solve(m, get(KEPT)) != 0) {
            finish(-8, 0);
            return;
        }
        int restarts = get(RESTARTS) + 1;
        set(RESTARTS, restarts);
        int converged = ritz.converged(m);
        double norm = ritz.lastBeta(m);
        if (converged >= ritz.wanted(m) || norm == 0) {
            finish(0, converged);
        } else if (restarts >= iparam[i0 + 2]) {
            finish(1, converged);
        } else {
            int keep = ritz.restart(n, v, v0, ldv, m);
            set(KEPT, keep);
            set(VECTORS, keep);
            take(norm);
            step();
        }
    }

    private void finish(int what, int converged) {
        iparam[i0 + 2] = get(RESTARTS);
        iparam[i0 + 4] = converged;
        info.val = what;
        ido.val = 99;
        set(3, ritz.next() + 1);
        set(4, 1);
        set(5, ritz.values() + 1);
        set(6, ritz.bounds() + 1);
    }
}
