package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.Reference.require;

import dev.basalt.Blas;
import dev.basalt.Handle;
import dev.basalt.Status;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Form;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Passing;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;

/** One trial of each level-1 routine against its definition. */
final class Level1 {
    /** A dot product. */
    private enum Product {
        DOT, DOTU, DOTC
    }

    /** A reduction of one vector. */
    private enum Kind {
        ASUM, NRM2, IAMAX, IAMIN;

        boolean isIndex() {
            return this == IAMAX || this == IAMIN;
        }

        Complex onHost(Handle h, VectorView x) {
            return Complex.of(switch (this) {
                case ASUM -> Blas.asum(h, x);
                case NRM2 -> Blas.nrm2(h, x);
                case IAMAX -> Blas.iamax(h, x);
                case IAMIN -> Blas.iamin(h, x);
            });
        }

        Status onDevice(Handle h, VectorView x, VectorView result) {
            return switch (this) {
                case ASUM -> Blas.asum(h, x, result);
                case NRM2 -> Blas.nrm2(h, x, result);
                case IAMAX -> Blas.iamax(h, x, result);
                case IAMIN -> Blas.iamin(h, x, result);
            };
        }
    }

    private Level1() {}

    // ---- element by element -------------------------------------------------------------------------------

    static void axpy(Trial t) {
        Complex alpha = t.alpha();
        int n = t.length("n");
        Batch x = t.inputVector(n, t.note("incx", t.pick(1, 1, -1, 2, -2, 3, -3, 0)));
        repeat(x, n);
        Batch y = t.outputVector(n, t.increment("incy"));
        Reference.unread(alpha, x);
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        Passing passing = t.passing(alpha);
        VectorView alphaView = t.device(alpha);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.axpy(h, alpha.re(), xv, yv);
            case COMPLEX -> Blas.axpy(h, alpha, xv, yv);
            case DEVICE -> Blas.axpy(h, alphaView, xv, yv);
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat value = x.value(p).times(alpha).plus(y.value(p));
            Mat bound = x.value(p).abs().times(Complex.of(3)).plus(y.value(p).abs());
            t.check(y, p, value, bound, 1);
        }
    }

    /** With increment 0 all elements are the same one. */
    private static void repeat(Batch batch, int n) {
        if (batch.isRepeated() && n > 0) {
            for (int p = 0; p < batch.count; p++) {
                Mat old = batch.value(p);
                batch.put(p, Mat.of(n, 1, (i, j) -> old.re(0, 0), (i, j) -> old.im(0, 0)));
            }
        }
    }

    static void scal(Trial t) {
        Complex alpha = t.alpha();
        int n = t.length("n");
        int inc = t.note("incx", t.pick(1, 1, 1, 2, 3, -1, 0));
        Batch x = t.outputVector(n, inc);
        repeat(x, n);
        if (inc <= 0 || alpha.equals(Complex.ONE)) {
            x.writesNothing();
        }
        VectorView xv = x.vector();
        Passing passing = t.passing(alpha);
        VectorView alphaView = t.device(alpha);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.scal(h, alpha.re(), xv);
            case COMPLEX -> Blas.scal(h, alpha, xv);
            case DEVICE -> Blas.scal(h, alphaView, xv);
        });
        for (int p = 0; ran && p < t.count; p++) {
            t.check(x, p, x.value(p).times(alpha), x.value(p).abs().times(Complex.of(3)), 1);
        }
    }

    static void copy(Trial t) {
        int n = t.length("n");
        Batch x = t.inputVector(n, t.note("incx", t.pick(1, 1, -1, 2, -2, 3, -3, 0)));
        repeat(x, n);
        Batch y = t.vector(n, t.increment("incy")).writes();
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        boolean ran = t.run(h -> Blas.copy(h, xv, yv));
        for (int p = 0; ran && p < t.count; p++) {
            t.checkEqual(y, p, x.value(p));
        }
    }

    static void swap(Trial t) {
        int n = t.length("n");
        Batch x = t.outputVector(n, t.increment("incx"));
        Batch y = t.outputVector(n, t.increment("incy"));
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        boolean ran = t.run(h -> Blas.swap(h, xv, yv));
        for (int p = 0; ran && p < t.count; p++) {
            t.checkEqual(y, p, x.value(p));
            t.checkEqual(x, p, y.value(p));
        }
    }

    /** Element by element in their order, which counts where an increment is 0: the one element is then turned again and again. */
    static void rot(Trial t) {
        Complex c = Complex.of(t.alpha().re());
        Complex s = t.beta();
        int incx = t.note("incx", t.pick(1, 1, 1, -1, 2, -2, 3, 0));
        int incy = t.note("incy", t.pick(1, 1, 1, -1, 2, -2, 3, 0));
        // Eight turns keep integers small enough to be exact in float.
        int n = incx == 0 || incy == 0 ? t.note("n", t.random.nextInt(9)) : t.length("n");
        Batch x = t.outputVector(n, incx);
        Batch y = t.outputVector(n, incy);
        repeat(x, n);
        repeat(y, n);
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        Passing passing = t.passing(s);
        VectorView cosine = t.deviceReal(c);
        VectorView sine = t.device(s);
        boolean ran = t.run(h -> switch (passing) {
            case REAL -> Blas.rot(h, xv, yv, c.re(), s.re());
            case COMPLEX -> Blas.rot(h, xv, yv, c.re(), s);
            case DEVICE -> Blas.rot(h, xv, yv, cosine, sine);
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat newX = x.value(p).copy();
            Mat newY = y.value(p).copy();
            Mat boundX = newX.abs();
            Mat boundY = newY.abs();
            for (int k = 0; k < n; k++) {
                turn(newX, incx == 0 ? 0 : k, newY, incy == 0 ? 0 : k, c.re(), s.re(), s.im());
                double size = Math.abs(s.re()) + Math.abs(s.im());
                bound(boundX, incx == 0 ? 0 : k, boundY, incy == 0 ? 0 : k, Math.abs(c.re()), size);
            }
            int turns = incx == 0 || incy == 0 ? n : 1;
            t.check(x, p, everywhere(newX, incx), everywhere(boundX, incx), 2 * turns);
            t.check(y, p, everywhere(newY, incy), everywhere(boundY, incy), 2 * turns);
        }
    }

    private static void turn(Mat x, int i, Mat y, int j, double c, double re, double im) {
        double xr = x.re(i, 0);
        double xi = x.im(i, 0);
        double yr = y.re(j, 0);
        double yi = y.im(j, 0);
        x.set(i, 0, c * xr + re * yr - im * yi, c * xi + re * yi + im * yr);
        y.set(j, 0, c * yr - re * xr - im * xi, c * yi - re * xi + im * xr);
    }

    /** The same with absolute values. */
    private static void bound(Mat x, int i, Mat y, int j, double c, double s) {
        double u = x.re(i, 0);
        double v = y.re(j, 0);
        x.set(i, 0, c * u + s * v, 0);
        y.set(j, 0, c * v + s * u, 0);
    }

    /** With increment 0 the one element in the place of all. */
    private static Mat everywhere(Mat value, int inc) {
        return inc != 0 ? value : Mat.of(value.m, 1, (i, j) -> value.re(0, 0), (i, j) -> value.im(0, 0));
    }

    // ---- reductions ---------------------------------------------------------------------------------------

    static void dot(Trial t) {
        product(t, Product.DOT);
    }

    static void dotu(Trial t) {
        product(t, Product.DOTU);
    }

    static void dotc(Trial t) {
        product(t, Product.DOTC);
    }

    private static void product(Trial t, Product kind) {
        boolean onHost = t.option("onHost", true, false) && t.form == Form.PLAIN;
        int n = t.length("n");
        Batch x = t.outputVector(n, t.increment("incx")).writesNothing();
        Batch y = t.inputVector(n, t.note("incy", t.pick(1, 1, -1, 2, -2, 3, -3, 0)));
        repeat(y, n);
        Batch result = t.perProblem(t.type).writes();
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        VectorView rv = result.vector();
        Complex[] found = new Complex[1];
        if (onHost) {
            result.writesNothing();
        }
        boolean ran = t.run(h -> {
            if (onHost) {
                found[0] = switch (kind) {
                    case DOT -> Complex.of(Blas.dot(h, xv, yv));
                    case DOTU -> Blas.dotu(h, xv, yv);
                    case DOTC -> Blas.dotc(h, xv, yv);
                };
                return null;
            }
            return switch (kind) {
                case DOT -> Blas.dot(h, xv, yv, rv);
                case DOTU -> Blas.dotu(h, xv, yv, rv);
                case DOTC -> Blas.dotc(h, xv, yv, rv);
            };
        });
        for (int p = 0; ran && p < t.count; p++) {
            Mat row = x.value(p).op(kind == Product.DOTC ? Op.CONJ_TRANS : Op.TRANS);
            Reference r = Reference.of(Complex.ONE, row, y.value(p));
            t.checkNumber(p, onHost ? found[0] : Trial.number(result, p), r.value(), r.bound(), n, false);
        }
    }

    static void asum(Trial t) {
        reduction(t, Kind.ASUM);
    }

    static void nrm2(Trial t) {
        reduction(t, Kind.NRM2);
    }

    static void iamax(Trial t) {
        reduction(t, Kind.IAMAX);
    }

    static void iamin(Trial t) {
        reduction(t, Kind.IAMIN);
    }

    private static void reduction(Trial t, Kind kind) {
        boolean onHost = t.option("onHost", true, false) && t.form == Form.PLAIN;
        int n = t.length("n");
        int inc = t.note("incx", t.pick(1, 1, 1, 2, 3, -1, 0));
        Batch x = t.outputVector(n, inc).writesNothing();
        repeat(x, n);
        ElementType type = kind.isIndex() ? ElementType.I64 : t.type.real();
        Batch result = t.perProblem(type).writes();
        if (onHost) {
            result.writesNothing();
        }
        VectorView xv = x.vector();
        VectorView rv = result.vector();
        Complex[] found = new Complex[1];
        boolean ran = t.run(h -> {
            if (onHost) {
                found[0] = kind.onHost(h, xv);
                return null;
            }
            return kind.onDevice(h, xv, rv);
        });
        for (int p = 0; ran && p < t.count; p++) {
            double expected = n == 0 || inc <= 0 ? 0 : value(kind, x.value(p));
            if (kind.isIndex()) {
                double index = onHost ? found[0].re() : Trial.integer(result, p);
                require(index == expected, "the index in problem " + p + " is " + expected, index);
            } else {
                Mat one = Mat.of(1, 1, (i, j) -> expected, (i, j) -> 0);
                t.checkNumber(p, onHost ? found[0] : Trial.number(result, p), one, one, n, kind == Kind.NRM2);
            }
        }
    }

    private static double value(Kind kind, Mat x) {
        double sum = 0;
        int at = 0;
        for (int i = 0; i < x.m; i++) {
            sum += kind == Kind.NRM2 ? x.re[i] * x.re[i] + x.im[i] * x.im[i] : x.abs(i, 0);
            boolean better = kind == Kind.IAMAX ? x.abs(i, 0) > x.abs(at, 0) : x.abs(i, 0) < x.abs(at, 0);
            at = better ? i : at;
        }
        return kind.isIndex() ? at + 1 : kind == Kind.NRM2 ? Math.sqrt(sum) : sum;
    }
}
