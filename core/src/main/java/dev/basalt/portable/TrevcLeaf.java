package dev.basalt.portable;

/** Eigenvectors of one matrix in Schur form: see {@link dev.basalt.spi.Kernel#TREVC}. */
interface TrevcLeaf {
    /**
     * Right or left eigenvectors.
     *
     * @param left whether they are left ones
     * @param times whether the matrix at v is multiplied by them, and not overwritten
     * @param group vectors at once
     * @param work n·(2·group + 3) elements of scratch
     */
    void trevc(boolean left, boolean times, long n, long t, long ldt, long v, long ldv, long group, long work,
            long pack, long packBytes);
}
