package dev.basalt.benchmarks;

import static dev.basalt.ElementType.F64;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.Op;

/** C := A·B, square, in double. */
final class GemmContest implements Contest {
    private final HostSide host = new HostSide();
    private final int n;
    private final MatrixView a;
    private final MatrixView b;
    private final MatrixView c;
    private final long addressA;
    private final long addressB;
    private final long addressC;

    GemmContest(int n) {
        this.n = n;
        a = host.arena.matrix(F64, n, n);
        b = host.arena.matrix(F64, n, n);
        c = host.arena.matrix(F64, n, n);
        addressA = HostSide.address(a);
        addressB = HostSide.address(b);
        addressC = HostSide.address(c);
        a.upload(HostSide.uniform(n * n, 1));
        b.upload(HostSide.uniform(n * n, 2));
        double[] ours = new double[n * n];
        double[] theirs = new double[n * n];
        basalt();
        c.download(ours);
        openBlas();
        c.download(theirs);
        Contest.requireAgreement("dgemm " + n, HostSide.difference(ours, theirs), 1e-14 * n);
    }

    @Override
    public boolean consumesInput() {
        return false;
    }

    @Override
    public void restore() {}

    @Override
    public double basalt() {
        Blas.gemm(host.handle, Op.NONE, Op.NONE, 1, a, b, 0, c);
        return 0;
    }

    @Override
    public double openBlas() {
        OpenBlas.dgemm(n, addressA, addressB, addressC);
        return 0;
    }

    @Override
    public double limit(int loop) {
        return loop == 0 ? Limits.multiplyAdd() : 0;
    }

    @Override
    public void close() {
        host.close();
    }
}
