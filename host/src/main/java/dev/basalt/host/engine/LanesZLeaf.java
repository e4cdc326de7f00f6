package dev.basalt.host.engine;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.vector.VectorZBand;
import dev.basalt.host.vector.VectorZReflect;
import dev.basalt.portable.BandColumns;

/** Kernels of complex numbers by machine code, and by the Vector API where there is none. */
final class LanesZLeaf extends AssembledZLeaf {
    LanesZLeaf(AssembledKernels kernels) {
        super(kernels);
    }

    @Override
    protected BandColumns bandColumns() {
        return VectorZBand.of(this);
    }

    @Override
    public void chaseRows(long cols, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        double tr = alphaRe;
        double ti = alphaIm;
        double vr = betaRe;
        double vi = betaIm;
        VectorZReflect.rows(cols, x, ld * 16L, tr, ti, vr, vi);
    }

    @Override
    public void chaseColumns(long rows, long x, long ld, double alphaRe, double alphaIm, double betaRe, double betaIm) {
        double tr = alphaRe;
        double ti = alphaIm;
        double vr = betaRe;
        double vi = betaIm;
        VectorZReflect.columns(rows, x, ld * 16L, tr, ti, vr, vi);
    }
}
