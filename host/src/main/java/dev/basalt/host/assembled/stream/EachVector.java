package dev.basalt.host.assembled.stream;

import static dev.basalt.spi.Memory.f32;
import static dev.basalt.spi.Memory.f64;
import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.Spares;
import dev.basalt.host.assembled.code.VectorCall;
import dev.basalt.host.assembled.stream.EachCode.Mode;
import dev.basalt.host.assembled.stream.EachCode.Slot;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Kernel;
import dev.basalt.spi.Launch;
import dev.basalt.spi.Memory;
import dev.basalt.spi.Operand;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Level 1 of batches of short vectors of one type: machine code goes from problem to problem and calls the kernel that a single vector
 * would be given to, so the bits are those of single calls. Any number of threads may use one object.
 */
public final class EachVector {
    /** Real numbers of a vector, up to which the call is what it costs; so many lie in the first-level cache. */
    private static final long MOST = 2048;
    /** As of {@code AssembledKernels}: calls hold up the garbage collector. In real numbers. */
    private static final long PIECE = 1 << 16;
    /** Problems of a call. */
    private static final int PROBLEMS = 128;

    private static final long RESULTS = 8L * Slot.values().length;

    private final StreamTable kernels;
    private final Leaf leaf;
    private final boolean complex;
    private final boolean wide;
    private final int parts;
    private final Least least;
    private final double safe;
    private final double largest;

    private final Spares<MemorySegment> frames = new Frames();

    private static final class Frames extends Spares<MemorySegment> {
        @Override
        protected MemorySegment make() {
            return Arena.ofAuto().allocate(RESULTS + 8L * PROBLEMS, 64);
        }
    }

    /**
     * Elements of a vector from which on a leaf takes a kernel for a sum, whose bits are others than those of its loops.
     *
     * @param together of a dot product without gaps
     * @param apart of one with gaps
     * @param summed of a sum of magnitudes or squares without gaps
     * @param summedApart of one with gaps
     */
    public record Least(long together, long apart, long summed, long summedApart) {}

    /**
     * Kernels of one type.
     *
     * @param kernels its kernels of level 1
     * @param complex whether elements are pairs of numbers
     * @param leaf kernels of the same type, for what needs more care: NaN, and norms that overflow
     * @param least where the leaf begins to take kernels
     * @param safe a sum of squares above this has lost nothing to underflow
     * @param largest a sum of squares up to this did not overflow
     */
    EachVector(StreamTable kernels, boolean complex, Leaf leaf, Least least, double safe, double largest) {
        this.kernels = kernels;
        this.complex = complex;
        this.leaf = leaf;
        this.wide = kernels.shape().precision().bytes == 8;
        this.parts = complex ? 2 : 1;
        this.least = least;
        this.safe = safe;
        this.largest = largest;
    }

    /**
     * Whether there is a kernel for the vectors of a launch.
     *
     * @param l a launch of this type
     * @return true if {@link #run} can run it
     */
    public boolean takes(Launch l) {
        if (l.guarded || l.extent != 0 || l.n <= 0 || l.n * parts > MOST) {
            return false;
        }
        return switch (l.kernel) {
            // Each element has the same bits by itself.
            case COPY, SWAP, ROT -> two(l.a, l.c);
            case AXPY -> (l.alpha.re() != 0 || l.alpha.im() != 0) && two(l.a, l.c);
            case SCAL -> located(l.c);
            case DOT ->
                results(l) && two(l.a, l.b) && l.n >= (l.a.ld == 1 && l.b.ld == 1 ? least.together : least.apart);
            case ASUM, NRM2 -> results(l) && located(l.a) && l.n >= (l.a.ld == 1 ? least.summed : least.summedApart);
            case IAMAX, IAMIN ->
                results(l) && l.a.ld > 0 && located(l.a) && (l.n >= StrideExtremeCode.GROUP || isPlaced(l));
            default -> false;
        };
    }

    private static boolean two(Operand x, Operand y) {
        return located(x) && located(y) && x.pointers == y.pointers;
    }

    /** Addresses that stand for arrays of Java are not known before a call. */
    private static boolean located(Operand x) {
        return x.base >= 0;
    }

    /** Whether vectors find the place of an extreme: of elements without gaps. */
    private boolean isPlaced(Launch l) {
        return l.a.ld == 1 && l.n >= kernels.leastPlace();
    }

    private static boolean results(Launch l) {
        return !l.d.pointers && located(l.d);
    }

    /**
     * Runs some problems of a launch.
     *
     * @param l a launch that this {@link #takes}
     * @param from first problem
     * @param to problem after the last
     */
    public void run(Launch l, long from, long to) {
        MemorySegment frame = frames.take();
        try {
            long piece = Math.clamp(PIECE / Math.max(1, l.n * parts), 1, PROBLEMS);
            for (long i = from; i < to; i += piece) {
                piece(l, frame.address(), i, Math.min(piece, to - i));
            }
        } finally {
            frames.give(frame);
        }
    }

    private void piece(Launch l, long frame, long from, long count) {
        switch (l.kernel) {
            case COPY, SWAP, ROT, AXPY, SCAL -> maps(l, frame, from, count);
            case IAMAX, IAMIN -> extremes(l, frame, from, count);
            case DOT -> dots(l, frame, from, count);
            default -> sums(l, frame, from, count);
        }
    }

    private static void set(long frame, Slot slot, long value) {
        i64(frame + slot.offset(), value);
    }

    private static void factors(long frame, double alpha, double beta) {
        f64(frame + Slot.ALPHA.offset(), alpha);
        f64(frame + Slot.BETA.offset(), beta);
    }

    /** Sets an operand from a problem on: its address and step, or its table and offset. */
    private static void operand(long frame, Slot slot, Slot step, Operand x, long from) {
        if (x.pointers) {
            long table = x.base + 8 * from;
            set(frame, slot, table);
            set(frame, step, x.first(from) - Memory.i64(table));
        } else {
            set(frame, slot, x.first(from));
            set(frame, step, x.stride * x.type.bytes());
        }
    }

    private void call(long frame, EachCode.Kind kind, Mode mode, MemorySegment kernel, long count) {
        long unused = VectorCall.integers(kernels.each(kind, mode), kernel.address(), count, frame);
    }

    private static Mode mode(Operand x) {
        return x.pointers ? Mode.TABLES : Mode.STRIDED;
    }

    // Vectors that change.

    private void maps(Launch l, long frame, long from, long count) {
        boolean scal = l.kernel == Kernel.SCAL;
        Operand x = scal ? l.c : l.a;
        boolean gaps = x.ld != 1 || l.c.ld != 1;
        boolean rot = l.kernel == Kernel.ROT;
        factors(frame, l.alpha.re(), rot ? l.beta.re() : l.alpha.im());
        MemorySegment kernel = complex ? complexMap(l, frame, gaps) : realMap(l, gaps);
        set(frame, Slot.INTEGER_0, complex && !gaps ? 2 * l.n : l.n);
        operand(frame, Slot.INTEGER_1, Slot.STEP_X, x, from);
        if (gaps) {
            set(frame, Slot.INTEGER_2, x.ld * x.type.bytes());
            set(frame, Slot.INTEGER_4, l.c.ld * x.type.bytes());
        }
        if (!scal) {
            operand(frame, gaps ? Slot.INTEGER_3 : Slot.INTEGER_2, Slot.STEP_Y, l.c, from);
        }
        EachCode.Kind two = gaps ? EachCode.Kind.TWO_APART : EachCode.Kind.TWO;
        call(frame, scal ? EachCode.Kind.ONE : two, mode(x), kernel, count);
    }

    private MemorySegment realMap(Launch l, boolean gaps) {
        StreamCode.Kind kind = switch (l.kernel) {
            case COPY -> StreamCode.Kind.COPY;
            case SWAP -> StreamCode.Kind.SWAP;
            case ROT -> StreamCode.Kind.ROT;
            case AXPY -> StreamCode.Kind.AXPY;
            default -> StreamCode.Kind.SCAL;
        };
        return gaps ? kernels.strided(kind) : kernels.stream(kind);
    }

    /** The kernel of complex vectors; sets the integers that it takes besides. */
    private MemorySegment complexMap(Launch l, long frame, boolean gaps) {
        boolean rot = l.kernel == Kernel.ROT;
        boolean real = l.real && (rot || l.kernel == Kernel.SCAL);
        boolean numbers = l.kernel == Kernel.COPY || l.kernel == Kernel.SWAP || real;
        if (!gaps && numbers) {
            return realMap(l, false);
        }
        if (rot) {
            factors(frame, l.beta.re(), l.beta.im());
        }
        long cosine = rot ? Double.doubleToRawLongBits(l.alpha.re()) : 0;
        if (!gaps) {
            set(frame, Slot.INTEGER_3, mask(2 * l.n));
            set(frame, Slot.INTEGER_4, cosine);
            set(frame, Slot.INTEGER_5, 0);
            return kernels.pair(switch (l.kernel) {
                case ROT -> PairCode.Kind.ROT;
                case AXPY -> PairCode.Kind.AXPY;
                default -> PairCode.Kind.SCAL;
            }, false, false);
        }
        set(frame, Slot.INTEGER_5, cosine);
        return kernels.stridedPair(switch (l.kernel) {
            case COPY -> StridePairCode.Kind.COPY;
            case SWAP -> StridePairCode.Kind.SWAP;
            case ROT -> real ? StridePairCode.Kind.ROT_REAL : StridePairCode.Kind.ROT;
            case AXPY -> StridePairCode.Kind.AXPY;
            default -> real ? StridePairCode.Kind.SCAL_REAL : StridePairCode.Kind.SCAL;
        });
    }

    private long mask(long count) {
        return kernels.shape().mask((int) (count & kernels.shape().lanes() - 1));
    }

    // Results.

    private void sums(Launch l, long frame, long from, long count) {
        boolean gaps = l.a.ld != 1;
        boolean norm = l.kernel == Kernel.NRM2;
        set(frame, Slot.INTEGER_0, complex && !gaps ? 2 * l.n : l.n);
        operand(frame, Slot.INTEGER_1, Slot.STEP_X, l.a, from);
        MemorySegment kernel;
        if (gaps) {
            // Kernels of elements apart move a y along that sums do not read.
            set(frame, Slot.INTEGER_2, l.a.ld * l.type.bytes());
            set(frame, Slot.INTEGER_3, 0);
            set(frame, Slot.INTEGER_4, 0);
        }
        if (gaps && complex) {
            kernel = kernels.stridedPair(norm ? StridePairCode.Kind.SQUARES : StridePairCode.Kind.ASUM);
        } else {
            StreamCode.Kind kind = norm ? StreamCode.Kind.SQUARES : StreamCode.Kind.ASUM;
            kernel = gaps ? kernels.strided(kind) : kernels.stream(kind);
        }
        long results = frame + RESULTS;
        set(frame, Slot.RESULT, results);
        call(frame, EachCode.Kind.ONE_RESULT, mode(l.a), kernel, count);
        for (long i = 0; i < count; i++) {
            double sum = f64(results + 8 * i);
            if (norm) {
                sum = sum > safe && sum <= largest ? Math.sqrt(sum) : leaf.nrm2(l.n, l.a.first(from + i), l.a.ld);
            }
            store(l.d.at(from + i), sum);
        }
    }

    private void store(long result, double value) {
        if (wide) {
            f64(result, value);
        } else {
            f32(result, (float) value);
        }
    }

    private void dots(Launch l, long frame, long from, long count) {
        boolean gaps = l.a.ld != 1 || l.b.ld != 1;
        set(frame, Slot.INTEGER_0, complex && !gaps ? 2 * l.n : l.n);
        operand(frame, Slot.INTEGER_1, Slot.STEP_X, l.a, from);
        operand(frame, gaps ? Slot.INTEGER_3 : Slot.INTEGER_2, Slot.STEP_Y, l.b, from);
        if (gaps) {
            set(frame, Slot.INTEGER_2, l.a.ld * l.type.bytes());
            set(frame, Slot.INTEGER_4, l.b.ld * l.type.bytes());
        }
        if (!complex) {
            long results = frame + RESULTS;
            set(frame, Slot.RESULT, results);
            StreamCode.Kind kind = StreamCode.Kind.DOT;
            call(frame, gaps ? EachCode.Kind.TWO_APART_RESULT : EachCode.Kind.TWO_RESULT, mode(l.a),
                    gaps ? kernels.strided(kind) : kernels.stream(kind), count);
            for (long i = 0; i < count; i++) {
                store(l.d.at(from + i), f64(results + 8 * i));
            }
            return;
        }
        set(frame, Slot.RESULT, l.d.at(from));
        set(frame, Slot.STEP_RESULT, l.d.stride * l.d.type.bytes());
        if (gaps) {
            call(frame, EachCode.Kind.TWO_APART_PLACE, mode(l.a),
                    kernels.stridedPair(l.conjugated ? StridePairCode.Kind.DOTC : StridePairCode.Kind.DOTU), count);
        } else {
            set(frame, Slot.INTEGER_3, mask(2 * l.n));
            set(frame, Slot.INTEGER_5, 0);
            call(frame, EachCode.Kind.TWO_PLACE, mode(l.a),
                    kernels.pair(l.conjugated ? PairCode.Kind.DOTC : PairCode.Kind.DOTU, false, false), count);
        }
    }

    private void extremes(Launch l, long frame, long from, long count) {
        boolean largestOne = l.kernel == Kernel.IAMAX;
        boolean vectors = isPlaced(l);
        long n = vectors ? l.n * parts : l.n;
        set(frame, Slot.INTEGER_0, n);
        operand(frame, Slot.INTEGER_1, Slot.STEP_X, l.a, from);
        long places = frame + RESULTS;
        set(frame, Slot.RESULT, places);
        MemorySegment kernel;
        if (vectors) {
            kernel = kernels
                    .extreme(largestOne ? ExtremeCode.Kind.PLACE_OF_LARGEST : ExtremeCode.Kind.PLACE_OF_SMALLEST);
        } else {
            set(frame, Slot.INTEGER_2, l.a.ld * l.type.bytes());
            kernel = kernels.stridedExtreme(largestOne);
        }
        call(frame, EachCode.Kind.ONE_RESULT, mode(l.a), kernel, count);
        for (long i = 0; i < count; i++) {
            long place = i64(places + 8 * i);
            long found = (vectors && complex ? place >> 1 : place) + 1;
            if (place == n) {
                long x = l.a.first(from + i);
                found = largestOne ? leaf.iamax(l.n, x, l.a.ld) : leaf.iamin(l.n, x, l.a.ld);
            }
            i64(l.d.at(from + i), found);
        }
    }
}
