package dev.basalt.host;

import dev.basalt.Op;
import dev.basalt.host.asm.AsmKernels;
import dev.basalt.kernel.ZLeaf;

/** The complex kernels that are assembled: the matrix product, to which the recursive kernels of the parent come. */
public final class AsmZLeaf extends ZLeaf {
    private final AsmKernels kernels;

    /**
     * Kernels of complex numbers.
     *
     * @param kernels kernels for complex numbers with parts of 8 bytes
     */
    public AsmZLeaf(AsmKernels kernels) {
        this.kernels = kernels;
    }

    @Override
    public void gemm(
            Op opA,
            Op opB,
            long m,
            long n,
            long k,
            double alphaRe,
            double alphaIm,
            long a,
            long lda,
            long b,
            long ldb,
            double betaRe,
            double betaIm,
            long c,
            long ldc,
            long work,
            long workBytes) {
        if (m <= 0 || n <= 0) {
            return;
        }
        if ((alphaRe == 0 && alphaIm == 0) || k <= 0) {
            scalMatrix(m, n, betaRe, betaIm, c, ldc);
            return;
        }
        kernels.gemm(opA, opB, m, n, k, alphaRe, alphaIm, a, lda, b, ldb, betaRe, betaIm, c, ldc, work, workBytes);
    }
}
