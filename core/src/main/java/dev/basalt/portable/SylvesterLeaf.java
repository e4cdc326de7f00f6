package dev.basalt.portable;

import dev.basalt.type.Op;

/** Sylvester's equation of one problem: see {@link dev.basalt.spi.Kernel#TRSYL}. */
interface SylvesterLeaf {
    /**
     * Solves in place.
     *
     * @param minus whether the second product is taken off
     * @param pack scratch for packing
     * @return whether eigenvalues were moved apart
     */
    boolean trsyl(Op opA, Op opB, boolean minus, long m, long n, long a, long lda, long b, long ldb, long c, long ldc,
            long pack, long packBytes);

    /** What the right-hand side of the last call was multiplied by. */
    double scale();
}
