package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.JacobiWork;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Operand;
import dev.basalt.type.ElementType;
import dev.basalt.type.Eorder;
import dev.basalt.type.Evect;
import dev.basalt.type.Uplo;

/** Runs the launches of symmetric eigenvalue problems: one call of a leaf a problem. */
final class SymmetricKernels {
    /** Up to so many problems go one by one, with the bits of single calls. */
    static final long FEW = 3;

    private final SymmetricLeaf[] leaves;
    private final SteqrLeaf[] rotations;
    private final SideBySide[] iterated;
    private final SideBySide[] reduced;
    private final SideBySide.Alone alone = this::one;
    private final EigenJacobiLeaf[] jacobis;
    private final SturmLeaf[] sturms = {new SSturm(), new DSturm()};
    /** They remember the merge that is worked on, so each thread has its own. */
    private final ThreadLocal<StedcLeaf> single;

    private final ThreadLocal<StedcLeaf> twice;

    SymmetricKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        leaves = new SymmetricLeaf[] {new SSymmetric(s), new DSymmetric(d), new CSymmetric(c), new ZSymmetric(z)};
        rotations = new SteqrLeaf[] {new SSteqr(s), new DSteqr(d)};
        iterated = new SideBySide[] {s.steqrLanes(), d.steqrLanes()};
        reduced = new SideBySide[] {s.sytd2Lanes(), d.sytd2Lanes(), c.sytd2Lanes(), z.sytd2Lanes()};
        jacobis = new EigenJacobiLeaf[] {
                new SEigenJacobi(leaves[0], rotations[0], s, 1),
                new DEigenJacobi(leaves[1], rotations[1], d, 1),
                new SEigenJacobi(leaves[2], rotations[0], s, 2),
                new DEigenJacobi(leaves[3], rotations[1], d, 2)};
        single = ThreadLocal.withInitial(() -> new SStedc(s, rotations[0]));
        twice = ThreadLocal.withInitial(() -> new DStedc(d, rotations[1]));
    }

    private static int letter(ElementType type) {
        return switch (type) {
            case F32 -> 0;
            case F64 -> 1;
            case C32 -> 2;
            case C64 -> 3;
            default -> throw new IllegalArgumentException("no eigenvalues of " + type);
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
        if (l.count <= FEW) {
            return null;
        }
        SideBySide beside = switch (l.kernel) {
            case STEQR -> iterated[letter(l.type)];
            case SYTD2 -> reduced[letter(l.type)];
            default -> null;
        };
        return beside != null && beside.takes(l) ? beside : null;
    }

    private void one(Launch l, long i) {
        int t = letter(l.type);
        switch (l.kernel) {
            case STEQR -> {
                long missed = l.c.present()
                        ? rotations[t].steqr(l.n, l.a.at(i), l.b.at(i), l.m, l.c.at(i), l.c.ld, l.f.at(i))
                        : rotations[t].sterf(l.n, l.a.at(i), l.b.at(i));
                add(l, i, missed);
            }
            case STEDC -> add(l, i, (t == 0 ? single : twice).get().step(l, i));
            case SYEVJ -> i32(l.e.at(i), jacobis[t].syevj(l.uplo == Uplo.LOWER, l.evect != Evect.NONE, l.n, l.c.at(i),
                    l.c.ld, l.b.at(i), l.a.at(i), l.alpha.re(), l.q, l.f.at(i), l.g.at(i), JacobiWork.tile(l, i)));
            case STEBZ -> i32(l.e.at(i), sturms[t].stebz((int) l.m, l.k == Eorder.ENTIRE.ordinal(), l.n, l.a.at(i),
                    at(l.b, i), l.c.at(i), l.alpha.re(), l.beta.re(), l.p, l.q, l.f.at(i), l.g.at(i)));
            case STEIN -> add(l, i, sturms[t].stein(l.n, l.k, l.a.at(i), at(l.b, i), l.d.at(i), l.p != 0, l.c.at(i),
                    l.m, l.c.ld, l.f.at(i), l.g.at(i)));
            case EIGEN_RANGE -> EigenRange.run(l, i);
            default -> reduce(leaves[t], l, i);
        }
    }

    private static long at(Operand o, long problem) {
        return o.present() ? o.at(problem) : 0;
    }

    /** Adds to the count of what has not converged. */
    static void add(Launch l, long i, long missed) {
        if (missed != 0) {
            i32(l.e.at(i), i32(l.e.at(i)) + (int) missed);
        }
    }

    private static void reduce(SymmetricLeaf leaf, Launch l, long i) {
        boolean lower = l.uplo == Uplo.LOWER;
        long a = l.a.present() ? l.a.at(i) : 0;
        long b = l.b.present() ? l.b.at(i) : 0;
        long tau = l.d.present() ? l.d.at(i) : 0;
        long c = l.c.at(i);
        switch (l.kernel) {
            case SB2ST -> new BulgeChase(leaf, l.n, l.k, l.f.at(i), l.f.ld, tau, l.d.ld).run(lower, l.c.origin(i),
                    l.c.step(l.uplo), a, b);
            case CHASED -> BulgeChase.apply(leaf, l.n, l.m, l.k, a, l.a.ld, c, l.c.ld, l.f.at(i));
            case SYTD2 -> leaf.sytd2(lower, l.n, c, l.c.ld, a, b, tau);
            case LATRD_COLUMN -> leaf.column(lower, l.n, l.k, l.p, c, l.c.ld, b, tau, l.f.at(i), l.f.ld);
            case LATRD_ROW -> leaf.row(lower, l.n, l.k, l.p, c, l.c.ld, tau, l.f.at(i), l.f.ld);
            case LATRD -> leaf.panel(l.uplo, l.hermitian, l.n, l.k, c, l.c.ld, b, tau, l.f.at(i), l.f.ld);
            default -> leaf.diagonals(lower, l.n, l.p, c, l.c.ld, a, b);
        }
    }
}
