package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Schur;
import dev.basalt.type.Selection;
import java.util.Random;

/** Random operands of the kernels of general eigenvalues. */
final class NonsymmetricTrials {
    /** Orders whose roundings do not run away from each other. */
    private static final int FEW = 6;

    private static final int ORDER = 20;
    private static final int WIDTH = 12;

    private final Trial t;
    private final Launch l;
    private final ElementType type;
    private final int parts;
    private final int gap;
    private final boolean pointers;
    private final Random r;

    NonsymmetricTrials(Trial t, ElementType type, int gap, boolean pointers, Random r) {
        this.t = t;
        this.l = t.l;
        this.type = type;
        this.parts = type.isComplex() ? 2 : 1;
        this.gap = gap;
        this.pointers = pointers;
        this.r = r;
    }

    void lay() {
        switch (l.kernel) {
            case GEBAL -> balance();
            case GEBAK -> back();
            case UNIT_COLUMNS -> {
                t.matrix(l.c, type, l.m, l.n, gap, pointers);
                if (parts == 1 && r.nextBoolean()) {
                    t.vector(l.b, type, l.n, 1, pointers);
                }
                weights(r.nextInt(3) == 0 ? range() : 1);
            }
            case GEHD2 -> {
                l.n = Math.min(l.n, FEW);
                l.p = r.nextInt((int) l.n);
                l.q = l.p + r.nextInt((int) (l.n - l.p) + 1);
                t.matrix(l.c, type, l.n, l.n, gap, pointers);
                t.vector(l.d, type, Math.max(1, l.n - 1), 1, pointers);
                t.vector(l.g, type, l.n, 1, false);
            }
            case LAHR2_COLUMN, LAHR2_ROW -> {
                l.k = 1 + r.nextInt((int) Math.min(l.m, WIDTH));
                l.p = r.nextInt((int) l.k);
                l.n = l.m;
                t.matrix(l.b, type, l.m, l.k, r.nextInt(3), pointers);
                t.matrix(l.c, type, l.m, l.m + 1, gap, pointers);
                t.vector(l.d, type, 1, 1, pointers);
                t.matrix(l.f, type, l.m, l.k, r.nextInt(3), pointers);
                t.matrix(l.g, type, l.k, l.k + 1, r.nextInt(3), pointers);
            }
            case HSEQR -> iterate();
            default -> form();
        }
    }

    private double range() {
        return type.real() == ElementType.F32 ? 0x1p-90 : 0x1p-800;
    }

    private void weights(double by) {
        t.weights(l.c, by);
    }

    /** Rows and columns of different size, some of them with nothing beside the diagonal. */
    private void balance() {
        l.n = Math.min(l.n, r.nextInt(8) == 0 ? 70 : ORDER);
        l.balance = Balance.values()[r.nextInt(4)];
        t.matrix(l.c, type, l.n, l.n, gap, pointers);
        t.vector(l.a, ElementType.I64, 1, 1, pointers);
        t.vector(l.b, ElementType.I64, 1, 1, pointers);
        t.vector(l.d, type.real(), l.n, 1, pointers);
        boolean sparse = r.nextBoolean();
        int powers = r.nextInt(20);
        for (long p = 0; p < l.count; p++) {
            for (long i = 0; i < l.n; i++) {
                int power = r.nextInt(2 * powers + 1) - powers;
                boolean alone = sparse && r.nextInt(3) == 0;
                for (long j = 0; j < l.n; j++) {
                    put(p, i, j, Math.scalb(1.0, power));
                    put(p, j, i, Math.scalb(1.0, -power));
                    if (i != j && alone) {
                        put(p, power > 0 ? i : j, power > 0 ? j : i, 0);
                    }
                }
            }
        }
        if (r.nextInt(8) == 0) {
            put(0, r.nextInt((int) l.n), r.nextInt((int) l.n), Double.NaN);
        }
    }

    /** Multiplies an element of c. */
    private void put(long p, long i, long j, double by) {
        for (int q = 0; q < parts; q++) {
            long e = parts * (i + j * l.c.ld) + q;
            Trial.set(type, l.c.at(p), e, by * Trial.get(type, l.c.at(p), e));
        }
    }

    private void back() {
        l.balance = Balance.values()[r.nextInt(4)];
        l.n = Math.min(l.n, ORDER);
        t.matrix(l.c, type, l.n, l.m, gap, pointers);
        t.vector(l.d, type.real(), l.n, 1, pointers);
        l.p = 1 + r.nextInt((int) l.n);
        l.q = l.p + r.nextInt((int) (l.n - l.p) + 1);
        boolean device = r.nextBoolean();
        if (device) {
            t.vector(l.a, ElementType.I64, 1, 1, pointers);
            t.vector(l.b, ElementType.I64, 1, 1, pointers);
        }
        for (long p = 0; p < l.count; p++) {
            if (device) {
                Memory.i64(l.a.at(p), l.p);
                Memory.i64(l.b.at(p), l.q);
            }
            for (long i = 0; i < l.n; i++) {
                boolean inside = i + 1 >= l.p && i < l.q;
                // Some name no row.
                Trial.set(type.real(), l.d.at(p), i,
                        inside ? Math.scalb(1.0, r.nextInt(9) - 4) : r.nextInt((int) l.n + 2));
            }
        }
    }

    /** Eigenvalues far from each other; pairs, zeros beside the diagonal, and NaN among them. */
    private void iterate() {
        l.guarded = false;
        l.n = Math.min(l.n, WIDTH);
        long n = l.n;
        l.job = Schur.values()[r.nextInt(2)];
        boolean part = r.nextInt(4) == 0;
        l.p = part ? r.nextInt((int) n) : 0;
        l.q = part ? l.p + r.nextInt((int) (n - l.p) + 1) : n;
        t.vector(l.a, type, n, 1, pointers);
        if (parts == 1) {
            t.vector(l.b, type, n, 1, pointers);
        }
        t.matrix(l.c, type, n, n, gap, pointers);
        if (r.nextInt(3) > 0) {
            t.matrix(l.d, type, n, n, r.nextInt(3), pointers);
            l.job = Schur.SCHUR;
        }
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        t.vector(l.g, type, FEW, 1, false);
        boolean zeros = r.nextBoolean();
        boolean pairs = r.nextBoolean();
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n; i++) {
                    boolean outside = i > j && (i < l.p || i >= l.q || j < l.p || j >= l.q);
                    boolean nothing = outside || zeros && i == j + 1 && r.nextInt(4) == 0;
                    put(p, i, j, nothing ? 0 : 0.125);
                }
                add(p, j, j, pairs ? j / 2 : j);
                if (pairs && j % 2 == 0 && j + 1 < n && j >= l.p && j + 1 < l.q) {
                    add(p, j, j + 1, 0.5);
                    add(p, j + 1, j, -0.5);
                }
            }
        }
        if (r.nextInt(8) == 0) {
            put(0, 0, r.nextInt((int) n), Double.NaN);
        }
    }

    /** A Schur form whose eigenvalues are far from each other; nobody may look far below its diagonal. */
    private void form() {
        l.n = Math.min(l.n, r.nextInt(8) == 0 ? 70 : ORDER);
        long n = l.n;
        t.matrix(l.c, type, n, n, gap, pointers);
        boolean pairs = parts == 1 && r.nextBoolean();
        double size = l.kernel == Kernel.TREVC && r.nextInt(4) == 0 ? range() : 1;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n; i++) {
                    put(p, i, j, i > j + 1 || i > j && parts == 2 ? Double.NaN : i > j ? 0 : 1.0 / n);
                }
                add(p, j, j, pairs ? j / 2 : j);
            }
            for (long j = 0; pairs && j + 1 < n; j += 2) {
                if (r.nextInt(3) > 0) {
                    double diagonal = Trial.get(type, l.c.at(p), j * (l.c.ld + 1));
                    Trial.set(type, l.c.at(p), (j + 1) * (l.c.ld + 1), diagonal);
                    Trial.set(type, l.c.at(p), j * (l.c.ld + 1) + 1, -0.25 - r.nextDouble());
                    Trial.set(type, l.c.at(p), j * (l.c.ld + 1) + l.c.ld, 0.25 + r.nextDouble());
                }
            }
        }
        weights(size);
        switch (l.kernel) {
            case TREVC -> vectors();
            case TREXC -> {
                l.p = r.nextInt((int) n);
                l.q = r.nextInt((int) n);
                schurVectors();
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            default -> order();
        }
    }

    private void schurVectors() {
        l.guarded = false;
        if (r.nextInt(3) > 0) {
            t.matrix(l.d, type, l.n, l.n, r.nextInt(3), pointers);
        }
    }

    private void vectors() {
        long n = l.n;
        l.k = r.nextBoolean() ? n : Math.min(n, 2 + r.nextInt(6));
        l.leftEvect = Evect.values()[r.nextInt(3)];
        l.rightEvect = l.leftEvect == Evect.NONE ? Evect.values()[1 + r.nextInt(2)] : Evect.values()[r.nextInt(3)];
        for (Operand v : new Operand[] {l.d, l.f}) {
            if ((v == l.d ? l.leftEvect : l.rightEvect) != Evect.NONE) {
                t.matrix(v, type, n, n, r.nextInt(3), pointers);
            }
        }
        t.vector(l.g, type, n * (2 * l.k + 3), 1, false);
    }

    private void order() {
        schurVectors();
        long n = l.n;
        l.select = Selection.values()[r.nextInt(5)];
        t.vector(l.a, type, n, 1, pointers);
        if (parts == 1) {
            t.vector(l.b, type, n, 1, pointers);
        }
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        if (r.nextInt(4) > 0) {
            t.vector(l.f, ElementType.I64, 1, 1, pointers);
        } else {
            Memory.i32(l.e.at(0), r.nextInt((int) n + 2));
        }
        for (long p = 0; p < l.count && parts == 1; p++) {
            // The rule sees both of a pair the same.
            for (long j = 0; j + 1 < n; j++) {
                if (Trial.get(type, l.c.at(p), j * (l.c.ld + 1) + 1) != 0) {
                    Trial.set(type, l.a.at(p), j + 1, Trial.get(type, l.a.at(p), j));
                    Trial.set(type, l.b.at(p), j + 1, -Trial.get(type, l.b.at(p), j));
                }
            }
        }
    }

    private void add(long p, long i, long j, double more) {
        long e = parts * (i + j * l.c.ld);
        Trial.set(type, l.c.at(p), e, more + Trial.get(type, l.c.at(p), e));
    }

    /** What is scratch at the end is not compared. */
    static void forget(Launch l, long away) {
        for (long p = 0; p < l.count; p++) {
            switch (l.kernel) {
                case GEHD2, TREVC -> copy(l.g, p, away);
                case HSEQR -> {
                    copy(l.g, p, away);
                    if (l.job == Schur.EIGENVALUES) {
                        copy(l.c, p, away);
                    }
                    sizes(l.c, l.c.at(p));
                    sizes(l.c, l.c.at(p) + away);
                    if (l.d.present()) {
                        sizes(l.d, l.d.at(p));
                        sizes(l.d, l.d.at(p) + away);
                    }
                }
                case LAHR2_COLUMN, LAHR2_ROW -> lastColumn(l, p, away);
                default -> {
                    return;
                }
            }
        }
    }

    /** Where an eigenvalue is found, rounding decides by what number of modulus 1 its vector is multiplied: elements become their moduli. */
    private static void sizes(Operand o, long at) {
        ElementType type = o.type;
        int parts = type.isComplex() ? 2 : 1;
        for (long e = 0; e < o.span() * parts; e += parts) {
            double im = parts == 1 ? 0 : Trial.get(type, at, e + 1);
            Trial.set(type, at, e, Math.hypot(Trial.get(type, at, e), im));
            if (parts == 2) {
                Trial.set(type, at, e + 1, 0);
            }
        }
    }

    private static void lastColumn(Launch l, long p, long away) {
        long at = l.g.at(p) + l.k * l.g.ld * l.type.bytes();
        Memory.copy(at + away, at, l.k * l.type.bytes());
    }

    private static void copy(Operand o, long problem, long away) {
        Memory.copy(o.at(problem) + away, o.at(problem), o.spanBytes());
    }
}
