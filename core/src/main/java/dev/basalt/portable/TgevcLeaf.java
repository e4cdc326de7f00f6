package dev.basalt.portable;

/** Eigenvectors of one pair of matrices in Schur form: see {@link dev.basalt.spi.Kernel#TGEVC}. */
interface TgevcLeaf {
    /**
     * Right or left eigenvectors, in the place of Schur vectors.
     *
     * @param left whether they are left ones
     * @param v the Schur vectors
     * @param work 2·n elements of scratch
     */
    void tgevc(boolean left, long n, long s, long lds, long p, long ldp, long v, long ldv, long work);
}
