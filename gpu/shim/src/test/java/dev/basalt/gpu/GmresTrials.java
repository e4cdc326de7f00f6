package dev.basalt.gpu;

import dev.basalt.spi.Gmres;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.Random;

/** Random steps of FGMRES. */
final class GmresTrials {
    private GmresTrials() {}

    /** The operands of a launch whose kernel, type and order are there. */
    static void prepare(Trial t, int gap, boolean pointers, Random r) {
        Launch l = t.l;
        int[] steps =
                {Gmres.BINARY, Gmres.FIRST, Gmres.CYCLE, Gmres.LEAST, Gmres.ARNOLDI, Gmres.ARNOLDI, Gmres.SOLUTION};
        l.p = steps[r.nextInt(steps.length)];
        l.k = r.nextInt(4);
        l.m = 1 + r.nextInt(4);
        boolean bare = l.p == Gmres.BINARY;
        l.q = bare ? r.nextInt(8)
                : l.p == Gmres.ARNOLDI ? r.nextInt((int) l.m)
                : l.p == Gmres.LEAST ? l.n + r.nextInt(9)
                : -61;
        l.alpha.set(r.nextInt(3) == 0 ? 0 : r.nextInt(3) == 0 ? 1e18 : 4, 0);
        l.beta.set(-61, 0);
        if (bare) {
            t.vector(l.g, ElementType.F64, l.n, 1, pointers);
            double[] special = {0, Double.POSITIVE_INFINITY, Double.NaN, 1e-310, 1e300, 8};
            Trial.set(ElementType.F64, l.g.at(0), r.nextInt((int) l.n), special[r.nextInt(special.length)]);
            return;
        }
        if (l.p == Gmres.LEAST) {
            l.m = Math.max(l.m, 2);
        }
        boolean least = l.p == Gmres.LEAST;
        t.matrix(l.a, l.type, l.n, (l.m + 1) * l.k, gap, pointers);
        t.weights(l.a, 1 / Math.sqrt(l.n));
        t.matrix(l.b, l.type, least ? l.q : l.n, least ? 2 * l.k : l.m * l.k, gap, pointers);
        t.matrix(l.c, l.type, l.n, l.k, gap, pointers);
        RefinementTrials.scales(t, l.g, 2 * l.n, pointers);
        t.vector(l.f, ElementType.I64, 1, 1, pointers);
        int parts = l.type.isComplex() ? 2 : 1;
        t.vector(l.d, ElementType.F64, Gmres.words(l.m, l.k, parts), 1, pointers);
        l.guarded = l.p != Gmres.SOLUTION;
        int[] states = {0, 0, 0, Gmres.PAUSED, Kernel.REFINED, Kernel.OVERFLOWN, 3};
        if (!l.e.present() || l.p == Gmres.SOLUTION) {
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
        }
        for (long p = 0; p < l.count; p++) {
            Memory.i32(l.e.at(p), states[r.nextInt(states.length)]);
            Memory.f64(l.d.at(p), r.nextInt(9));
            for (long j = 0; j < l.k; j++) {
                column(l, l.d.at(p) + 8 * (1 + j * Gmres.column(l.m, parts)), parts, r);
            }
        }
        if (l.p <= Gmres.LEAST && l.k > 0 && r.nextInt(4) == 0) {
            boolean zero = r.nextBoolean();
            for (long i = 0; i < (zero ? l.n * parts : 1); i++) {
                Memory.f64(l.a.at(0) + 8 * i, zero ? 0 : Double.NaN);
            }
        }
    }

    /** A column in the middle of a cycle: its triangle is far from singular, and its residual far from where the cycle ends. */
    private static void column(Launch l, long at, int parts, Random r) {
        for (long i = 0; i < l.m; i++) {
            Memory.f64(at + 8 * parts * ((l.m + 1) * i + i), 2 + r.nextDouble());
        }
        long numbers = at + 8 * (parts * Gmres.elements(l.m) + l.m);
        Memory.f64(numbers + 8 * Gmres.TAKEN, l.p == Gmres.ARNOLDI ? l.q : r.nextInt((int) l.m + 1));
        Memory.f64(numbers + 8 * Gmres.TARGET, r.nextBoolean() ? 0 : 1e9);
        Memory.f64(numbers + 8 * Gmres.DONE, r.nextInt(2));
        Memory.f64(numbers + 8 * Gmres.BEGAN, r.nextDouble());
    }
}
