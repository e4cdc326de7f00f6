package dev.basalt.conformance.numbers;

import dev.basalt.DeviceArena;
import dev.basalt.Handle;
import dev.basalt.Lapack;
import dev.basalt.MatrixView;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Mat;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import java.util.Random;

/** The four orthogonal factorisations of one matrix, by the calls on views. */
enum Orthogonal {
    QR(false, false, Lapack::geqrf, Lapack::orgqr, Lapack::ormqr),
    LQ(true, false, Lapack::gelqf, Lapack::orglq, Lapack::ormlq),
    QL(false, true, Lapack::geqlf, Lapack::orgql, Lapack::ormql),
    RQ(true, true, Lapack::gerqf, Lapack::orgrq, Lapack::ormrq);

    /** A factorisation, or Q from it. */
    @FunctionalInterface
    interface Form {
        Status run(Handle h, MatrixView a, VectorView tau);
    }

    /** A product with Q. */
    @FunctionalInterface
    interface Product {
        Status run(Handle h, Side side, Op trans, MatrixView a, VectorView tau, MatrixView c);
    }

    /** Whether A = (triangle)·Q. */
    final boolean right;

    /** Whether the triangle ends in the last row and column. */
    final boolean last;

    private final Form factor;
    private final Form form;
    private final Product product;

    Orthogonal(boolean right, boolean last, Form factor, Form form, Product product) {
        this.right = right;
        this.last = last;
        this.factor = factor;
        this.form = form;
        this.product = product;
    }

    /**
     * What a factorisation gave.
     *
     * @param stored A with the triangle and the reflectors
     * @param tau their factors
     * @param q the columns, or rows, of Q that belong to the triangle
     * @param whole all of Q
     */
    record Factors(Mat stored, Mat tau, Mat q, Mat whole) {}

    /** Factors a. */
    Factors factor(Handle h, DeviceArena arena, ElementType type, Mat a) {
        int k = Math.min(a.m, a.n);
        int order = right ? a.n : a.m;
        MatrixView view = arena.matrix(type, a.m, a.n);
        VectorView tau = arena.vector(type, k);
        upload(view, a);
        factor.run(h, view, tau);
        Mat stored = download(view, a.m, a.n);
        MatrixView reflectors = arena.matrix(type, right ? k : order, right ? order : k);
        upload(reflectors, reflectors(stored));
        MatrixView whole = arena.matrix(type, order, order);
        upload(whole, Mat.identity(order));
        product.run(h, Side.LEFT, Op.NONE, reflectors, tau, whole);
        MatrixView q = arena.matrix(type, right ? k : order, right ? order : k);
        upload(q, reflectors(stored));
        form.run(h, q, tau);
        return new Factors(stored, download(tau, k), download(q, right ? k : order, right ? order : k),
                download(whole, order, order));
    }

    /** op(Q)·c or c·op(Q). */
    Mat times(Handle h, DeviceArena arena, ElementType type, Side side, Op op, Factors f, Mat c) {
        int k = f.tau().m;
        int order = right ? f.stored().n : f.stored().m;
        MatrixView reflectors = arena.matrix(type, right ? k : order, right ? order : k);
        upload(reflectors, reflectors(f.stored()));
        VectorView tau = arena.vector(type, k);
        tau.upload(numbers(type, f.tau()));
        MatrixView result = arena.matrix(type, c.m, c.n);
        upload(result, c);
        product.run(h, side, op, reflectors, tau, result);
        return download(result, c.m, c.n);
    }

    /** The part of a factored matrix that has reflectors: its first or last rows or columns. */
    private Mat reflectors(Mat a) {
        int k = Math.min(a.m, a.n);
        int rows = right ? k : a.m;
        int cols = right ? a.n : k;
        int down = last ? a.m - rows : 0;
        int across = last ? a.n - cols : 0;
        return Mat.of(rows, cols, (i, j) -> a.re(i + down, j + across), (i, j) -> a.im(i + down, j + across));
    }

    /** The trapezoid beside the reflectors. */
    Mat triangle(Mat a) {
        int k = Math.min(a.m, a.n);
        int rows = right ? a.m : k;
        int cols = right ? k : a.n;
        int down = last ? a.m - rows : 0;
        int across = last ? a.n - cols : 0;
        // LQ and QL have a lower one; what ends in the corner is counted from there.
        boolean lower = right != last;
        int shift = last ? a.n - a.m : 0;
        return Mat.of(rows, cols, (i, j) -> in(lower, shift, i + down, j + across) ? a.re(i + down, j + across) : 0,
                (i, j) -> in(lower, shift, i + down, j + across) ? a.im(i + down, j + across) : 0);
    }

    private static boolean in(boolean lower, int shift, int i, int j) {
        return lower ? i + shift >= j : i + shift <= j;
    }

    /** The product of the factors. */
    Mat product(Mat stored, Mat q) {
        return right ? triangle(stored).times(q) : q.times(triangle(stored));
    }

    /** I - 2·v·vᴴ: a matrix that is its own inverse and its own adjoint. */
    static Mat reflector(Random random, ElementType type, int n) {
        double[] re = random.doubles(n, -1, 1).toArray();
        double[] im = type.isComplex() ? random.doubles(n, -1, 1).toArray() : new double[n];
        double norm = 0;
        for (int i = 0; i < n; i++) {
            norm += re[i] * re[i] + im[i] * im[i];
        }
        double s = 2 / norm;
        return Mat.of(n, n, (i, j) -> (i == j ? 1 : 0) - s * (re[i] * re[j] + im[i] * im[j]),
                (i, j) -> -s * (im[i] * re[j] - re[i] * im[j]));
    }

    static void upload(MatrixView view, Mat a) {
        view.upload(numbers(view.type(), a));
    }

    /** A column as a vector. */
    static void load(VectorView view, Mat a) {
        Object numbers = numbers(view.type(), a);
        if (numbers instanceof float[] single) {
            view.upload(single);
        } else {
            view.upload((double[]) numbers);
        }
    }

    static Object numbers(ElementType type, Mat a) {
        int parts = type.isComplex() ? 2 : 1;
        double[] wide = new double[parts * a.re.length];
        float[] narrow = new float[wide.length];
        for (int i = 0; i < a.re.length; i++) {
            wide[parts * i] = a.re[i];
            if (parts == 2) {
                wide[2 * i + 1] = a.im[i];
            }
        }
        for (int i = 0; i < wide.length; i++) {
            narrow[i] = (float) wide[i];
        }
        return type.real() == ElementType.F32 ? narrow : wide;
    }

    static Mat download(MatrixView view, int m, int n) {
        Object array = room(view.type(), m * n);
        view.download(array);
        return matrix(view.type(), array, m, n);
    }

    static Mat download(VectorView view, int n) {
        Object array = room(view.type(), n);
        view.download(array);
        return matrix(view.type(), array, n, 1);
    }

    private static Object room(ElementType type, int elements) {
        int numbers = elements * (type.isComplex() ? 2 : 1);
        return type.real() == ElementType.F32 ? new float[numbers] : new double[numbers];
    }

    private static Mat matrix(ElementType type, Object array, int m, int n) {
        int parts = type.isComplex() ? 2 : 1;
        Mat a = new Mat(m, n);
        for (int i = 0; i < m * n; i++) {
            a.re[i] = number(array, parts * i);
            a.im[i] = parts == 2 ? number(array, 2 * i + 1) : 0;
        }
        return a;
    }

    private static double number(Object array, int i) {
        return array instanceof float[] narrow ? narrow[i] : ((double[]) array)[i];
    }
}
