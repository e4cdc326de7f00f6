package dev.basalt.host.engine;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.batch.BatchDots;
import dev.basalt.host.assembled.stream.EachVector;
import dev.basalt.host.assembled.stream.Level1;
import dev.basalt.host.assembled.stream.Strided;
import dev.basalt.host.assembled.stream.StridedPairs;
import dev.basalt.host.vector.ByElement;
import dev.basalt.portable.ZLeaf;

/** The part of {@link AssembledZLeaf} for vectors: room {@code stream} of machine code. */
public abstract class StreamZLeaf extends ZLeaf {
    /** Whether elements are complex. A constant, so that each type has the branches of its own alone. */
    static final boolean COMPLEX = true; // real: static final boolean COMPLEX = false;

    /** Real numbers of an element. */
    private static final int PARTS = COMPLEX ? 2 : 1;

    /** Vectors without gaps that are shorter go by element. */
    private static final long TOGETHER = 3;

    /** As {@link #TOGETHER} where the elements are multiplied by a number. */
    private static final long SCALED = 4;

    /** As {@link #TOGETHER} where products are fused with sums: of real types an element costs no less than a call. */
    private static final long FUSED = COMPLEX ? TOGETHER : 1;

    /** As {@link #TOGETHER} for sums of magnitudes and squares. */
    private static final long SUMMED = COMPLEX ? 4 : 3;

    /** The same for vectors with gaps. Of real types a batch goes to a kernel from one element on: fewer here have its bits. */
    private static final long SUMMED_APART = COMPLEX ? 6 : 8;

    /** As {@link #TOGETHER} for vectors with gaps: what a call takes is worth 15 real numbers, or two complex ones. */
    private static final long APART = COMPLEX ? 3 : 16;

    /** The same for dot products, as {@link #SUMMED_APART}. */
    private static final long DOTS_APART = COMPLEX ? 3 : 8;

    /** What batches ask of sums. */
    static final EachVector.Least LEAST =
            new EachVector.Least(TOGETHER, COMPLEX ? DOTS_APART : 1, SUMMED, COMPLEX ? SUMMED_APART : 1);

    /** Squares that a sum of more than this may have lost to underflow are below its rounding error. */
    static final double SAFE = 0x1p-900; // float: static final double SAFE = 0x1p-90;

    /** A sum up to this did not overflow. */
    static final double LARGEST = Double.MAX_VALUE; // float: static final double LARGEST = Float.MAX_VALUE;

    final AssembledKernels kernels;
    /** Bytes of an element. */
    final long element;
    /** What is too short for machine code. */
    final ByElement byElement;

    private final Level1 level1;
    private final Strided strided;
    private final StridedPairs pairs;
    private final BatchDots dots;
    /** Whether sums of fewer elements than {@link #SUMMED} have the kernels' bits ({@link #few}), since a batch of them goes to a kernel. */
    private final boolean fewAsKernels;

    StreamZLeaf(AssembledKernels kernels) {
        this.kernels = kernels;
        this.element = kernels.elementBytes();
        this.byElement = ByElement.of(element, COMPLEX);
        this.level1 = kernels.level1();
        this.strided = kernels.strided();
        this.pairs = kernels.stridedPairs();
        this.dots = kernels.dots();
        this.fewAsKernels = level1.takesFew();
    }

    @Override
    public void copy(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= TOGETHER) {
            level1.copy(n, x, y);
        } else if (n < APART) {
            super.copy(n, x, incx, y, incy);
        } else if (COMPLEX) {
            pairs.copy(n, x, incx, y, incy);
        } else {
            strided.copy(n, x, incx, y, incy);
        }
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= TOGETHER) {
            level1.swap(n, x, y);
        } else if (n < APART) {
            super.swap(n, x, incx, y, incy);
        } else if (COMPLEX) {
            pairs.swap(n, x, incx, y, incy);
        } else {
            strided.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        boolean contiguous = incx == 1 && incy == 1 && n >= FUSED;
        if (contiguous && (!COMPLEX || real)) {
            level1.rot(n, alphaRe, betaRe, x, y);
        } else if (contiguous) {
            level1.rot(n, alphaRe, betaRe, betaIm, x, y);
        } else if (n < APART) {
            byElement.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else if (COMPLEX) {
            pairs.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else {
            strided.rot(n, alphaRe, betaRe, x, incx, y, incy);
        }
    }

    @Override
    protected boolean rotm(long n, long x, long y, double a, double b, double c, double d) { // keep double
        // Where arrays of Java lie is not known before a call that asks for it.
        if (n <= 1 || x < 0 || y < 0) {
            return false;
        }
        level1.rotm(n, a, b, c, d, x, y);
        return true;
    }

    @Override
    public long iamax(long n, long x, long incx) {
        long found = level1.extreme(true, n, x, incx);
        return found > 0 ? found : super.iamax(n, x, incx);
    }

    @Override
    public long iamin(long n, long x, long incx) {
        long found = level1.extreme(false, n, x, incx);
        return found > 0 ? found : super.iamin(n, x, incx);
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        boolean contiguous = incx == 1 && incy == 1 && n >= FUSED;
        if (contiguous && !COMPLEX) {
            level1.axpy(n, alphaRe, x, y);
        } else if (contiguous) {
            level1.axpy(n, alphaRe, alphaIm, x, y);
        } else if (n < APART) {
            byElement.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        } else if (COMPLEX) {
            pairs.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        } else {
            strided.axpy(n, alphaRe, x, incx, y, incy);
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        if (incx == 1 && n >= SCALED) {
            if (!COMPLEX || real) {
                level1.scal(PARTS * n, alphaRe, x);
            } else {
                level1.scal(n, alphaRe, alphaIm, x);
            }
        } else if (n >= APART) {
            if (COMPLEX) {
                pairs.scal(n, alphaRe, alphaIm, real, x, incx);
            } else {
                strided.scal(n, alphaRe, x, incx);
            }
        } else if (!COMPLEX || real) {
            super.scal(n, alphaRe, alphaIm, real, x, incx);
        } else {
            byElement.scal(n, alphaRe, alphaIm, x, incx);
        }
    }

    @Override
    public double dotReal(long n, long x, long incx, long y, long incy) { // keep double
        if (COMPLEX) {
            return super.dotReal(n, x, incx, y, incy);
        }
        if (incx == 1 && incy == 1) {
            return n < TOGETHER ? super.dotReal(n, x, 1, y, 1) : level1.dot(n, x, y);
        }
        return n < DOTS_APART ? fewApart(n, x, incx * element, y, incy * element) : strided.dot(n, x, incx, y, incy);
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        dot(n, x, incx, y, incy, conj, result, n);
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result, long whole) {
        boolean contiguous = incx == 1 && incy == 1 && n >= TOGETHER;
        if (COMPLEX && contiguous) {
            level1.dot(n, x, y, conj, result, whole);
        } else if (COMPLEX && n >= DOTS_APART) {
            pairs.dot(n, x, incx, y, incy, conj, result);
        } else if (contiguous && level1.far(2 * whole)) {
            double sum = level1.dotAhead(n, x, y); // keep double
            f64(result, sum); // float: f32(result, (float) sum);
        } else {
            super.dot(n, x, incx, y, incy, conj, result);
        }
    }

    @Override
    public void dots(long n, long count, long x, long stepX, long y, long stepY, long result, long step) {
        if (COMPLEX) {
            super.dots(n, count, x, stepX, y, stepY, result, step);
        } else {
            dots.run(n, (int) count, x, stepX, y, stepY, result, step);
        }
    }

    @Override
    public double asum(long n, long x, long incx) { // keep double
        if (n < (incx == 1 ? SUMMED : SUMMED_APART)) {
            return fewAsKernels && incx == 1 && n > 0 ? few(n, x, false) : super.asum(n, x, incx);
        }
        return incx == 1 ? level1.asum(PARTS * n, x) : COMPLEX ? pairs.asum(n, x, incx) : strided.asum(n, x, incx);
    }

    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        if (n >= (incx != 1 ? COMPLEX ? SUMMED_APART : 1 : fewAsKernels ? 1 : SUMMED)) {
            double sum = incx != 1 ? squares(n, x, incx) : n < SUMMED ? few(n, x, true) : level1.squares(PARTS * n, x); // keep double
            if (sum > SAFE && sum <= LARGEST) {
                return Math.sqrt(sum); // keep double
            }
        }
        return super.nrm2(n, x, incx);
    }

    /** The magnitudes of up to six numbers, or their squares, added up in the order of a vector's lanes: one by one they would have other bits. */
    private static double few(long n, long x, boolean squared) { // keep double
        long count = PARTS * n;
        double s0 = one(x, squared);
        double s1 = count > 1 ? one(x + 8L, squared) : 0;
        double s2 = count > 2 ? one(x + 16L, squared) : 0;
        double s3 = count > 3 ? one(x + 24L, squared) : 0;
        if (count > 4) {
            s0 += one(x + 32L, squared);
            s1 += one(x + 40L, squared);
        }
        return (s0 + s2) + (s1 + s3);
    }

    private static double one(long x, boolean squared) {
        double value = f64(x);
        return squared ? value * value : Math.abs(value);
    }

    private double squares(long n, long x, long incx) { // keep double
        if (COMPLEX) {
            return pairs.squares(n, x, incx);
        }
        long step = incx * element;
        return n < SUMMED_APART ? fewApart(n, x, step, x, step) : strided.squares(n, x, incx);
    }

    /** Σ x·y of up to seven real numbers with gaps, with the roundings and the order of the kernel of elements apart. */
    private static double fewApart(long n, long x, long dx, long y, long dy) { // keep double
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        if (n >= 4) {
            s0 = Math.fma(f64(x), f64(y), s0);
            s1 = Math.fma(f64(x + dx), f64(y + dy), s1);
            s2 = Math.fma(f64(x + 2 * dx), f64(y + 2 * dy), s2);
            s3 = Math.fma(f64(x + 3 * dx), f64(y + 3 * dy), s3);
            x += 4 * dx;
            y += 4 * dy;
        }
        // No loop: what C2 makes of one is longer than this.
        long left = n & 3;
        if (left > 0) {
            s0 = Math.fma(f64(x), f64(y), s0);
        }
        if (left > 1) {
            s0 = Math.fma(f64(x + dx), f64(y + dy), s0);
        }
        if (left > 2) {
            s0 = Math.fma(f64(x + 2 * dx), f64(y + 2 * dy), s0);
        }
        return (s0 + s1) + (s2 + s3);
    }
}
