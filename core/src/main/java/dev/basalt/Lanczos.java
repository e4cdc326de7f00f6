package dev.basalt;

import dev.basalt.type.ElementType;

/**
 * Some eigenvalues or singular values of a large operator that is given by what it does to a vector: Lanczos' method with thick restarts and
 * full reorthogonalisation (Wu and Simon 2000 for eigenvalues, Baglama and Reichel 2005 for singular values). Nothing of the operator is
 * stored. The space has {@code ncv} vectors on the handle's device, lent by its workspace.
 *
 * <p>Eigenvalues near a number σ are the largest of (A - σI)⁻¹: factor A - σI once, solve with the factors in the operator, ask for
 * LARGEST_MAGNITUDE, and turn each value θ into σ + 1/θ.
 *
 * <p>Once all wanted values have converged, they are looked for once more from another random vector that is orthogonal to what was found. This
 * finds the other vectors of repeated values, which a single Krylov space does not have. It costs {@code ncv - k} further products.
 *
 * <p>The host reads a few numbers after each product, so these calls wait for the device and cannot be captured into a graph.
 */
public final class Lanczos {
    /** The values that are wanted. */
    public enum Which {
        /** The largest, by sign. */
        LARGEST,
        /** The smallest, by sign. */
        SMALLEST,
        /** Those from both ends; one more from the upper end if their number is odd. */
        BOTH_ENDS,
        /** Those farthest from zero. */
        LARGEST_MAGNITUDE,
        /** Those nearest to zero. Inside the spectrum this converges slowly: the inverse as operator is better. */
        SMALLEST_MAGNITUDE
    }

    /** What an operator does to a vector. */
    @FunctionalInterface
    public interface Operator {
        /**
         * Computes y := A·x: by calls on the handle, by kernels of your own on its stream, or on the host by Java code on the vectors'
         * {@linkplain DeviceMemory#segment memory}. y holds anything before.
         *
         * @param handle the handle of the call; what its calls borrow lies behind the vectors
         * @param x a vector with increment 1, to be read only
         * @param y a vector with increment 1
         */
        void apply(Handle handle, VectorView x, VectorView y);

        /**
         * Makes the same calls on shapes, for queries and plans: what they borrow is planned. It does nothing unless overridden.
         *
         * @param handle the handle, in a plan
         * @param x the shape of x
         * @param y the shape of y
         */
        default void plan(Handle handle, VectorView x, VectorView y) {}
    }

    private static final String EIGEN = "Lanczos.eigen";
    private static final String SINGULAR = "Lanczos.singular";

    /** The projected problem is a dense matrix of this order. */
    private static final long MOST_VECTORS = 1 << 14;

    private Lanczos() {}

    /**
     * The number of vectors that is good for a number of values: twice as many and one, at least 20, at most n.
     *
     * @param n the operator's order
     * @param k values
     * @return vectors
     */
    public static long vectors(long n, long k) {
        return Math.min(n, Math.max(2 * k + 1, 20));
    }

    /**
     * Some eigenvalues of a symmetric or Hermitian operator, and their vectors. It stops where each residual is at most tol times its value, or
     * a rounding error of the operator's largest value. Each run from a start vector that depends on n alone gives the same result.
     *
     * @param handle handle
     * @param type the type of the operator's vectors: F32, F64, C32 or C64
     * @param which the wanted eigenvalues
     * @param n the operator's order
     * @param k how many eigenvalues
     * @param ncv vectors of the space: more than k, at most n; or k = ncv = n
     * @param tol how accurate; 0 for as accurate as the type is
     * @param maxRestarts restarts at most
     * @param a the operator
     * @param w k numbers of the elements' real type: the eigenvalues in rising order; NaN where the operator gave something infinite or NaN
     * @param v n×k: their vectors; null for none
     * @param info I32, one: 0, or how many of the k have not converged; w and v have the best approximations then
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException INVALID_VALUE for types that do not fit, INVALID_SIZE for sizes, INVALID_POINTER for views without memory,
     *     MEMORY_ERROR if not even the smallest workspace is there
     */
    public static Status eigen(Handle handle, ElementType type, Which which, long n, long k, long ncv, double tol,
            int maxRestarts, Operator a, VectorView w, MatrixView v, VectorView info) {
        sizes(EIGEN, type, n, k, ncv, tol, maxRestarts);
        given(EIGEN, handle, "handle");
        given(EIGEN, which, "which");
        given(EIGEN, a, "the operator");
        vector(EIGEN, "w", type.real(), k, w);
        vector(EIGEN, "info", ElementType.I32, 1, info);
        matrix(EIGEN, "V", type, n, k, v);
        RitzValues ritz = new RitzValues(which, (int) k, tol, eps(type));
        return new LanczosEigen(handle, type, n, (int) ncv, a, ritz).run((int) k, maxRestarts, w, v, info);
    }

    /**
     * Some singular values of an operator, and their vectors.
     *
     * @param handle handle
     * @param type the type of the operator's vectors: F32, F64, C32 or C64
     * @param which LARGEST or SMALLEST
     * @param m the length of A·x
     * @param n the length of x
     * @param k how many singular values
     * @param ncv vectors of each of the two spaces: more than k, at most min(m, n); or k = ncv = min(m, n)
     * @param tol how accurate: the residual of each value beside the value; 0 for as accurate as the type is
     * @param maxRestarts restarts at most
     * @param a the operator, from vectors of n elements to vectors of m
     * @param adjoint its adjoint Aᴴ, the other way
     * @param s k numbers of the elements' real type: the singular values, largest first; NaN where an operator gave something infinite or NaN
     * @param u m×k: left vectors; null for none
     * @param v n×k: right vectors, in columns; null for none
     * @param info I32, one: 0, or how many of the k have not converged
     * @return SUCCESS, or PERF_DEGRADED if workspace was short; in a query SIZE_INCREASED or SIZE_UNCHANGED
     * @throws BlasException as {@link #eigen}, and INVALID_VALUE for other values of which
     */
    public static Status singular(Handle handle, ElementType type, Which which, long m, long n, long k, long ncv,
            double tol, int maxRestarts, Operator a, Operator adjoint, VectorView s, MatrixView u, MatrixView v,
            VectorView info) {
        Shapes.notNegative(SINGULAR, "m", m);
        Shapes.notNegative(SINGULAR, "n", n);
        sizes(SINGULAR, type, Math.min(m, n), k, ncv, tol, maxRestarts);
        given(SINGULAR, handle, "handle");
        given(SINGULAR, a, "the operator");
        given(SINGULAR, adjoint, "the adjoint operator");
        if (which != Which.LARGEST && which != Which.SMALLEST) {
            throw new BlasException(Status.INVALID_VALUE, SINGULAR,
                    "which = " + which + ", but singular values have two ends: LARGEST and SMALLEST");
        }
        vector(SINGULAR, "s", type.real(), k, s);
        vector(SINGULAR, "info", ElementType.I32, 1, info);
        matrix(SINGULAR, "U", type, m, k, u);
        matrix(SINGULAR, "V", type, n, k, v);
        RitzValues ritz = new RitzValues(which, (int) k, tol, eps(type));
        boolean largest = which == Which.LARGEST;
        // The space with the start vector is on the shorter side: the other one is not used up before it.
        return m >= n
                ? new LanczosSingular(handle, type, m, n, (int) ncv, a, adjoint, largest, ritz).run((int) k,
                        maxRestarts, s, u, v, info)
                : new LanczosSingular(handle, type, n, m, (int) ncv, adjoint, a, largest, ritz).run((int) k,
                        maxRestarts, s, v, u, info);
    }

    private static double eps(ElementType type) {
        return type.real() == ElementType.F32 ? Math.ulp(1f) : Math.ulp(1.0);
    }

    private static void sizes(String routine, ElementType type, long n, long k, long ncv, double tol, int restarts) {
        given(routine, type, "type");
        if (type != ElementType.F32 && type != ElementType.F64 && type != ElementType.C32 && type != ElementType.C64) {
            throw new BlasException(Status.INVALID_VALUE, routine, "type = " + type + " is none of F32, F64, C32, C64");
        }
        Shapes.notNegative(routine, "n", n);
        Shapes.notNegative(routine, "k", k);
        Shapes.notNegative(routine, "maxRestarts", restarts);
        if (k > n || ncv > n || ncv < k || ncv == k && k < n) {
            throw new BlasException(Status.INVALID_SIZE, routine, "k = " + k + " and ncv = " + ncv + " of " + n
                    + ": ncv must be more than k and at most " + n + ", as Lanczos.vectors gives it, or both are " + n);
        }
        if (ncv >= MOST_VECTORS) {
            throw new BlasException(Status.INVALID_SIZE, routine, "ncv = " + ncv + ": a space has fewer than "
                    + MOST_VECTORS + " vectors; compute all eigenvalues by syevd instead");
        }
        if (!(tol >= 0)) {
            throw new BlasException(Status.INVALID_VALUE, routine, "tol = " + tol + " is not 0 or more");
        }
    }

    private static void given(String routine, Object argument, String name) {
        if (argument == null) {
            throw new BlasException(Status.INVALID_VALUE, routine, name + " is null");
        }
    }

    private static void vector(String routine, String name, ElementType type, long n, VectorView x) {
        if (x == null) {
            throw new BlasException(Status.INVALID_POINTER, routine, name + " is null");
        }
        if (x.type() != type || x.size() != n || x.count() != 1 || x.isPointers()) {
            throw new BlasException(x.type() == type ? Status.INVALID_SIZE : Status.INVALID_VALUE, routine,
                    name + " is " + x + ", but must be one vector of " + n + " of type " + type);
        }
    }

    private static void matrix(String routine, String name, ElementType type, long rows, long cols, MatrixView a) {
        if (a != null
                && (a.type() != type || a.rows() != rows || a.cols() != cols || a.count() != 1 || a.isPointers())) {
            throw new BlasException(a.type() == type ? Status.INVALID_SIZE : Status.INVALID_VALUE, routine,
                    name + " is " + a + ", but must be one matrix of " + rows + " x " + cols + " of type " + type);
        }
    }
}
