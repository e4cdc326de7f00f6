package dev.basalt.cli;

import dev.basalt.Handle;
import dev.basalt.Lanczos;
import dev.basalt.VectorView;
import dev.basalt.type.ElementType;
import java.util.Arrays;

/** What a matrix in the JVM's heap does to a vector on a device; the zeros of a sparse one are never stored. */
final class SparseProduct implements Lanczos.Operator {
    private final Matrix a;
    private final boolean adjoint;
    private final boolean complex;
    private final boolean single;
    private long count;

    /**
     * A product.
     *
     * @param a matrix
     * @param type the vectors' elements
     * @param adjoint whether it is that with Aᴴ
     */
    SparseProduct(Matrix a, ElementType type, boolean adjoint) {
        this.a = a;
        this.adjoint = adjoint;
        this.complex = type.isComplex();
        this.single = type.real() == ElementType.F32;
    }

    /** How many products there have been. */
    long count() {
        return count;
    }

    @Override
    public void apply(Handle handle, VectorView x, VectorView y) {
        count++;
        int parts = complex ? 2 : 1;
        double[] from = new double[(int) x.size() * parts];
        double[] to = new double[(int) y.size() * parts];
        handle.synchronize();
        download(x, from);
        for (int j = 0; j < a.cols(); j++) {
            if (adjoint) {
                gather(j, from, to);
            } else {
                scatter(j, from, to);
            }
        }
        upload(to, y);
    }

    private void download(VectorView x, double[] to) {
        if (single) {
            float[] floats = new float[to.length];
            x.download(floats);
            Arrays.setAll(to, i -> floats[i]);
        } else {
            x.download(to);
        }
    }

    private void upload(double[] from, VectorView y) {
        if (single) {
            float[] floats = new float[from.length];
            for (int i = 0; i < floats.length; i++) {
                floats[i] = (float) from[i];
            }
            y.upload(floats);
        } else {
            y.upload(from);
        }
    }

    /** y += A(:,j)·x(j). */
    private void scatter(int j, double[] x, double[] y) {
        if (complex) {
            double xRe = x[2 * j];
            double xIm = x[2 * j + 1];
            a.column(j, (i, re, im) -> {
                y[2 * i] += re * xRe - im * xIm;
                y[2 * i + 1] += re * xIm + im * xRe;
            });
        } else {
            double xj = x[j];
            a.column(j, (i, re, im) -> y[i] += re * xj);
        }
    }

    /** y(j) := A(:,j)ᴴ·x. */
    private void gather(int j, double[] x, double[] y) {
        if (complex) {
            a.column(j, (i, re, im) -> {
                y[2 * j] += re * x[2 * i] + im * x[2 * i + 1];
                y[2 * j + 1] += re * x[2 * i + 1] - im * x[2 * i];
            });
        } else {
            a.column(j, (i, re, im) -> y[j] += re * x[i]);
        }
    }
}
