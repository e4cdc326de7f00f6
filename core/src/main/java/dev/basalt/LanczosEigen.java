package dev.basalt;

import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/**
 * Eigenvalues by Lanczos' method with thick restarts (Wu and Simon, 2000). What is left of A in the space is a symmetric matrix T of order m: a
 * diagonal of kept values, their row and column of couplings, and a tridiagonal matrix.
 */
final class LanczosEigen {
    private static final String NAME = "Lanczos.eigen";

    private final Handle handle;
    private final ElementType type;
    private final long n;
    private final int m;
    private final Lanczos.Operator a;
    private final RitzValues ritz;
    private final double eps;

    private KrylovBasis basis;
    private VectorView alpha;
    private MatrixView s;
    private MatrixView chosen;
    private VectorView theta;
    private VectorView e;
    private VectorView flag;

    /** How far the last vector of each cycle is coupled to the next, and how far kept vectors are. */
    private final double[] beta;

    private final double[] couplings;
    private double[] values = {};
    private int kept;
    private double scale;
    private boolean broken;

    LanczosEigen(Handle handle, ElementType type, long n, int m, Lanczos.Operator a, RitzValues ritz) {
        this.handle = handle;
        this.type = type;
        this.n = n;
        this.m = m;
        this.a = a;
        this.ritz = ritz;
        this.eps = type.real() == ElementType.F32 ? Math.ulp(1f) : Math.ulp(1.0);
        this.beta = new double[m];
        this.couplings = new double[m];
    }

    Status run(int k, int maxRestarts, VectorView w, MatrixView v, VectorView info) {
        Layout layout = Layout.of(NAME, "n=" + n + " k=" + k + " ncv=" + m);
        long rows = KrylovBasis.parts(type) * n;
        tier(layout, "rotation at once", rows);
        tier(layout, "rotation by rows", Math.min(KrylovBasis.FEW_ROWS, rows));
        if (handle.isDeviceMemorySizeQuery()) {
            return handle.setOptimalDeviceMemorySize(layout);
        }
        if (k == 0) {
            info.upload(new int[1]);
            return Status.SUCCESS;
        }
        try (Lease lease = handle.deviceMalloc(layout).orThrow()) {
            take(lease);
            info.upload(new int[] {iterate(k, maxRestarts, w, v)});
            return lease.status();
        }
    }

    private void tier(Layout layout, String name, long rows) {
        ElementType real = type.real();
        layout.tier(name);
        KrylovBasis.slots(layout, "V", type, n, m + 1);
        KrylovBasis.rotated(layout, type, rows, m + 1);
        layout.slot("alpha", Shapes.bytes(NAME, real, m))
                .slot("T", Shapes.bytes(NAME, real, (long) m * m))
                .slot("chosen", Shapes.bytes(NAME, real, (long) m * m))
                .slot("theta", Shapes.bytes(NAME, real, m))
                .slot("e", Shapes.bytes(NAME, real, m))
                .slot("info", ElementType.I32.bytes())
                .calls(handle.plan(h -> {
                    a.plan(h, VectorView.shape(type, n), VectorView.shape(type, n));
                    KrylovBasis.plan(h, Op.NONE, type, n, m + 1, KrylovBasis.parts(type) * n);
                    Lapack.syevd(h, Evect.ORIGINAL, Uplo.LOWER, MatrixView.shape(real, m, m), VectorView.shape(real, m),
                            VectorView.shape(real, m), VectorView.shape(ElementType.I32, 1));
                }));
    }

    private void take(Lease lease) {
        ElementType real = type.real();
        basis = new KrylovBasis(handle, lease, "V", type, n, m + 1);
        alpha = VectorView.of(real, lease.slot("alpha").pointer(), m, 1);
        s = MatrixView.of(real, lease.slot("T").pointer(), m, m, m);
        chosen = MatrixView.of(real, lease.slot("chosen").pointer(), m, m, m);
        theta = VectorView.of(real, lease.slot("theta").pointer(), m, 1);
        e = VectorView.of(real, lease.slot("e").pointer(), m, 1);
        flag = VectorView.of(ElementType.I32, lease.slot("info").pointer(), 1, 1);
    }

    /** The method; returns info. */
    private int iterate(int k, int maxRestarts, VectorView w, MatrixView v) {
        basis.random(0);
        double[] before = null;
        for (int restart = 0;; restart++) {
            extend();
            if (broken || !project()) {
                double[] nothing = new double[k];
                Arrays.fill(nothing, Double.NaN);
                Numbers.upload(w, nothing);
                return k;
            }
            int[] order = ritz.order(values);
            double[] last = Numbers.download(s.row(m - 1));
            double[] residuals = new double[m];
            Arrays.setAll(residuals, i -> Math.abs(beta[m - 1] * last[i]));
            int converged = ritz.converged(values, order, residuals);
            double[] wanted = ritz.wanted(values, order);
            boolean all = converged == k && (m == k || m == n || before != null && ritz.same(before, wanted));
            if (all || restart == maxRestarts) {
                Numbers.upload(w, wanted);
                if (v != null) {
                    choose(ritz.rising(values, order), k);
                    basis.combine(Op.NONE, chosen.block(0, 0, m, k), v);
                }
                return k - converged;
            }
            boolean confirm = converged == k;
            before = confirm ? wanted : before;
            restart(order, confirm ? k : ritz.kept(m), last, confirm);
        }
    }

    /** Extends the space from the kept vectors to m. */
    private void extend() {
        for (int j = kept; j < m && !broken; j++) {
            a.apply(handle, basis.vector(j), basis.vector(j + 1));
            double norm = basis.norm(j + 1);
            scale = Math.max(scale, norm);
            beta[j] = basis.orthogonalise(j + 1);
            basis.share(j, alpha.slice(j, 1));
            broken = !(norm <= Double.MAX_VALUE && beta[j] <= Double.MAX_VALUE);
            if (j + 1 == n) {
                beta[j] = 0;
            } else if (beta[j] <= eps * scale) {
                // The space is invariant: it goes on with a vector that has nothing to do with it.
                beta[j] = 0;
                basis.random(j + 1);
            } else {
                basis.normalise(j + 1, beta[j]);
            }
        }
    }

    /** Eigenvalues and eigenvectors of T. */
    private boolean project() {
        double[] t = new double[m * m];
        double[] diagonal = Numbers.download(alpha);
        for (int j = 0; j < m; j++) {
            t[j + j * m] = j < kept ? values[j] : diagonal[j];
            if (j < kept) {
                t[kept + j * m] = couplings[j];
            } else if (j + 1 < m) {
                t[j + 1 + j * m] = beta[j];
            }
        }
        Numbers.upload(s, t);
        Lapack.syevd(handle, Evect.ORIGINAL, Uplo.LOWER, s, theta, e, flag);
        values = Numbers.download(theta);
        int[] failed = new int[1];
        flag.download(failed);
        return failed[0] == 0;
    }

    /** Keeps the first vectors of an order, and goes on with the vector behind the space, or with a random one. */
    private void restart(int[] order, int keep, double[] last, boolean random) {
        choose(order, keep);
        basis.rotate(Op.NONE, chosen.block(0, 0, m, keep), keep);
        double[] now = new double[keep];
        for (int i = 0; i < keep; i++) {
            now[i] = values[order[i]];
            couplings[i] = random ? 0 : beta[m - 1] * last[order[i]];
        }
        values = now;
        kept = keep;
        if (random) {
            basis.random(keep);
        } else {
            Blas.copy(handle, basis.vector(m), basis.vector(keep));
        }
    }

    private void choose(int[] order, int count) {
        for (int i = 0; i < count; i++) {
            Blas.copy(handle, s.column(order[i]), chosen.column(i));
        }
    }
}
