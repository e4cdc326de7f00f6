package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Uplo;

/** Runs the kernels of singular values: one call a problem. */
final class SingularKernels {
    private final BidiagonalLeaf[] reductions;
    private final BidiagonalQrLeaf[] iterations;
    private final JacobiLeaf[] jacobis;

    SingularKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        reductions =
                new BidiagonalLeaf[] {new SBidiagonal(s), new DBidiagonal(d), new CBidiagonal(c), new ZBidiagonal(z)};
        iterations = new BidiagonalQrLeaf[] {
                new SBidiagonalQr(new SRotations(s, 1)),
                new DBidiagonalQr(new DRotations(d, 1)),
                new SBidiagonalQr(new SRotations(c, 2)),
                new DBidiagonalQr(new DRotations(z, 2))};
        jacobis = new JacobiLeaf[] {new SJacobi(s, 1), new DJacobi(d, 1), new SJacobi(c, 2), new DJacobi(z, 2)};
    }

    private static int letter(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 2;
            case C64 -> 3;
            default -> throw new IllegalArgumentException("no singular values of " + type);
        };
    }

    /** Problems from…to-1. */
    void run(Launch l, long from, long to) {
        int t = letter(l.type);
        for (long i = from; i < to; i++) {
            if (BatchedKernels.skips(l, i)) {
                continue;
            }
            switch (l.kernel) {
                case GEBD2 -> reductions[t].gebd2(l.opB != Op.NONE, l.m(i), l.n(i), l.c.at(i), l.c.ld, l.a.at(i),
                        at(l.b, i), l.d.at(i), l.f.at(i), l.g.at(i));
                case LABRD -> reductions[t].reflector(l.n(i), l.conjugated, l.b.at(i), l.c.first(i), l.c.ld, l.d.at(i),
                        l.a.at(i), l.g.at(i));
                case GESVJ -> i32(l.e.at(i), jacobis[t].gesvj(l.m(i), l.n(i), l.c.at(i), l.c.ld, l.b.at(i), l.b.ld,
                        l.a.at(i), l.alpha.re(), l.q, l.f.at(i), l.g.at(i)));
                default -> i32(l.e.at(i),
                        (int) iterations[t].bdsqr(l.uplo == Uplo.LOWER, l.n(i), l.q, l.f.at(i), l.g.at(i), l.m,
                                at(l.a, i), l.opA == Op.NONE ? 1 : l.a.ld, l.opA == Op.NONE ? l.a.ld : 1, l.p,
                                at(l.b, i), l.b.ld, l.k, at(l.c, i), l.c.ld));
            }
        }
    }

    private static long at(Operand o, long problem) {
        return o.present() ? o.at(problem) : 0;
    }
}
