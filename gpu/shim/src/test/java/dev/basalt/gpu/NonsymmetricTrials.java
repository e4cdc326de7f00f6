package dev.basalt.gpu;

import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Schur;
import dev.basalt.type.Selection;
import dev.basalt.type.Sign;
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
            case GGBAL -> balancePair();
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
            case TRSYL -> equation();
            case QZ -> pairs();
            case TGEVC, TGSEN, PAIR_VALUES -> triangles();
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

    /** Rows and columns of different size, of which some have one element at most. */
    private void balancePair() {
        l.n = Math.min(l.n, r.nextInt(8) == 0 ? 70 : ORDER);
        l.balance = Balance.values()[r.nextInt(4)];
        t.matrix(l.c, type, l.n, l.n, gap, pointers);
        t.matrix(l.d, type, l.n, l.n, r.nextInt(3), pointers);
        t.vector(l.a, ElementType.I64, 1, 1, pointers);
        t.vector(l.b, ElementType.I64, 1, 1, pointers);
        t.vector(l.f, type.real(), l.n, 1, pointers);
        t.vector(l.g, type.real(), l.n, 1, pointers);
        int sparse = r.nextInt(3);
        int powers = r.nextInt(16);
        for (long p = 0; p < l.count; p++) {
            int[] rows = r.ints(l.n, -powers, powers + 1).toArray();
            int[] columns = r.ints(l.n, -powers, powers + 1).toArray();
            long pivot = r.nextLong(l.n);
            for (long i = 0; i < l.n; i++) {
                for (long j = 0; j < l.n; j++) {
                    boolean none = sparse == 1 ? r.nextInt(3) > 0 : sparse == 2 && (i * 7 + j) % l.n < pivot;
                    double by = none ? 0 : Math.scalb(1.0, rows[(int) i] + columns[(int) j]);
                    put(l.c, p, i, j, by);
                    put(l.d, p, i, j, sparse == 1 && r.nextBoolean() ? 0 : by);
                }
            }
        }
        if (r.nextInt(8) == 0) {
            put(l.d, 0, r.nextInt((int) l.n), r.nextInt((int) l.n), Double.NaN);
        }
    }

    /** Multiplies an element of c. */
    private void put(long p, long i, long j, double by) {
        put(l.c, p, i, j, by);
    }

    private void put(Operand o, long p, long i, long j, double by) {
        for (int q = 0; q < parts; q++) {
            long e = parts * (i + j * o.ld) + q;
            Trial.set(type, o.at(p), e, by * Trial.get(type, o.at(p), e));
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
        form(l.c, n, 1, 0);
        double size = l.kernel == Kernel.TREVC && r.nextInt(4) == 0 ? range() : 1;
        weights(size);
        switch (l.kernel) {
            case TREVC -> vectors();
            case TREXC -> {
                l.p = r.nextInt((int) n);
                l.q = r.nextInt((int) n);
                schurVectors();
                t.vector(l.e, ElementType.I32, 1, 1, pointers);
            }
            case TRSNA -> senses(n, n * (n + 1) * (3 - parts));
            case TRSEN_SENSE -> {
                senses(1, n * n / 4);
                t.vector(l.f, ElementType.I64, 1, 1, pointers);
                for (long p = 0; p < l.count; p++) {
                    long chosen = r.nextInt((int) n + 1);
                    boolean torn = parts == 1 && chosen > 0 && chosen < n
                            && Trial.get(type, l.c.at(p), chosen + (chosen - 1) * l.c.ld) != 0;
                    Memory.i64(l.f.at(p), torn ? chosen + 1 : chosen);
                }
            }
            default -> order();
        }
    }

    /** Eigenvalues with real parts of about sign·(j + first). */
    private void form(Operand o, long n, double sign, double first) {
        t.matrix(o, type, n, n, o == l.c ? gap : r.nextInt(3), pointers);
        boolean pairs = parts == 1 && r.nextBoolean();
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n; i++) {
                    put(o, p, i, j, i > j + 1 || i > j && parts == 2 ? Double.NaN : i > j ? 0 : 1.0 / n);
                }
                add(o, p, j, j, sign * ((pairs ? j / 2 : j) + first));
            }
            for (long j = 0; pairs && j + 1 < n; j += 2) {
                if (r.nextInt(3) > 0) {
                    double diagonal = Trial.get(type, o.at(p), j * (o.ld + 1));
                    Trial.set(type, o.at(p), (j + 1) * (o.ld + 1), diagonal);
                    Trial.set(type, o.at(p), j * (o.ld + 1) + 1, -0.25 - r.nextDouble());
                    Trial.set(type, o.at(p), j * (o.ld + 1) + o.ld, 0.25 + r.nextDouble());
                }
            }
        }
    }

    /** Condition numbers, of which one kind may not be wanted, and scratch that is aligned to complex elements. */
    private void senses(long numbers, long elements) {
        int wanted = 1 + r.nextInt(3);
        if ((wanted & 1) != 0) {
            t.vector(l.a, type.real(), numbers, 1, pointers);
        }
        if ((wanted & 2) != 0) {
            t.vector(l.b, type.real(), numbers, 1, pointers);
        }
        long each = (elements + 3) / 2 * 2;
        l.g.vector(type, t.take(each * l.count * type.bytes()), elements, 1, each);
    }

    /** Sylvester's equation; some eigenvalues meet, and some solutions would be beyond the range. */
    private void equation() {
        l.guarded = false;
        int most = r.nextInt(4) == 0 ? 110 : ORDER * 2;
        l.m = Math.min(l.m, 1 + r.nextInt(most));
        l.n = Math.min(l.n, 1 + r.nextInt(most));
        l.isgn = Sign.values()[r.nextInt(2)];
        double sign = l.isgn == Sign.MINUS ? -1 : 1;
        form(l.a, l.m, 1, 0.5);
        form(l.b, l.n, sign, 1);
        t.matrix(l.c, type, l.m, l.n, gap, pointers);
        t.vector(l.d, type.real(), 1, 1, pointers);
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        if (r.nextInt(4) == 0) {
            t.weights(l.a, range());
            t.weights(l.b, range());
            t.weights(l.c, 1 / Math.sqrt(range()));
        } else if (r.nextInt(3) == 0 && l.n == 1) {
            // One row of the solution is divided by what stands for zero.
            for (long p = 0; p < l.count; p++) {
                for (int q = 0; q < parts; q++) {
                    boolean turned = q == 1 && (l.opA == Op.CONJ_TRANS) != (l.opB == Op.CONJ_TRANS);
                    Trial.set(type, l.b.at(p), q, (turned ? 1 : -1) * sign * Trial.get(type, l.a.at(p), q));
                }
            }
        }
    }

    /** Eigenvalues of pairs far from each other, and NaN among them. QzTest has infinite ones. */
    private void pairs() {
        l.guarded = false;
        l.n = Math.min(l.n, WIDTH);
        long n = l.n;
        t.vector(l.a, type, n, 1, pointers);
        t.vector(l.b, type, n, 1, pointers);
        t.matrix(l.c, type, n, n, gap, pointers);
        t.matrix(l.d, type, n, n, r.nextInt(3), pointers);
        schurPairs();
        t.vector(l.e, ElementType.I32, 1, 1, pointers);
        boolean conjugate = parts == 1 && r.nextBoolean();
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n; i++) {
                    put(l.c, p, i, j, 0.125);
                    put(l.d, p, i, j, 0.125);
                }
                add(l.c, p, j, j, 1 + (conjugate ? j / 2 : j));
                add(l.d, p, j, j, conjugate && j % 2 == 1 ? 0.5 : 1);
                if (conjugate && j % 2 == 0 && j + 1 < n) {
                    add(l.c, p, j, j + 1, 1 + j);
                    add(l.c, p, j + 1, j, -1 - j);
                }
            }
        }
        if (r.nextInt(8) == 0) {
            Operand o = r.nextBoolean() ? l.c : l.d;
            put(o, 0, 0, r.nextInt((int) n), Double.NaN);
        }
    }

    private void schurPairs() {
        if (r.nextInt(3) > 0) {
            t.matrix(l.f, type, l.n, l.n, r.nextInt(3), pointers);
        }
        if (r.nextInt(3) > 0) {
            t.matrix(l.g, type, l.n, l.n, r.nextInt(3), pointers);
        }
    }

    /** Pairs of triangles, the second with a diagonal that is real and not negative; real ones may have blocks in standard form. */
    private void triangles() {
        l.guarded = false;
        l.n = Math.min(l.n, r.nextInt(8) == 0 ? 70 : ORDER);
        long n = l.n;
        t.matrix(l.c, type, n, n, gap, pointers);
        t.matrix(l.d, type, n, n, r.nextInt(3), pointers);
        boolean order = l.kernel == Kernel.TGSEN;
        boolean blocks = parts == 1 && r.nextInt(3) > 0;
        for (long p = 0; p < l.count; p++) {
            for (long j = 0; j < n; j++) {
                for (long i = 0; i < n; i++) {
                    double by = i <= j ? 1.0 / n : order || parts == 1 && i == j + 1 ? 0 : Double.NaN;
                    put(l.c, p, i, j, by);
                    put(l.d, p, i, j, by);
                }
                add(l.c, p, j, j, order && r.nextBoolean() ? -1 - j : 1 + j);
                long e = parts * j * (l.d.ld + 1);
                Trial.set(type, l.d.at(p), e, order ? 1 + n * r.nextDouble() : 1 + r.nextDouble() / n);
                if (parts == 2) {
                    Trial.set(type, l.d.at(p), e + 1, 0);
                }
            }
            if (blocks) {
                standardBlocks(p);
            }
        }
        if (order) {
            schurPairs();
            l.select = Selection.values()[r.nextInt(5)];
            t.vector(l.a, ElementType.I64, 1, 1, pointers);
            l.e.vector(ElementType.I32, t.take(4 * l.count), 1, 1, 1);
            t.vector(l.b, type.real(), 2, 1 + r.nextInt(4), false);
            for (long p = 0; p < l.count; p++) {
                // One matrix in four was too small, one too large.
                for (long i = 0; i < 2; i++) {
                    int kind = r.nextInt(4);
                    double far = type.real() == ElementType.F32 ? 0x1p110 : 0x1p990;
                    Trial.set(type.real(), l.b.at(p), i * l.b.ld, kind == 0 ? 1 / far : kind == 1 ? far : 1);
                }
            }
            return;
        }
        if (l.kernel == Kernel.PAIR_VALUES) {
            t.vector(l.a, type, n, 1, pointers);
            t.vector(l.f, type, n, 1, pointers);
            if (parts == 1) {
                t.vector(l.b, type, n, 1, pointers);
            }
            l.e.vector(ElementType.I32, t.take(4 * l.count), 1, 1, 1);
            for (long p = 0; p < l.count; p++) {
                Memory.i32(l.e.at(p), r.nextInt((int) n + 2));
            }
            return;
        }
        if (!blocks && r.nextInt(4) == 0) {
            // An infinite eigenvalue.
            Trial.set(type, l.d.at(0), parts * r.nextInt((int) n) * (l.d.ld + 1), 0);
        }
        if (r.nextInt(4) == 0) {
            t.weights(l.c, range());
        }
        l.leftEvect = Evect.values()[r.nextInt(3)];
        l.rightEvect = l.leftEvect == Evect.NONE ? Evect.values()[1 + r.nextInt(2)] : Evect.values()[r.nextInt(3)];
        for (Operand v : new Operand[] {l.f, l.g}) {
            if ((v == l.f ? l.leftEvect : l.rightEvect) != Evect.NONE) {
                t.matrix(v, type, n, n, r.nextInt(3), pointers);
            }
        }
        t.vector(l.a, type, 4 * n / parts, 1, false);
    }

    /** Some rows become blocks of complex eigenvalues, the second matrix diagonal in them with the larger element first. */
    private void standardBlocks(long p) {
        for (long j = 0; j + 1 < l.n; j += 2) {
            if (r.nextInt(3) > 0) {
                long c = j * (l.c.ld + 1);
                long d = j * (l.d.ld + 1);
                double ratio = 0.4 + 0.5 * r.nextDouble();
                Trial.set(type, l.d.at(p), d + l.d.ld + 1, ratio * Trial.get(type, l.d.at(p), d));
                Trial.set(type, l.d.at(p), d + l.d.ld, 0);
                // Both quotients on the diagonals are equal.
                Trial.set(type, l.c.at(p), c + l.c.ld + 1, ratio * Trial.get(type, l.c.at(p), c));
                Trial.set(type, l.c.at(p), c + 1, -0.25 - r.nextDouble());
                Trial.set(type, l.c.at(p), c + l.c.ld, 0.25 + r.nextDouble());
            }
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
        add(l.c, p, i, j, more);
    }

    private void add(Operand o, long p, long i, long j, double more) {
        long e = parts * (i + j * o.ld);
        Trial.set(type, o.at(p), e, more + Trial.get(type, o.at(p), e));
    }

    /** What is scratch at the end is not compared. */
    static void forget(Launch l, long away) {
        for (long p = 0; p < l.count; p++) {
            switch (l.kernel) {
                case GEHD2, TREVC, TRSNA, TRSEN_SENSE -> copy(l.g, p, away);
                case TGEVC -> copy(l.a, p, away);
                case TRSYL -> {
                    double found = Trial.get(l.type, l.d.at(p), 0);
                    double right = Trial.get(l.type, l.d.at(p) + away, 0);
                    if (found != 1 && right != 1) {
                        unscale(l, p, 0);
                        unscale(l, p, away);
                    }
                }
                case QZ -> {
                    copy(l.a, p, away);
                    copy(l.b, p, away);
                    if (!l.type.isComplex()) {
                        PairForms.invariants(l, p, 0);
                        PairForms.invariants(l, p, away);
                        continue;
                    }
                    for (Operand o : new Operand[] {l.c, l.d, l.f, l.g}) {
                        if (o.present()) {
                            sizes(o, o.at(p));
                            sizes(o, o.at(p) + away);
                        }
                    }
                }
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

    /** What a solution is multiplied by, and how often, hangs on the order: its largest element becomes 1, and the factor a logarithm. */
    private static void unscale(Launch l, long p, long away) {
        int parts = l.type.isComplex() ? 2 : 1;
        double most = 0;
        for (long j = 0; j < l.n; j++) {
            for (long i = 0; i < l.m * parts; i++) {
                most = Math.max(most, Math.abs(Trial.get(l.type, l.c.at(p) + away, i + j * parts * l.c.ld)));
            }
        }
        for (long j = 0; j < l.n; j++) {
            for (long i = 0; i < l.m * parts; i++) {
                long e = i + j * parts * l.c.ld;
                Trial.set(l.type, l.c.at(p) + away, e, Trial.get(l.type, l.c.at(p) + away, e) / most);
            }
        }
        double scale = Trial.get(l.type, l.d.at(p) + away, 0);
        Trial.set(l.type, l.d.at(p) + away, 0, Math.log(scale) - Math.log(most));
    }

    private static void lastColumn(Launch l, long p, long away) {
        long at = l.g.at(p) + l.k * l.g.ld * l.type.bytes();
        Memory.copy(at + away, at, l.k * l.type.bytes());
    }

    private static void copy(Operand o, long problem, long away) {
        Memory.copy(o.at(problem) + away, o.at(problem), o.spanBytes());
    }
}
