package dev.basalt.benchmarks;

import static dev.basalt.ElementType.F64;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.VectorView;

/** Σ xᵢ·yᵢ in double, the sum returned to the caller. */
final class DotContest implements Contest {
    /** Vectors that no limit of reading can be measured on. */
    private static final int TINY = 64;

    private final HostSide host = new HostSide();
    private final int n;
    private final VectorView x;
    private final VectorView y;
    private final long addressX;
    private final long addressY;

    DotContest(int n) {
        this.n = n;
        x = host.arena.vector(F64, n);
        y = host.arena.vector(F64, n);
        addressX = HostSide.address(x);
        addressY = HostSide.address(y);
        x.upload(HostSide.uniform(n, 1));
        y.upload(HostSide.uniform(n, 2));
        Contest.requireAgreement("ddot " + n, Math.abs(basalt() - openBlas()), 1e-15 * n);
    }

    Handle handle() {
        return host.handle;
    }

    VectorView x() {
        return x;
    }

    VectorView y() {
        return y;
    }

    @Override
    public boolean consumesInput() {
        return false;
    }

    @Override
    public void restore() {}

    @Override
    public double basalt() {
        return Blas.dot(host.handle, x, y);
    }

    @Override
    public double openBlas() {
        return OpenBlas.ddot(n, addressX, addressY);
    }

    @Override
    public double limit(int loop) {
        return n <= TINY ? 0 : Limits.read(loop, addressX, addressY, n);
    }

    @Override
    public void close() {
        host.close();
    }
}
