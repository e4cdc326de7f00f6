package dev.basalt.host;

import dev.basalt.host.asm.AsmKernels;

/**
 * The assembled complex kernels with the Vector API's for what is not assembled; {@link AsmZLeaf} is for JVMs without it. The
 * borrowed kernels call no other kernel, so none is left behind with a slower product.
 */
final class AsmVectorZLeaf extends AsmZLeaf {
    private final VectorZLeaf vectors = new VectorZLeaf();

    AsmVectorZLeaf(AsmKernels kernels) {
        super(kernels);
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        vectors.swap(n, x, incx, y, incy);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        vectors.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        if (real) {
            super.scal(n, alphaRe, alphaIm, true, x, incx);
        } else {
            vectors.scal(n, alphaRe, alphaIm, false, x, incx);
        }
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        vectors.dot(n, x, incx, y, incy, conj, result);
    }

    @Override
    public long iamax(long n, long x, long incx) {
        return vectors.iamax(n, x, incx);
    }
}
