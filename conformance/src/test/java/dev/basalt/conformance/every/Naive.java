package dev.basalt.conformance.every;

import dev.basalt.spi.Semiring;
import dev.basalt.type.Op;
import dev.basalt.type.Side;

/** The products of levels 2 and 3 as their definitions say: dense matrices and three loops. */
final class Naive {
    private static final String MATVEC = "(ge|gb|sy|he|sp|hp|sb|hb)mv";
    private static final String RANK_1 = "ger[uc]?|(sy|he|sp|hp)r";
    private static final String RANK_2 = "(sy|he|sp|hp)r2";
    private static final String TRIANGLE = "t[rpb]mv|trmm";
    private static final String PRODUCT = "gemm(t|Ex)?|(sy|he)(mm|rk|rkx|r2k)";
    private static final String DIAGONAL = "dgmm|geam|geamEx";

    private final TableCall call;
    private final Problem p;
    private final boolean hermitian;
    private final double[] alpha;
    private final double[] beta;

    private Naive(TableCall call, Problem problem) {
        this.call = call;
        this.p = problem;
        this.hermitian = call.isHermitian();
        this.alpha = problem.scalars().get("alpha");
        this.beta = problem.scalars().get("beta");
    }

    static boolean has(TableCall call) {
        return call.family().matches(String.join("|", MATVEC, RANK_1, RANK_2, TRIANGLE, PRODUCT, DIAGONAL, "cholqr"));
    }

    /** Replaces what the routine overwrites by its results. */
    static void run(TableCall call, Problem problem) {
        new Naive(call, problem).run();
    }

    private void run() {
        String family = call.family();
        if (quick()) {
            return;
        }
        if (family.matches(MATVEC)) {
            Dense a = call.stored.get(matrix()).triangle() ? Dense.full(call, p, matrix(), hermitian) : of("A");
            update("y", a.op(op("trans")).times(of("x")), false);
        } else if (family.matches(RANK_1 + "|" + RANK_2)) {
            rank();
        } else if (family.matches(TRIANGLE)) {
            triangle();
        } else if (family.equals("dgmm")) {
            diagonal();
        } else if (family.equals("geam")) {
            Dense a = of("A").op(op("transA")).scaled(alpha);
            a.plus(of("B").op(op("transB")).scaled(beta)).into(call, p, "C", false);
        } else if (family.equals("geamEx")) {
            semiring();
        } else if (family.equals("cholqr")) {
            thin();
        } else {
            product();
        }
    }

    private boolean quick() {
        return call.sizes.getOrDefault("m", 1) == 0 || call.sizes.get("n") == 0;
    }

    private String matrix() {
        return call.stored.containsKey("AP") ? "AP" : "A";
    }

    private Dense of(String name) {
        return Dense.of(call, p, name);
    }

    private Op op(String name) {
        return (Op) call.options.getOrDefault(name, Op.NONE);
    }

    private boolean left() {
        return call.options.get("side") == Side.LEFT;
    }

    private static boolean zero(double[] scalar) {
        return scalar[0] == 0 && scalar[1] == 0;
    }

    /** c := alpha·ab + beta·c; nothing at all where that changes nothing. */
    private void update(String name, Dense ab, boolean realDiagonal) {
        boolean nothing = zero(alpha) || call.sizes.getOrDefault("k", 1) == 0 && !call.family().endsWith("mv");
        if (nothing && beta[0] == 1 && beta[1] == 0) {
            return;
        }
        of(name).scaled(beta).plus(ab.scaled(alpha)).into(call, p, name, realDiagonal);
    }

    private void rank() {
        if (zero(alpha)) {
            return;
        }
        boolean conjugate = hermitian || call.family().equals("gerc");
        Op turned = conjugate ? Op.CONJ_TRANS : Op.TRANS;
        Dense x = of("x");
        Dense y = call.stored.containsKey("y") ? of("y") : x;
        Dense sum = of(matrix()).plus(x.times(y.op(turned)).scaled(alpha));
        if (call.family().endsWith("2")) {
            sum = sum.plus(y.times(x.op(turned)).scaled(conjugate(alpha)));
        }
        sum.into(call, p, matrix(), hermitian);
    }

    private double[] conjugate(double[] scalar) {
        return new double[] {scalar[0], hermitian ? -scalar[1] : scalar[1]};
    }

    private void triangle() {
        if (call.family().equals("trmm")) {
            Dense a = Dense.triangle(call, p, "A").op(op("transA"));
            (left() ? a.times(of("B")) : of("B").times(a)).scaled(alpha).into(call, p, "C", false);
        } else {
            Dense.triangle(call, p, matrix()).op(op("trans")).times(of("x")).into(call, p, "x", false);
        }
    }

    private void diagonal() {
        Dense x = of("x");
        Dense d = new Dense(x.rows, x.rows);
        for (int i = 0; i < x.rows; i++) {
            d.re[d.at(i, i)] = x.re[i];
            d.im[d.at(i, i)] = x.im[i];
        }
        (left() ? d.times(of("A")) : of("A").times(d)).into(call, p, "C", false);
    }

    private void product() {
        String family = call.family();
        if (family.equals("gemmEx")) {
            Dense ab = of("A").op(op("transA")).times(of("B").op(op("transB")));
            of("C").scaled(beta).plus(ab.scaled(alpha)).into(call, p, "D", false);
            return;
        }
        if (family.matches("gemmt?")) {
            update("C", of("A").op(op("transA")).times(of("B").op(op("transB"))), false);
            return;
        }
        if (family.endsWith("mm")) {
            Dense a = Dense.full(call, p, "A", hermitian);
            update("C", left() ? a.times(of("B")) : of("B").times(a), false);
            return;
        }
        Op turned = hermitian ? Op.CONJ_TRANS : Op.TRANS;
        Dense a = of("A").op(op("trans"));
        Dense b = call.stored.containsKey("B") ? of("B").op(op("trans")) : a;
        Dense ab = a.times(b.op(turned));
        if (!family.endsWith("2k")) {
            update("C", ab, hermitian);
            return;
        }
        // The sum has its own scalars: alpha in one product, its conjugate in the other.
        Dense both = ab.scaled(alpha).plus(b.times(a.op(turned)).scaled(conjugate(alpha)));
        boolean nothing = zero(alpha) || call.sizes.get("k") == 0;
        if (!nothing || beta[0] != 1 || beta[1] != 0) {
            of("C").scaled(beta).plus(both).into(call, p, "C", hermitian);
        }
    }

    /** The thin QR factorisation with a positive diagonal, by Gram and Schmidt. */
    private void thin() {
        Dense a = of("A");
        Dense r = of("R");
        for (int j = 0; j < a.cols; j++) {
            Dense q = a.column(j);
            double norm = Math.sqrt(q.op(Op.CONJ_TRANS).times(q).re[0]);
            q = q.scaled(new double[] {1 / norm, 0});
            r.re[r.at(j, j)] = norm;
            r.im[r.at(j, j)] = 0;
            a.column(j, q);
            for (int l = j + 1; l < a.cols; l++) {
                Dense product = q.op(Op.CONJ_TRANS).times(a.column(l));
                r.re[r.at(j, l)] = product.re[0];
                r.im[r.at(j, l)] = product.im[0];
                a.column(l, a.column(l).plus(q.times(product).scaled(new double[] {-1, 0})));
            }
        }
        a.into(call, p, "A", false);
        r.into(call, p, "R", false);
    }

    private void semiring() {
        boolean least = call.options.get("semiring") == Semiring.MIN_PLUS;
        Dense a = of("A").op(op("transA")).scaled(alpha);
        Dense b = of("B").op(op("transB")).scaled(alpha);
        Dense d = of("C").scaled(beta);
        for (int j = 0; j < d.cols; j++) {
            for (int i = 0; i < d.rows; i++) {
                int at = d.at(i, j);
                for (int l = 0; l < a.cols; l++) {
                    double x = a.re[a.at(i, l)];
                    double y = b.re[b.at(l, j)];
                    d.re[at] = least ? Math.min(d.re[at], x + y) : d.re[at] + Math.min(x, y);
                }
            }
        }
        d.into(call, p, "D", false);
    }
}
