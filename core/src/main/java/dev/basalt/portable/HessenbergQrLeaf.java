package dev.basalt.portable;

/** The Schur form of one Hessenberg matrix: see {@link dev.basalt.spi.Kernel#HSEQR}. */
interface HessenbergQrLeaf {
    /**
     * QR iteration.
     *
     * @param all whether the whole matrix becomes its Schur form
     * @param low the first row of the range, {@code high} the one behind its last
     * @param imaginary where the imaginary parts of the eigenvalues go; complex types have them in {@code real}
     * @param rows of the matrix at z, which is multiplied by the Schur vectors; 0 for none
     * @param work so many elements of scratch
     * @param pack scratch for packing
     * @return 0, or the number of the last row that has not converged
     */
    long hseqr(boolean all, long n, long low, long high, long h, long ldh, long real, long imaginary, long rows, long z,
            long ldz, long work, long elements, long pack, long packBytes);
}
