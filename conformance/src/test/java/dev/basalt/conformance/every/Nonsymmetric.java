package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.conformance.support.Mat;
import dev.basalt.type.Balance;
import dev.basalt.type.ElementType;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Schur;
import dev.basalt.type.Selection;
import dev.basalt.type.Sense;
import dev.basalt.type.Side;
import dev.basalt.type.Sign;
import java.util.Arrays;
import java.util.List;

/** General eigenvalue problems: their forms and vectors are not unique, so they are held against what they decompose. */
final class Nonsymmetric {
    private static final double THRESHOLD = 30;

    /** Eigenvalues whose distance from the matrix is measured. */
    private static final int FEW = 3;

    private final TableCall call;
    private final Loaded memory;
    private final int problem;
    private final int n;
    private final boolean complex;

    private Nonsymmetric(TableCall call, Loaded memory, int problem) {
        this.call = call;
        this.memory = memory;
        this.problem = problem;
        this.n = call.size("n");
        this.complex = call.type.isComplex();
    }

    static boolean has(TableCall call) {
        return call.family().matches("g[eg]ba[lk]|gehrd|gehd2|hseqr|trevc3|trexc|gee[vs]x?|trsyl|lahr2|gge[vs]");
    }

    /** Whether the numbers of an operand are looked at by {@link #check} alone. */
    static boolean free(TableCall call, String name) {
        return has(call) && !name.equals("info") && !call.family().endsWith("bak");
    }

    /** What matrices of the family have to be: triangular outside of the range, or in Schur form. */
    static void fill(TableCall call, Problem p) {
        if (call.sizes.containsKey("ilo") && !call.family().matches("g[eg]ba[lk]")) {
            String name = call.family().equals("hseqr") ? "H" : "A";
            Stored s = call.stored.get(name);
            long lo = call.size("ilo") - 1L;
            long hi = call.size("ihi");
            for (int e = 0; e < s.at().length; e++) {
                if (s.written() && s.row()[e] > s.col()[e] && (s.col()[e] < lo || s.row()[e] >= hi)) {
                    Arrays.fill(p.arrays().get(name), s.parts() * s.at()[e], s.parts() * (s.at()[e] + 1), 0);
                }
            }
        }
        if (call.family().equals("trexc")) {
            schurForm(call.stored.get("T"), p.arrays().get("T"));
            orthogonal(call.stored.get("Q"), p.arrays().get("Q"));
        }
        if (call.family().equals("trsyl")) {
            schurForm(call.stored.get("A"), p.arrays().get("A"));
            schurForm(call.stored.get("B"), p.arrays().get("B"));
        }
        if (call.family().equals("trevc3")) {
            schurForm(call.stored.get("T"), p.arrays().get("T"));
            orthogonal(call.stored.get("VL"), p.arrays().get("VL"));
            orthogonal(call.stored.get("VR"), p.arrays().get("VR"));
        }
        if (call.family().matches("gehrd|gehd2|hseqr|gee[vs]x?")) {
            Stored s = call.stored.get(call.family().equals("hseqr") ? "H" : "A");
            double[] a = p.arrays().get(s.name());
            for (int i = 0; i < s.parts() * s.at().length; i++) {
                // Elements beside the diagonal are as large as those on it.
                int at = s.parts() * s.at()[i / s.parts()] + i % s.parts();
                a[at] = s.row()[i / s.parts()] == s.col()[i / s.parts()] ? a[at] : Math.scalb(a[at], 3);
            }
        }
        for (String name : call.family().matches("g[eg]bal") ? List.of("A", "B") : List.<String>of()) {
            Stored s = call.stored.get(name);
            if (s == null) {
                continue;
            }
            double[] a = p.arrays().get(name);
            for (int e = 0; e < s.at().length; e++) {
                // Some rows and columns stand alone, and norms differ.
                boolean alone = s.row()[e] % 5 == 1 || s.col()[e] % 7 == 3;
                for (int part = 0; part < s.parts(); part++) {
                    int at = s.parts() * s.at()[e] + part;
                    a[at] = alone && s.row()[e] != s.col()[e] ? 0 : Math.scalb(a[at], s.row()[e] % 4 * 4);
                }
            }
        }
    }

    /** Orthogonal columns, in an order that is not theirs. */
    private static void orthogonal(Stored s, double[] q) {
        int order = s.rows();
        for (int j = 0; j < order; j++) {
            for (int i = 0; i < order; i++) {
                int row = order - 1 - i;
                boolean pair = row / 2 == j / 2 && (row | 1) < order;
                double value = row == j ? 1 : pair ? row > j ? 1 : -1 : 0;
                Arrays.fill(q, s.parts() * (i + j * s.step()), s.parts() * (i + j * s.step() + 1), 0);
                q[s.parts() * (i + j * s.step())] = value;
            }
        }
    }

    /** A triangle with some pairs; what is below may be anything. */
    private static void schurForm(Stored s, double[] t) {
        int order = s.rows();
        for (int i = 0; i + 1 < order; i++) {
            int below = i + 1 + i * s.step();
            int above = i + (i + 1) * s.step();
            if (s.parts() == 1 && i % 3 == 1) {
                t[below] = t[above] > 0 ? -0.5 : 0.5;
                t[i + 1 + (i + 1) * s.step()] = t[i + i * s.step()];
                t[above] = (float) (t[above] + (t[above] > 0 ? 0.25 : -0.25));
            } else if (s.parts() == 1) {
                t[below] = 0;
            }
        }
    }

    /** What is known of a result. */
    static void run(TableCall call, Problem p) {
        if (call.stored.containsKey("info")) {
            p.arrays().get("info")[0] = 0;
        }
        if (call.family().endsWith("bak") && call.size("n") > 0 && call.size("m") > 0) {
            Balance how = (Balance) call.options.get("balance");
            boolean right = call.options.get("side") == Side.RIGHT;
            boolean pair = call.family().equals("ggbak");
            double[] scales = p.arrays().get(pair ? right ? "rscale" : "lscale" : "scale");
            Stored s = call.stored.get("V");
            double[] v = p.arrays().get("V");
            boolean scaled = how == Balance.SCALE || how == Balance.BOTH;
            int lo = Math.max(1, call.size("ilo"));
            int hi = call.size("ihi");
            for (int e = 0; e < s.at().length && scaled && lo != hi; e++) {
                int row = s.row()[e] + 1;
                double scale = scales[s.row()[e]];
                for (int part = 0; part < s.parts() && row >= lo && row <= hi; part++) {
                    int at = s.parts() * s.at()[e] + part;
                    v[at] = right || pair ? v[at] * scale : v[at] / scale;
                }
            }
        }
    }

    static void check(TableCall call, Loaded memory) {
        for (int b = 0; b < call.count; b++) {
            if (call.size("n") > 0) {
                new Nonsymmetric(call, memory, b).check();
            }
        }
    }

    private void check() {
        switch (call.family()) {
            case "gebal" -> balanced();
            case "ggbal" -> {
                balancedPair("A");
                balancedPair("B");
            }
            case "gehrd", "gehd2" -> hessenberg();
            case "hseqr" -> schur();
            case "trevc3" -> triangularVectors();
            case "geev" -> vectors();
            case "trexc" -> moved();
            case "gees" -> ordered();
            case "geevx" -> {
                vectors();
                sensitive();
            }
            case "geesx" -> {
                ordered();
                sensitive();
            }
            case "lahr2" -> panel();
            case "ggev" -> pairs();
            case "gges" -> pairForms();
            case "trsyl" -> sylvester();
            default -> {}
        }
    }

    private int index(String name) {
        return (int) memory.content(name)[memory.start(name, problem)];
    }

    private double[] scales(String name) {
        return Arrays.copyOfRange(memory.content(name), memory.start(name, problem), memory.start(name, problem) + n);
    }

    private void balancedPair(String name) {
        Mat a = before(name);
        int lo = index("ilo");
        int hi = index("ihi");
        double[] left = scales("lscale");
        double[] right = scales("rscale");
        for (int step = 0; step < n; step++) {
            int i = step < n - hi ? n - 1 - step : step - (n - hi);
            if (i + 1 > hi || i + 1 < lo) {
                a = exchanged(a, i, (int) left[i] - 1, i, (int) right[i] - 1);
            }
        }
        Mat b = a;
        for (int i = 0; i < n; i++) {
            boolean inside = i + 1 >= lo && i + 1 <= hi;
            left[i] = inside ? left[i] : 1;
            right[i] = inside ? right[i] : 1;
        }
        near(name, Mat.of(n, n, (i, j) -> b.re(i, j) * left[i] * right[j], (i, j) -> b.im(i, j) * left[i] * right[j]),
                after(name));
        isolated(b, lo, hi);
    }

    private void balanced() {
        Mat a = before("A");
        int lo = index("ilo");
        int hi = index("ihi");
        double[] scale = scales("scale");
        // Permutations were made from the last row down, and then from the first row up.
        for (int i = n; i > hi; i--) {
            a = exchanged(a, i - 1, (int) scale[i - 1] - 1);
        }
        for (int i = 1; i < lo; i++) {
            a = exchanged(a, i - 1, (int) scale[i - 1] - 1);
        }
        Mat b = a;
        double[] d = new double[n];
        Arrays.setAll(d, i -> i + 1 >= lo && i + 1 <= hi ? scale[i] : 1);
        near("A", Mat.of(n, n, (i, j) -> b.re(i, j) / d[i] * d[j], (i, j) -> b.im(i, j) / d[i] * d[j]), after("A"));
        isolated(b, lo, hi);
    }

    /** Outside of the range there is a triangle. */
    private void isolated(Mat b, int lo, int hi) {
        for (int j = 0; j < n; j++) {
            for (int i = j + 1; i < n; i++) {
                if (i >= hi || j + 1 < lo) {
                    assertThat(Math.abs(b.re(i, j)) + Math.abs(b.im(i, j))).as("(%d, %d) of %s", i, j, call).isZero();
                }
            }
        }
    }

    private Mat exchanged(Mat a, int p, int q) {
        return exchanged(a, p, q, p, q);
    }

    /** Two rows and two columns change places. */
    private Mat exchanged(Mat a, int p, int q, int s, int t) {
        int[] row = new int[n];
        int[] column = new int[n];
        Arrays.setAll(row, i -> i == p ? q : i == q ? p : i);
        Arrays.setAll(column, i -> i == s ? t : i == t ? s : i);
        return Mat.of(n, n, (i, j) -> a.re(row[i], column[j]), (i, j) -> a.im(row[i], column[j]));
    }

    private void hessenberg() {
        Mat now = after("A");
        Mat b = before("A");
        for (int k = 0; k < n - 1; k++) {
            int column = k;
            Mat v = Mat.of(n, 1, (i, j) -> i == column + 1 ? 1 : i > column + 1 ? now.re(i, column) : 0,
                    (i, j) -> i > column + 1 ? now.im(i, column) : 0);
            Mat tau = number("tau", k);
            Mat vh = v.op(Op.CONJ_TRANS);
            b = b.minus(v.times(tau.conj()).times(vh.times(b)));
            b = b.minus(b.times(v).times(tau).times(vh));
        }
        near("A", b, Mat.of(n, n, (i, j) -> i > j + 1 ? 0 : now.re(i, j), (i, j) -> i > j + 1 ? 0 : now.im(i, j)));
    }

    private void schur() {
        Mat given = before("H");
        Mat h = Mat.of(n, n, (i, j) -> i > j + 1 ? 0 : given.re(i, j), (i, j) -> i > j + 1 ? 0 : given.im(i, j));
        Evect evect = (Evect) call.options.get("evect");
        values(h);
        if (call.options.get("job") == Schur.SCHUR) {
            Mat t = after("H");
            quasiTriangular(t);
            for (int j = 0; j < n; j++) {
                double distance =
                        Math.abs(t.re(j, j) - value(j)[0]) + (complex ? Math.abs(t.im(j, j) - value(j)[1]) : 0);
                assertThat(distance).as("value %d of %s", j, call).isLessThanOrEqualTo(tolerance() * norm(h));
            }
            if (evect != Evect.NONE) {
                Mat z = after("Z");
                Mat c = evect == Evect.ORIGINAL ? before("Z") : Mat.identity(n);
                near("Z", c.times(c.op(Op.CONJ_TRANS)), z.times(z.op(Op.CONJ_TRANS)));
                near("H", c.times(h).times(c.op(Op.CONJ_TRANS)), z.times(t).times(z.op(Op.CONJ_TRANS)));
            }
        }
    }

    private void quasiTriangular(Mat t) {
        for (int j = 0; j < n; j++) {
            for (int i = j + 1; i < n; i++) {
                boolean pair = !complex && i == j + 1 && (j == 0 || t.re(j, j - 1) == 0);
                assertThat(t.re(i, j) == 0 && t.im(i, j) == 0 || pair).as("(%d, %d) of %s", i, j, call).isTrue();
            }
        }
    }

    /** A Schur form of what is stored. */
    private Mat form(Mat t) {
        return Mat.of(t.m, t.m, (i, j) -> i > j + (complex ? 0 : 1) ? 0 : t.re(i, j),
                (i, j) -> i > j + (complex ? 0 : 1) ? 0 : t.im(i, j));
    }

    private void moved() {
        Mat t = form(before("T"));
        Mat now = form(after("T"));
        quasiTriangular(now);
        int from = Math.max(0, call.size("ifst") - 1);
        int to = Math.max(0, call.size("ilst") - 1);
        if (complex) {
            double distance = Math.hypot(t.re(from, from) - now.re(to, to), t.im(from, from) - now.im(to, to));
            assertThat(distance).as("row %d of %s", to, call).isZero();
        }
        if (call.options.get("evect") == Evect.ORIGINAL) {
            Mat q = before("Q");
            Mat z = after("Q");
            near("Q", q.times(q.op(Op.CONJ_TRANS)), z.times(z.op(Op.CONJ_TRANS)));
            near("T", q.times(t).times(q.op(Op.CONJ_TRANS)), z.times(now).times(z.op(Op.CONJ_TRANS)));
        }
    }

    /** Condition numbers are what they can be; where both vectors are those of the balanced matrix, those of values are their cosines. */
    private void sensitive() {
        Sense sense = (Sense) call.options.get("sense");
        boolean each = call.family().equals("geevx");
        Mat a = before("A");
        for (int i = 0; i < (each ? n : 1); i++) {
            if (sense == Sense.VALUES || sense == Sense.BOTH) {
                assertThat(number("rconde", i).re[0]).as("rconde %d of %s", i, call).isBetween(0.0, 1 + tolerance());
            }
            if (sense == Sense.VECTORS || sense == Sense.BOTH) {
                double most = each && balances() ? Double.MAX_VALUE : 4 * n * norm(a) + tolerance();
                assertThat(number("rcondv", i).re[0]).as("rcondv %d of %s", i, call).isBetween(0.0, most);
            }
        }
        if (!each || balances()) {
            return;
        }
        double columns = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += Math.hypot(a.re(i, j), a.im(i, j));
            }
            columns = Math.max(columns, sum);
        }
        assertThat(Math.abs(number("abnrm", 0).re[0] - columns)).as("abnrm of %s", call)
                .isLessThanOrEqualTo(tolerance() * columns);
        boolean both = call.options.get("leftEvect") != Evect.NONE && call.options.get("rightEvect") != Evect.NONE;
        if (both && (sense == Sense.VALUES || sense == Sense.BOTH)) {
            Mat product = vectorsOf("VL").op(Op.CONJ_TRANS).times(vectorsOf("VR"));
            for (int i = 0; i < n; i++) {
                double cosine = Math.hypot(product.re(i, i), product.im(i, i));
                assertThat(Math.abs(number("rconde", i).re[0] - cosine)).as("rconde %d of %s", i, call)
                        .isLessThanOrEqualTo(Math.sqrt(tolerance()));
            }
        }
    }

    private boolean balances() {
        return call.options.get("balance") != Balance.NONE;
    }

    /** The triangle and the product by what its reflectors are; the columns by what those make of them. */
    private void panel() {
        int top = Math.max(1, call.size("k"));
        int m = n - top;
        int nb = Math.min(call.size("nb"), m);
        Mat given = before("A");
        Mat now = after("A");
        Mat y = after("Y");
        Mat triangle = after("T");
        assertThat(zeros(y)).as("columns that are zero of %s", call)
                .isGreaterThanOrEqualTo(call.size("nb") - Math.max(0, nb));
        if (nb <= 0) {
            return;
        }
        Mat v = Mat.of(m, nb, (i, j) -> i == j ? 1 : i > j ? now.re(top + i, j) : 0,
                (i, j) -> i > j ? now.im(top + i, j) : 0);
        Mat t = Mat.of(nb, nb, (i, j) -> triangle.re(i, j), (i, j) -> triangle.im(i, j));
        Mat vh = v.op(Op.CONJ_TRANS);
        Mat q = Mat.identity(m);
        for (int k = 0; k < nb; k++) {
            int column = k;
            Mat one = Mat.of(m, 1, (i, j) -> v.re(i, column), (i, j) -> v.im(i, column));
            q = q.minus(q.times(one).times(number("tau", k)).times(one.op(Op.CONJ_TRANS)));
        }
        near("T", q, Mat.identity(m).minus(v.times(t).times(vh)));
        Mat right = Mat.of(n, m, (i, j) -> given.re(i, j + 1), (i, j) -> given.im(i, j + 1));
        near("Y", right.times(v).times(t), Mat.of(n, nb, (i, j) -> y.re(i, j), (i, j) -> y.im(i, j)));
        Mat turned = right.times(q);
        Mat rows = Mat.of(m, nb, (i, j) -> j == 0 ? given.re(top + i, 0) : turned.re(top + i, j - 1),
                (i, j) -> j == 0 ? given.im(top + i, 0) : turned.im(top + i, j - 1));
        near("A", q.op(Op.CONJ_TRANS).times(rows),
                Mat.of(m, nb, (i, j) -> i > j ? 0 : now.re(top + i, j), (i, j) -> i > j ? 0 : now.im(top + i, j)));
        for (int j = 0; j < given.n; j++) {
            for (int i = 0; i < n; i++) {
                boolean same = now.re(i, j) == given.re(i, j) && now.im(i, j) == given.im(i, j);
                assertThat(same || i >= top && j < nb).as("(%d, %d) of %s", i, j, call).isTrue();
            }
        }
    }

    /** How many columns at the end are zero. */
    private static int zeros(Mat y) {
        int count = 0;
        for (int j = y.n - 1; j >= 0; j--) {
            for (int i = 0; i < y.m; i++) {
                if (y.re(i, j) != 0 || y.im(i, j) != 0) {
                    return count;
                }
            }
            count++;
        }
        return count;
    }

    /** Vectors by their residuals; the first values by how near the pencil is to a singular one. */
    private void pairs() {
        Mat a = before("A");
        Mat b = before("B");
        Mat lefts = call.options.get("leftEvect") == Evect.NONE ? null : vectorsOf("VL");
        Mat rights = call.options.get("rightEvect") == Evect.NONE ? null : vectorsOf("VR");
        for (int j = 0; j < n; j++) {
            double[] value = value(j);
            Mat alpha = Mat.of(1, 1, (i, k) -> value[0], (i, k) -> value[1]);
            Mat beta = number("betas", j);
            assertThat(beta.im[0]).as("beta %d of %s", j, call).isZero();
            assertThat(beta.re[0]).as("beta %d of %s", j, call).isGreaterThanOrEqualTo(0);
            double size = beta.re[0] * norm(a) + Math.hypot(alpha.re[0], alpha.im[0]) * norm(b);
            Mat pencil = scaled(a, beta).minus(scaled(b, alpha));
            if (j < FEW) {
                assertThat(Singular.values(pencil)[n - 1]).as("value %d of %s", j, call)
                        .isLessThanOrEqualTo(tolerance() * size);
            }
            int column = j;
            for (String name : new String[] {"VL", "VR"}) {
                boolean left = name.equals("VL");
                Mat all = left ? lefts : rights;
                if (all == null) {
                    continue;
                }
                Mat v = Mat.of(n, 1, (i, k) -> all.re(i, column), (i, k) -> all.im(i, column));
                double most = 0;
                for (int i = 0; i < n; i++) {
                    most = Math.max(most, Math.abs(v.re[i]) + Math.abs(v.im[i]));
                }
                assertThat(Math.abs(most - 1)).as("column %d of %s of %s", j, name, call).isLessThan(tolerance());
                double residual = norm((left ? pencil.op(Op.CONJ_TRANS) : pencil).times(v));
                assertThat(residual).as("column %d of %s of %s", j, name, call).isLessThanOrEqualTo(tolerance() * size);
            }
        }
        pairValues(after("A"), after("B"));
    }

    /** Both matrices are Schur forms, and the numerators and denominators those of their blocks. */
    private void pairValues(Mat s, Mat t) {
        quasiTriangular(s);
        for (int i = 0; i < n; i++) {
            double[] alpha = value(i);
            double beta = number("betas", i).re[0];
            assertThat(t.re(i, i)).as("T(%d, %d) of %s", i, i, call).isGreaterThanOrEqualTo(0);
            for (int k = i + 1; k < n; k++) {
                assertThat(Math.abs(t.re(k, i)) + Math.abs(t.im(k, i))).as("T(%d, %d) of %s", k, i, call).isZero();
            }
            int first = !complex && i > 0 && s.re(i, i - 1) != 0 ? i - 1 : i;
            boolean pair = !complex && first + 1 < n && s.re(first + 1, first) != 0;
            if (!pair) {
                assertThat(new double[] {alpha[0], alpha[1], beta, 0}).as("value %d of %s", i, call)
                        .containsExactly(s.re(i, i), s.im(i, i), t.re(i, i), t.im(i, i));
                continue;
            }
            assertThat(t.re(first, first + 1)).as("T(%d, %d) of %s", first, first + 1, call).isZero();
            assertThat(alpha[1] > 0).as("order of pair %d of %s", first, call).isEqualTo(i == first);
            double p = beta * s.re(first, first) - alpha[0] * t.re(first, first);
            double q = beta * s.re(first + 1, first + 1) - alpha[0] * t.re(first + 1, first + 1);
            double u = -alpha[1] * t.re(first, first);
            double v = -alpha[1] * t.re(first + 1, first + 1);
            double beside = beta * beta * s.re(first, first + 1) * s.re(first + 1, first);
            double size = Math.hypot(p, u) * Math.hypot(q, v) + Math.abs(beside);
            assertThat(Math.hypot(p * q - u * v - beside, p * v + u * q)).as("value %d of %s", i, call)
                    .isLessThanOrEqualTo(tolerance() * size);
        }
    }

    /** Both forms by their backward errors, the order by the rule, the values by the diagonals. */
    private void pairForms() {
        Mat s = after("A");
        Mat t = after("B");
        pairValues(s, t);
        Selection select = (Selection) call.options.get("select");
        int sdim = (int) memory.content("sdim")[memory.start("sdim", problem)];
        int chosen = 0;
        for (int i = 0; i < n; i++) {
            double[] alpha = value(i);
            double beta = number("betas", i).re[0];
            double size = Math.hypot(alpha[0], alpha[1]);
            boolean is = switch (select) {
                case NONE -> false;
                case LEFT_HALF -> alpha[0] < 0 && beta > 0;
                case RIGHT_HALF -> alpha[0] > 0 && beta > 0;
                case INSIDE -> size < beta;
                case OUTSIDE -> size > beta;
            };
            chosen += is ? 1 : 0;
            assertThat(is && i >= sdim).as("value %d of %s", i, call).isFalse();
        }
        assertThat(sdim).as("sdim of %s", call).isEqualTo(chosen);
        boolean left = call.options.get("leftEvect") == Evect.ORIGINAL;
        if (left && call.options.get("rightEvect") == Evect.ORIGINAL) {
            Mat q = after("VSL");
            Mat z = after("VSR");
            near("VSL", Mat.identity(n), q.times(q.op(Op.CONJ_TRANS)));
            near("VSR", Mat.identity(n), z.times(z.op(Op.CONJ_TRANS)));
            near("A", before("A"), q.times(s).times(z.op(Op.CONJ_TRANS)));
            near("B", before("B"), q.times(t).times(z.op(Op.CONJ_TRANS)));
        }
    }

    private static Mat scaled(Mat a, Mat by) {
        return Mat.of(a.m, a.n, (i, j) -> a.re(i, j) * by.re[0] - a.im(i, j) * by.im[0],
                (i, j) -> a.re(i, j) * by.im[0] + a.im(i, j) * by.re[0]);
    }

    /** The residual beside the solution: the equation may be near one that has none. */
    private void sylvester() {
        if (call.size("m") == 0) {
            return;
        }
        Mat x = after("C");
        Mat a = form(before("A")).op((Op) call.options.get("transA"));
        Mat b = form(before("B")).op((Op) call.options.get("transB"));
        double scale = memory.content("scale")[memory.start("scale", problem)];
        assertThat(scale).as("scale of %s", call).isPositive().isLessThanOrEqualTo(1);
        double sign = call.options.get("isgn") == Sign.MINUS ? -1 : 1;
        Mat left = a.times(x);
        Mat right = x.times(b);
        Mat c = before("C");
        double size = (norm(a) + norm(b)) * Math.max(1, norm(x)) * (call.size("m") + n);
        for (int i = 0; i < c.re.length; i++) {
            double re = left.re[i] + sign * right.re[i] - scale * c.re[i];
            double im = left.im[i] + sign * right.im[i] - scale * c.im[i];
            assertThat(Math.hypot(re, im)).as("element %d of %s", i, call).isLessThanOrEqualTo(tolerance() * size);
        }
    }

    private void ordered() {
        Mat a = before("A");
        Mat t = after("A");
        values(a);
        quasiTriangular(t);
        int sdim = (int) memory.content("sdim")[memory.start("sdim", problem)];
        Selection select = (Selection) call.options.get("select");
        int chosen = 0;
        for (int i = 0; i < n; i++) {
            boolean is = switch (select) {
                case NONE -> false;
                case LEFT_HALF -> value(i)[0] < 0;
                case RIGHT_HALF -> value(i)[0] > 0;
                case INSIDE -> Math.hypot(value(i)[0], value(i)[1]) < 1;
                case OUTSIDE -> Math.hypot(value(i)[0], value(i)[1]) > 1;
            };
            chosen += is ? 1 : 0;
            assertThat(is && i >= sdim).as("value %d of %s", i, call).isFalse();
        }
        assertThat(sdim).as("sdim of %s", call).isEqualTo(chosen);
        if (call.options.get("evect") == Evect.ORIGINAL) {
            Mat z = after("VS");
            near("VS", Mat.identity(n), z.times(z.op(Op.CONJ_TRANS)));
            near("A", a, z.times(t).times(z.op(Op.CONJ_TRANS)));
        }
    }

    /** The eigenvalues' sum is the trace, and some of them are eigenvalues of a matrix nearby. */
    private void values(Mat a) {
        double re = 0;
        double im = 0;
        for (int i = 0; i < n; i++) {
            re += a.re(i, i) - value(i)[0];
            im += a.im(i, i) - value(i)[1];
        }
        assertThat(Math.hypot(re, im)).as("trace of %s", call).isLessThanOrEqualTo(n * tolerance() * norm(a));
        for (int k = 0; k < Math.min(n, FEW); k++) {
            double[] w = value((k * 7 + 3) % n);
            Mat shifted = Mat.of(n, n, (i, j) -> a.re(i, j) - (i == j ? w[0] : 0),
                    (i, j) -> a.im(i, j) - (i == j ? w[1] : 0));
            double[] s = Singular.values(shifted);
            assertThat(s[n - 1]).as("value %f + %fi of %s", w[0], w[1], call)
                    .isLessThanOrEqualTo(tolerance() * norm(a));
        }
    }

    private void triangularVectors() {
        Mat stored = before("T");
        Mat t = Mat.of(n, n, (i, j) -> i > j + (complex ? 0 : 1) ? 0 : stored.re(i, j),
                (i, j) -> i > j ? 0 : stored.im(i, j));
        for (String side : new String[] {"left", "right"}) {
            Evect evect = (Evect) call.options.get(side + "Evect");
            String name = side.equals("left") ? "VL" : "VR";
            if (evect != Evect.NONE) {
                near(name, t, evect == Evect.ORIGINAL ? untransformed(name) : vectorsOf(name), side.equals("left"));
            }
        }
    }

    /** What the given matrix was multiplied by. Its columns are orthogonal. */
    private Mat untransformed(String name) {
        Mat q = before(name);
        Mat y = q.op(Op.CONJ_TRANS).times(vectorsOf(name));
        return Mat.of(n, n, (i, j) -> y.re(i, j) / square(q, i), (i, j) -> y.im(i, j) / square(q, i));
    }

    private static double square(Mat q, int column) {
        double sum = 0;
        for (int i = 0; i < q.m; i++) {
            sum += q.re(i, column) * q.re(i, column);
        }
        return sum;
    }

    private void vectors() {
        Mat a = before("A");
        values(a);
        for (String side : new String[] {"left", "right"}) {
            if (call.options.get(side + "Evect") == Evect.NONE) {
                continue;
            }
            String name = side.equals("left") ? "VL" : "VR";
            Mat v = vectorsOf(name);
            near(name, a, v, side.equals("left"));
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int i = 0; i < n; i++) {
                    sum += v.re(i, j) * v.re(i, j) + v.im(i, j) * v.im(i, j);
                }
                assertThat(Math.abs(Math.sqrt(sum) - 1)).as("length %d of %s", j, call).isLessThan(tolerance());
            }
        }
    }

    /** The eigenvalues, in the order of the vectors. */
    private double[] value(int i) {
        if (call.family().equals("trevc3")) {
            Mat t = before("T");
            if (complex) {
                return new double[] {t.re(i, i), t.im(i, i)};
            }
            double next = i + 1 < n ? t.re(i + 1, i) * t.re(i, i + 1) : 0;
            double last = i > 0 ? t.re(i, i - 1) * t.re(i - 1, i) : 0;
            return new double[] {t.re(i, i), next < 0 ? Math.sqrt(-next) : last < 0 ? -Math.sqrt(-last) : 0};
        }
        boolean pairs = call.family().startsWith("gg");
        Mat w = number(pairs ? complex ? "alphas" : "alphar" : complex ? "w" : "wr", i);
        return new double[] {w.re[0], complex ? w.im[0] : number(pairs ? "alphai" : "wi", i).re[0]};
    }

    /** Complex vectors of what real columns hold. */
    private Mat vectorsOf(String name) {
        Mat v = after(name);
        if (complex) {
            return v;
        }
        double[] im = new double[n];
        Arrays.setAll(im, j -> value(j)[1]);
        return Mat.of(n, n, (i, j) -> im[j] < 0 ? v.re(i, j - 1) : v.re(i, j),
                (i, j) -> im[j] < 0 ? -v.re(i, j) : im[j] > 0 ? v.re(i, j + 1) : 0);
    }

    private void near(String name, Mat a, Mat v, boolean left) {
        double size = Math.max(norm(a), 1);
        Mat product = (left ? a.op(Op.CONJ_TRANS) : a).times(v);
        for (int j = 0; j < n; j++) {
            double[] w = value(j);
            double im = left ? -w[1] : w[1];
            double largest = 0;
            for (int i = 0; i < n; i++) {
                largest = Math.max(largest, Math.abs(v.re(i, j)) + Math.abs(v.im(i, j)));
            }
            assertThat(largest).as("column %d of %s of %s", j, name, call).isPositive().isFinite();
            for (int i = 0; i < n; i++) {
                double re = product.re(i, j) - (w[0] * v.re(i, j) - im * v.im(i, j));
                double other = product.im(i, j) - (w[0] * v.im(i, j) + im * v.re(i, j));
                assertThat(Math.max(Math.abs(re), Math.abs(other)))
                        .as("row %d, column %d of %s of %s", i, j, name, call)
                        .isLessThanOrEqualTo(tolerance() * size * largest);
            }
        }
    }

    private double tolerance() {
        return THRESHOLD * (n + 1) * (call.type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53);
    }

    private static double norm(Mat a) {
        double most = 0;
        for (int i = 0; i < a.re.length; i++) {
            most = Math.max(most, Math.hypot(a.re[i], a.im[i]));
        }
        return most;
    }

    private void near(String what, Mat expected, Mat found) {
        double worst = 0;
        for (int i = 0; i < expected.re.length; i++) {
            double error = Math.max(Math.abs(expected.re[i] - found.re[i]), Math.abs(expected.im[i] - found.im[i]));
            worst = error > worst || error != error ? error : worst;
        }
        assertThat(worst).as("%s of %s", what, call).isLessThanOrEqualTo(tolerance() * Math.max(norm(expected), 1));
    }

    private Mat number(String name, int place) {
        Stored s = call.stored.get(name);
        double[] numbers = memory.content(name);
        int from = s.parts() * (memory.start(name, problem) + place);
        return Mat.of(1, 1, (i, j) -> numbers[from], (i, j) -> s.parts() == 2 ? numbers[from + 1] : 0);
    }

    private Mat before(String name) {
        return mat(name, call.problems.get(problem).arrays().get(name), 0);
    }

    private Mat after(String name) {
        return mat(name, memory.content(name), memory.start(name, problem));
    }

    private Mat mat(String name, double[] numbers, int start) {
        Stored s = call.stored.get(name);
        return Mat.of(s.rows(), s.cols(), (i, j) -> numbers[s.parts() * (start + i + j * s.step())],
                (i, j) -> s.parts() == 2 ? numbers[s.parts() * (start + i + j * s.step()) + 1] : 0);
    }
}
