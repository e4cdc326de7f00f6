package dev.basalt.portable;

import static dev.basalt.spi.Memory.i32;

import dev.basalt.spi.Launch;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/** Runs the launches of the Cholesky kernels that {@link Leaf} does not have: one call of a {@link CholeskyLeaf} a problem. */
final class CholeskyKernels {
    private final CholeskyLeaf s;
    private final CholeskyLeaf d;
    private final CholeskyLeaf c;
    private final CholeskyLeaf z;

    CholeskyKernels(Leaf s, Leaf d, Leaf c, Leaf z) {
        this.s = s.cholesky();
        this.d = d.cholesky();
        this.c = c.cholesky();
        this.z = z.cholesky();
    }

    private CholeskyLeaf leaf(ElementType type) {
        return switch (type) {
            case F32 -> s;
            case F64 -> d;
            case C32 -> c;
            case C64 -> z;
            default -> throw new IllegalArgumentException("no Cholesky factors of " + type);
        };
    }

    /** Runs some problems of a launch, with scratch for this thread alone. */
    void run(Launch l, long from, long to, long work, long workBytes) {
        CholeskyLeaf leaf = leaf(l.type);
        TridiagonalLeaf lines = TridiagonalLeaf.of(l.type);
        long step = l.c.step(l.uplo);
        long growth = l.c.growth(l.uplo);
        for (long i = from; i < to; i++) {
            if (skips(l, i)) {
                continue;
            }
            long n = l.n(i);
            long at = l.c.origin(i);
            switch (l.kernel) {
                case LAUUM -> leaf.lauum(l.uplo, n, at, l.c.ld);
                case COPY_STORED ->
                    leaf.copyStored(l.uplo, n, l.a.at(i), l.a.step(l.uplo), l.a.growth(l.uplo), at, step, growth);
                case POTF2_STORED -> BatchedKernels.report(l, i,
                        leaf.potf2(l.uplo, n, l.c.reach(l.uplo), at, step, growth, work, workBytes));
                case POSV_STORED -> i32(l.e.at(i), (int) leaf.posv(l.uplo, n, l.k(i), l.a.at(i), l.a.step(l.uplo),
                        l.a.growth(l.uplo), at, l.c.ld, work, workBytes));
                case PTTRF -> BatchedKernels.report(l, i, lines.pttrf(n, l.a.at(i), at));
                case PTTRS -> lines.pttrs(l.uplo == Uplo.UPPER, n, l.k(i), l.a.at(i), l.b.at(i), at, l.c.ld);
                default -> BatchedKernels.report(l, i, leaf.potri(l.uplo, n, at, step, growth, work, workBytes));
            }
        }
    }

    private static boolean skips(Launch l, long i) {
        boolean reports = switch (l.kernel) {
            case POTF2_STORED, POTRI_STORED, PTTRF -> true;
            default -> false;
        };
        return (l.guarded || reports) && i32(l.e.at(i)) != 0;
    }
}
