package dev.basalt.conformance.support;

import dev.basalt.DeviceArena;
import dev.basalt.DeviceMemory;
import dev.basalt.MatrixView;
import dev.basalt.VectorView;
import dev.basalt.type.Diag;
import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Random;

/**
 * A batch of matrices or vectors inside a larger block of device memory. Whatever is not set (gaps between columns, elements and
 * problems, the other triangle, both ends of the block) holds a filler, NaN or a number, so that a read of it shows in
 * the result; and whatever a call may not write is compared bit by bit with what was there.
 */
public final class Batch {
    private static final int MOST_GAP = 5;

    /** A quiet NaN that no arithmetic makes by itself. */
    private static final long NAN64 = 0x7ff8_0bad_c0de_0badL;

    private static final int NAN32 = 0x7fc0_bad0;

    /** Elements, or rows. */
    public final int rows;
    /** Columns; 1 for a vector. */
    public final int cols;
    /** Problems. */
    public final int count;

    private final ElementType type;
    private final boolean vector;
    private final long step;
    private final Form form;
    private final int parts;
    private final boolean wide;
    private final long[] first;
    private final long stride;
    private final int elements;
    private final long filler;
    private final DeviceArena arena;
    private final DeviceMemory memory;
    private final Object image;
    private final BitSet writable = new BitSet();
    private final Mat[] values;
    private Object after;
    private MatrixView matrix;
    private VectorView line;

    /** A batch of which every element is filler. {@code step} is the leading dimension or the increment. */
    Batch(DeviceArena arena, Random random, ElementType type, boolean vector, int rows, int cols, long step, int count,
            Form form, double fillerValue) {
        this.arena = arena;
        this.type = type;
        this.vector = vector;
        this.rows = rows;
        this.cols = cols;
        this.step = step;
        this.count = count;
        this.form = form;
        this.parts = type.isComplex() ? 2 : 1;
        this.wide = type.real() == ElementType.F64 || type == ElementType.I64;
        this.filler = bits(fillerValue);
        this.values = new Mat[count];
        this.first = new long[count];
        long span = rows == 0 || cols == 0 ? 0 : vector ? (rows - 1) * Math.abs(step) + 1 : (cols - 1) * step + rows;
        this.stride = span + random.nextInt(MOST_GAP);
        long next = random.nextInt(MOST_GAP);
        boolean backwards = form == Form.POINTERS && random.nextBoolean();
        for (int i = 0; i < count; i++) {
            first[backwards ? count - 1 - i : i] = next;
            next += form == Form.POINTERS ? span + random.nextInt(MOST_GAP) : stride;
        }
        this.elements = (int) next + MOST_GAP;
        this.memory = arena.allocate((long) elements * type.bytes());
        this.image = wide ? new long[elements * parts] : new int[elements * parts];
        for (int i = 0; i < elements * parts; i++) {
            word(i, filler);
        }
    }

    // ---- content before the call --------------------------------------------------------------------------

    /** Sets every element of a problem, rounded to the type. */
    public Batch put(int problem, Mat value) {
        values[problem] = rounded(value);
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                element(problem, i, j, value.re(i, j), value.im(i, j));
            }
        }
        return this;
    }

    /** Sets a triangle of a problem and leaves the other, and the diagonal if it is one, filler. */
    public Batch put(int problem, Mat value, Uplo uplo, Diag diag) {
        values[problem] = rounded(value);
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                if (Mat.in(uplo, i, j) && !(i == j && diag == Diag.UNIT)) {
                    element(problem, i, j, value.re(i, j), value.im(i, j));
                }
            }
        }
        return this;
    }

    private Mat rounded(Mat value) {
        return wide
                ? value
                : Mat.of(value.m, value.n, (i, j) -> (float) value.re(i, j), (i, j) -> (float) value.im(i, j));
    }

    /** Makes the imaginary parts of the diagonal NaN, where a Hermitian routine may not look at them. */
    public Batch withoutImaginaryDiagonal() {
        for (int p = 0; p < count && parts == 2; p++) {
            for (int i = 0; i < Math.min(rows, cols); i++) {
                word(at(p, i, i) * 2 + 1, bits(Double.NaN));
            }
        }
        return this;
    }

    /** Makes every element that was set NaN, for an operand that must not be read; it counts as zero in the reference. */
    public Batch erase() {
        for (int p = 0; p < count; p++) {
            put(p, Mat.of(rows, cols, (i, j) -> Double.NaN, (i, j) -> Double.NaN));
            values[p] = new Mat(rows, cols);
        }
        return this;
    }

    /** As {@link #erase()} for a triangle; the other one is filler as it was. */
    public Batch erase(Uplo uplo) {
        for (int p = 0; p < count; p++) {
            put(p, Mat.of(rows, cols, (i, j) -> Double.NaN, (i, j) -> Double.NaN), uplo, Diag.NON_UNIT);
            values[p] = new Mat(rows, cols);
        }
        return this;
    }

    /** Lets the call write every element. */
    public Batch writes() {
        for (int p = 0; p < count; p++) {
            writes(p);
        }
        return this;
    }

    /** Lets the call write every element of a problem. */
    public Batch writes(int problem) {
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) {
                writable.set(at(problem, i, j));
            }
        }
        return this;
    }

    /** Lets the call write the first elements of every vector. */
    public Batch writesFirst(int n) {
        for (int p = 0; p < count; p++) {
            for (int i = 0; i < n; i++) {
                writable.set(at(p, i, 0));
            }
        }
        return this;
    }

    /** Lets the call write a triangle; with a unit diagonal, not that. */
    public Batch writes(Uplo uplo, Diag diag) {
        for (int p = 0; p < count; p++) {
            for (int j = 0; j < cols; j++) {
                for (int i = 0; i < rows; i++) {
                    if (Mat.in(uplo, i, j) && !(i == j && diag == Diag.UNIT)) {
                        writable.set(at(p, i, j));
                    }
                }
            }
        }
        return this;
    }

    /** Forbids all writes again. */
    public Batch writesNothing() {
        writable.clear();
        return this;
    }

    /** Whether all elements are the same one, as with increment 0. */
    public boolean isRepeated() {
        return step == 0;
    }

    /** Whether the call may write an element. */
    public boolean isWritable(int problem, int i, int j) {
        return writable.get(at(problem, i, j));
    }

    /** What a problem means to the reference; a batch of one is shared by all. */
    public Mat value(int problem) {
        return values[count == 1 ? 0 : problem];
    }

    // ---- views --------------------------------------------------------------------------------------------

    /** The batch as matrices. */
    public MatrixView matrix() {
        if (matrix == null) {
            matrix = form == Form.POINTERS ? arena.pointers(matrices()) : strided();
        }
        return matrix;
    }

    /** The same matrices through a table of addresses of their own, if there are any. */
    public MatrixView otherView() {
        return count == 0 ? strided() : arena.pointers(matrices());
    }

    private MatrixView strided() {
        return MatrixView.strided(type, memory.pointer().plus(type, start()), rows, cols, step, count, stride);
    }

    private long start() {
        return count == 0 ? 0 : first[0];
    }

    private MatrixView[] matrices() {
        MatrixView[] views = new MatrixView[count];
        for (int i = 0; i < count; i++) {
            views[i] = MatrixView.of(type, memory.pointer().plus(type, first[i]), rows, cols, step);
        }
        return views;
    }

    /** The batch as vectors. */
    public VectorView vector() {
        if (line == null && form == Form.POINTERS) {
            VectorView[] views = new VectorView[count];
            for (int i = 0; i < count; i++) {
                views[i] = VectorView.of(type, memory.pointer().plus(type, first[i]), rows, step);
            }
            line = arena.pointers(views);
        } else if (line == null) {
            line = VectorView.strided(type, memory.pointer().plus(type, start()), rows, step, count, stride);
        }
        return line;
    }

    // ---- content after the call ---------------------------------------------------------------------------

    void upload() {
        raw().upload(image);
    }

    void download() {
        after = wide ? new long[elements * parts] : new int[elements * parts];
        raw().download(after);
    }

    private VectorView raw() {
        return VectorView.of(wide ? ElementType.I64 : ElementType.I32, memory.pointer(), (long) elements * parts, 1);
    }

    /** Compares what may not have been written; with {@code nothing}, all of it. */
    void verify(boolean nothing) {
        for (int e = 0; e < elements; e++) {
            for (int part = 0; part < parts && (nothing || !writable.get(e)); part++) {
                long was = word(image, e * parts + part);
                long is = word(after, e * parts + part);
                if (was != is) {
                    throw new AssertionError(this + ": " + where(e) + " was written although it must not be: it was "
                            + value(was) + ", it is " + value(is));
                }
            }
        }
    }

    private String where(int element) {
        for (int p = 0; p < count; p++) {
            for (int j = 0; j < cols; j++) {
                for (int i = 0; i < rows; i++) {
                    if (at(p, i, j) == element) {
                        return "element (" + i + ", " + j + ") of problem " + p;
                    }
                }
            }
        }
        return "a gap (element " + element + " of the block, problem 0 begins at " + start() + ")";
    }

    /** A problem as it is after the call. */
    public Mat get(int problem) {
        return Mat.of(rows, cols, (i, j) -> value(word(after, at(problem, i, j) * parts)),
                (i, j) -> parts == 1 ? 0 : value(word(after, at(problem, i, j) * parts + 1)));
    }

    /** A problem of integers as it is after the call. */
    public long[] integers(int problem) {
        long[] list = new long[rows];
        for (int i = 0; i < rows; i++) {
            list[i] = word(after, at(problem, i, 0));
        }
        return list;
    }

    /** Sets a problem of integers. */
    public Batch put(int problem, long[] list) {
        for (int i = 0; i < rows; i++) {
            word(at(problem, i, 0), list[i]);
        }
        return this;
    }

    /** The bits of a problem before the call, the parts of an element side by side. */
    public long[] bitsBefore(int problem) {
        return bits(image, problem);
    }

    /** The bits of a problem after the call. */
    public long[] bits(int problem) {
        return bits(after, problem);
    }

    private long[] bits(Object words, int problem) {
        long[] bits = new long[rows * cols * parts];
        for (int k = 0; k < bits.length; k++) {
            int element = k / parts;
            bits[k] = word(words, at(problem, element % rows, element / rows) * parts + k % parts);
        }
        return bits;
    }

    long[] written() {
        long[] bits = new long[writable.cardinality() * parts];
        int at = 0;
        for (int e = writable.nextSetBit(0); e >= 0; e = writable.nextSetBit(e + 1)) {
            for (int part = 0; part < parts; part++) {
                bits[at++] = word(after, e * parts + part);
            }
        }
        return bits;
    }

    /** The bytes of a problem before the call. */
    public byte[] bytesBefore(int problem) {
        return bytes(bitsBefore(problem));
    }

    /** The bytes of a problem after the call. */
    public byte[] bytes(int problem) {
        return bytes(bits(problem));
    }

    private byte[] bytes(long[] bits) {
        int size = wide ? 8 : 4;
        ByteBuffer buffer = ByteBuffer.allocate(bits.length * size).order(ByteOrder.nativeOrder());
        for (long word : bits) {
            if (wide) {
                buffer.putLong(word);
            } else {
                buffer.putInt((int) word);
            }
        }
        return buffer.array();
    }

    // ---- memory -------------------------------------------------------------------------------------------

    private int at(int problem, int i, int j) {
        long inside = !vector ? i + j * step : step >= 0 ? i * step : (rows - 1 - i) * -step;
        return (int) (first[problem] + inside);
    }

    private void element(int problem, int i, int j, double re, double im) {
        int at = at(problem, i, j) * parts;
        word(at, bits(re));
        if (parts == 2) {
            word(at + 1, bits(im));
        }
    }

    private void word(int at, long bits) {
        if (wide) {
            ((long[]) image)[at] = bits;
        } else {
            ((int[]) image)[at] = (int) bits;
        }
    }

    private long word(Object words, int at) {
        return wide ? ((long[]) words)[at] : ((int[]) words)[at];
    }

    private long bits(double value) {
        if (!type.isFloating()) {
            return (long) value;
        }
        if (Double.isNaN(value)) {
            return wide ? NAN64 : NAN32;
        }
        return wide ? Double.doubleToRawLongBits(value) : Float.floatToRawIntBits((float) value);
    }

    private double value(long bits) {
        if (!type.isFloating()) {
            return bits;
        }
        return wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
    }

    @Override
    public String toString() {
        return type + " " + rows + "x" + cols + (vector ? " inc " : " ld ") + step + " " + form + " of " + count;
    }
}
