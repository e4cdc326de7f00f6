package dev.basalt.gpu;

import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Random;

/** Launches of column pivoting, ranks, and reflectors whose ones lie apart. */
final class PivotingTrials {
    private final Trial t;
    private final Launch l;
    private final ElementType type;
    private final int gap;
    private final boolean pointers;
    private final Random r;

    PivotingTrials(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        this.t = t;
        this.l = t.l;
        this.type = type;
        this.gap = gap;
        this.pointers = pointers;
        this.r = r;
    }

    void fill() {
        switch (l.kernel) {
            case CONJUGATE -> t.matrix(l.c, type, l.m, l.n, gap, pointers);
            case LARFG -> {
                t.vector(l.c, type, l.n - 1, r.nextInt(3) == 0 ? -2 : 1 + r.nextInt(2), pointers);
                t.vector(l.b, type, 1, 1, pointers);
                t.vector(l.d, type, 1, 1, pointers);
                if (r.nextInt(3) == 0) {
                    // What the reflector is divided by has no reciprocal.
                    double tiny = type.real() == ElementType.F32 ? 1e-33 : 1e-295;
                    t.weights(l.c, tiny);
                    t.weights(l.b, tiny);
                }
            }
            case TPQRT2 -> triangle();
            case TPMQR2 -> trapezoid();
            case GEQP3_START -> {
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                t.vector(l.a, type.real(), 2 * l.n + 1, 1, pointers);
                numbers(l.n, 0, 1);
            }
            case GEQP3 -> whole();
            case GAUSSIAN -> t.matrix(l.c, type, l.m, l.n, gap, pointers);
            case CHOOSE_COLUMNS -> choice();
            case RANK -> {
                l.alpha.set(Math.pow(10, -r.nextInt(6)), 0);
                t.matrix(l.c, type, l.n, l.n, gap, pointers);
                t.triangle(l.c, l.n, false, false, true);
                t.vector(l.a, type, 2 * l.n, 1, pointers);
                t.vector(l.d, ElementType.I64, 1, 1, pointers);
            }
            case PERMUTE_ROWS -> {
                t.matrix(l.a, type, l.m, l.n, gap, pointers);
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                t.vector(l.d, ElementType.I64, l.m, 1, pointers);
                long turn = r.nextInt((int) l.m);
                for (long p = 0; p < l.count; p++) {
                    for (long i = 0; i < l.m; i++) {
                        Memory.i64(l.d.at(p) + 8 * i, r.nextInt(20) == 0 ? -5 : 1 + (i + turn) % l.m);
                    }
                }
            }
            default -> column();
        }
    }

    /** A matrix whose columns have norms apart, so that the choice does not hang on the last bit; some are nearly others, some come first. */
    private void whole() {
        // Without rows columns have their numbers all the same.
        l.m = r.nextInt(8) == 0 ? 0 : Math.min(l.m, 70);
        l.n = Math.min(l.n, 70);
        t.matrix(l.c, type, Math.max(1, l.m), l.n, gap, pointers);
        t.vector(l.a, type.real(), 2 * l.n + 1, 1, pointers);
        t.vector(l.b, type, l.n, 1, pointers);
        t.vector(l.d, type, Math.max(1, Math.min(l.m, l.n)), 1, pointers);
        t.vector(l.f, ElementType.I64, l.n, 1, pointers);
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < l.n; j++) {
                Memory.i64(l.f.at(p) + 8 * j, r.nextInt(9) == 0 ? 1 : 0);
                boolean near = j > 0 && r.nextInt(6) == 0;
                for (long i = 0; i < parts * l.m; i++) {
                    double own = Trial.get(type, l.c.at(p), i + parts * j * l.c.ld);
                    double other = near ? Trial.get(type, l.c.at(p), i + parts * (j - 1) * l.c.ld) / 2 : 0;
                    Trial.set(type, l.c.at(p), i + parts * j * l.c.ld, other + own * (near ? 0x1p-6 : 1));
                }
            }
        }
    }

    /** Integers in f. */
    private void numbers(long n, int least, int most) {
        t.vector(l.f, ElementType.I64, n, 1, pointers);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < n; i++) {
                Memory.i64(l.f.at(p) + 8 * i, least + r.nextInt(most - least + 1));
            }
        }
    }

    private void triangle() {
        boolean rows = l.opB != Op.NONE;
        l.backward = r.nextBoolean();
        l.conjugated = r.nextBoolean();
        l.n = Math.min(l.n, 30);
        l.p = 0;
        if (r.nextBoolean()) {
            l.p = rows || l.backward ? 0 : r.nextInt((int) Math.min(l.m, l.n) + 1);
            t.matrix(l.c, type, l.n, l.n, gap, pointers);
            t.matrix(l.b, type, rows ? l.n : l.m, rows ? l.m : l.n, gap, pointers);
            t.weights(l.b, 1.0 / l.m);
        } else {
            l.m = Math.max(l.m, l.n);
            t.matrix(l.c, type, rows ? l.n : l.m, rows ? l.m : l.n, gap, pointers);
            if (r.nextBoolean()) {
                numbers(1, -1, (int) l.n + 2);
            }
        }
        t.vector(l.d, type, l.n, 1, pointers);
    }

    private void trapezoid() {
        boolean capped = r.nextBoolean();
        l.side = capped ? Side.LEFT : l.side;
        long order = l.side == Side.LEFT ? l.m : l.n;
        l.k = 1 + r.nextInt((int) Math.min(order, 20));
        l.p = r.nextInt((int) (order - l.k) + 1);
        l.q = l.m + r.nextInt(3);
        t.matrix(l.a, type, l.k, order, gap, pointers);
        t.weights(l.a, 1.0 / order);
        t.matrix(l.c, type, capped ? l.q : l.m, l.n, gap, pointers);
        t.vector(l.d, type, l.k, 1, pointers);
        if (capped) {
            numbers(1, -1, (int) l.k + 2);
        }
    }

    /** A choice of some columns by a sketch, in which some columns are nearly others. */
    private void choice() {
        l.p = r.nextInt((int) l.n);
        l.q = l.p + 1 + r.nextInt((int) Math.min(l.n - l.p, 20));
        l.k = l.q - l.p + r.nextInt(9);
        t.matrix(l.a, type.real(), l.n, 3, 0, pointers);
        t.matrix(l.b, type, l.k, l.n - l.p, gap, pointers);
        t.matrix(l.c, type, l.m, l.n, gap, pointers);
        t.vector(l.d, type, (l.q - l.p + 1) * (l.k + 1) + l.n, 1, pointers);
        numbers(l.n, 1, 99);
        t.vector(l.g, type.real(), 1, 1, pointers);
        boolean flagged = !l.guarded && r.nextBoolean();
        if (flagged) {
            t.vector(l.e, ElementType.I32, 1, 1, pointers);
        }
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            Trial.set(type, l.g.at(p), 0, r.nextInt(3) == 0 ? r.nextInt((int) l.n + 1) : 0);
            if (flagged) {
                Memory.i32(l.e.at(p), r.nextInt(2));
            }
            for (long j = 1; j < l.n - l.p && r.nextInt(4) == 0; j++) {
                for (long i = 0; i < parts * l.k; i++) {
                    double near = Trial.get(type, l.b.at(p), i + parts * (j - 1) * l.b.ld);
                    double own = Trial.get(type, l.b.at(p), i + parts * j * l.b.ld);
                    Trial.set(type, l.b.at(p), i + parts * j * l.b.ld, near + own * 0x1p-10);
                }
            }
        }
    }

    /** A column in the middle of a panel, with norms some of which have lost their digits. */
    private void column() {
        l.q = r.nextInt((int) Math.min(l.m, l.n));
        l.p = Math.max(0, l.q - r.nextInt(8));
        t.matrix(l.c, type, l.m, l.n, gap, pointers);
        t.weights(l.c, 1.0 / l.m);
        t.matrix(l.b, type, l.n, l.q - l.p + 1, gap, pointers);
        t.vector(l.d, type, Math.min(l.m, l.n), 1, pointers);
        t.vector(l.f, ElementType.I64, l.n, 1, pointers);
        t.vector(l.a, type.real(), 2 * l.n + 1, 1, pointers);
        int parts = type.isComplex() ? 2 : 1;
        for (long p = 0; p < l.count; p++) {
            // A reflector begins with 1.
            Trial.set(type, l.c.at(p), parts * l.q * (l.c.ld + 1), 1);
            Trial.set(type, l.c.at(p), parts * (l.q * (l.c.ld + 1) + 1) - 1, parts == 1 ? 1 : 0);
            for (long i = 0; i < 2 * l.n; i++) {
                Trial.set(type, l.a.at(p), i, Math.abs(Trial.get(type, l.a.at(p), i)));
            }
            Trial.set(type, l.a.at(p), 2 * l.n, r.nextBoolean() ? 0 : l.q + r.nextInt(3));
            for (long i = 0; i < l.n; i++) {
                Memory.i64(l.f.at(p) + 8 * i, i + 1);
            }
        }
    }

    /** Copies scratch to where what is expected lies, so that it counts as equal; with a choice of columns norms, too, of which half of the digits may be lost. */
    static void forget(Launch l, long away) {
        int scratch = switch (l.kernel) {
            case RANK -> 1;
            case CHOOSE_COLUMNS -> 1 | 1 << 3;
            case GEQP3 -> 1 | 1 << 1;
            default -> 0;
        };
        for (int i = 0; i < Launch.OPERANDS; i++) {
            for (long p = 0; (scratch >> i & 1) != 0 && p < l.count; p++) {
                Memory.copy(away + l.operand(i).at(p), l.operand(i).at(p), l.operand(i).spanBytes());
            }
        }
    }
}
