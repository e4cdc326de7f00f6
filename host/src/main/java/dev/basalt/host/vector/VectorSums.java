package dev.basalt.host.vector;

import dev.basalt.portable.HeapSums;
import jdk.incubator.vector.VectorShape;

/** Loops on arrays by the Vector API, where its module is, and the compiler that makes it fast, and vectors of 256 bits. */
public final class VectorSums implements HeapSums {
    private static final int BITS = 256;

    /** For {@link java.util.ServiceLoader}. */
    public VectorSums() {}

    @Override
    public boolean works() {
        String vm = System.getProperty("java.vm.info", "");
        return ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent() && !vm.contains("interpreted")
                && !vm.contains("emulated-client") && Widest.BITS >= BITS;
    }

    /** Loaded only where the module is. */
    private static final class Widest {
        static final int BITS = VectorShape.preferredShape().vectorBitSize();
    }

    @Override
    public double dot(int n, double[] x, int xOffset, double[] y, int yOffset) {
        return VectorDSums.dot(n, x, xOffset, y, yOffset);
    }

    @Override
    public double squares(int n, double[] x, int xOffset) {
        return VectorDSums.squares(n, x, xOffset);
    }

    @Override
    public double asum(int n, double[] x, int xOffset) {
        return VectorDSums.asum(n, x, xOffset);
    }

    @Override
    public int iamax(int n, double[] x, int xOffset) {
        return n < VectorDSums.LANES ? 0 : VectorDSums.iamax(n, x, xOffset);
    }

    @Override
    public void axpy(int n, double alpha, double[] x, int xOffset, double[] y, int yOffset) {
        VectorDStreams.axpy(n, alpha, x, xOffset, y, yOffset);
    }

    @Override
    public float dot(int n, float[] x, int xOffset, float[] y, int yOffset) {
        return VectorSSums.dot(n, x, xOffset, y, yOffset);
    }

    @Override
    public float squares(int n, float[] x, int xOffset) {
        return VectorSSums.squares(n, x, xOffset);
    }

    @Override
    public float asum(int n, float[] x, int xOffset) {
        return VectorSSums.asum(n, x, xOffset);
    }

    @Override
    public int iamax(int n, float[] x, int xOffset) {
        return n < VectorSSums.LANES ? 0 : VectorSSums.iamax(n, x, xOffset);
    }

    @Override
    public void axpy(int n, float alpha, float[] x, int xOffset, float[] y, int yOffset) {
        VectorSStreams.axpy(n, alpha, x, xOffset, y, yOffset);
    }

    @Override
    public void swap(int n, double[] x, int xOffset, double[] y, int yOffset) {
        VectorDStreams.swap(n, x, xOffset, y, yOffset);
    }

    @Override
    public boolean copy(int n, double[] x, int xOffset, double[] y, int yOffset) {
        return VectorDStreams.copy(n, x, xOffset, y, yOffset);
    }

    @Override
    public void scal(int n, double alpha, double[] x, int xOffset) {
        VectorDStreams.scal(n, alpha, x, xOffset);
    }

    @Override
    public void rot(int n, double[] x, int xOffset, double[] y, int yOffset, double c, double s) {
        VectorDStreams.rot(n, x, xOffset, y, yOffset, c, s);
    }

    @Override
    public boolean gemv(boolean transposed, int m, int n, double alpha, double[] a, int aOffset, int lda, double[] x,
            int xOffset, double beta, double[] y, int yOffset) {
        if (m < VectorDMatvec.LANES) {
            return false;
        }
        VectorDMatvec.gemv(transposed, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        return true;
    }

    @Override
    public void swap(int n, float[] x, int xOffset, float[] y, int yOffset) {
        VectorSStreams.swap(n, x, xOffset, y, yOffset);
    }

    @Override
    public boolean copy(int n, float[] x, int xOffset, float[] y, int yOffset) {
        return VectorSStreams.copy(n, x, xOffset, y, yOffset);
    }

    @Override
    public void scal(int n, float alpha, float[] x, int xOffset) {
        VectorSStreams.scal(n, alpha, x, xOffset);
    }

    @Override
    public void rot(int n, float[] x, int xOffset, float[] y, int yOffset, float c, float s) {
        VectorSStreams.rot(n, x, xOffset, y, yOffset, c, s);
    }

    @Override
    public boolean gemv(boolean transposed, int m, int n, float alpha, float[] a, int aOffset, int lda, float[] x,
            int xOffset, float beta, float[] y, int yOffset) {
        if (m < VectorSMatvec.LANES) {
            return false;
        }
        VectorSMatvec.gemv(transposed, m, n, alpha, a, aOffset, lda, x, xOffset, beta, y, yOffset);
        return true;
    }
}
