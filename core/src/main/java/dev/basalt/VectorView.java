package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.portable.DirectDevice;
import dev.basalt.portable.Leaf;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.List;

/**
 * A vector in device memory: n elements, {@code inc} elements apart, or a batch of such vectors. A view borrows; it costs
 * nothing to make and need not be closed. A view made by {@link #shape} has no memory and serves in size queries and plans.
 */
public final class VectorView {
    final ElementType type;
    final DeviceMemory memory;
    /** What calls ask of the memory, null without memory. */
    final MemoryCore core;

    final long offset;
    final long n;
    final long inc;
    final long count;
    final long stride;
    final List<VectorView> problems;
    /** The element type, also of integers, if this is one vector in memory, with an element or more; else null. */
    final ElementType single;
    /** The same of up to {@link DirectDevice#VECTORS} vectors. */
    final ElementType few;
    /** What the device says of short vectors of this type, if this is one; else null. */
    final Leaf kernels;
    /** The address of element 0 of the first of them; of an array of pointers that of the array. */
    final long first;
    /** Bytes from the lowest element to element 0, of an increment below 0. */
    private final long back;

    VectorView(ElementType type, DeviceMemory memory, long offset, long n, long inc, long count, long stride,
            List<VectorView> problems) {
        this.type = type;
        this.memory = memory;
        this.core = memory == null ? null : memory.core;
        this.offset = offset;
        this.n = n;
        this.inc = inc;
        this.count = count;
        this.stride = stride;
        this.problems = problems;
        if (memory != null) {
            long span = problems != null
                    ? Shapes.bytes("VectorView", ElementType.I64, count)
                    : Shapes.spanBytes("VectorView", type, n, 1, inc, true, count, stride);
            Shapes.inside("VectorView", memory, offset, span);
            if (problems == null) {
                Shapes.behind("VectorView", type, offset, count, stride);
            }
        }
        this.single = memory != null && count == 1 && problems == null && n > 0 ? type : null;
        this.kernels = single != null && n <= DirectDevice.SHORT && core.driver instanceof DirectDevice device
                ? device.small(DirectDevice.Small.VECTOR, type, 1, DirectDevice.SHORT, 1, 0)
                : null;
        this.few = memory != null && count > 0 && count <= DirectDevice.VECTORS && n > 0 ? type : null;
        this.back = few != null && inc < 0 ? (1 - n) * inc * type.bytes() : 0;
        this.first = few != null ? memory.address() + offset + (problems == null ? back : 0) : 0;
    }

    /**
     * A shape without memory, for size queries and plans.
     *
     * @param type element type
     * @param n elements
     * @return view
     */
    public static VectorView shape(ElementType type, long n) {
        return shape(type, n, 1);
    }

    /**
     * The shape of a batch without memory, for size queries and plans.
     *
     * @param type element type
     * @param n elements of each vector
     * @param count vectors
     * @return view
     */
    public static VectorView shape(ElementType type, long n, long count) {
        Shapes.notNegative("VectorView.shape", "n", n);
        Shapes.notNegative("VectorView.shape", "count", count);
        return new VectorView(type, null, 0, n, 1, count, Math.max(1, n), null);
    }

    /**
     * A vector anywhere in device memory.
     *
     * @param type element type
     * @param pointer its lowest address
     * @param n elements
     * @param inc distance between elements in elements; negative to walk from the highest address down
     * @return view
     * @throws BlasException INVALID_SIZE if it does not fit the memory
     */
    public static VectorView of(ElementType type, DevicePointer pointer, long n, long inc) {
        return strided(type, pointer, n, inc, 1, 0);
    }

    /**
     * A batch of vectors at equal distances.
     *
     * @param type element type
     * @param pointer lowest address of the first vector
     * @param n elements of each vector
     * @param inc distance between elements, may be negative
     * @param count vectors
     * @param stride distance between vectors in elements
     * @return view
     * @throws BlasException INVALID_SIZE if it does not fit the memory
     */
    public static VectorView strided(ElementType type, DevicePointer pointer, long n, long inc, long count,
            long stride) {
        Shapes.notNegative("VectorView", "n", n);
        Shapes.notNegative("VectorView", "count", count);
        return new VectorView(type, pointer.memory(), pointer.address() - pointer.memory().address(), n, inc, count,
                stride, null);
    }

    /**
     * The element type.
     *
     * @return type
     */
    public ElementType type() {
        return type;
    }

    /**
     * Elements of each vector.
     *
     * @return n
     */
    public long size() {
        return n;
    }

    /**
     * Distance between elements.
     *
     * @return increment in elements
     */
    public long inc() {
        return inc;
    }

    /**
     * Vectors in the batch.
     *
     * @return 1 for a single vector
     */
    public long count() {
        return count;
    }

    /**
     * Whether this batch is an array of pointers.
     *
     * @return true if made by {@link DeviceArena#pointers(VectorView...)}
     */
    public boolean isPointers() {
        return problems != null;
    }

    /**
     * One vector of the batch.
     *
     * @param problem index from 0
     * @return view
     */
    public VectorView problem(long problem) {
        Shapes.index("VectorView.problem", "problem", problem, count);
        if (problems != null) {
            return problems.get((int) problem);
        }
        return new VectorView(type, memory, offset + problem * stride * type.bytes(), n, inc, 1, 0, null);
    }

    /**
     * A stretch of every vector.
     *
     * @param first first element
     * @param size elements
     * @return view
     */
    public VectorView slice(long first, long size) {
        single("slice");
        Shapes.range("VectorView.slice", first, size, n);
        long shift = inc >= 0 ? first * inc : (n - first - size) * -inc;
        return new VectorView(type, memory, offset + shift * type.bytes(), size, inc, count, stride, null);
    }

    /**
     * The same elements in the opposite order.
     *
     * @return view with the negative increment
     */
    public VectorView reversed() {
        single("reversed");
        return new VectorView(type, memory, offset, n, -inc, count, stride, null);
    }

    /**
     * A pointer to the lowest address, for the classic names.
     *
     * @return pointer; for an array of pointers, to the table
     */
    public DevicePointer pointer() {
        return memory == null ? null : new DevicePointer(memory, offset);
    }

    /**
     * Copies the vector (all vectors of a batch, one after the other) from a host array; returns when done.
     *
     * @param host n·count elements, the parts of complex elements side by side; {@code double[]} for F64 and C64,
     *     {@code float[]} for F32 and C32, {@code int[]} for I32, {@code long[]} for I64, {@code byte[]} for I8; {@code float[]} for F16, BF16
     *     and F8, converted (rounded to the nearest, ties to even), or {@code short[]} and {@code byte[]} of their bits
     */
    public void upload(Object host) {
        transfer(host, true);
    }

    /**
     * Copies the vector (all vectors of a batch, one after the other) to a host array when all work on the device is
     * done; returns when done.
     *
     * @param host as in {@link #upload}
     */
    public void download(Object host) {
        transfer(host, false);
    }

    /** The address of element 0 of a problem, of which there are {@link #few}. */
    long at(long problem) {
        return problems == null ? first + problem * stride * type.bytes() : Memory.i64(first + 8 * problem) + back;
    }

    /** The address of element 0 of the first of {@link #few} problems without gaps, or of the table of their addresses. */
    long at() {
        return first;
    }

    /** Bytes from one problem to the next; {@link Leaf#POINTERS} where {@link #at()} is a table. */
    long step() {
        return problems == null ? stride * type.bytes() : Leaf.POINTERS;
    }

    private void transfer(Object host, boolean up) {
        String what = up ? "VectorView.upload" : "VectorView.download";
        try (Transfers transfers = Transfers.begin(what, up, memory, type, host, n, 1, count)) {
            for (long b = 0; b < count; b++) {
                VectorView v = problems != null ? problems.get((int) b) : this;
                long at = v.memory.address() + v.offset + (problems != null ? 0 : b * stride * type.bytes());
                transfers.vector(at, n, v.inc);
            }
        }
    }

    private void single(String what) {
        if (problems != null) {
            throw new BlasException(Status.INVALID_VALUE, "VectorView." + what,
                    "an array of pointers has no " + what + "; make one of each problem and a new table");
        }
    }

    @Override
    public String toString() {
        return type.letter() + "[" + n + "]" + (inc == 1 ? "" : " inc " + inc) + (count == 1 ? "" : " x" + count);
    }
}
