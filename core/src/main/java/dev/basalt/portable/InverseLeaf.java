package dev.basalt.portable;

/** What a {@link Leaf} offers besides if it inverts small matrices faster than by its own triangular kernels. */
public interface InverseLeaf {
    /**
     * L and U in place of each other := U⁻¹·L⁻¹, of matrices that it takes.
     *
     * @param n order
     * @param a address
     * @param lda elements between columns
     * @return false, with nothing done, if it does not take such a matrix
     */
    boolean invert(long n, long a, long lda);
}
