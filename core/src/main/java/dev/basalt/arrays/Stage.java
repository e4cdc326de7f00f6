package dev.basalt.arrays;

import dev.basalt.internal.call.HandleCore;
import dev.basalt.portable.DirectDevice.Small;
import dev.basalt.portable.HeapOperands;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.Complex;
import dev.basalt.type.ElementType;

/**
 * The small lane of calls on arrays: from the arguments to one kernel, without the frame, the rules one by one and the launch, which together take ten
 * times as long as a short vector. What is plain is asked in one condition, before anything is touched: arrays that are there and long enough,
 * options that are there, sizes above 0. Whatever is not plain goes the long way ({@link Frame}), which alone knows the errors. The methods of
 * {@code SmallArrays} are generated from the table of routines; what enters ends with {@link #leave}, {@link #real}, {@link #index} or
 * {@link #complex}.
 */
final class Stage {
    /** Operands begin at lines of their own. */
    private static final long LINE = 64;

    /** So many numbers are copied sooner than machine code is called on arrays: the collector must be told of such a call. */
    private static final long COPIED = 384;

    /** Elements that are worth a call on the array itself. */
    static final long SHORT = 16;

    /** Rows and columns of a matrix that is no vector for the routine. */
    static final long THIN = 4;

    private final Lane lane;
    private final HandleCore core;

    /** The kernels of this call. */
    Leaf kernels;

    private long next;
    private boolean inPlace;
    private HeapOperands heap;
    private double real;
    private long index;

    Stage(Lane lane, HandleCore core) {
        this.lane = lane;
        this.core = core;
    }

    // ---- whether an operand is plain; lengths are in elements

    /** Elements of an array, -1 if it is null. */
    static int length(Object array, ElementType type) {
        int numbers = array instanceof double[] d ? d.length
                : array instanceof float[] f ? f.length
                : array instanceof int[] i ? i.length
                : -1;
        return type.isComplex() ? numbers >> 1 : numbers;
    }

    static boolean vector(int length, int offset, long n, long inc) {
        return n > 0 && inc != 0 && offset >= 0 && (n - 1) * Math.abs(inc) < (long) length - offset;
    }

    static boolean matrix(int length, int offset, long rows, long cols, long ld) {
        return rows > 0 && cols > 0 && ld >= rows && offset >= 0 && (cols - 1) * ld + rows <= (long) length - offset;
    }

    static boolean band(int length, int offset, long rows, long cols, long ld, long kl, long ku) {
        return rows > 0 && kl >= 0 && ku >= 0 && matrix(length, offset, kl + ku + 1, cols, ld);
    }

    static boolean packed(int length, int offset, long n) {
        return n > 0 && offset >= 0 && n * (n + 1) / 2 <= (long) length - offset;
    }

    private static int parts(ElementType type) {
        return type.isComplex() ? 2 : 1;
    }

    static boolean isNotZero(Complex scalar) {
        return scalar != null && (scalar.re() != 0 || scalar.im() != 0);
    }

    static boolean isNotOne(Complex scalar) {
        return scalar != null && (scalar.re() != 1 || scalar.im() != 0);
    }

    // ---- the call

    /**
     * Enters this thread's lane.
     *
     * @param elements of all operands together
     * @param operands how many
     * @param takesArrays whether the kernels take arrays
     * @return null if the call must go the long way
     */
    static Stage enter(Small kind, ElementType type, long m, long n, long k, long elements, int operands,
            boolean takesArrays) {
        Lane lane = Lane.take();
        Stage s = lane.stage();
        Leaf kernels = s.core.enterSmall(kind, type, m, n, k);
        if (kernels == null) {
            Lane.put(lane);
            return null;
        }
        boolean entered = false;
        try {
            s.kernels = kernels;
            // The first line is for results.
            lane.reserve(elements * type.bytes() + (operands + 1) * LINE);
            s.next = lane.memory().address + LINE;
            s.inPlace = takesArrays && elements * parts(type) > COPIED && lane.reachesHeap();
            entered = true;
            return s;
        } finally {
            if (!entered) {
                s.leave();
            }
        }
    }

    /** Where the result of a kernel goes that has two parts. */
    long result() {
        return lane.memory().address;
    }

    void real(double value) {
        real = value;
    }

    void index(long value) {
        index = value;
    }

    /** Leaves the lane. */
    void leave() {
        if (heap != null) {
            heap.clear();
            heap = null;
        }
        core.leave();
        Lane.put(lane);
    }

    /** Leaves with a number. */
    double real() {
        double value = real;
        leave();
        return value;
    }

    /** Leaves with an index. */
    int index() {
        int value = (int) index;
        leave();
        return value;
    }

    /** Leaves with a complex number. */
    Complex complex(ElementType type) {
        long at = result();
        Complex value = type == ElementType.C32
                ? new Complex(Memory.f32(at), Memory.f32(at + 4))
                : new Complex(Memory.f64(at), Memory.f64(at + 8));
        leave();
        return value;
    }

    // ---- operands

    /**
     * Brings a vector to its place.
     *
     * @param type of its elements
     * @param stays whether it may stay in its array
     * @return the address of element 0; the others follow without gaps
     */
    long vector(ElementType type, Object array, int offset, int n, int inc, boolean stays) {
        if (stays && inPlace && inc == 1 && n >= SHORT) {
            long address = keep(type, array, offset);
            if (address < 0) {
                return address;
            }
        }
        long address = place(type, n);
        Copies.vector(array, offset * parts(type), address, n, inc, parts(type), true);
        return address;
    }

    /** Takes what was written to a vector back. */
    void storeVector(long address, ElementType type, Object array, int offset, int n, int inc) {
        if (address >= 0) {
            Copies.vector(array, offset * parts(type), address, n, inc, parts(type), false);
        }
    }

    /**
     * Brings a matrix to its place.
     *
     * @param type of its elements
     * @param stays whether it may stay in its array
     * @return its address; {@link #step} is its leading dimension there
     */
    long matrix(ElementType type, Object array, int offset, int rows, int cols, int ld, boolean stays) {
        if (stays && inPlace && rows >= THIN && cols >= THIN) {
            long address = keep(type, array, offset);
            if (address < 0) {
                return address;
            }
        }
        long address = place(type, (long) rows * cols);
        columns(type, array, offset, address, rows, cols, ld, true);
        return address;
    }

    /** Takes what was written to a matrix back. */
    void storeMatrix(long address, ElementType type, Object array, int offset, int rows, int cols, int ld) {
        if (address >= 0) {
            columns(type, array, offset, address, rows, cols, ld, false);
        }
    }

    private static void columns(ElementType type, Object array, int offset, long address, int rows, int cols, int ld,
            boolean load) {
        int parts = parts(type);
        int height = rows * parts;
        Copies.columns(array, offset * parts, address, height, cols, ld * parts, height, load);
    }

    /** The leading dimension of a matrix at the place that it was brought to. */
    static long step(long address, int rows, int ld) {
        return address < 0 ? ld : rows;
    }

    /** Leaves an operand in its array; 0 if there is no room for one more. */
    private long keep(ElementType type, Object array, int offset) {
        if (heap == null) {
            heap = HeapOperands.own();
        }
        int index = heap.add(array);
        return index < 0 ? 0 : HeapOperands.address(index, (long) offset * type.bytes());
    }

    private long place(ElementType type, long elements) {
        long address = next;
        next += elements * type.bytes() + LINE - 1 & -LINE;
        return address;
    }
}
