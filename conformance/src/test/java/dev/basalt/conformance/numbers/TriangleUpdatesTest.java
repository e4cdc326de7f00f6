package dev.basalt.conformance.numbers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.basalt.DegradePolicy;
import dev.basalt.Device;
import dev.basalt.DeviceArena;
import dev.basalt.MatrixView;
import dev.basalt.internal.call.Call;
import dev.basalt.internal.call.HandleCore;
import dev.basalt.internal.call.Protocol;
import dev.basalt.internal.call.Routine;
import dev.basalt.internal.product.Gemmt;
import dev.basalt.internal.product.Syr2k;
import dev.basalt.internal.product.TrsmEx;
import dev.basalt.internal.workspace.Lifetime;
import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.internal.workspace.StreamRef;
import dev.basalt.internal.workspace.WorkspaceCore;
import dev.basalt.internal.workspace.WorkspaceOptions;
import dev.basalt.sim.SimDriver;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** gemmt, syrkx, syr2k and trsm_ex against sums written out, in every tier, over several blocks of the simulated device. */
class TriangleUpdatesTest {
    private static final double ALPHA = 0.75;
    private static final double BETA = -0.5;
    private static final ElementType TYPE = ElementType.C64;

    private final SimDriver driver = SimDriver.builder().throwOnHazard(true).open();
    private final Device device = Device.of(driver);
    private final DeviceArena arena = device.arena();
    private final Random random = new Random(5);

    @AfterEach
    void closeAll() {
        arena.close();
        device.close();
    }

    /** Real and imaginary parts of a matrix, column by column. */
    private record Matrix(int rows, int cols, double[] parts) {
        double re(int i, int j) {
            return parts[2 * (i + j * rows)];
        }

        double im(int i, int j) {
            return parts[2 * (i + j * rows) + 1];
        }

        /** op of this. */
        Matrix op(Op op) {
            if (op == Op.NONE) {
                return this;
            }
            Matrix t = new Matrix(cols, rows, new double[parts.length]);
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < cols; j++) {
                    t.set(j, i, re(i, j), op == Op.TRANS ? im(i, j) : -im(i, j));
                }
            }
            return t;
        }

        void set(int i, int j, double re, double im) {
            parts[2 * (i + j * rows)] = re;
            parts[2 * (i + j * rows) + 1] = im;
        }

        /** The product with another. */
        Matrix times(Matrix b) {
            Matrix c = new Matrix(rows, b.cols, new double[2 * rows * b.cols]);
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < b.cols; j++) {
                    double re = 0;
                    double im = 0;
                    for (int l = 0; l < cols; l++) {
                        re += re(i, l) * b.re(l, j) - im(i, l) * b.im(l, j);
                        im += re(i, l) * b.im(l, j) + im(i, l) * b.re(l, j);
                    }
                    c.set(i, j, re, im);
                }
            }
            return c;
        }
    }

    private Matrix matrix(int rows, int cols) {
        return new Matrix(rows, cols, random.doubles(2L * rows * cols, -0.5, 0.5).toArray());
    }

    private MatrixView onDevice(Matrix m) {
        MatrixView view = arena.matrix(TYPE, m.rows, m.cols);
        view.upload(m.parts);
        return view;
    }

    /** Calls with a workspace of so many bytes. */
    private void call(Routine routine, long bytes, java.util.function.Consumer<Call> arguments, MatrixView... abc) {
        StreamRef stream = new StreamRef(0);
        WorkspaceCore workspace = new WorkspaceCore(driver, new WorkspaceOptions(-1, 0, false, bytes, false), stream);
        HandleCore core = new HandleCore(driver, stream, workspace, DegradePolicy.ALLOW);
        Call c = Protocol.begin(core, routine, TYPE);
        for (int i = 0; i < abc.length; i++) {
            MatrixView v = abc[i];
            if (v != null) {
                c.args.operand(i).matrix(TYPE, v.pointer().address(), v.rows(), v.cols(), v.ld(), 0);
                long span = v.rows() * v.cols() * TYPE.bytes();
                c.memory(i, new MemoryCore(driver, v.pointer().address(), span, new Lifetime("closed", null)), span, 0,
                        1);
            }
        }
        arguments.accept(c);
        Protocol.execute(core);
        workspace.close();
    }

    private static long[] workspaces() {
        return new long[] {Long.MAX_VALUE, 40_000, 0};
    }

    /** Whether c is the triangle of alpha·product + beta·before, and before elsewhere. */
    private static void same(Uplo uplo, MatrixView view, Matrix before, Matrix product, boolean realDiagonal) {
        Matrix c = new Matrix(before.rows, before.cols, new double[before.parts.length]);
        view.download(c.parts);
        for (int j = 0; j < c.cols; j++) {
            for (int i = 0; i < c.rows; i++) {
                boolean inside = uplo == Uplo.LOWER ? i >= j : i <= j;
                double re = inside ? product.re(i, j) + BETA * before.re(i, j) : before.re(i, j);
                double im = inside ? product.im(i, j) + BETA * before.im(i, j) : before.im(i, j);
                assertThat(c.re(i, j)).as("re %d %d", i, j).isCloseTo(re, within(1e-12));
                assertThat(c.im(i, j)).as("im %d %d", i, j).isCloseTo(realDiagonal && i == j ? 0 : im, within(1e-12));
            }
        }
    }

    private static Matrix scaled(Matrix m, double re, double im) {
        Matrix s = new Matrix(m.rows, m.cols, new double[m.parts.length]);
        for (int j = 0; j < m.cols; j++) {
            for (int i = 0; i < m.rows; i++) {
                s.set(i, j, re * m.re(i, j) - im * m.im(i, j), re * m.im(i, j) + im * m.re(i, j));
            }
        }
        return s;
    }

    private static Matrix sum(Matrix a, Matrix b) {
        Matrix s = new Matrix(a.rows, a.cols, new double[a.parts.length]);
        for (int i = 0; i < s.parts.length; i++) {
            s.parts[i] = a.parts[i] + b.parts[i];
        }
        return s;
    }

    private void update(Routine routine, Uplo uplo, Op opA, Op opB, int k, Matrix a, Matrix b, Matrix sums,
            boolean real) {
        for (long bytes : workspaces()) {
            Matrix before = matrix(sums.rows, sums.rows);
            MatrixView c = onDevice(before);
            call(routine, bytes, f -> {
                f.args.uplo = uplo;
                f.args.opA = opA;
                f.args.opB = opB;
                f.args.n = sums.rows;
                f.args.k = k;
                f.args.alpha.set(ALPHA, 0.25);
                f.args.beta.set(BETA, 0);
            }, onDevice(a), onDevice(b), c);
            same(uplo, c, before, sums, real);
        }
    }

    @Test
    void gemmtTakesEveryForm() {
        int n = 75;
        int k = 21;
        for (Uplo uplo : Uplo.values()) {
            for (Op opA : Op.values()) {
                for (Op opB : Op.values()) {
                    Matrix a = opA == Op.NONE ? matrix(n, k) : matrix(k, n);
                    Matrix b = opB == Op.NONE ? matrix(k, n) : matrix(n, k);
                    Matrix product = scaled(a.op(opA).times(b.op(opB)), ALPHA, 0.25);
                    update(Gemmt.GEMMT, uplo, opA, opB, k, a, b, product, false);
                }
            }
        }
    }

    @Test
    void syrkxAndSyr2kTakeBothForms() {
        int n = 75;
        int k = 21;
        for (boolean hermitian : new boolean[] {false, true}) {
            Op other = hermitian ? Op.CONJ_TRANS : Op.TRANS;
            for (Uplo uplo : Uplo.values()) {
                for (Op op : List.of(Op.NONE, other)) {
                    Matrix a = op == Op.NONE ? matrix(n, k) : matrix(k, n);
                    Matrix b = op == Op.NONE ? matrix(n, k) : matrix(k, n);
                    Matrix one = scaled(a.op(op).times(b.op(op).op(other)), ALPHA, 0.25);
                    Matrix two = scaled(b.op(op).times(a.op(op).op(other)), ALPHA, hermitian ? -0.25 : 0.25);
                    update(hermitian ? Syr2k.HER2K : Syr2k.SYR2K, uplo, op, Op.NONE, k, a, b, sum(one, two), hermitian);
                    if (!hermitian) {
                        update(hermitian ? Gemmt.HERKX : Gemmt.SYRKX, uplo, op, Op.NONE, k, a, b, one, false);
                    }
                }
            }
        }
    }

    @Test
    void herkxOfAMultipleHasARealDiagonal() {
        int n = 40;
        int k = 9;
        Matrix a = matrix(n, k);
        Matrix product = scaled(a.times(a.op(Op.CONJ_TRANS)), ALPHA, 0.25);
        for (Uplo uplo : Uplo.values()) {
            update(Gemmt.HERKX, uplo, Op.NONE, Op.NONE, k, a, a, product, true);
        }
    }

    /** The inverses are made by hand: of A's diagonal blocks, which are multiples of the identity. */
    @Test
    void trsmExSolvesWithInversesOrWithout() {
        int order = 300;
        int other = 9;
        for (Side side : Side.values()) {
            for (Uplo uplo : Uplo.values()) {
                for (Op op : Op.values()) {
                    Matrix a = matrix(order, order);
                    Matrix inverses = new Matrix(TrsmEx.ORDER, order, new double[2 * TrsmEx.ORDER * order]);
                    for (int j = 0; j < order; j++) {
                        for (int i = 0; i < order; i++) {
                            boolean inside = uplo == Uplo.LOWER ? i >= j : i <= j;
                            boolean diagonal = i / TrsmEx.ORDER == j / TrsmEx.ORDER;
                            double scale = 0.01;
                            a.set(i, j, inside && !diagonal ? scale * a.re(i, j) : 0,
                                    inside && !diagonal ? scale * a.im(i, j) : 0);
                        }
                        a.set(j, j, 2, 0);
                        inverses.set(j % TrsmEx.ORDER, j, 0.5, 0);
                    }
                    Matrix b = side == Side.LEFT ? matrix(order, other) : matrix(other, order);
                    for (long supplied : new long[] {(long) TrsmEx.ORDER * order, 0}) {
                        MatrixView x = onDevice(b);
                        call(TrsmEx.ROUTINE, supplied == 0 ? 0 : Long.MAX_VALUE, f -> {
                            f.args.side = side;
                            f.args.uplo = uplo;
                            f.args.opA = op;
                            f.args.diag = Diag.NON_UNIT;
                            f.args.m = b.rows;
                            f.args.n = b.cols;
                            f.args.k = supplied;
                            f.args.alpha.set(ALPHA, 0.25);
                        }, onDevice(a), onDevice(inverses), x);
                        Matrix found = new Matrix(b.rows, b.cols, new double[b.parts.length]);
                        x.download(found.parts);
                        Matrix back = side == Side.LEFT ? a.op(op).times(found) : found.times(a.op(op));
                        assertThat(back.parts).containsExactly(scaled(b, ALPHA, 0.25).parts, within(1e-11));
                    }
                }
            }
        }
    }
}
