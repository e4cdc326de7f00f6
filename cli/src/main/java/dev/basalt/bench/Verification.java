package dev.basalt.bench;

import static dev.basalt.bench.Slot.Name.A;
import static dev.basalt.bench.Slot.Name.B;
import static dev.basalt.bench.Slot.Name.C;
import static dev.basalt.bench.Slot.Name.X;
import static dev.basalt.bench.Slot.Name.Y;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Checks what a call left behind against what it should be, by plain Java in double: vectors element by element, matrices by
 * what both sides of the defining equation do to a random vector, which costs n² and not n³. Errors are measured in units of the
 * bound that rounding may reach.
 */
public final class Verification {
    /** Problems of a batch that are looked at: the ends and some between. */
    private static final int MOST_PROBLEMS = 16;

    /** By how much an error may exceed eps times the length of the sums: a solution has errors of its factors too. */
    private static final double SLACK = 4;

    private final Workload w;
    private final Map<Slot.Name, MemorySegment> before;
    private final Map<Slot.Name, MemorySegment> after = new EnumMap<>(Slot.Name.class);
    private final int[] pivotsBefore;
    private final int[] pivotsAfter;
    private final int[] info;
    private final double[] results;
    private final double value;
    private final boolean basalt;
    private long p;

    private Verification(Workload w, Operands operands, Operands.Copy o, double value, boolean basalt, Arena arena) {
        this.w = w;
        this.basalt = basalt;
        before = new EnumMap<>(Slot.Name.class);
        for (Slot slot : w.routine.slots()) {
            before.put(slot.name(), operands.original(slot.name()));
            // What a call only reads is not compared.
            boolean written = slot.access().writes();
            after.put(slot.name(), written ? o.download(slot.name(), arena) : operands.original(slot.name()));
        }
        boolean pivoted = w.routine.has("ipiv");
        pivotsBefore = pivoted ? operands.originalPivots().toArray(JAVA_INT) : null;
        pivotsAfter = pivoted ? pivots(o, basalt) : null;
        // Another library that has an info of its own leaves this one as it was, 0.
        info = o.info == null ? new int[(int) w.batch] : ints(o.info);
        results = results(operands, o, basalt);
        this.value = value;
    }

    /** The results that are on the device, null if the call returned one. */
    private double[] results(Operands operands, Operands.Copy o, boolean basalt) {
        if (!w.routine.reduces()) {
            return null;
        }
        if (!basalt) {
            return operands.resultsOnDevice() ? numbers(o.peerResults) : null;
        }
        return operands.resultsOnDevice() || w.form != Form.SINGLE ? numbers(o.results) : null;
    }

    /**
     * Runs one call on fresh input and checks it.
     *
     * @param w the workload
     * @param operands its operands, of which the first copy is used
     * @param call bound to that copy
     * @param basalt whether the call is Basalt's, whose pivots are 64 bits wide
     * @return the largest error of any checked problem, as a multiple of what rounding may reach; more than 1 is wrong
     */
    public static double error(Workload w, Operands operands, Call call, boolean basalt) {
        operands.copy(0).restore(true);
        double value = call.run();
        try (Arena arena = Arena.ofShared()) {
            Verification check = new Verification(w, operands, operands.copy(0), value, basalt, arena);
            double worst = 0;
            long problems = Math.min(w.batch, MOST_PROBLEMS);
            for (long i = 0; i < problems; i++) {
                check.p = problems == 1 ? 0 : i * (w.batch - 1) / (problems - 1);
                double error = check.problem();
                worst = error <= worst ? worst : error;
            }
            return worst;
        }
    }

    private double problem() {
        if (info[(int) p] != 0) {
            return Double.POSITIVE_INFINITY;
        }
        for (Slot slot : w.routine.slots()) {
            Uplo inside = slot.content().isTriangle() ? w.uplo : null;
            // A peer's batched Cholesky may use the other triangle as workspace.
            boolean spoils = !basalt && w.routine == Routine.POTRF && w.form != Form.SINGLE;
            boolean whole = slot.content() == Slot.Content.FACTORS || !slot.access().writes() || spoils;
            if (!slot.name().isVector() && !whole && !was(slot.name()).sameOutside(inside, is(slot.name()))) {
                return Double.POSITIVE_INFINITY;
            }
        }
        double eps = w.type.real() == ElementType.F32 ? 0x1p-24 : 0x1p-53;
        double length = Math.max(Math.max(w.m, w.n), w.routine.has("k") ? w.k : 1) + 10.0;
        return distance() / (SLACK * eps * length);
    }

    private double distance() {
        Op op = w.transA;
        return switch (w.routine) {
            case ASUM, NRM2, DOT, DOTC, IAMAX, IAMIN -> reduction();
            case AXPY -> is(Y).vector().distance(was(X).vector().scaled(w.alpha).plus(was(Y).vector()));
            case COPY -> is(Y).vector().distance(was(X).vector());
            case SCAL -> is(X).vector().distance(was(X).vector().scaled(w.alpha));
            case SWAP -> Math.max(is(X).vector().distance(was(Y).vector()), is(Y).vector().distance(was(X).vector()));
            case ROT -> rotation();
            case GEMV -> is(Y).vector().distance(product(was(A).times(op, was(X).vector()), was(Y).vector()));
            case SYMV, HEMV ->
                is(Y).vector().distance(product(hermitian(was(A)).times(Op.NONE, was(X).vector()), was(Y).vector()));
            case TRMV -> is(X).vector().distance(triangle(was(A)).times(op, was(X).vector()));
            case TRSV -> triangle(was(A)).times(op, is(X).vector()).distance(was(X).vector());
            case GER, GERC -> rankOne();
            case GEMM, SYMM, HEMM, SYRK, HERK -> matrixProduct();
            case TRMM, TRSM, TRTRI -> triangular();
            case GETRF -> luFactors();
            case GETRS -> luSolution();
            case GESV -> Math.max(luFactors(), solution(was(A)));
            case POTRF -> choleskyFactor();
            case POTRS ->
                cholesky(was(A), is(B).times(Op.NONE, random(is(B)))).distance(was(B).times(Op.NONE, random(is(B))));
            case POSV -> Math.max(choleskyFactor(), solution(hermitian(was(A))));
        };
    }

    private double rotation() {
        Quantity x = was(X).vector();
        Quantity y = was(Y).vector();
        Complex minusConjugate = new Complex(-w.sine.re(), w.sine.im());
        double ofX = is(X).vector().distance(x.combined(w.cosine, y, w.sine));
        return Math.max(ofX, is(Y).vector().distance(y.combined(w.cosine, x, minusConjugate)));
    }

    private double reduction() {
        Quantity x = was(X).vector();
        double sum = results == null ? value : results[(int) p];
        if (w.batch > 1 && results == null) {
            // The peer's loop returns the sum over the batch; its problems are Basalt's, which are checked.
            return 0;
        }
        Quantity got = new Quantity(1);
        got.set(0, sum, 0);
        Quantity expected = new Quantity(1);
        switch (w.routine) {
            case DOT, DOTC -> {
                Quantity dot = x.dot(was(Y).vector(), w.routine == Routine.DOTC);
                expected.set(0, dot.value[0], 0);
                expected.bound[0] = dot.bound[0];
            }
            case ASUM -> {
                for (double bound : x.bound) {
                    expected.bound[0] += bound;
                }
                expected.value[0] = expected.bound[0];
            }
            case NRM2 -> {
                double squares = 0;
                for (double part : x.value) {
                    squares += part * part;
                }
                expected.set(0, Math.sqrt(squares), 0);
            }
            default -> expected.set(0, extreme(x, w.routine == Routine.IAMAX ? 1 : -1), 0);
        }
        return got.distance(expected);
    }

    /** The 1-based place of the first element that is the largest, or the smallest for a negative sign. */
    private static double extreme(Quantity x, int sign) {
        int at = 0;
        for (int i = 1; i < x.size(); i++) {
            at = sign * x.bound[i] > sign * x.bound[at] ? i : at;
        }
        return at + 1;
    }

    /** alpha·product + beta·old. */
    private Quantity product(Quantity product, Quantity old) {
        return product.scaled(w.alpha).plus(old.scaled(w.beta));
    }

    private double rankOne() {
        Quantity v = random(is(A));
        Quantity factor = was(Y).vector().dot(v, w.routine == Routine.GERC);
        Quantity expected = was(X).vector().scaled(w.alpha).times(factor).plus(was(A).times(Op.NONE, v));
        return is(A).times(Op.NONE, v).distance(expected);
    }

    private double matrixProduct() {
        Quantity v = random(is(C));
        boolean herk = w.routine == Routine.HERK;
        boolean rankK = herk || w.routine == Routine.SYRK;
        DenseOperand c1 = rankK ? is(C).symmetric(w.uplo, herk) : is(C);
        DenseOperand c0 = rankK ? was(C).symmetric(w.uplo, herk) : was(C);
        Quantity product;
        if (rankK) {
            Op other = herk ? Op.CONJ_TRANS : Op.TRANS;
            product = w.transA == Op.NONE
                    ? was(A).times(Op.NONE, was(A).times(other, v))
                    : was(A).times(w.transA, was(A).times(Op.NONE, v));
        } else if (w.routine == Routine.GEMM) {
            product = was(A).times(w.transA, was(B).times(w.transB, v));
        } else {
            DenseOperand a = hermitian(was(A));
            product = w.side == Side.LEFT
                    ? a.times(Op.NONE, was(B).times(Op.NONE, v))
                    : was(B).times(Op.NONE, a.times(Op.NONE, v));
        }
        return c1.times(Op.NONE, v).distance(product(product, c0.times(Op.NONE, v)));
    }

    private double triangular() {
        DenseOperand a = triangle(was(A));
        if (w.routine == Routine.TRTRI) {
            Quantity v = random(is(A));
            return triangle(is(A)).times(Op.NONE, a.times(Op.NONE, v)).distance(v);
        }
        // What is multiplied by op(A): the old B for trmm, the new one for trsm.
        boolean product = w.routine == Routine.TRMM;
        DenseOperand factor = product ? was(B) : is(B);
        Quantity v = random(is(B));
        Quantity multiplied = w.side == Side.LEFT
                ? a.times(w.transA, factor.times(Op.NONE, v))
                : factor.times(Op.NONE, a.times(w.transA, v));
        return product
                ? is(B).times(Op.NONE, v).distance(multiplied.scaled(w.alpha))
                : multiplied.distance(was(B).times(Op.NONE, v).scaled(w.alpha));
    }

    private double luFactors() {
        Quantity v = random(is(A));
        int order = Math.min(is(A).rows(), is(A).cols());
        Quantity u = is(A).block(order, is(A).cols()).triangle(Uplo.UPPER, Diag.NON_UNIT).times(Op.NONE, v);
        Quantity lu = is(A).block(is(A).rows(), order).triangle(Uplo.LOWER, Diag.UNIT).times(Op.NONE, u);
        return lu.distance(was(A).times(Op.NONE, v).exchanged(pivots(pivotsAfter, order)));
    }

    private double luSolution() {
        Quantity v = random(is(B));
        DenseOperand l = was(A).triangle(Uplo.LOWER, Diag.UNIT);
        DenseOperand u = was(A).triangle(Uplo.UPPER, Diag.NON_UNIT);
        Quantity x = is(B).times(Op.NONE, v);
        Quantity b = was(B).times(Op.NONE, v);
        int[] pivots = pivots(pivotsBefore, was(A).rows());
        return w.transA == Op.NONE
                ? l.times(Op.NONE, u.times(Op.NONE, x)).distance(b.exchanged(pivots))
                : u.times(w.transA, l.times(w.transA, x.exchanged(pivots))).distance(b);
    }

    private double solution(DenseOperand a) {
        Quantity v = random(is(B));
        return a.times(Op.NONE, is(B).times(Op.NONE, v)).distance(was(B).times(Op.NONE, v));
    }

    private double choleskyFactor() {
        Quantity v = random(is(A));
        return cholesky(is(A), v).distance(hermitian(was(A)).times(Op.NONE, v));
    }

    /** L·Lᴴ·v or Uᴴ·U·v. */
    private Quantity cholesky(DenseOperand factor, Quantity v) {
        DenseOperand f = factor.triangle(w.uplo, Diag.NON_UNIT);
        return w.uplo == Uplo.LOWER
                ? f.times(Op.NONE, f.times(Op.CONJ_TRANS, v))
                : f.times(Op.CONJ_TRANS, f.times(Op.NONE, v));
    }

    /** Symmetric for symv and symm, Hermitian for all others. */
    private DenseOperand hermitian(DenseOperand a) {
        return a.symmetric(w.uplo, w.routine != Routine.SYMV && w.routine != Routine.SYMM);
    }

    private DenseOperand triangle(DenseOperand a) {
        return a.triangle(w.uplo, w.diag);
    }

    private Quantity random(DenseOperand a) {
        return Quantity.random(a.cols(), w.type.isComplex());
    }

    private DenseOperand was(Slot.Name name) {
        return operand(name, before);
    }

    private DenseOperand is(Slot.Name name) {
        return operand(name, after);
    }

    private DenseOperand operand(Slot.Name name, Map<Slot.Name, MemorySegment> memory) {
        for (Slot slot : w.routine.slots()) {
            if (slot.name() == name) {
                return new DenseOperand(w, slot, memory.get(name), p);
            }
        }
        throw new IllegalStateException(w.routine + " has no operand " + name);
    }

    private int[] pivots(int[] all, int order) {
        return Arrays.copyOfRange(all, (int) p * order, (int) (p + 1) * order);
    }

    private static int[] pivots(Operands.Copy o, boolean basalt) {
        if (!basalt) {
            return ints(o.pivots32);
        }
        long[] wide = new long[(int) (o.pivots.size() * o.pivots.count())];
        o.pivots.download(wide);
        return Arrays.stream(wide).mapToInt(Math::toIntExact).toArray();
    }

    private static int[] ints(VectorView view) {
        int[] all = new int[(int) (view.size() * view.count())];
        view.download(all);
        return all;
    }

    /** The real parts. */
    private static double[] numbers(VectorView view) {
        int count = (int) (view.size() * view.count());
        double[] all = new double[count];
        switch (view.type()) {
            case I32 -> {
                int[] raw = ints(view);
                Arrays.setAll(all, i -> raw[i]);
            }
            case I64 -> {
                long[] raw = new long[count];
                view.download(raw);
                Arrays.setAll(all, i -> raw[i]);
            }
            case F32, C32 -> {
                int parts = view.type().isComplex() ? 2 : 1;
                float[] raw = new float[parts * count];
                view.download(raw);
                Arrays.setAll(all, i -> raw[parts * i]);
            }
            default -> {
                int parts = view.type().isComplex() ? 2 : 1;
                double[] raw = new double[parts * count];
                view.download(raw);
                Arrays.setAll(all, i -> raw[parts * i]);
            }
        }
        return all;
    }
}
