package dev.basalt.conformance.numbers;

import dev.basalt.Blas;
import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * One routine on many problems of one random shape, of which any stretch can be run as a batch: for comparing bits. The list is a choice,
 * a family of each algorithm that has kernels for batches, since matrices are singular here in some problems of a batch, and windows of
 * one to four problems meet the borders of those kernels. {@code EveryBatchTest} has every family of the table; one that is added needs
 * no entry here.
 */
final class BatchedCall {
    /** What can be run. */
    enum Routine {
        AXPY,
        SCAL,
        ROT,
        DOT,
        DOTC,
        NRM2,
        ASUM,
        IAMAX,
        GEMV,
        GER,
        SYMV,
        TRMV,
        TRSV,
        GEMM,
        SYMM,
        SYRK,
        TRMM,
        TRSM,
        TRTRI,
        GETRF,
        GETRS,
        GESV,
        POTRF,
        POTRS,
        POSV;

        boolean takes(ElementType type) {
            return this != DOTC || type.isComplex();
        }
    }

    /** The numbers of all problems of one operand, and where they are on the device. */
    private final class Numbers {
        final ElementType type;
        final int m;
        final int n;
        final Object data;
        final VectorView memory;

        Numbers(ElementType type, int m, int n) {
            this.type = type;
            this.m = m;
            this.n = n;
            int numbers = problems * Math.max(1, m * n) * (type.isComplex() ? 2 : 1);
            this.data = switch (type) {
                case F32, C32 -> new float[numbers];
                case F64, C64 -> new double[numbers];
                case I32 -> new int[numbers];
                default -> new long[numbers];
            };
            this.memory = arena.vector(type, (long) problems * Math.max(1, m * n));
            all.add(this);
        }

        Numbers random() {
            for (int i = 0; i < Array.getLength(data); i++) {
                set(i, 2 * random.nextDouble() - 1);
            }
            return this;
        }

        private void set(int i, double value) {
            if (data instanceof float[]) {
                Array.setFloat(data, i, (float) value);
            } else {
                Array.setDouble(data, i, value);
            }
        }

        /** Large numbers on all diagonals; a few problems have a zero or a negative number there. */
        Numbers dominant(boolean oddities) {
            int parts = type.isComplex() ? 2 : 1;
            for (int p = 0; p < problems; p++) {
                for (int i = 0; i < m; i++) {
                    int at = (p * m * n + i + i * m) * parts;
                    set(at, m + 2.0 + random.nextDouble());
                    if (parts == 2) {
                        set(at + 1, 0);
                    }
                }
                if (oddities && random.nextInt(8) == 0) {
                    int i = random.nextInt(m);
                    set((p * m * n + i + i * m) * parts, random.nextBoolean() ? 0 : -1);
                }
            }
            return this;
        }

        MatrixView matrix(int first, int count, boolean pointers) {
            long size = (long) m * n;
            if (!pointers) {
                return MatrixView.strided(type, memory.pointer().plus(type, first * size), m, n, m, count, size);
            }
            MatrixView[] views = new MatrixView[count];
            for (int p = 0; p < count; p++) {
                views[p] = MatrixView.of(type, memory.pointer().plus(type, (first + p) * size), m, n, m);
            }
            return arena.pointers(views);
        }

        VectorView vector(int first, int count, boolean pointers) {
            if (!pointers) {
                return VectorView.strided(type, memory.pointer().plus(type, (long) first * m), m, 1, count, m);
            }
            VectorView[] views = new VectorView[count];
            for (int p = 0; p < count; p++) {
                views[p] = VectorView.of(type, memory.pointer().plus(type, (long) (first + p) * m), m, 1);
            }
            return arena.pointers(views);
        }

        /** How many numbers a problem has. */
        int size() {
            return m * n * (type.isComplex() ? 2 : 1);
        }

        void bits(int problem, long[] into, int at, Object after) {
            int size = size();
            int from = problem * size;
            for (int i = 0; i < size; i++) {
                into[at + i] = switch (after) {
                    case double[] numbers -> Double.doubleToLongBits(numbers[from + i]);
                    case float[] numbers -> Float.floatToIntBits(numbers[from + i]);
                    case int[] numbers -> numbers[from + i];
                    default -> ((long[]) after)[from + i];
                };
            }
        }
    }

    private final Routine routine;
    private final int problems;
    private final Random random;
    private final DeviceArena arena;
    private final List<Numbers> all = new ArrayList<>();
    private final Uplo uplo;
    private final Side side;
    private final Op op;
    private final Op opB;
    private final Diag diag;
    private final Complex alpha;
    private final Complex beta;
    private final int m;
    private final int n;
    private final int k;
    private Numbers a;
    private Numbers b;
    private Numbers c;
    private Numbers d;
    private Numbers e;

    BatchedCall(Routine routine, ElementType type, int problems, Random random, DeviceArena arena) {
        this.routine = routine;
        this.problems = problems;
        this.random = random;
        this.arena = arena;
        uplo = pick(Uplo.values());
        side = pick(Side.values());
        op = pick(Op.values());
        opB = pick(Op.values());
        diag = pick(Diag.values());
        boolean complex = type.isComplex() && random.nextBoolean();
        alpha = pick(Complex.ONE, Complex.of(-1), new Complex(0.75, complex ? -0.5 : 0));
        beta = pick(Complex.ONE, Complex.ZERO, new Complex(-0.75, complex ? 0.5 : 0));
        m = size();
        n = size();
        k = size();
        operands(type);
    }

    @SafeVarargs
    private final <T> T pick(T... values) {
        return values[random.nextInt(values.length)];
    }

    private int size() {
        return 1 + random.nextInt(random.nextInt(4) == 0 ? 70 : 34);
    }

    private void operands(ElementType type) {
        switch (routine) {
            case AXPY, ROT, SCAL -> vectors(type, n, n);
            case DOT, DOTC -> {
                vectors(type, n, n);
                d = new Numbers(type, 1, 1);
            }
            case NRM2, ASUM -> {
                a = new Numbers(type, n, 1).random();
                d = new Numbers(type.real(), 1, 1);
            }
            case IAMAX -> {
                a = new Numbers(type, n, 1).random();
                d = new Numbers(ElementType.I64, 1, 1);
            }
            case GEMV -> {
                a = new Numbers(type, m, n).random();
                b = new Numbers(type, op == Op.NONE ? n : m, 1).random();
                c = new Numbers(type, op == Op.NONE ? m : n, 1).random();
            }
            case GER -> {
                a = new Numbers(type, m, 1).random();
                b = new Numbers(type, n, 1).random();
                c = new Numbers(type, m, n).random();
            }
            case SYMV -> {
                a = new Numbers(type, n, n).random();
                b = new Numbers(type, n, 1).random();
                c = new Numbers(type, n, 1).random();
            }
            case TRMV, TRSV -> {
                a = new Numbers(type, n, n).random().dominant(false);
                c = new Numbers(type, n, 1).random();
            }
            case GEMM -> {
                a = new Numbers(type, op == Op.NONE ? m : k, op == Op.NONE ? k : m).random();
                b = new Numbers(type, opB == Op.NONE ? k : n, opB == Op.NONE ? n : k).random();
                c = new Numbers(type, m, n).random();
            }
            case SYMM -> {
                a = square(type, side == Side.LEFT ? m : n);
                b = new Numbers(type, m, n).random();
                c = new Numbers(type, m, n).random();
            }
            case SYRK -> {
                a = new Numbers(type, plain() ? n : k, plain() ? k : n).random();
                c = square(type, n);
            }
            case TRMM, TRSM -> {
                a = square(type, side == Side.LEFT ? m : n).dominant(false);
                b = new Numbers(type, m, n).random();
                c = new Numbers(type, m, n).random();
            }
            case TRTRI -> {
                a = square(type, n).dominant(false);
                c = square(type, n);
            }
            case GETRF, GETRS, GESV -> {
                boolean solves = routine != Routine.GETRF;
                a = new Numbers(type, solves ? n : m, n).random();
                c = new Numbers(type, n, k % 5 + 1).random();
                d = new Numbers(ElementType.I64, solves ? n : Math.min(m, n), 1);
                e = new Numbers(ElementType.I32, 1, 1);
            }
            default -> {
                a = square(type, n).dominant(routine == Routine.POTRF);
                c = new Numbers(type, n, k % 5 + 1).random();
                e = new Numbers(ElementType.I32, 1, 1);
            }
        }
    }

    private boolean plain() {
        return op == Op.NONE;
    }

    private void vectors(ElementType type, int first, int second) {
        a = new Numbers(type, first, 1).random();
        b = new Numbers(type, second, 1).random();
    }

    private Numbers square(ElementType type, int order) {
        return new Numbers(type, order, order).random();
    }

    /** The bits of every operand of each problem after a call on {@code count} problems from {@code first} on. */
    List<long[]> run(Handle h, int first, int count, boolean pointers) {
        for (Numbers operand : all) {
            operand.memory.upload(operand.data);
        }
        call(h, first, count, pointers);
        List<Object> after = new ArrayList<>();
        for (Numbers operand : all) {
            Object copy = Array.newInstance(operand.data.getClass().getComponentType(), Array.getLength(operand.data));
            operand.memory.download(copy);
            after.add(copy);
        }
        List<long[]> results = new ArrayList<>();
        for (int p = first; p < first + count; p++) {
            long[] bits = new long[all.stream().mapToInt(Numbers::size).sum()];
            int at = 0;
            for (int i = 0; i < all.size(); i++) {
                all.get(i).bits(p, bits, at, after.get(i));
                at += all.get(i).size();
            }
            results.add(bits);
        }
        return results;
    }

    private void call(Handle h, int first, int count, boolean pointers) {
        MatrixView am = matrix(a, first, count, pointers);
        MatrixView bm = matrix(b, first, count, pointers);
        MatrixView cm = matrix(c, first, count, pointers);
        VectorView av = vector(a, first, count, pointers);
        VectorView bv = vector(b, first, count, pointers);
        VectorView cv = vector(c, first, count, pointers);
        VectorView dv = vector(d, first, count, pointers);
        VectorView ev = vector(e, first, count, pointers);
        Op transposed = plain() ? Op.NONE : Op.TRANS;
        switch (routine) {
            case AXPY -> Blas.axpy(h, alpha, av, bv);
            case SCAL -> Blas.scal(h, beta, av);
            case ROT -> Blas.rot(h, av, bv, 0.6, alpha);
            case DOT -> Blas.dotu(h, av, bv, dv);
            case DOTC -> Blas.dotc(h, av, bv, dv);
            case NRM2 -> Blas.nrm2(h, av, dv);
            case ASUM -> Blas.asum(h, av, dv);
            case IAMAX -> Blas.iamax(h, av, dv);
            case GEMV -> Blas.gemv(h, op, alpha, am, bv, beta, cv);
            case GER -> Blas.geru(h, alpha, av, bv, cm);
            case SYMV -> Blas.symv(h, uplo, alpha, am, bv, beta, cv);
            case TRMV -> Blas.trmv(h, uplo, op, diag, am, cv);
            case TRSV -> Blas.trsv(h, uplo, op, diag, am, cv);
            case GEMM -> Blas.gemm(h, op, opB, alpha, am, bm, beta, cm);
            case SYMM -> Blas.symm(h, side, uplo, alpha, am, bm, beta, cm);
            case SYRK -> Blas.syrk(h, uplo, transposed, alpha, am, beta, cm);
            case TRMM -> Blas.trmm(h, side, uplo, op, diag, alpha, am, bm, cm);
            case TRSM -> Blas.trsm(h, side, uplo, op, diag, alpha, am, cm);
            case TRTRI -> Blas.trtri(h, uplo, diag, am, cm);
            case GETRF -> Lapack.getrf(h, am, dv, ev);
            case GETRS -> {
                Lapack.getrf(h, am, dv, ev);
                Lapack.getrs(h, op, am, dv, cm);
            }
            case GESV -> Lapack.gesv(h, am, dv, cm, ev);
            case POTRF -> Lapack.potrf(h, uplo, am, ev);
            case POTRS -> {
                Lapack.potrf(h, uplo, am, ev);
                Lapack.potrs(h, uplo, am, cm);
            }
            case POSV -> Lapack.posv(h, uplo, am, cm, ev);
        }
    }

    private static MatrixView matrix(Numbers operand, int first, int count, boolean pointers) {
        return operand == null ? null : operand.matrix(first, count, pointers);
    }

    private static VectorView vector(Numbers operand, int first, int count, boolean pointers) {
        return operand == null ? null : operand.vector(first, count, pointers);
    }

    @Override
    public String toString() {
        return routine + " m=" + m + " n=" + n + " k=" + k + " " + op + " " + opB + " " + side + " " + uplo + " " + diag
                + " alpha=" + alpha + " beta=" + beta;
    }
}
