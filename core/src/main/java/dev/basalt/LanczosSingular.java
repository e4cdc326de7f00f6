package dev.basalt;

import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Singular values by Golub and Kahan's bidiagonalisation with thick restarts (Baglama and Reichel, 2005). A·V = U·B, where B is upper
 * bidiagonal, but for kept values on the diagonal and a column of their couplings.
 */
final class LanczosSingular {
    private static final String NAME = "Lanczos.singular";

    private final Handle handle;
    private final ElementType type;
    private final long rows;
    private final long cols;
    private final int m;
    private final Lanczos.Operator a;
    private final Lanczos.Operator adjoint;
    private final boolean largest;
    private final RitzValues ritz;
    private final double eps;

    private KrylovBasis left;
    private KrylovBasis right;
    private MatrixView b;
    private MatrixView u;
    private MatrixView vt;
    private VectorView sigma;
    private VectorView flag;

    private final double[] alpha;
    private final double[] beta;
    private final double[] couplings;
    private double[] values = {};
    private int kept;
    private double scale;
    private boolean broken;

    /** An operator with no fewer rows than columns. */
    LanczosSingular(Handle handle, ElementType type, long rows, long cols, int m, Lanczos.Operator a,
            Lanczos.Operator adjoint, boolean largest, RitzValues ritz) {
        this.handle = handle;
        this.type = type;
        this.rows = rows;
        this.cols = cols;
        this.m = m;
        this.a = a;
        this.adjoint = adjoint;
        this.largest = largest;
        this.ritz = ritz;
        this.eps = type.real() == ElementType.F32 ? Math.ulp(1f) : Math.ulp(1.0);
        this.alpha = new double[m];
        this.beta = new double[m];
        this.couplings = new double[m];
    }

    Status run(int k, int maxRestarts, VectorView s, MatrixView leftVectors, MatrixView rightVectors, VectorView info) {
        Layout layout = Layout.of(NAME, "m=" + rows + " n=" + cols + " k=" + k + " ncv=" + m);
        long all = KrylovBasis.parts(type) * rows;
        tier(layout, "rotation at once", all);
        tier(layout, "rotation by rows", Math.min(KrylovBasis.FEW_ROWS, all));
        if (handle.isDeviceMemorySizeQuery()) {
            return handle.setOptimalDeviceMemorySize(layout);
        }
        if (k == 0) {
            info.upload(new int[1]);
            return Status.SUCCESS;
        }
        try (Lease lease = handle.deviceMalloc(layout).orThrow()) {
            take(lease);
            info.upload(new int[] {iterate(k, maxRestarts, s, leftVectors, rightVectors)});
            return lease.status();
        }
    }

    private void tier(Layout layout, String name, long rotated) {
        ElementType real = type.real();
        long square = Shapes.bytes(NAME, real, (long) m * m);
        layout.tier(name);
        KrylovBasis.slots(layout, "U", type, rows, m + 1);
        KrylovBasis.slots(layout, "V", type, cols, m + 1);
        KrylovBasis.rotated(layout, type, rotated, m + 1);
        layout.slot("B", square)
                .slot("left", square)
                .slot("right", square)
                .slot("sigma", Shapes.bytes(NAME, real, m))
                .slot("info", ElementType.I32.bytes())
                .calls(handle.plan(h -> {
                    VectorView x = VectorView.shape(type, cols);
                    VectorView y = VectorView.shape(type, rows);
                    a.plan(h, x, y);
                    adjoint.plan(h, y, x);
                    long parts = KrylovBasis.parts(type);
                    KrylovBasis.plan(h, Op.NONE, type, rows, m + 1, parts * rows);
                    KrylovBasis.plan(h, Op.TRANS, type, cols, m + 1, parts * cols);
                    MatrixView order = MatrixView.shape(real, m, m);
                    Lapack.gesdd(h, Svect.ALL, Svect.ALL, order, VectorView.shape(real, m), order, order,
                            VectorView.shape(ElementType.I32, 1));
                }));
    }

    private void take(Lease lease) {
        ElementType real = type.real();
        left = new KrylovBasis(handle, lease, "U", type, rows, m + 1);
        right = new KrylovBasis(handle, lease, "V", type, cols, m + 1);
        b = MatrixView.of(real, lease.slot("B").pointer(), m, m, m);
        u = MatrixView.of(real, lease.slot("left").pointer(), m, m, m);
        vt = MatrixView.of(real, lease.slot("right").pointer(), m, m, m);
        sigma = VectorView.of(real, lease.slot("sigma").pointer(), m, 1);
        flag = VectorView.of(ElementType.I32, lease.slot("info").pointer(), 1, 1);
    }

    /** The method; returns info. */
    private int iterate(int k, int maxRestarts, VectorView s, MatrixView leftVectors, MatrixView rightVectors) {
        right.random(0);
        double[] before = null;
        for (int restart = 0;; restart++) {
            extend();
            if (broken || !project()) {
                double[] nothing = new double[k];
                Arrays.fill(nothing, Double.NaN);
                Numbers.upload(s, nothing);
                return k;
            }
            int[] order = IntStream.range(0, m).map(i -> largest ? i : m - 1 - i).toArray();
            double[] last = Numbers.download(u.row(m - 1));
            double[] residuals = new double[m];
            Arrays.setAll(residuals, i -> Math.abs(beta[m - 1] * last[i]));
            int converged = ritz.converged(values, order, residuals);
            double[] wanted = ritz.wanted(values, order);
            boolean all = converged == k && (m == k || m == cols || before != null && ritz.same(before, wanted));
            // Values fall, so the wanted ones stand together at one end.
            if (all || restart == maxRestarts) {
                int first = largest ? 0 : m - k;
                Numbers.upload(s, Arrays.copyOfRange(values, first, first + k));
                if (leftVectors != null) {
                    left.combine(Op.NONE, u.block(0, first, m, k), leftVectors);
                }
                if (rightVectors != null) {
                    right.combine(Op.TRANS, vt.block(first, 0, k, m), rightVectors);
                }
                return k - converged;
            }
            boolean confirm = converged == k;
            before = confirm ? wanted : before;
            int keep = confirm ? k : ritz.kept(m);
            restart(largest ? 0 : m - keep, keep, last, confirm);
        }
    }

    /** Extends both spaces from the kept vectors to m. */
    private void extend() {
        for (int j = kept; j < m && !broken; j++) {
            a.apply(handle, right.vector(j), left.vector(j));
            alpha[j] = next(left, j, rows);
            adjoint.apply(handle, left.vector(j), right.vector(j + 1));
            beta[j] = next(right, j + 1, cols);
        }
    }

    /** Makes a vector orthogonal to the ones before, of norm 1; returns its norm. */
    private double next(KrylovBasis basis, int j, long most) {
        double given = basis.norm(j);
        scale = Math.max(scale, given);
        double norm = basis.orthogonalise(j);
        broken |= !(given <= Double.MAX_VALUE && norm <= Double.MAX_VALUE);
        if (j == most) {
            norm = 0;
        } else if (norm <= eps * scale) {
            // The space is invariant: it goes on with a vector that has nothing to do with it.
            norm = 0;
            basis.random(j);
        } else {
            basis.normalise(j, norm);
        }
        return norm;
    }

    /** The singular values and vectors of B. */
    private boolean project() {
        double[] matrix = new double[m * m];
        for (int j = 0; j < m; j++) {
            matrix[j + j * m] = j < kept ? values[j] : alpha[j];
            if (j < kept) {
                matrix[j + kept * m] = couplings[j];
            } else if (j + 1 < m) {
                matrix[j + (j + 1) * m] = beta[j];
            }
        }
        Numbers.upload(b, matrix);
        Lapack.gesdd(handle, Svect.ALL, Svect.ALL, b, sigma, u, vt, flag);
        values = Numbers.download(sigma);
        int[] failed = new int[1];
        flag.download(failed);
        return failed[0] == 0;
    }

    /** Keeps some vectors of both spaces, and goes on with the right vector behind the space, or with a random one. */
    private void restart(int first, int keep, double[] last, boolean random) {
        left.rotate(Op.NONE, u.block(0, first, m, keep), keep);
        right.rotate(Op.TRANS, vt.block(first, 0, keep, m), keep);
        double[] now = new double[keep];
        for (int i = 0; i < keep; i++) {
            now[i] = values[first + i];
            couplings[i] = random ? 0 : beta[m - 1] * last[first + i];
        }
        values = now;
        kept = keep;
        if (random) {
            right.random(keep);
        } else {
            Blas.copy(handle, right.vector(m), right.vector(keep));
        }
    }
}
