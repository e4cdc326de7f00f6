package dev.basalt.host.engine;

import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.AssembledKernels;
import dev.basalt.host.assembled.batch.BatchDots;
import dev.basalt.host.assembled.code.VectorCall;
import dev.basalt.host.assembled.stream.EachVector;
import dev.basalt.host.assembled.stream.Level1;
import dev.basalt.host.assembled.stream.PairCode;
import dev.basalt.host.assembled.stream.StreamCode;
import dev.basalt.host.assembled.stream.StreamTable;
import dev.basalt.host.assembled.stream.StridePairCode;
import dev.basalt.host.assembled.stream.Strided;
import dev.basalt.host.assembled.stream.StridedPairs;
import dev.basalt.host.vector.ByElement;
import dev.basalt.portable.ZLeaf;
import java.lang.foreign.MemorySegment;

/**
 * The part of {@link AssembledZLeaf} for vectors: room {@code stream} of machine code. Calls of up to {@link #SHORT} elements are made here, with
 * the table's code and constants of the type: what a call reads one after the other before it knows its kernel is much of what it takes.
 */
public abstract class StreamZLeaf extends ZLeaf {
    /** Whether elements are complex. A constant, so that each type has the branches of its own alone. */
    static final boolean COMPLEX = true; // real: static final boolean COMPLEX = false;

    /** Real numbers of an element. */
    private static final int PARTS = COMPLEX ? 2 : 1;

    private static final long REAL = 8; // float: private static final long REAL = 4;

    private static final long BYTES = PARTS * REAL;

    /** Elements up to which vectors lie in the first-level cache whatever their type is, and are not cut into pieces. */
    private static final long SHORT = Level1.SHORT;

    /** Vectors without gaps that are shorter go by element. */
    private static final long TOGETHER = 3;

    /** As {@link #TOGETHER} where the elements are multiplied by a number. */
    private static final long SCALED = 4;

    /** As {@link #TOGETHER} where products are fused with sums: of real types an element costs no less than a call. */
    private static final long FUSED = COMPLEX ? TOGETHER : 1;

    /** Shorter sums and dot products of real elements are made here: up to 4 ns less than a call. A batch of them is given to kernels, where those add up in the same order. */
    private static final long FEW_REALS = 8;

    /** As {@link #TOGETHER} for sums of magnitudes and squares. */
    private static final long SUMMED = COMPLEX ? 4 : FEW_REALS;

    /** The same for vectors with gaps. */
    private static final long SUMMED_APART = COMPLEX ? 6 : FEW_REALS;

    /** As {@link #TOGETHER} for vectors with gaps: what a call takes is worth three real numbers, or two complex ones. */
    private static final long APART = COMPLEX ? 3 : 4;

    /** The same for dot products. */
    private static final long DOTS_APART = COMPLEX ? 3 : FEW_REALS;

    /** What batches ask of sums. */
    static final EachVector.Least LEAST = COMPLEX
            ? new EachVector.Least(TOGETHER, DOTS_APART, SUMMED, SUMMED_APART)
            : new EachVector.Least(FEW_REALS, 1, FEW_REALS, 1);

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
    private final StreamTable streams;
    /** Of {@link #streams}. */
    private final MemorySegment[] codes;
    private final long[] addresses;
    /** Of the last vector of pairs, by how many numbers are in it. */
    private final long[] masks;

    private final long leastExtreme;
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
        this.streams = kernels.streams();
        this.codes = streams.codes();
        this.addresses = streams.addresses();
        this.masks = streams.masks();
        this.leastExtreme = streams.leastExtreme();
        this.strided = kernels.strided();
        this.pairs = kernels.stridedPairs();
        this.dots = kernels.dots();
        this.fewAsKernels = level1.takesFew();
    }

    private long stream(StreamCode.Kind kind) {
        long code = addresses[StreamTable.STREAM + kind.ordinal()];
        return code != 0 ? code : streams.stream(kind).address();
    }

    private MemorySegment strided(StreamCode.Kind kind) {
        MemorySegment code = codes[StreamTable.STRIDED + kind.ordinal()];
        return code != null ? code : streams.strided(kind);
    }

    private MemorySegment pair(PairCode.Kind kind) {
        MemorySegment code = codes[StreamTable.PAIR + kind.ordinal()];
        return code != null ? code : streams.pair(kind);
    }

    private MemorySegment stridedPair(StridePairCode.Kind kind) {
        MemorySegment code = codes[StreamTable.STRIDED_PAIR + kind.ordinal()];
        return code != null ? code : streams.stridedPair(kind);
    }

    /** The mask of the last vector of a complex one. */
    private long mask(long n) {
        return masks[(int) (2 * n) & masks.length - 1];
    }

    @Override
    public void copy(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= TOGETHER) {
            if (n <= SHORT) {
                VectorCall.stream(stream(StreamCode.Kind.COPY), PARTS * n, x, y, 1, 0);
            } else {
                level1.copy(n, x, y);
            }
        } else if (n < APART) {
            super.copy(n, x, incx, y, incy);
        } else if (COMPLEX && n <= SHORT) {
            VectorCall.stridedPairs(stridedPair(StridePairCode.Kind.COPY), n, x, incx * BYTES, y, incy * BYTES, 0, 0,
                    0);
        } else if (COMPLEX) {
            pairs.copy(n, x, incx, y, incy);
        } else if (n <= SHORT) {
            VectorCall.strides(strided(StreamCode.Kind.COPY), n, x, incx * BYTES, y, incy * BYTES, 0, 0);
        } else {
            strided.copy(n, x, incx, y, incy);
        }
    }

    @Override
    public void swap(long n, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= TOGETHER) {
            if (n <= SHORT) {
                VectorCall.stream(stream(StreamCode.Kind.SWAP), PARTS * n, x, y, 0, 0);
            } else {
                level1.swap(n, x, y);
            }
        } else if (n < APART) {
            super.swap(n, x, incx, y, incy);
        } else if (COMPLEX && n <= SHORT) {
            VectorCall.stridedPairs(stridedPair(StridePairCode.Kind.SWAP), n, x, incx * BYTES, y, incy * BYTES, 0, 0,
                    0);
        } else if (COMPLEX) {
            pairs.swap(n, x, incx, y, incy);
        } else if (n <= SHORT) {
            VectorCall.strides(strided(StreamCode.Kind.SWAP), n, x, incx * BYTES, y, incy * BYTES, 0, 0);
        } else {
            strided.swap(n, x, incx, y, incy);
        }
    }

    @Override
    public void rot(long n, double alphaRe, double betaRe, double betaIm, boolean real, long x, long incx, long y,
            long incy) {
        boolean contiguous = incx == 1 && incy == 1 && n >= FUSED;
        if (contiguous && (!COMPLEX || real)) {
            if (n <= SHORT) {
                VectorCall.stream(stream(StreamCode.Kind.ROT), PARTS * n, x, y, alphaRe, betaRe);
            } else {
                level1.rot(n, alphaRe, betaRe, x, y);
            }
        } else if (contiguous) {
            level1.rot(n, alphaRe, betaRe, betaIm, x, y);
        } else if (n < APART) {
            byElement.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else if (COMPLEX && n <= SHORT) {
            MemorySegment code =
                    real ? stridedPair(StridePairCode.Kind.ROT_REAL) : stridedPair(StridePairCode.Kind.ROT);
            VectorCall.stridedPairs(code, n, x, incx * BYTES, y, incy * BYTES, Double.doubleToRawLongBits(alphaRe), // keep double
                    betaRe, betaIm);
        } else if (COMPLEX) {
            pairs.rot(n, alphaRe, betaRe, betaIm, real, x, incx, y, incy);
        } else if (n <= SHORT) {
            VectorCall.strides(strided(StreamCode.Kind.ROT), n, x, incx * BYTES, y, incy * BYTES, alphaRe, betaRe);
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
        if (n == 1) {
            return 1;
        }
        long found = incx == 1 && n >= leastExtreme && n <= SHORT ? place(StreamTable.LARGEST, n, x)
                : incx > 1 && n >= Level1.LEAST_APART && n < Level1.APART ? placeApart(true, n, x, incx)
                : level1.extreme(true, n, x, incx);
        return found > 0 ? found : super.iamax(n, x, incx);
    }

    @Override
    public long iamin(long n, long x, long incx) {
        if (n == 1) {
            return 1;
        }
        long found = incx == 1 && n >= leastExtreme && n <= SHORT ? place(StreamTable.SMALLEST, n, x)
                : incx > 1 && n >= Level1.LEAST_APART && n < Level1.APART ? placeApart(false, n, x, incx)
                : level1.extreme(false, n, x, incx);
        return found > 0 ? found : super.iamin(n, x, incx);
    }

    /** The same of a short vector with gaps. */
    private long placeApart(boolean largest, long n, long x, long incx) {
        long code = addresses[StreamTable.STRIDED_EXTREME + (largest ? 0 : 1)];
        long place =
                VectorCall.integers(code != 0 ? code : streams.stridedExtreme(largest).address(), n, x, incx * BYTES);
        return place == n ? 0 : place + 1;
    }

    /** The index from 1 of the extreme of a short vector without gaps; 0 if there is a NaN, or no finite smallest one. */
    private long place(int kernel, long n, long x) {
        long code = addresses[kernel];
        long place = VectorCall.integers(code != 0 ? code : streams.extreme(kernel).address(), PARTS * n, x, 0) / PARTS;
        return place == n ? 0 : place + 1;
    }

    @Override
    public void axpy(long n, double alphaRe, double alphaIm, long x, long incx, long y, long incy) {
        if (incx == 1 && incy == 1 && n >= FUSED) {
            if (COMPLEX && n <= SHORT) {
                VectorCall.pairs(pair(PairCode.Kind.AXPY), 2 * n, x, y, mask(n), 0, alphaRe, alphaIm);
            } else if (COMPLEX) {
                level1.axpy(n, alphaRe, alphaIm, x, y);
            } else if (n <= SHORT) {
                VectorCall.stream(stream(StreamCode.Kind.AXPY), n, x, y, alphaRe, 0);
            } else {
                level1.axpy(n, alphaRe, x, y);
            }
        } else if (n < APART) {
            byElement.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        } else if (COMPLEX && n <= SHORT) {
            VectorCall.stridedPairs(stridedPair(StridePairCode.Kind.AXPY), n, x, incx * BYTES, y, incy * BYTES, 0,
                    alphaRe, alphaIm);
        } else if (COMPLEX) {
            pairs.axpy(n, alphaRe, alphaIm, x, incx, y, incy);
        } else if (n <= SHORT) {
            VectorCall.strides(strided(StreamCode.Kind.AXPY), n, x, incx * BYTES, y, incy * BYTES, alphaRe, 0);
        } else {
            strided.axpy(n, alphaRe, x, incx, y, incy);
        }
    }

    @Override
    public void scal(long n, double alphaRe, double alphaIm, boolean real, long x, long incx) {
        if (incx == 1 && n >= SCALED) {
            if (!COMPLEX || real) {
                if (n <= SHORT) {
                    VectorCall.stream(stream(StreamCode.Kind.SCAL), PARTS * n, x, x, alphaRe, 0);
                } else {
                    level1.scal(PARTS * n, alphaRe, x);
                }
            } else if (n <= SHORT) {
                VectorCall.pairs(pair(PairCode.Kind.SCAL), 2 * n, x, x, mask(n), 0, alphaRe, alphaIm);
            } else {
                level1.scal(n, alphaRe, alphaIm, x);
            }
        } else if (n >= APART) {
            if (COMPLEX && n <= SHORT) {
                MemorySegment code =
                        real ? stridedPair(StridePairCode.Kind.SCAL_REAL) : stridedPair(StridePairCode.Kind.SCAL);
                VectorCall.stridedPairs(code, n, x, incx * BYTES, x, incx * BYTES, 0, alphaRe, alphaIm);
            } else if (COMPLEX) {
                pairs.scal(n, alphaRe, alphaIm, real, x, incx);
            } else if (n <= SHORT) {
                VectorCall.strides(strided(StreamCode.Kind.SCAL), n, x, incx * BYTES, x, incx * BYTES, alphaRe, 0);
            } else {
                strided.scal(n, alphaRe, x, incx);
            }
        } else if (!COMPLEX || real) {
            super.scal(n, alphaRe, alphaIm, real, x, incx);
        } else {
            byElement.scal(n, alphaRe, alphaIm, x, incx);
        }
    }

    private double sum(StreamCode.Kind kind, long n, long x, long y) { // keep double
        return VectorCall.stream(stream(kind), n, x, y, 0, 0);
    }

    private double sumApart(StreamCode.Kind kind, long n, long x, long incx, long y, long incy) { // keep double
        return Double.longBitsToDouble(VectorCall.strides(strided(kind), n, x, incx * BYTES, y, incy * BYTES, 0, 0)); // keep double
    }

    private double pairsApart(StridePairCode.Kind kind, long n, long x, long incx) { // keep double
        long step = incx * BYTES;
        return Double.longBitsToDouble(VectorCall.stridedPairs(stridedPair(kind), n, x, step, x, step, 0, 0, 0)); // keep double
    }

    @Override
    public double dotReal(long n, long x, long incx, long y, long incy) { // keep double
        if (COMPLEX) {
            return super.dotReal(n, x, incx, y, incy);
        }
        if (n < FEW_REALS && (x | y) >= 0) {
            return few(n, x, incx * BYTES, y, incy * BYTES);
        }
        boolean contiguous = incx == 1 && incy == 1 && n >= FEW_REALS;
        if (n <= SHORT) {
            return contiguous ? sum(StreamCode.Kind.DOT, n, x, y) : sumApart(StreamCode.Kind.DOT, n, x, incx, y, incy);
        }
        return contiguous ? level1.dot(n, x, y) : strided.dot(n, x, incx, y, incy);
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result) {
        dot(n, x, incx, y, incy, conj, result, n);
    }

    @Override
    public void dot(long n, long x, long incx, long y, long incy, boolean conj, long result, long whole) {
        boolean contiguous = incx == 1 && incy == 1 && n >= TOGETHER;
        if (COMPLEX && contiguous) {
            if (whole <= SHORT) {
                MemorySegment code = conj ? pair(PairCode.Kind.DOTC) : pair(PairCode.Kind.DOTU);
                VectorCall.pairs(code, 2 * n, x, y, mask(n), result, 0, 0);
            } else {
                level1.dot(n, x, y, conj, result, whole);
            }
        } else if (COMPLEX && n >= DOTS_APART && n <= SHORT) {
            MemorySegment code = conj ? stridedPair(StridePairCode.Kind.DOTC) : stridedPair(StridePairCode.Kind.DOTU);
            VectorCall.stridedPairs(code, n, x, incx * BYTES, y, incy * BYTES, result, 0, 0);
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
        if (n < (incx == 1 ? SUMMED : SUMMED_APART) && (COMPLEX || x >= 0)) {
            return fewAsKernels && incx == 1 && n > 0 ? few(n, x, false)
                    : COMPLEX ? super.asum(n, x, incx)
                    : few(n, x, incx * BYTES);
        }
        if (n <= SHORT) {
            return isTogether(n, incx) ? sum(StreamCode.Kind.ASUM, PARTS * n, x, x)
                    : COMPLEX ? pairsApart(StridePairCode.Kind.ASUM, n, x, incx)
                    : sumApart(StreamCode.Kind.ASUM, n, x, incx, x, incx);
        }
        return incx == 1 ? level1.asum(PARTS * n, x) : COMPLEX ? pairs.asum(n, x, incx) : strided.asum(n, x, incx);
    }

    @Override
    public double nrm2(long n, long x, long incx) { // keep double
        if (!COMPLEX && n == 1 && x >= 0) {
            // The root of a square is the magnitude, to the bit.
            return Math.abs(f64(x));
        }
        if (n >= (!COMPLEX || fewAsKernels && incx == 1 ? 1 : incx == 1 ? SUMMED : SUMMED_APART)) {
            double sum = squares(n, x, incx); // keep double
            if (sum > SAFE && sum <= LARGEST) {
                return Math.sqrt(sum); // keep double
            }
        }
        return super.nrm2(n, x, incx);
    }

    /** Whether the kernel of vectors without gaps adds up in the order of {@link #few}; that of elements apart does so for all numbers, and few ones in arrays of Java are left to it. */
    private boolean isTogether(long n, long incx) {
        return incx == 1 && (fewAsKernels || n >= SUMMED);
    }

    private double squares(long n, long x, long incx) { // keep double
        if (n < SUMMED && incx == 1 && fewAsKernels && (COMPLEX || x >= 0)) {
            return few(n, x, true);
        }
        if (!COMPLEX && n < FEW_REALS && x >= 0) {
            return few(n, x, incx * BYTES, x, incx * BYTES);
        }
        if (n <= SHORT) {
            return isTogether(n, incx) ? sum(StreamCode.Kind.SQUARES, PARTS * n, x, x)
                    : COMPLEX ? pairsApart(StridePairCode.Kind.SQUARES, n, x, incx)
                    : sumApart(StreamCode.Kind.SQUARES, n, x, incx, x, incx);
        }
        return incx == 1 ? level1.squares(PARTS * n, x)
                : COMPLEX ? pairs.squares(n, x, incx)
                : strided.squares(n, x, incx);
    }

    /** The magnitudes of one to seven numbers, or their squares, added up in the order of a vector's lanes: one by one they would have other bits. */
    private static double few(long n, long x, boolean squared) { // keep double
        long count = PARTS * n;
        double s0 = one(x, squared);
        double s1 = count > 1 ? one(x + 8L, squared) : 0;
        double s2 = count > 2 ? one(x + 16L, squared) : 0;
        double s3 = count > 3 ? one(x + 24L, squared) : 0;
        if (count > 4) {
            s0 += one(x + 32L, squared);
        }
        if (count > 5) {
            s1 += one(x + 40L, squared);
        }
        if (count > 6) {
            s2 += one(x + 48L, squared);
        }
        return (s0 + s2) + (s1 + s3);
    }

    private static double one(long x, boolean squared) {
        double value = f64(x);
        return squared ? value * value : Math.abs(value);
    }

    /** Σ |x| of up to seven real numbers; no loop: what C2 makes of one is longer than this. */
    private static double few(long n, long x, long dx) { // keep double
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        if (n >= 4) {
            s0 = Math.abs(f64(x));
            s1 = Math.abs(f64(x + dx));
            s2 = Math.abs(f64(x + 2 * dx));
            s3 = Math.abs(f64(x + 3 * dx));
            x += 4 * dx;
        }
        long left = n & 3;
        if (left > 0) {
            s0 += Math.abs(f64(x));
        }
        if (left > 1) {
            s0 += Math.abs(f64(x + dx));
        }
        if (left > 2) {
            s0 += Math.abs(f64(x + 2 * dx));
        }
        return (s0 + s1) + (s2 + s3);
    }

    /** Σ x·y of up to seven real numbers, with the roundings of the kernel. */
    private static double few(long n, long x, long dx, long y, long dy) { // keep double
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
