package dev.basalt.benchmarks;

import static dev.basalt.ElementType.F64;
import static dev.basalt.ElementType.I32;
import static dev.basalt.ElementType.I64;

import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Uplo;
import dev.basalt.VectorView;
import java.lang.foreign.MemorySegment;

/** A = P·L·U or A = L·Lᵀ in place, in double. */
@SuppressWarnings("restricted")
final class FactorContest implements Contest {
    /** Which factorisation. */
    enum Kind {
        LU("dgetrf"),
        CHOLESKY("dpotrf");

        private final String routine;

        Kind(String routine) {
            this.routine = routine;
        }
    }

    private final HostSide host = new HostSide();
    private final Kind kind;
    private final int n;
    private final MatrixView a;
    private final VectorView pivots;
    private final VectorView info;
    private final long address;
    private final long theirPivots;
    private final MemorySegment original;
    private final MemorySegment working;

    FactorContest(Kind kind, int n) {
        this.kind = kind;
        this.n = n;
        a = host.arena.matrix(F64, n, n);
        pivots = host.arena.vector(I64, n);
        info = host.arena.vector(I32, 1);
        address = HostSide.address(a);
        theirPivots = HostSide.address(host.arena.vector(I32, n));
        MatrixView source = host.arena.matrix(F64, n, n);
        source.upload(input());
        original = segment(source);
        working = segment(a);
        double[] ours = new double[n * n];
        double[] theirs = new double[n * n];
        restore();
        basalt();
        a.download(ours);
        restore();
        openBlas();
        a.download(theirs);
        Contest.requireAgreement(kind.routine + " " + n, HostSide.difference(ours, theirs), 1e-10 * n);
    }

    /** Random, with a heavy diagonal for Cholesky; LU keeps its interchanges. */
    private double[] input() {
        double[] values = HostSide.uniform(n * n, 1);
        if (kind == Kind.CHOLESKY) {
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < j; i++) {
                    values[i + j * n] = values[j + i * n];
                }
                values[j + j * n] += n;
            }
        }
        return values;
    }

    private static MemorySegment segment(MatrixView view) {
        return MemorySegment.ofAddress(HostSide.address(view)).reinterpret(view.rows() * view.cols() * Double.BYTES);
    }

    @Override
    public boolean consumesInput() {
        return true;
    }

    @Override
    public void restore() {
        working.copyFrom(original);
    }

    @Override
    public double basalt() {
        if (kind == Kind.LU) {
            Lapack.getrf(host.handle, a, pivots, info);
        } else {
            Lapack.potrf(host.handle, Uplo.LOWER, a, info);
        }
        return 0;
    }

    @Override
    public double openBlas() {
        if (kind == Kind.LU) {
            OpenBlas.dgetrf(n, address, theirPivots);
        } else {
            OpenBlas.dpotrf(n, address);
        }
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
