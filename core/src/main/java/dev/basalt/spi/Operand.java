package dev.basalt.spi;

import dev.basalt.type.ElementType;

/**
 * One vector or matrix operand of a kernel, for a whole batch: where each problem starts, its shape, and the distance
 * between its elements. Mutable, so that call frames reuse it.
 *
 * <p>A vector has {@code cols = 1} and its increment in {@code ld}; the increment may be negative, and the address is
 * then still the lowest one (as in BLAS: element i lies at {@code (1 - rows)·ld + i·ld} elements). A matrix is
 * column-major with leading dimension {@code ld}.
 */
public final class Operand {
    /** Element type. */
    public ElementType type = ElementType.F64;
    /** Address of problem 0, or of the table of addresses if {@link #pointers}. 0: absent. */
    public long base;
    /** Bytes added to the address of every problem. */
    public long offset;
    /** Rows of a matrix, elements of a vector. */
    public long rows;
    /** Columns of a matrix, 1 for a vector. */
    public long cols;
    /** Leading dimension of a matrix, increment of a vector; in elements. */
    public long ld;
    /** Whether {@link #ld} is an increment. */
    public boolean vector;
    /** Distance between problems in elements; unused if {@link #pointers}. */
    public long stride;
    /** Whether {@link #base} is a table of 64-bit addresses in device memory, one a problem. */
    public boolean pointers;

    /** An absent operand. */
    public Operand() {}

    /** Makes this operand absent. */
    public void clear() {
        base = 0;
        offset = 0;
        rows = 0;
        cols = 0;
        ld = 0;
        stride = 0;
        pointers = false;
        vector = false;
    }

    /**
     * Makes this a copy.
     *
     * @param other what to copy
     * @return this
     */
    public Operand set(Operand other) {
        type = other.type;
        base = other.base;
        offset = other.offset;
        rows = other.rows;
        cols = other.cols;
        ld = other.ld;
        vector = other.vector;
        stride = other.stride;
        pointers = other.pointers;
        return this;
    }

    /**
     * Makes this a matrix in plain or strided device memory.
     *
     * @param elementType element type
     * @param address address of problem 0
     * @param rowCount rows
     * @param colCount columns
     * @param leading leading dimension in elements
     * @param problemStride elements from one problem to the next
     * @return this
     */
    public Operand matrix(
            ElementType elementType, long address, long rowCount, long colCount, long leading, long problemStride) {
        type = elementType;
        base = address;
        offset = 0;
        rows = rowCount;
        cols = colCount;
        ld = leading;
        vector = false;
        stride = problemStride;
        pointers = false;
        return this;
    }

    /**
     * Makes this a vector in plain or strided device memory.
     *
     * @param elementType element type
     * @param address lowest address of problem 0
     * @param n elements
     * @param inc increment in elements, may be negative
     * @param problemStride elements from one problem to the next
     * @return this
     */
    public Operand vector(ElementType elementType, long address, long n, long inc, long problemStride) {
        matrix(elementType, address, n, 1, inc, problemStride);
        vector = true;
        return this;
    }

    /**
     * Makes this a block of another matrix operand.
     *
     * @param of the matrix
     * @param row first row
     * @param col first column
     * @param rowCount rows
     * @param colCount columns
     * @return this
     */
    public Operand block(Operand of, long row, long col, long rowCount, long colCount) {
        set(of);
        offset += (row + col * of.ld) * of.type.bytes();
        rows = rowCount;
        cols = colCount;
        return this;
    }

    /**
     * Makes this a stretch of another vector operand.
     *
     * @param of the vector
     * @param first first element
     * @param n elements
     * @return this
     */
    public Operand slice(Operand of, long first, long n) {
        set(of);
        offset += (of.ld >= 0 ? first * of.ld : (of.rows - first - n) * -of.ld) * of.type.bytes();
        rows = n;
        return this;
    }

    /**
     * Whether there is an operand at all.
     *
     * @return false after {@link #clear}, or with address 0
     */
    public boolean present() {
        return base != 0;
    }

    /**
     * The lowest address of one problem. Reads the pointer table, so for devices whose memory the CPU can reach.
     *
     * @param problem index in the batch
     * @return address
     */
    public long at(long problem) {
        return (pointers ? Memory.i64(base + 8 * problem) : base + problem * stride * type.bytes()) + offset;
    }

    /**
     * The address of element 0 of a vector: the lowest one, or the highest if the increment is negative.
     *
     * @param problem index in the batch
     * @return address
     */
    public long first(long problem) {
        long address = at(problem);
        return ld >= 0 ? address : address - (rows - 1) * ld * type.bytes();
    }

    /**
     * Whether the problems of another operand are known to lie where this one's do. Two tables that hold the same addresses are
     * not known to.
     *
     * @param other an operand
     * @param count problems
     * @return true if every problem begins at the same address
     */
    public boolean coincides(Operand other, long count) {
        if (pointers || other.pointers) {
            return pointers == other.pointers && base == other.base && offset == other.offset;
        }
        return base + offset == other.base + other.offset && (count <= 1 || stride == other.stride);
    }

    /**
     * How many elements lie from the lowest to the highest one of a problem.
     *
     * @return elements; 0 for an empty shape
     * @throws ArithmeticException if the number overflows
     */
    public long span() {
        if (rows <= 0 || cols <= 0) {
            return 0;
        }
        if (vector) {
            return Math.addExact(Math.multiplyExact(rows - 1, Math.absExact(ld)), 1);
        }
        return Math.addExact(Math.multiplyExact(cols - 1, ld), rows);
    }

    /**
     * How many bytes a problem spans.
     *
     * @return bytes
     * @throws ArithmeticException if the number overflows
     */
    public long spanBytes() {
        return Math.multiplyExact(span(), (long) type.bytes());
    }
}
