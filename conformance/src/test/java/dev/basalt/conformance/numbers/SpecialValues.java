package dev.basalt.conformance.numbers;

import static dev.basalt.conformance.numbers.Reference.require;

import dev.basalt.Blas;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.conformance.support.Batch;
import dev.basalt.conformance.support.Mat;
import dev.basalt.conformance.support.Trial;
import dev.basalt.type.Complex;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Op;
import dev.basalt.type.Side;
import dev.basalt.type.Uplo;
import java.util.Arrays;

/** One trial of a routine on numbers at the ends of the range, infinities and NaN. */
final class SpecialValues {
    private SpecialValues() {}

    // ---- norms and sums -----------------------------------------------------------------------------------

    /** Squares that would overflow or underflow, denormals, zeros, and numbers of very different size. */
    static void nrm2(Trial t) {
        String kind = t.option("kind", "huge", "tiny", "denormal", "zero", "mixed", "one");
        int n = 1 + t.length("n");
        boolean single = t.type.real() == ElementType.F32;
        double max = single ? Float.MAX_VALUE : Double.MAX_VALUE;
        double min = single ? Float.MIN_NORMAL : Double.MIN_NORMAL;
        Batch x = t.vector(n, t.note("incx", t.pick(1, 1, 2, 3)));
        int special = t.random.nextInt(n);
        for (int p = 0; p < t.count; p++) {
            x.put(p, Mat.of(n, 1, (i, j) -> element(t, kind, i == special, n, max, min),
                    (i, j) -> t.type.isComplex() ? element(t, kind, false, n, max, min) : 0));
        }
        Batch result = t.perProblem(t.type.real()).writes();
        VectorView xv = x.vector();
        VectorView rv = result.vector();
        t.run(h -> Blas.nrm2(h, xv, rv));
        for (int p = 0; p < t.count; p++) {
            double expected = norm(x.value(p));
            double off = (2 * n + 12) * t.epsilon() * expected + (single ? Float.MIN_VALUE : Double.MIN_VALUE);
            double actual = Trial.number(result, p).re();
            require(Math.abs(actual - expected) <= off, "the norm of problem " + p + " is " + expected, actual);
        }
    }

    private static double element(Trial t, String kind, boolean special, int n, double max, double min) {
        double unit = t.round(t.random.nextDouble() - 0.5);
        return switch (kind) {
            case "huge" -> t.round(unit * (max / Math.sqrt(n)));
            case "tiny" -> t.round(unit * min * 16);
            case "denormal" -> t.round(unit * min / 64);
            case "zero" -> special ? -0.0 : 0;
            case "mixed" -> t.round(t.random.nextBoolean() ? unit * min : unit * Math.sqrt(max));
            default -> special ? t.round(unit * max) : 0;
        };
    }

    /** Scaled by a power of two, so that squares of doubles keep to their range. */
    private static double norm(Mat x) {
        double largest = 0;
        for (int i = 0; i < x.m; i++) {
            largest = Math.max(largest, Math.max(Math.abs(x.re[i]), Math.abs(x.im[i])));
        }
        int exponent = largest == 0 ? 0 : Math.getExponent(largest);
        double sum = 0;
        for (int i = 0; i < x.m; i++) {
            double re = Math.scalb(x.re[i], -exponent);
            double im = Math.scalb(x.im[i], -exponent);
            sum += re * re + im * im;
        }
        return Math.scalb(Math.sqrt(sum), exponent);
    }

    /** NaN if there is a NaN, else infinity if there is one. */
    static void normsOfInfinities(Trial t) {
        boolean norm = t.option("norm", true, false);
        boolean nan = t.option("nan", true, false);
        boolean infinity = t.option("infinity", true, false) || !nan;
        int n = 2 + t.length("n");
        Batch x = t.vector(n, t.note("incx", t.pick(1, 1, 2)));
        for (int p = 0; p < t.count; p++) {
            Mat value = t.random(n, 1);
            int at = t.random.nextInt(n);
            if (infinity) {
                value.set(at, 0, t.random.nextBoolean() ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY, 0);
            }
            if (nan) {
                place(t, value, (at + 1 + t.random.nextInt(n - 1)) % n, Double.NaN);
            }
            x.put(p, value);
        }
        Batch result = t.perProblem(t.type.real()).writes();
        VectorView xv = x.vector();
        VectorView rv = result.vector();
        t.run(h -> norm ? Blas.nrm2(h, xv, rv) : Blas.asum(h, xv, rv));
        for (int p = 0; p < t.count; p++) {
            double actual = Trial.number(result, p).re();
            double expected = nan ? Double.NaN : Double.POSITIVE_INFINITY;
            require(Double.compare(actual, expected) == 0, "the result of problem " + p + " is " + expected, actual);
        }
    }

    /** Into either part. */
    private static void place(Trial t, Mat value, int at, double special) {
        boolean imaginary = t.type.isComplex() && t.random.nextBoolean();
        value.set(at, 0, imaginary ? value.re(at, 0) : special, imaginary ? special : value.im(at, 0));
    }

    // ---- indices ------------------------------------------------------------------------------------------

    /** The first NaN is the largest; it is never the smallest unless there is nothing else. Of equals the first counts. */
    static void indices(Trial t) {
        boolean largest = t.option("largest", true, false);
        String kind = t.option("kind", "some NaN", "all NaN", "infinities", "ties", "zeros");
        int n = 1 + t.length("n");
        Batch x = t.vector(n, t.note("incx", t.pick(1, 1, 2)));
        for (int p = 0; p < t.count; p++) {
            Mat value = t.random(n, 1);
            for (int i = 0; i < n; i++) {
                switch (kind) {
                    case "all NaN" -> place(t, value, i, Double.NaN);
                    case "ties" -> value.set(i, 0, t.pick(1.0, -1.0), 0);
                    case "zeros" -> value.set(i, 0, t.pick(0.0, -0.0), 0);
                    default -> {}
                }
            }
            for (int k = 0; k < 3; k++) {
                int at = t.random.nextInt(n);
                if (kind.equals("some NaN")) {
                    place(t, value, at, Double.NaN);
                } else if (kind.equals("infinities")) {
                    place(t, value, at, t.pick(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY));
                }
            }
            x.put(p, value);
        }
        Batch result = t.perProblem(ElementType.I64).writes();
        VectorView xv = x.vector();
        VectorView rv = result.vector();
        t.run(h -> largest ? Blas.iamax(h, xv, rv) : Blas.iamin(h, xv, rv));
        for (int p = 0; p < t.count; p++) {
            long expected = index(x.value(p), largest);
            long actual = Trial.integer(result, p);
            require(actual == expected, "the index in problem " + p + " is " + expected, actual);
        }
    }

    private static long index(Mat x, boolean largest) {
        int at = 0;
        for (int i = 0; i < x.m; i++) {
            double best = x.abs(at, 0);
            double v = x.abs(i, 0);
            if (largest && Double.isNaN(v)) {
                return i + 1L;
            }
            if (largest ? v > best : v < best || (Double.isNaN(best) && !Double.isNaN(v))) {
                at = i;
            }
        }
        return at + 1L;
    }

    // ---- element by element -------------------------------------------------------------------------------

    /** alpha = 0 keeps NaN and makes one of infinity; a real alpha does not mix the parts of a complex element. */
    static void scal(Trial t) {
        Complex alpha = t.option("alpha", Complex.ZERO, Complex.of(2), Complex.of(-1));
        boolean real = t.option("real", true, false) || !t.type.isComplex();
        int n = 1 + t.length("n");
        Batch x = t.vector(n, t.note("incx", t.pick(1, 1, 2))).writes();
        double[] specials = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 1};
        for (int p = 0; p < t.count; p++) {
            Mat value = t.random(n, 1);
            for (int i = 0; i < n; i++) {
                place(t, value, i, specials[t.random.nextInt(specials.length)]);
            }
            x.put(p, value);
        }
        VectorView xv = x.vector();
        t.run(h -> real ? Blas.scal(h, alpha.re(), xv) : Blas.scal(h, alpha, xv));
        for (int p = 0; p < t.count; p++) {
            Mat old = x.value(p);
            Mat now = x.get(p);
            for (int i = 0; i < n; i++) {
                double a = alpha.re();
                double re = real ? a * old.re[i] : a * old.re[i] - 0 * old.im[i];
                double im = real ? a * old.im[i] : a * old.im[i] + 0 * old.re[i];
                boolean same = equal(now.re[i], t.round(re)) && (equal(now.im[i], t.round(im)) || !t.type.isComplex());
                require(same, "element " + i + " of problem " + p + " is " + re + " + " + im + "i",
                        now.re[i] + " + " + now.im[i] + "i");
            }
        }
    }

    /** c = 0 and s = 0 make NaN of infinity and keep NaN; a real sine does not mix the parts of complex elements. */
    static void rot(Trial t) {
        double c = t.option("c", 0.0, 1.0, -2.0);
        Complex s = t.option("s", Complex.ZERO, Complex.ONE, Complex.of(-2));
        boolean real = t.option("real", true, false) || !t.type.isComplex();
        int n = 1 + t.length("n");
        Batch x = t.vector(n, t.increment("incx")).writes();
        Batch y = t.vector(n, t.increment("incy")).writes();
        double[] specials = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 1};
        for (int p = 0; p < t.count; p++) {
            for (Batch batch : new Batch[] {x, y}) {
                Mat value = Mat.of(n, 1, (i, j) -> t.random.nextInt(7) - 3,
                        (i, j) -> t.type.isComplex() ? t.random.nextInt(7) - 3 : 0);
                for (int i = t.random.nextInt(2); i < n; i += 2) {
                    place(t, value, i, specials[t.random.nextInt(specials.length)]);
                }
                batch.put(p, value);
            }
        }
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        t.run(h -> real ? Blas.rot(h, xv, yv, c, s.re()) : Blas.rot(h, xv, yv, c, s));
        for (int p = 0; p < t.count; p++) {
            Mat u = x.value(p);
            Mat v = y.value(p);
            Mat newX = x.get(p);
            Mat newY = y.get(p);
            for (int i = 0; i < n; i++) {
                // The products with the sine's imaginary part, which is 0, where it has one.
                double ofY = real ? 0 : 0 * v.im[i];
                double ofYTurned = real ? 0 : 0 * v.re[i];
                double ofX = real ? 0 : 0 * u.im[i];
                double ofXTurned = real ? 0 : 0 * u.re[i];
                double xr = c * u.re[i] + s.re() * v.re[i] - ofY;
                double xi = c * u.im[i] + s.re() * v.im[i] + ofYTurned;
                double yr = c * v.re[i] - s.re() * u.re[i] - ofX;
                double yi = c * v.im[i] - s.re() * u.im[i] + ofXTurned;
                String at = i + " of problem " + p + " is ";
                require(same(t, newX, i, xr, xi), "x at " + at + xr + " + " + xi + "i", newX);
                require(same(t, newY, i, yr, yi), "y at " + at + yr + " + " + yi + "i", newY);
            }
        }
    }

    private static boolean same(Trial t, Mat now, int i, double re, double im) {
        return equal(now.re[i], re) && (equal(now.im[i], im) || !t.type.isComplex());
    }

    private static boolean equal(double a, double b) {
        return a == b || Double.isNaN(a) && Double.isNaN(b);
    }

    /** Bits are bits: NaN, infinities, -0 and denormals arrive as they were. */
    static void copy(Trial t) {
        boolean swap = t.option("swap", true, false);
        int n = 1 + t.length("n");
        double min = t.type.real() == ElementType.F32 ? Float.MIN_VALUE : Double.MIN_VALUE;
        double[] specials = {Double.NaN, Double.NEGATIVE_INFINITY, -0.0, min, -3 * min};
        Batch x = t.vector(n, t.increment("incx"));
        Batch y = t.vector(n, t.increment("incy")).writes();
        for (int p = 0; p < t.count; p++) {
            Mat value = t.random(n, 1);
            for (int i = 0; i < n; i++) {
                place(t, value, i, specials[t.random.nextInt(specials.length)]);
            }
            x.put(p, value);
            y.put(p, t.random(n, 1));
        }
        if (swap) {
            x.writes();
        }
        VectorView xv = x.vector();
        VectorView yv = y.vector();
        t.run(h -> swap ? Blas.swap(h, xv, yv) : Blas.copy(h, xv, yv));
        for (int p = 0; p < t.count; p++) {
            require(Arrays.equals(y.bits(p), x.bitsBefore(p)), "y of problem " + p + " has the bits of x", y.get(p));
            require(!swap || Arrays.equals(x.bits(p), y.bitsBefore(p)), "x of problem " + p + " has the bits of y",
                    x.get(p));
        }
    }

    // ---- triangles ----------------------------------------------------------------------------------------

    /** Singularity is not looked for: a zero on the diagonal gives an infinity or NaN, and leaves what does not depend on it. */
    static void singularTriangle(Trial t) {
        t.problems(2);
        String routine = t.option("routine", "trsv", "trsm", "trtri");
        Uplo uplo = t.option("uplo", Uplo.values());
        int n = 1 + t.size("n");
        int zero = t.note("zero", t.random.nextInt(n));
        Batch a = t.matrix(n, n);
        for (int p = 0; p < t.count; p++) {
            Mat value = t.randomTriangle(n, uplo, Diag.NON_UNIT, false);
            value.set(zero, zero, 0, 0);
            a.put(p, value, uplo, Diag.NON_UNIT);
        }
        boolean inverse = routine.equals("trtri");
        Batch b = inverse ? t.matrix(n, n).writes(uplo, Diag.NON_UNIT) : t.output(n, 1);
        for (int p = 0; !inverse && p < t.count; p++) {
            b.put(p, Mat.of(n, 1, (i, j) -> 1, (i, j) -> 0));
        }
        MatrixView av = a.matrix();
        MatrixView bv = b.matrix();
        t.run(h -> switch (routine) {
            case "trsv" -> Blas.trsv(h, uplo, Op.NONE, Diag.NON_UNIT, av.problem(0), bv.problem(0).column(0));
            case "trsm" -> Blas.trsm(h, Side.LEFT, uplo, Op.NONE, Diag.NON_UNIT, 1, av, bv);
            default -> Blas.trtri(h, uplo, Diag.NON_UNIT, av, bv);
        });
        for (int p = 0; p < (routine.equals("trsv") ? 1 : t.count); p++) {
            Mat x = b.get(p);
            double at = inverse ? x.abs(zero, zero) : x.abs(zero, 0);
            require(!(at <= Double.MAX_VALUE), "element " + zero + " of problem " + p + " is not finite", x);
            for (int i = 0; !inverse && i < n; i++) {
                boolean before = uplo == Uplo.LOWER ? i < zero : i > zero;
                require(!before || x.abs(i, 0) <= Double.MAX_VALUE, "element " + i + " of problem " + p + " is finite",
                        x);
            }
        }
    }
}
