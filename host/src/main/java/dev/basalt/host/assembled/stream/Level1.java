package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;

import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.code.VectorCall;
import dev.basalt.portable.Leaf;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Assembled kernels of level 1 over contiguous vectors of one element type. Sizes are in elements where nothing else is said. Any number of threads may use one object.
 */
public final class Level1 {
    /** A call holds up the garbage collector, so long vectors go in pieces of some ten microseconds. In real numbers. */
    private static final long PIECE = 1 << 16;

    /** Elements among which an extreme is looked for before its place: they are still near when they are gone through again. */
    private static final long BLOCK = 4096;

    /** Elements of a vector with gaps that are gathered at a time; twice as many at the end. */
    private static final long GATHERED = 1024;

    /** Elements of a vector with gaps that may be gone through again for the place: some microseconds. */
    private static final long TWICE = 4096;

    /** Bytes of the lines of these, with those that a power of two in the distance leaves unused, up to which they are near then. */
    private static final long NEAR = 64 << 10;

    /** Elements of a vector with gaps from which on gathering them pays, where they are not near. */
    public static final long APART = 64;

    /** Elements with gaps from which on a kernel tells the place of an extreme. */
    public static final long LEAST_APART = StrideExtremeCode.GROUP;

    /** Copies of at least so many bytes go past the caches: they would drive out all else, and each line be read before. */
    private static final long PAST = 24L << 20;

    /** Bytes beyond which vectors are not in the first-level data cache: 48 KiB on Zen 5 and on Intel's servers since Ice Lake. */
    private static final long L1 = 48 << 10;

    /** Of more than this a good part is not in the second-level cache either, and the wider kernel is as good again. */
    private static final long BEYOND_L2 = 384 << 10;

    /** Elements up to which vectors lie in the first-level cache whatever their type is, so that nothing is to be asked about them. */
    public static final long SHORT = 1024;

    /** Vectors shorter than this need not be asked about copying past the caches. */
    private static final long LONG = 1 << 20;

    /** Bytes beyond which vectors may lie in memory, where wide loads are better again. */
    private static final long L3 = 8 << 20;

    /** Bytes beyond which vectors are not in the second-level cache, and are fetched ahead from the third-level one. */
    private static final long L2 = 1 << 20;

    private final StreamTable kernels;
    private final int size;
    /** Real numbers of an element. */
    private final int parts;
    /** Its logarithm. */
    private final int shift;

    private final long infinity;
    private final long magnitude;
    private final ScratchPool gathered;
    /** Elements without gaps from which on a kernel gives the place of an extreme. */
    private final long leastExtreme;

    /** The mask of the last vector, by how many numbers are in it. */
    private final long[] masks;

    /**
     * Kernels of one type.
     *
     * @param kernels its table
     * @param complex whether elements are complex
     */
    public Level1(StreamTable kernels, boolean complex) {
        this.kernels = kernels;
        this.size = kernels.shape().precision().bytes;
        this.parts = complex ? 2 : 1;
        this.shift = complex ? 1 : 0;
        boolean f64 = size == 8;
        this.infinity = f64
                ? Double.doubleToRawLongBits(Double.POSITIVE_INFINITY)
                : Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
        this.magnitude = f64 ? Long.MAX_VALUE : Integer.MAX_VALUE;
        this.gathered = new ScratchPool(2 * GATHERED * parts * size);
        this.leastExtreme = kernels.leastExtreme();
        this.masks = new long[kernels.shape().lanes()];
        Arrays.setAll(masks, kernels.shape()::mask);
    }

    /**
     * Level 1 of batches.
     *
     * @param leaf the leaf over these kernels, whose bits single calls have
     * @param least where it begins to take kernels; before the sums of these, if {@link #takesFew}
     * @param safe a sum of squares above this has lost nothing to underflow
     * @param largest a sum of squares up to this did not overflow
     * @return kernels for batches
     */
    public EachVector batches(Leaf leaf, EachVector.Least least, double safe, double largest) {
        EachVector.Least own =
                takesFew() ? new EachVector.Least(least.together(), least.apart(), 1, least.summedApart()) : least;
        return new EachVector(kernels, parts == 2, leaf, own, safe, largest);
    }

    /**
     * Whether kernels add up less than a vector by its lanes, under a mask; without masks it is number by number.
     *
     * @return true with AVX-512
     */
    public boolean takesFew() {
        return kernels.leastPlace() == 1;
    }

    /** The least elements in which {@link #extreme} looks with a kernel: those of a vector register. */
    private long least() {
        return kernels.shape().lanes() / parts;
    }

    /**
     * x and y exchange their elements.
     *
     * @param n elements
     * @param x address
     * @param y address
     */
    public void swap(long n, long x, long y) {
        MemorySegment code = kernels.stream(StreamCode.Kind.SWAP);
        long count = n << shift;
        if (count <= PIECE) {
            VectorCall.stream(code, count, x, y, 0);
            return;
        }
        for (long i = 0; i < count; i += PIECE) {
            VectorCall.stream(code, Math.min(PIECE, count - i), x + i * size, y + i * size, 0);
        }
    }

    /**
     * y := x for vectors much longer than the caches, past which it goes.
     *
     * @param n elements
     * @param x address
     * @param y address, a multiple of the size of a real number, that does not overlap x
     * @return false, with nothing done, if the vectors are not that long, or y lies between two numbers or in an array
     */
    private boolean copyPast(long n, long x, long y) {
        long count = n * parts;
        // Where an array of Java lies is not known before the call.
        if (count * size < PAST || y % size != 0 || y < 0) {
            return false;
        }
        // Whole lines from the first one on.
        long head = (-y & 63) / size;
        VectorCall.stream(kernels.stream(StreamCode.Kind.COPY), head, x, y, 0);
        MemorySegment code = kernels.stream(StreamCode.Kind.COPY_PAST);
        for (long i = head; i < count; i += PIECE) {
            VectorCall.stream(code, Math.min(PIECE, count - i), x + i * size, y + i * size, 0);
        }
        return true;
    }

    /**
     * The first element of the largest or smallest magnitude.
     *
     * @param largest whether the largest is meant
     * @param n elements
     * @param x address of element 0
     * @param incx elements from one to the next
     * @return index from 1; 0 if the caller must look: there is a NaN, or no finite smallest one, or the vector is too short for a kernel
     */
    public long extreme(boolean largest, long n, long x, long incx) {
        if (incx == 1 && n >= leastExtreme && n < 2 * BLOCK) {
            return atOnce(largest, n, x);
        }
        long step = incx * size << shift;
        if (incx > 0 && n >= LEAST_APART && (n < Math.max(APART, least()) || n < TWICE && near(n, step))) {
            long place = VectorCall.integers(kernels.stridedExtreme(largest), n, x, step);
            return place == n ? 0 : place + 1;
        }
        long best = largest ? -1 : infinity;
        long found;
        if (incx == 1 && n >= least()) {
            MemorySegment code = looking(largest);
            long at = 0;
            for (long from = 0; from < n;) {
                long count = piece(n - from, BLOCK);
                long value = value(code, count, x + from * parts * size);
                if (largest ? value > best : value < best) {
                    best = value;
                    at = from;
                }
                from += count;
            }
            // Only now: each block may have the extreme, and the one that has it is gone through again.
            found = best == infinity && !largest ? 0 : at + place(piece(n - at, BLOCK), x + at * parts * size, best);
        } else if (incx > 1 && n >= Math.max(APART, least())) {
            MemorySegment code = looking(largest);
            MemorySegment memory = gathered.take();
            long near = memory.address();
            found = 0;
            for (long from = 0; from < n;) {
                long count = piece(n - from, GATHERED);
                gather(count, x + from * step, step, near);
                long value = value(code, count, near);
                if (largest ? value > best : value < best) {
                    best = value;
                    found = from + place(count, near, best);
                }
                from += count;
            }
            gathered.give(memory);
        } else {
            return 0;
        }
        return largest && best > infinity ? 0 : found;
    }

    /** Whether a cache holds the elements: lines whose distance is a multiple of a power of two share its sets. */
    private static boolean near(long n, long step) {
        return n * Math.min(step, Math.max(64, Long.lowestOneBit(step))) <= NEAR;
    }

    /** The value and its place by one call. */
    private long atOnce(boolean largest, long n, long x) {
        ExtremeCode.Kind kind = largest ? ExtremeCode.Kind.PLACE_OF_LARGEST : ExtremeCode.Kind.PLACE_OF_SMALLEST;
        long place = VectorCall.integers(kernels.extreme(kind), n << shift, x, 0) >> shift;
        return place == n ? 0 : place + 1;
    }

    private MemorySegment looking(boolean largest) {
        return kernels.extreme(largest ? ExtremeCode.Kind.LARGEST : ExtremeCode.Kind.SMALLEST);
    }

    private long value(MemorySegment code, long n, long x) {
        return VectorCall.integers(code, n << shift, x, 0) & magnitude;
    }

    /** The index from 1 of the first element with a magnitude. */
    private long place(long n, long x, long bits) {
        return (VectorCall.integers(kernels.extreme(ExtremeCode.Kind.PLACE), n << shift, x, bits) >> shift) + 1;
    }

    /** A piece, or all that is left if that would leave less than a vector. */
    private static long piece(long left, long most) {
        return left < 2 * most ? left : most;
    }

    private void gather(long n, long x, long step, long to) {
        if (parts == 2) {
            VectorCall.stridedPairs(kernels.stridedPair(StridePairCode.Kind.COPY), n, x, step, to, 2L * size, 0, 0, 0);
        } else {
            VectorCall.strides(kernels.strided(StreamCode.Kind.COPY), n, x, step, to, size, 0, 0);
        }
    }

    /**
     * y := alpha·x + y of complex vectors.
     *
     * @param n elements
     * @param alphaRe alpha's real part
     * @param alphaIm its imaginary part
     * @param x address
     * @param y address
     */
    public void axpy(long n, double alphaRe, double alphaIm, long x, long y) {
        pairs(PairCode.Kind.AXPY, n, alphaRe, alphaIm, x, y);
    }

    /**
     * x := alpha·x of a complex vector.
     *
     * @param n elements
     * @param alphaRe alpha's real part
     * @param alphaIm its imaginary part
     * @param x address
     */
    public void scal(long n, double alphaRe, double alphaIm, long x) {
        pairs(PairCode.Kind.SCAL, n, alphaRe, alphaIm, x, x);
    }

    /**
     * x := c·x + s·y and y := c·y - s·x with a real s, whatever the elements are.
     *
     * @param n elements
     * @param c cosine
     * @param s sine
     * @param x address
     * @param y address
     */
    public void rot(long n, double c, double s, long x, long y) {
        MemorySegment code = kernels.stream(StreamCode.Kind.ROT);
        long count = n << shift;
        if (count <= PIECE) {
            VectorCall.stream(code, count, x, y, c, s);
            return;
        }
        for (long i = 0; i < count; i += PIECE) {
            VectorCall.stream(code, Math.min(PIECE, count - i), x + i * size, y + i * size, c, s);
        }
    }

    /**
     * x := a·x + b·y and y := c·x + d·y of real vectors that do not lie in arrays of Java, rounded as Java does.
     *
     * @param n elements
     * @param a of x in x
     * @param b of y in x
     * @param c of x in y
     * @param d of y in y
     * @param x address
     * @param y address
     */
    public void rotm(long n, double a, double b, double c, double d, long x, long y) {
        MemorySegment code = kernels.stream(StreamCode.Kind.ROTM);
        long cBits = bits(c);
        long dBits = bits(d);
        if (n <= PIECE) {
            VectorCall.rotm(code, n, x, y, cBits, dBits, a, b);
            return;
        }
        for (long i = 0; i < n; i += PIECE) {
            VectorCall.rotm(code, Math.min(PIECE, n - i), x + i * size, y + i * size, cBits, dBits, a, b);
        }
    }

    private long bits(double number) {
        return size == 8 ? Double.doubleToRawLongBits(number) : Float.floatToRawIntBits((float) number);
    }

    /**
     * x := c·x + s·y and y := c·y - conj(s)·x of complex vectors.
     *
     * @param n elements
     * @param c cosine
     * @param sRe sine's real part
     * @param sIm its imaginary part
     * @param x address
     * @param y address
     */
    public void rot(long n, double c, double sRe, double sIm, long x, long y) {
        pairs(PairCode.Kind.ROT, n, Double.doubleToRawLongBits(c), sRe, sIm, x, y);
    }

    private void pairs(PairCode.Kind kind, long n, double re, double im, long x, long y) {
        pairs(kind, n, 0, re, im, x, y);
    }

    private void pairs(PairCode.Kind kind, long n, long cosine, double re, double im, long x, long y) {
        long count = 2 * n;
        if (n <= SHORT) {
            VectorCall.pairs(kernels.pair(kind), count, x, y, mask(count), cosine, re, im);
            return;
        }
        longPairs(kind, n, cosine, re, im, x, y);
    }

    private void longPairs(PairCode.Kind kind, long n, long cosine, double re, double im, long x, long y) {
        long count = 2 * n;
        boolean narrow = kind == PairCode.Kind.AXPY && narrow(2 * count);
        MemorySegment code = kernels.pair(kind, narrow, narrow && 2 * count * size > L2);
        long mask = mask(count, narrow);
        if (count <= PIECE) {
            VectorCall.pairs(code, count, x, y, mask, cosine, re, im);
            return;
        }
        for (long i = 0; i < count; i += PIECE) {
            VectorCall.pairs(code, Math.min(PIECE, count - i), x + i * size, y + i * size, mask, cosine, re, im);
        }
    }

    /** Whether operands of so many numbers in all are best read by 256 bits: 5 to 7 % faster in the second-level cache on Zen 5. */
    private boolean narrow(long numbers) {
        long bytes = numbers * size;
        return bytes > L1 && bytes <= L3;
    }

    private long mask(long count, boolean narrow) {
        return narrow ? kernels.narrowShape().mask((int) (count & kernels.narrowShape().lanes() - 1)) : mask(count);
    }

    private long mask(long count) {
        return masks[(int) count & masks.length - 1];
    }

    /**
     * Σ x·y or Σ conj(x)·y of complex vectors.
     *
     * @param n elements
     * @param x address
     * @param y address
     * @param conj whether x is conjugated
     * @param result address of the complex result
     * @param whole elements of the vectors that these are parts of, on which the order of the sum may depend
     */
    public void dot(long n, long x, long y, boolean conj, long result, long whole) {
        if (whole <= SHORT) {
            MemorySegment code = conj ? kernels.pair(PairCode.Kind.DOTC) : kernels.pair(PairCode.Kind.DOTU);
            VectorCall.pairs(code, 2 * n, x, y, mask(2 * n), result, 0, 0);
            return;
        }
        longDot(n, x, y, conj, result, whole);
    }

    private void longDot(long n, long x, long y, boolean conj, long result, long whole) {
        long count = 2 * n;
        boolean narrow = narrow(4 * whole);
        MemorySegment code =
                kernels.pair(conj ? PairCode.Kind.DOTC : PairCode.Kind.DOTU, narrow, narrow && 4 * whole * size > L2);
        long mask = mask(count, narrow);
        VectorCall.pairs(code, Math.min(PIECE, count), x, y, mask, result, 0, 0);
        if (count <= PIECE) {
            return;
        }
        double re = part(result, 0);
        double im = part(result, 1);
        for (long i = PIECE; i < count; i += PIECE) {
            VectorCall.pairs(code, Math.min(PIECE, count - i), x + i * size, y + i * size, mask, result, 0, 0);
            re += part(result, 0);
            im += part(result, 1);
        }
        if (size == 8) {
            f64(result, re);
            f64(result + 8, im);
        } else {
            f32(result, (float) re);
            f32(result + 4, (float) im);
        }
    }

    private double part(long result, int part) {
        return size == 8 ? f64(result + 8L * part) : f32(result + 4L * part);
    }

    /**
     * Σ x·y of real vectors.
     *
     * @param n real numbers
     * @param x address
     * @param y address
     * @return the sum, rounded to the precision
     */
    public double dot(long n, long x, long y) {
        if (n <= SHORT) {
            return VectorCall.stream(kernels.stream(StreamCode.Kind.DOT), n, x, y, 0);
        }
        return sum(inL2(2 * n) ? StreamCode.Kind.DOT_L2 : StreamCode.Kind.DOT, n, x, y);
    }

    /**
     * Σ x·y of parts of vectors that lie in the third-level cache ({@link #far}), with the bits of {@link #dot}.
     *
     * @param n real numbers
     * @param x address
     * @param y address
     * @return the sum, rounded to the precision
     */
    public double dotAhead(long n, long x, long y) {
        return inL2(2 * n) && n <= PIECE
                ? VectorCall.stream(kernels.ahead(StreamCode.Kind.DOT_L2), n, x, y, 0)
                : dot(n, x, y);
    }

    /**
     * Whether so many numbers lie in the third-level cache, at best.
     *
     * @param numbers real numbers of all operands
     * @return whether to fetch them ahead
     */
    public boolean far(long numbers) {
        long bytes = numbers * size;
        return bytes > L2 && bytes <= L3;
    }

    /**
     * Σ |x|, of complex elements Σ |re| + |im|.
     *
     * @param n real numbers
     * @param x address
     * @return the sum
     */
    public double asum(long n, long x) {
        return sum(StreamCode.Kind.ASUM, n, x, x);
    }

    /**
     * Σ x² of all parts, which may overflow or underflow.
     *
     * @param n real numbers
     * @param x address
     * @return the sum
     */
    public double squares(long n, long x) {
        return sum(StreamCode.Kind.SQUARES, n, x, x);
    }

    /**
     * y := alpha·x + y of real vectors.
     *
     * @param n real numbers
     * @param alpha factor
     * @param x address
     * @param y address
     */
    public void axpy(long n, double alpha, long x, long y) {
        if (n <= SHORT) {
            VectorCall.stream(kernels.stream(StreamCode.Kind.AXPY), n, x, y, alpha);
            return;
        }
        both(StreamCode.Kind.AXPY, n, alpha, x, y);
    }

    /**
     * x := alpha·x with a real alpha, whatever the elements are.
     *
     * @param n real numbers
     * @param alpha factor
     * @param x address
     */
    public void scal(long n, double alpha, long x) {
        map(kernels.stream(StreamCode.Kind.SCAL), n, alpha, x, x);
    }

    /**
     * y := x.
     *
     * @param n elements
     * @param x address
     * @param y address, which does not overlap x
     */
    public void copy(long n, long x, long y) {
        if (n <= SHORT) {
            VectorCall.stream(kernels.stream(StreamCode.Kind.COPY), n << shift, x, y, 1);
        } else if (n < LONG || !copyPast(n, x, y)) {
            both(StreamCode.Kind.COPY, n * parts, 1, x, y);
        }
    }

    private boolean inL2(long numbers) {
        long bytes = numbers * size;
        return bytes > L1 && bytes <= BEYOND_L2;
    }

    private double sum(StreamCode.Kind kind, long n, long x, long y) {
        MemorySegment code = kernels.stream(kind);
        if (n <= PIECE) {
            return VectorCall.stream(code, n, x, y, 0);
        }
        double sum = 0;
        for (long i = 0; i < n; i += PIECE) {
            sum += VectorCall.stream(code, Math.min(PIECE, n - i), x + i * size, y + i * size, 0);
        }
        return size == 4 ? (float) sum : sum;
    }

    private void both(StreamCode.Kind kind, long n, double alpha, long x, long y) {
        boolean far = kind == StreamCode.Kind.AXPY && far(2 * n);
        map(inL2(2 * n) ? kernels.narrow(kind) : far ? kernels.ahead(kind) : kernels.stream(kind), n, alpha, x, y);
    }

    private void map(MemorySegment code, long n, double alpha, long x, long y) {
        if (n <= PIECE) {
            VectorCall.stream(code, n, x, y, alpha);
            return;
        }
        for (long i = 0; i < n; i += PIECE) {
            VectorCall.stream(code, Math.min(PIECE, n - i), x + i * size, y + i * size, alpha);
        }
    }
}
