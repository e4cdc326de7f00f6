package dev.basalt.portable;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i32;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Kernel;
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
    /** They remember the merge that is worked on, so each thread has its own. */
    private final ThreadLocal<StedcLeaf> single;

    private final ThreadLocal<StedcLeaf> twice;

    private final Leaf[] kernels;
    private final SideBySide[] iterated;
    private final SideBySide[] reduced;
    private final SideBySide.Alone alone = this::one;
    private final BidiagonalPanel[] panels;

    SingularKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        kernels = new Leaf[] {s, d, c, z};
        iterated = new SideBySide[] {s.bdsqrLanes(), d.bdsqrLanes()};
        reduced = new SideBySide[] {s.gebd2Lanes(), d.gebd2Lanes(), c.gebd2Lanes(), z.gebd2Lanes()};
        reductions =
                new BidiagonalLeaf[] {new SBidiagonal(s), new DBidiagonal(d), new CBidiagonal(c), new ZBidiagonal(z)};
        ElementType[] types = {ElementType.F32, ElementType.F64, ElementType.C32, ElementType.C64};
        panels = new BidiagonalPanel[types.length];
        for (int t = 0; t < types.length; t++) {
            panels[t] = new BidiagonalPanel(kernels[t], reductions[t], types[t]);
        }
        iterations = new BidiagonalQrLeaf[] {
                new SBidiagonalQr(new SRotations(s, 1)),
                new DBidiagonalQr(new DRotations(d, 1)),
                new SBidiagonalQr(new SRotations(c, 2)),
                new DBidiagonalQr(new DRotations(z, 2))};
        jacobis = new JacobiLeaf[] {new SJacobi(s, 1), new DJacobi(d, 1), new SJacobi(c, 2), new DJacobi(z, 2)};
        single = ThreadLocal.withInitial(() -> new SBdsdc(s, iterations[0]));
        twice = ThreadLocal.withInitial(() -> new DBdsdc(d, iterations[1]));
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
        SideBySide beside = beside(l);
        if (beside != null) {
            beside.run(l, from, to, alone);
            return;
        }
        for (long i = from; i < to; i++) {
            if (!BatchedKernels.skips(l, i)) {
                one(l, i);
            }
        }
    }

    /** What works on several problems at once, or null for none. */
    private SideBySide beside(Launch l) {
        if (l.count <= SymmetricKernels.FEW) {
            return null;
        }
        int t = letter(l.type);
        SideBySide beside = switch (l.kernel) {
            case BDSQR -> iterated[t % 2];
            case BDSDC -> l.p == Kernel.LEAVES && l.k == 0 ? iterated[t] : null;
            case GEBD2 -> reduced[t];
            default -> null;
        };
        return beside != null && beside.takes(l) ? beside : null;
    }

    private void one(Launch l, long i) {
        int t = letter(l.type);
        switch (l.kernel) {
            case GEBD2 -> reductions[t].gebd2(l.opB != Op.NONE, l.m(i), l.n(i), l.c.at(i), l.c.ld, l.a.at(i),
                    at(l.b, i), l.d.at(i), l.f.at(i), l.g.at(i));
            case LABRD -> reductions[t].reflector(l.n(i), l.conjugated, l.b.at(i), l.c.first(i), l.c.ld, l.d.at(i),
                    l.a.at(i), l.g.at(i));
            case LABRD_PANEL -> panels[t].run(l, i);
            case PSEUDO -> pseudo(kernels[t], l, i);
            case BDSDC -> SymmetricKernels.add(l, i, (t == 0 ? single : twice).get().step(l, i));
            case GESVJ -> i32(l.e.at(i), jacobi(jacobis[t], l, i));
            default -> i32(l.e.at(i),
                    (int) iterations[t].bdsqr(l.uplo == Uplo.LOWER, l.n(i), l.q, l.f.at(i), l.g.at(i), l.m, at(l.a, i),
                            l.opA == Op.NONE ? 1 : l.a.ld, l.opA == Op.NONE ? l.a.ld : 1, l.p, at(l.b, i), l.b.ld, l.k,
                            at(l.c, i), l.c.ld));
        }
    }

    private static int jacobi(JacobiLeaf jacobi, Launch l, long i) {
        long n = l.n(i);
        if (l.p == Kernel.LENGTHS) {
            return jacobi.approaches(l.m(i), n, l.c.at(i), l.c.ld, l.a.at(i)) ? 0 : 1;
        }
        long near = l.d.present() && i32(l.e.at(i)) == 0 ? l.d.at(i) : 0;
        return jacobi.gesvj(l.m(i), n, l.c.at(i), l.c.ld, at(l.b, i), l.b.ld, l.a.at(i), l.alpha.re(), l.q, l.f.at(i),
                l.g.at(i), near, l.d.ld, JacobiWork.products(l, i));
    }

    private static void pseudo(Leaf leaf, Launch l, long problem) {
        boolean single = l.type.real() == ElementType.F32;
        long values = l.a.at(problem);
        double part = l.alpha.re() < 0 ? single ? 0x1p-24 : 0x1p-53 : l.alpha.re();
        double first = single ? f32(values) : f64(values);
        // A product of single numbers is rounded as on devices that compute with them.
        double least = Math.max(single ? (float) (part * first) : part * first, single ? 0x1p-126 : 0x1p-1022);
        long rank = 0;
        for (long i = 0; i < l.m; i++) {
            double value = single ? f32(values + 4 * i) : f64(values + 8 * i);
            rank += value > least ? 1 : 0;
            double by = value <= least ? 0 : 1 / value;
            if (l.n > 0) {
                leaf.scal(l.n, by, 0, true, l.c.at(problem) + i * l.type.bytes(), l.c.ld);
            }
        }
        i64(l.d.at(problem), rank);
    }

    private static long at(Operand o, long problem) {
        return o.present() ? o.at(problem) : 0;
    }
}
