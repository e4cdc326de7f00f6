package dev.basalt.portable;

/**
 * What merges of divide and conquer do for each root and each pole of a secular equation 1/rho + Σ zᵢ²/(dᵢ - λ) = 0. Poles are at d in rising order; with {@code squared} numbers at d and roots are square roots of what
 * stands in the equation, and differences those of squares. It keeps numbers between its steps, so each thread has its own.
 */
public interface SecularLeaf {
    /**
     * All roots of n.
     *
     * @param alphaRe rho
     * @param z what the poles weigh
     * @param delta a column for each root := the poles less the root
     * @param ld elements from one column to the next
     * @param lambda := the roots
     * @return how many have not converged
     */
    long roots(long n, double alphaRe, long d, long z, boolean squared, long delta, long ld, long lambda);

    /** The vector w whose roots, with the same poles, are exactly those found, with the signs of z (Gu and Eisenstat). */
    void weights(long n, long d, long z, boolean squared, long delta, long ld, long w);

    /** x := w/x by element; the sum of its squares. */
    double quotients(long n, long w, long x);

    /** x := d·x by element, but that its first is -1; the sum of its squares. */
    double products(long n, long d, long x);

    /**
     * A vector of the update, times a number, to where products read it: elements in the order of {@code places}, those before {@code both} to up, those from {@code top} on to down.
     *
     * @param alphaRe the number
     */
    void spread(long n, double alphaRe, long x, long places, long top, long both, long up, long down);
}
