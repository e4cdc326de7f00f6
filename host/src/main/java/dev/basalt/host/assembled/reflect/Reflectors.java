package dev.basalt.host.assembled.reflect;

import static dev.basalt.spi.Memory.i64;

import dev.basalt.host.assembled.code.NativeCall;
import dev.basalt.host.assembled.code.ScratchPool;
import dev.basalt.host.assembled.x86.Shape;
import java.lang.foreign.MemorySegment;

/**
 * Panels of QR and products with reflectors that lie in columns. A caller takes a frame, which is a thread's scratch. Any number of threads may use one object.
 */
public final class Reflectors {
    /** Sums of squares below this may have lost something to underflow. */
    static final double SMALLEST = 0x1p-900;

    static final double SMALLEST_FLOAT = 0x1p-90;

    /** The most columns of a panel, and of what one call applies reflectors to. */
    public static final int WIDEST = ReflectFrame.WIDEST;

    /** Elements that one call reads, times the reflectors: some tens of microseconds, since a call holds up the garbage collector. */
    private static final long PIECE = 1 << 19;

    private final ReflectTable kernels;
    private final TallPanel tall;
    private final ScratchPool frames = new ScratchPool(ReflectFrame.BYTES);
    private final Shape shape;
    /** Real numbers of an element. */
    private final int unit;
    /** Bytes of an element. */
    private final int size;
    /** Elements of a vector. */
    private final int lanes;

    /**
     * Kernels of one type.
     *
     * @param shape registers and their use
     * @param complex whether elements are complex
     */
    public Reflectors(Shape shape, boolean complex) {
        this.shape = shape;
        this.kernels = new ReflectTable(shape, complex);
        this.tall = new TallPanel(kernels, shape, complex);
        this.unit = complex ? 2 : 1;
        this.size = shape.precision().bytes * unit;
        this.lanes = shape.lanes() / unit;
    }

    /**
     * Panels with far more rows than columns.
     *
     * @return what factors them
     */
    public TallPanel tall() {
        return tall;
    }

    /**
     * Scratch for one task.
     *
     * @return a frame
     */
    public MemorySegment take() {
        return frames.take();
    }

    /**
     * Gives a frame back.
     *
     * @param frame it
     */
    public void give(MemorySegment frame) {
        frames.give(frame);
    }

    /**
     * Where a frame has T, {@link #WIDEST} elements a column.
     *
     * @param frame a frame
     * @return address
     */
    public static long triangle(long frame) {
        return frame + ReflectFrame.T;
    }

    /** How many reflectors one call takes for so many elements. */
    private static long steps(long elements) {
        return Math.max(1, PIECE / elements);
    }

    private void reflectors(long frame, long m, long a, long lda, long tau) {
        long last = (m - 1) / lanes;
        i64(frame + 8 * ReflectFrame.A, a);
        i64(frame + 8 * ReflectFrame.LD, lda * size);
        i64(frame + 8 * ReflectFrame.LAST, last);
        i64(frame + 8 * ReflectFrame.MASK, shape.mask((int) (m - last * lanes) * unit));
        i64(frame + 8 * ReflectFrame.TAU, tau);
    }

    /**
     * Columns of a panel from one on.
     *
     * @param frame a frame
     * @param m rows, more than {@code first + 1}
     * @param n columns, up to {@link #WIDEST}
     * @param a address
     * @param lda elements between columns
     * @param tau address of the factors
     * @param first the column to begin with
     * @param triangle whether T is wanted, too
     * @return the column that needs more care, with all before it done; n if there is none
     */
    public long panel(long frame, long m, long n, long a, long lda, long tau, long first, boolean triangle) {
        reflectors(frame, m, a, lda, tau);
        i64(frame + 8 * ReflectFrame.N, n);
        i64(frame + 8 * ReflectFrame.TRIANGLE, triangle ? 1 : 0);
        long steps = steps(m * n);
        for (long j = first; j < n;) {
            long end = Math.min(n, j + steps);
            i64(frame + 8 * ReflectFrame.FIRST, j);
            i64(frame + 8 * ReflectFrame.END, end);
            i64(frame + 8 * ReflectFrame.START, j == first ? 1 : 0);
            j = NativeCall.code(kernels.panel(), frame, 0, 0, 0, 0, 0);
            if (j < end) {
                return j;
            }
        }
        return n;
    }

    /**
     * Applies reflectors {@code from} to {@code to - 1} to the columns of C.
     *
     * @param frame a frame
     * @param ascending whether the first reflector is applied first; each must have a row below its one then
     * @param m rows
     * @param n columns, up to {@link #WIDEST}
     * @param from first reflector
     * @param to behind the last
     * @param a address of the reflectors
     * @param lda elements between them
     * @param tau address of the factors
     * @param c address
     * @param ldc elements between columns
     */
    public void apply(long frame, boolean ascending, long m, long n, long from, long to, long a, long lda, long tau,
            long c, long ldc) {
        reflectors(frame, m, a, lda, tau);
        columns(frame, n, c, ldc);
        MemorySegment code = kernels.apply(ascending ? ApplyCode.ASCENDING : ApplyCode.DESCENDING);
        pieces(code, frame, ascending, ascending ? from : to - 1, ascending ? to : from - 1, steps(m * n));
    }

    private static void pieces(MemorySegment code, long frame, boolean ascending, long from, long limit, long steps) {
        i64(frame + 8 * ReflectFrame.LIMIT, limit);
        for (long j = from; j != limit;) {
            long end = ascending ? Math.min(limit, j + steps) : Math.max(limit, j - steps);
            i64(frame + 8 * ReflectFrame.FIRST, j);
            i64(frame + 8 * ReflectFrame.END, end);
            i64(frame + 8 * ReflectFrame.START, j == from ? 1 : 0);
            NativeCall.code(code, frame, 0, 0, 0, 0, 0);
            j = end;
        }
    }

    private void columns(long frame, long n, long c, long ldc) {
        i64(frame + 8 * ReflectFrame.N, n);
        i64(frame + 8 * ReflectFrame.C, c);
        i64(frame + 8 * ReflectFrame.LDC, ldc * size);
    }

    /**
     * Makes the columns of Q in the place of the reflectors. The columns behind those are the identity's.
     *
     * @param frame a frame
     * @param m rows
     * @param n columns, up to {@link #WIDEST}
     * @param k reflectors, at least 1
     * @param a address
     * @param lda elements between columns
     * @param tau address of the factors
     */
    public void form(long frame, long m, long n, long k, long a, long lda, long tau) {
        reflectors(frame, m, a, lda, tau);
        columns(frame, n, a, lda);
        pieces(kernels.apply(ApplyCode.FORM), frame, false, k - 1, -1, steps(m * n));
    }
}
