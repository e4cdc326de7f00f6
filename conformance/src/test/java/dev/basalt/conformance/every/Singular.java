package dev.basalt.conformance.every;

import static org.assertj.core.api.Assertions.assertThat;

import dev.basalt.conformance.OpenBlas;
import dev.basalt.conformance.support.Mat;
import dev.basalt.type.ElementType;
import dev.basalt.type.Erange;
import dev.basalt.type.Evect;
import dev.basalt.type.Op;
import dev.basalt.type.Svect;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Singular value decompositions: values by OpenBLAS, and vectors by what they multiply to, since their signs are free. */
final class Singular {
    private static final double THRESHOLD = 30;

    /** How much more a solution may be off. */
    private static final double APART = 1000;

    private Singular() {}

    static boolean has(TableCall call) {
        return call.family().matches("gesvd[jprx]?|gesdd|gels[ds]|bdsqr|bdsdc|bdsvdx|labrd|gebrd|gebd2");
    }

    /** Whether it reduces a matrix: what is done first decides about all the rest, so nothing can be compared one by one. */
    private static boolean reduces(TableCall call) {
        return call.family().matches("labrd|gebrd|gebd2");
    }

    /** Whether the numbers of an operand are looked at by {@link #check} alone. */
    static boolean free(TableCall call, String name) {
        return has(call) && (reduces(call) || !name.matches("info|s|d|rank|nsv") || name.equals("s") && some(call));
    }

    /** Whether the given matrix is bidiagonal. */
    private static boolean bidiagonal(TableCall call) {
        return call.family().matches("bdsqr|bdsdc|bdsvdx");
    }

    private static boolean solves(TableCall call) {
        return call.family().matches("gels[ds]");
    }

    /** Whether it finds some of the values. */
    private static boolean some(TableCall call) {
        return call.family().matches("gesvd[rx]|bdsvdx");
    }

    private static Mat given(TableCall call, Problem problem) {
        return bidiagonal(call) ? bidiagonal(call, problem) : before(call, problem, "A");
    }

    /** The values of a range, of which gesvdr has the first ones. */
    private static double[] wanted(TableCall call, Problem problem) {
        double[] all = values(given(call, problem));
        if (call.family().equals("gesvdr")) {
            return Arrays.copyOf(all, call.size("k"));
        }
        return switch ((Erange) call.options.get("erange")) {
            case ALL -> all;
            case INDEX ->
                call.size("il") == 0 ? new double[0] : Arrays.copyOfRange(all, call.size("il") - 1, call.size("iu"));
            case VALUE -> Arrays.stream(all)
                    .filter(v -> v > call.rounded(call.scalars.get("vl")[0])
                            && v <= call.rounded(call.scalars.get("vu")[0]))
                    .toArray();
        };
    }

    /** Some values and vectors: vectors are orthonormal, and between them A is the diagonal matrix of the values. */
    private static void some(TableCall call, Problem problem, Loaded memory, int b) {
        double[] wanted = wanted(call, problem);
        int k = wanted.length;
        if (k == 0) {
            return;
        }
        Mat a = given(call, problem);
        boolean random = call.family().equals("gesvdr");
        Mat s = diagonal(memory, "s", b, k);
        Mat u = random || call.options.getOrDefault("leftSvect", Svect.NONE) != Svect.NONE
                ? after(call, memory, "U", b)
                : null;
        Mat vt = random || call.options.getOrDefault("rightSvect", Svect.NONE) != Svect.NONE
                ? after(call, memory, "VT", b)
                : null;
        if (call.options.getOrDefault("evect", Evect.NONE) != Evect.NONE) {
            Mat z = after(call, memory, "Z", b);
            u = z.corner(a.m, k);
            vt = Mat.of(a.n, k, (i, j) -> z.re(a.n + i, j), (i, j) -> 0).op(Op.CONJ_TRANS);
        }
        if (u != null) {
            u = u.corner(a.m, k);
            near(call, "U", Mat.identity(k), gram(u));
        }
        if (vt != null) {
            vt = vt.corner(k, a.n);
            near(call, "VT", Mat.identity(k), gram(vt.op(Op.CONJ_TRANS)));
        }
        if (u != null && vt != null) {
            near(call, "A", s, u.op(Op.CONJ_TRANS).times(a).times(vt.op(Op.CONJ_TRANS)));
        }
        boolean exact = !random || Math.min(a.m, a.n) <= k + 8;
        for (int i = 0; i < k; i++) {
            double slack =
                    100 * (call.terms() + 1) * wanted[0] * (call.type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53);
            assertThat(s.re(i, i)).as("value %d of %s", i, call)
                    .isBetween(exact ? wanted[i] - slack : 0, wanted[i] + slack)
                    .isLessThanOrEqualTo(i == 0 ? Double.MAX_VALUE : s.re(i - 1, i - 1));
        }
    }

    /** The solution by zgelss; an empty matrix has rank 0. */
    private static void solve(TableCall call, Problem problem) {
        problem.arrays().get("info")[0] = 0;
        problem.arrays().get("rank")[0] = 0;
        int n = call.size("n");
        if (call.size("m") == 0 || n == 0) {
            return;
        }
        LeastSquares l = LeastSquares.of(before(call, problem, "A"), before(call, problem, "B"), call.scalar("tol")[0]);
        System.arraycopy(l.values(), 0, problem.arrays().get("s"), 0, l.values().length);
        problem.arrays().get("rank")[0] = l.rank();
        Stored s = call.stored.get("B");
        double[] b = problem.arrays().get("B");
        for (int j = 0; j < s.cols(); j++) {
            for (int i = 0; i < n; i++) {
                int at = s.parts() * (i + j * s.step());
                b[at] = l.x().re(i, j);
                if (s.parts() == 2) {
                    b[at + 1] = l.x().im(i, j);
                }
            }
        }
    }

    /** The solution, which hangs on how far apart the values are that count and those that do not. */
    private static void solution(TableCall call, Problem problem, Loaded memory, int b) {
        LeastSquares l = LeastSquares.of(before(call, problem, "A"), before(call, problem, "B"), call.scalar("tol")[0]);
        int rows = call.size("n");
        Mat found = after(call, memory, "B", b).corner(rows, l.x().n);
        near(call, "X", l.x().corner(rows, l.x().n), found, APART);
    }

    /** The values, where vectors are free. */
    static void run(TableCall call, Problem problem) {
        if (reduces(call)) {
            return;
        }
        if (solves(call)) {
            solve(call, problem);
            return;
        }
        if (some(call)) {
            problem.arrays().get("info")[0] = 0;
            if (!call.family().equals("gesvdr")) {
                boolean empty = call.size("n") == 0 || call.sizes.getOrDefault("m", 1) == 0;
                problem.arrays().get("nsv")[0] = empty ? 0 : wanted(call, problem).length;
            }
            return;
        }
        double[] values = problem.arrays().get(bidiagonal(call) ? "d" : "s");
        if (bidiagonal(call) && call.size("n") > 0) {
            System.arraycopy(values(bidiagonal(call, problem)), 0, values, 0, call.size("n"));
        } else if (!bidiagonal(call) && call.size("m") > 0 && call.size("n") > 0) {
            double[] s = values(mat(call.stored.get("A"), problem.arrays().get("A"), 0));
            System.arraycopy(s, 0, values, 0, s.length);
        }
        problem.arrays().get("info")[0] = 0;
    }

    /** Compares what the results multiply to. */
    static void check(TableCall call, Loaded memory) {
        for (int b = 0; b < call.count; b++) {
            if (reduces(call)) {
                reduction(call, call.problems.get(b), memory, b);
            } else if (call.family().equals("bdsdc")) {
                vectors(call, bidiagonal(call, call.problems.get(b)), memory, b);
            } else if (solves(call)) {
                if (call.size("m") > 0 && call.size("n") > 0 && call.size("nrhs") > 0) {
                    solution(call, call.problems.get(b), memory, b);
                }
            } else if (call.family().equals("bdsqr")) {
                bdsqr(call, call.problems.get(b), memory, b);
            } else if (some(call)) {
                if (call.size("n") > 0 && call.sizes.getOrDefault("m", 1) > 0) {
                    some(call, call.problems.get(b), memory, b);
                }
            } else if (call.size("m") > 0 && call.size("n") > 0) {
                decomposition(call, call.problems.get(b), memory, b);
            }
        }
    }

    private static void bdsqr(TableCall call, Problem problem, Loaded memory, int b) {
        Mat given = bidiagonal(call, problem);
        Mat s = diagonal(memory, "d", b, call.size("n"));
        Mat vt = before(call, problem, "VT");
        Mat u = before(call, problem, "U");
        Mat c = before(call, problem, "C");
        Mat vtNow = after(call, memory, "VT", b);
        Mat uNow = after(call, memory, "U", b);
        Mat cNow = after(call, memory, "C", b);
        near(call, "VT", gram(given.times(vt)), gram(s.times(vtNow)));
        near(call, "VT", gram(vt), gram(vtNow));
        near(call, "U", u.times(given).times(vt), uNow.times(s).times(vtNow));
        near(call, "U", gram(u.op(Op.CONJ_TRANS)), gram(uNow.op(Op.CONJ_TRANS)));
        near(call, "C", u.times(c), uNow.times(cNow));
        near(call, "C", gram(c), gram(cNow));
    }

    /** What the reflectors make of A: a bidiagonal matrix, and what panels leave to products. */
    private static void reduction(TableCall call, Problem problem, Loaded memory, int b) {
        Mat a = before(call, problem, "A");
        if (a.m == 0 || a.n == 0) {
            return;
        }
        Mat now = after(call, memory, "A", b);
        boolean panel = call.family().equals("labrd");
        int k = panel ? call.size("k") : Math.min(a.m, a.n);
        int down = a.m >= a.n ? 0 : 1;
        int right = 1 - down;
        Mat expected = Mat.of(a.m, a.n, (i, j) -> panel && i >= k && j >= k ? now.re(i, j) : 0,
                (i, j) -> panel && i >= k && j >= k ? now.im(i, j) : 0);
        Mat left = new Mat(a.m, k);
        Mat top = new Mat(k, a.n);
        Mat reduced = a;
        for (int i = 0; i < k; i++) {
            int at = i;
            Mat v = Mat.of(a.m, 1, (r, j) -> r == at + down ? 1 : r > at + down ? now.re(r, at) : 0,
                    (r, j) -> r > at + down ? now.im(r, at) : 0);
            Mat u = Mat.of(1, a.n, (r, j) -> j == at + right ? 1 : j > at + right ? now.re(at, j) : 0,
                    (r, j) -> j > at + right ? now.im(at, j) : 0);
            Mat tauq = number(call, memory, "tauq", b, i);
            Mat taup = number(call, memory, "taup", b, i);
            Mat vh = v.op(Op.CONJ_TRANS);
            boolean first = down == 0;
            for (int side = 0; side < 2; side++) {
                reduced = first == (side == 0)
                        ? reduced.minus(v.times(tauq.conj()).times(vh.times(reduced)))
                        : reduced.minus(reduced.times(u.op(Op.CONJ_TRANS)).times(taup).times(u));
            }
            for (int r = 0; r < a.m; r++) {
                left.set(r, i, v.re(r, 0), v.im(r, 0));
            }
            for (int j = 0; j < a.n; j++) {
                top.set(i, j, u.re(0, j), u.im(0, j));
            }
            expected.set(i, i, number(call, memory, "d", b, i).re[0], 0);
            if (i + down < a.m && i + right < a.n && (panel || i + 1 < k)) {
                expected.set(i + down, i + right, number(call, memory, "e", b, i).re[0], 0);
            }
        }
        if (panel) {
            Mat products = left.times(after(call, memory, "Y", b).op(Op.CONJ_TRANS))
                    .plus(after(call, memory, "X", b).times(top));
            for (int j = k; j < a.n; j++) {
                for (int i = k; i < a.m; i++) {
                    expected.set(i, j, expected.re(i, j) - products.re(i, j), expected.im(i, j) - products.im(i, j));
                }
            }
        }
        near(call, "A", reduced, expected);
    }

    private static Mat number(TableCall call, Loaded memory, String name, int problem, int place) {
        Stored s = call.stored.get(name);
        double[] numbers = memory.content(name);
        int from = s.parts() * (memory.start(name, problem) + place);
        return Mat.of(1, 1, (i, j) -> numbers[from], (i, j) -> s.parts() == 2 ? numbers[from + 1] : 0);
    }

    private static Mat gram(Mat a) {
        return a.op(Op.CONJ_TRANS).times(a);
    }

    private static void vectors(TableCall call, Mat given, Loaded memory, int b) {
        Mat u = after(call, memory, "U", b);
        Mat vt = after(call, memory, "VT", b);
        near(call, "U", Mat.identity(u.n), gram(u));
        near(call, "VT", Mat.identity(vt.m), gram(vt.op(Op.CONJ_TRANS)));
        near(call, "B", given, u.times(diagonal(memory, "d", b, given.n)).times(vt));
    }

    private static void decomposition(TableCall call, Problem problem, Loaded memory, int b) {
        Svect left = (Svect) call.options.get("leftSvect");
        Svect right = (Svect) call.options.get("rightSvect");
        int k = Math.min(call.size("m"), call.size("n"));
        Mat a = before(call, problem, "A");
        Mat place = after(call, memory, "A", b);
        Mat u = left.stored() ? after(call, memory, "U", b) : left == Svect.OVERWRITE ? place.corner(a.m, k) : null;
        Mat vt = right.stored() ? after(call, memory, "VT", b) : right == Svect.OVERWRITE ? place.corner(k, a.n) : null;
        if (u != null) {
            near(call, "U", Mat.identity(u.n), gram(u));
        }
        if (vt != null) {
            near(call, "VT", Mat.identity(vt.m), gram(vt.op(Op.CONJ_TRANS)));
        }
        if (u != null && vt != null) {
            near(call, "A", a, u.corner(a.m, k).times(diagonal(memory, "s", b, k)).times(vt.corner(k, a.n)));
        }
    }

    private static void near(TableCall call, String what, Mat expected, Mat found) {
        near(call, what, expected, found, 1);
    }

    private static void near(TableCall call, String what, Mat expected, Mat found, double times) {
        double eps = call.type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        double most = 1;
        double worst = 0;
        for (int i = 0; i < expected.re.length; i++) {
            most = Math.max(most, Math.max(Math.abs(expected.re[i]), Math.abs(expected.im[i])));
            double error = Math.max(Math.abs(expected.re[i] - found.re[i]), Math.abs(expected.im[i] - found.im[i]));
            worst = error > worst || error != error ? error : worst;
        }
        assertThat(worst).as("%s of %s", what, call).isLessThan(times * THRESHOLD * (call.terms() + 1) * eps * most);
    }

    private static Mat before(TableCall call, Problem problem, String name) {
        return mat(call.stored.get(name), problem.arrays().get(name), 0);
    }

    private static Mat after(TableCall call, Loaded memory, String name, int problem) {
        return mat(call.stored.get(name), memory.content(name), memory.start(name, problem));
    }

    private static Mat mat(Stored s, double[] numbers, int start) {
        return Mat.of(s.rows(), s.cols(), (i, j) -> numbers[s.parts() * (start + i + j * s.step())],
                (i, j) -> s.parts() == 2 ? numbers[s.parts() * (start + i + j * s.step()) + 1] : 0);
    }

    private static Mat diagonal(Loaded memory, String name, int problem, int n) {
        double[] numbers = memory.content(name);
        int start = memory.start(name, problem);
        return Mat.of(n, n, (i, j) -> i == j ? numbers[start + i] : 0, (i, j) -> 0);
    }

    private static Mat bidiagonal(TableCall call, Problem problem) {
        int n = call.size("n");
        double[] d = problem.arrays().get("d");
        double[] e = problem.arrays().get("e");
        int right = call.uplo() == Uplo.UPPER ? 1 : 0;
        return Mat.of(n, n, (i, j) -> i == j ? d[i] : j == i + right * 2 - 1 ? e[Math.min(i, j)] : 0, (i, j) -> 0);
    }

    /** The singular values of a matrix by zgesvd. */
    static double[] values(Mat a) {
        int k = Math.min(a.m, a.n);
        try (Arena arena = Arena.ofConfined()) {
            double[] both = new double[2 * a.m * a.n];
            for (int i = 0; i < a.re.length; i++) {
                both[2 * i] = a.re[i];
                both[2 * i + 1] = a.im[i];
            }
            MemorySegment s = arena.allocate(ValueLayout.JAVA_DOUBLE, k);
            int size = 66 * (a.m + a.n);
            List<Object> arguments = new ArrayList<>(List.of(arena.allocateFrom("N"), arena.allocateFrom("N"),
                    number(arena, a.m), number(arena, a.n), arena.allocateFrom(ValueLayout.JAVA_DOUBLE, both),
                    number(arena, a.m), s, arena.allocate(16), number(arena, 1), arena.allocate(16), number(arena, 1),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 2L * size), number(arena, size),
                    arena.allocate(ValueLayout.JAVA_DOUBLE, 5L * k), number(arena, 0)));
            MemoryLayout[] layouts = new MemoryLayout[arguments.size()];
            Arrays.fill(layouts, ValueLayout.ADDRESS);
            OpenBlas.handle("zgesvd_", FunctionDescriptor.ofVoid(layouts)).invokeWithArguments(arguments);
            return s.toArray(ValueLayout.JAVA_DOUBLE);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
    }

    private static MemorySegment number(Arena arena, int n) {
        return arena.allocateFrom(ValueLayout.JAVA_INT, n);
    }
}
