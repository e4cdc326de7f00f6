package dev.basalt.portable;

/** One-sided Jacobi of one matrix: see {@link dev.basalt.spi.Kernel#GESVJ}. */
interface JacobiLeaf {
    /**
     * The columns of X orthogonal and of length 1, their lengths at {@code values}, and the rotations in V, where there is one.
     *
     * @param near address of X·V with a V that is unitary and makes them nearly orthogonal, or 0
     * @param work elements of the problem as {@link dev.basalt.spi.JacobiWork#productElements} says, or 0: pairs are then rotated one by one
     * @return 0, or 1 if they are not orthogonal
     */
    int gesvj(long m, long n, long x, long ldx, long v, long ldv, long values, double alphaRe, long sweeps,
            long residual, long taken, long near, long ldnear, long work);

    /**
     * Whether no digits are lost where the columns of X begin as products with a unitary matrix: they are not too different in length.
     *
     * @param values address of n real numbers of scratch
     */
    boolean approaches(long m, long n, long x, long ldx, long values);
}
