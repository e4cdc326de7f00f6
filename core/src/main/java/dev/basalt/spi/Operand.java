package dev.basalt.spi;

import dev.basalt.type.ElementType;
import dev.basalt.type.Uplo;

/**
 * One vector or matrix operand of a kernel, for a whole batch: where each problem starts, its shape, and the distance
 * between its elements. Mutable, so that call frames reuse it.
 *
 * <p>A vector has {@code cols = 1} and its increment in {@code ld}; the increment may be negative, and the address is
 * then still the lowest one (as in BLAS: element i lies at {@code (1 - rows)·ld + i·ld} elements). A matrix is
 * column-major with leading dimension {@code ld}, or a band, or one packed triangle: see {@link Storage}. The stride between problems may be negative;
 * {@code base} is always problem 0.
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

    /** How a matrix is stored. */
    public Storage storage = Storage.DENSE;
    /** Diagonals of a band below the main one; negative in a block from above it. */
    public long kl;
    /** Diagonals of a band above the main one; negative in a block from below it. */
    public long ku;

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
        if (storage != Storage.DENSE) {
            storage = Storage.DENSE;
        }
        kl = 0;
        ku = 0;
    }

    /**
     * Makes this a copy.
     *
     * @param other what to copy
     * @return this
     */
    public Operand set(Operand other) {
        if (type != other.type) {
            type = other.type;
        }
        base = other.base;
        offset = other.offset;
        rows = other.rows;
        cols = other.cols;
        ld = other.ld;
        vector = other.vector;
        stride = other.stride;
        pointers = other.pointers;
        if (storage != other.storage) {
            storage = other.storage;
        }
        kl = other.kl;
        ku = other.ku;
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
    public Operand matrix(ElementType elementType, long address, long rowCount, long colCount, long leading,
            long problemStride) {
        if (type != elementType) {
            type = elementType;
        }
        base = address;
        offset = 0;
        rows = rowCount;
        cols = colCount;
        ld = leading;
        vector = false;
        stride = problemStride;
        pointers = false;
        if (storage != Storage.DENSE) {
            storage = Storage.DENSE;
        }
        kl = 0;
        ku = 0;
        return this;
    }

    /**
     * Makes this a band matrix in plain or strided device memory: element (i, j) in row {@code upper + i - j} of column j. A symmetric or triangular one names the
     * diagonals of its triangle and 0 for the others.
     *
     * @param elementType element type
     * @param address address of problem 0
     * @param rowCount rows
     * @param colCount columns
     * @param lower diagonals below the main one
     * @param upper diagonals above the main one
     * @param leading leading dimension in elements, at least {@code lower + upper + 1}
     * @param problemStride elements from one problem to the next
     * @return this
     */
    public Operand band(ElementType elementType, long address, long rowCount, long colCount, long lower, long upper,
            long leading, long problemStride) {
        matrix(elementType, address, rowCount, colCount, leading, problemStride);
        if (storage != Storage.BAND) {
            storage = Storage.BAND;
        }
        kl = lower;
        ku = upper;
        return this;
    }

    /**
     * Whether the columns of a band with diagonals on both sides have room for all of them. Sums of diagonals that are beyond 63 bits have none.
     *
     * @return false if the leading dimension is less than {@code kl + ku + 1}
     */
    public boolean holdsBand() {
        return ld >= 1 && ku >= 0 && ld - 1 - kl >= ku;
    }

    /**
     * Makes this a packed triangle in plain or strided device memory.
     *
     * @param elementType element type
     * @param address address of problem 0
     * @param n order
     * @param problemStride elements from one problem to the next
     * @return this
     */
    public Operand packed(ElementType elementType, long address, long n, long problemStride) {
        matrix(elementType, address, n, n, 0, problemStride);
        if (storage != Storage.PACKED) {
            storage = Storage.PACKED;
        }
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
     * Makes this a block of another matrix operand. A band gives any block; of what is packed there is only the whole.
     *
     * @param of the matrix
     * @param row first row
     * @param col first column
     * @param rowCount rows
     * @param colCount columns
     * @return this
     * @throws IllegalArgumentException if it is a part of a packed triangle
     */
    public Operand block(Operand of, long row, long col, long rowCount, long colCount) {
        set(of);
        if (storage == Storage.DENSE) {
            offset += (row + col * of.ld) * of.type.bytes();
        } else if (storage == Storage.BAND) {
            offset += col * of.ld * of.type.bytes();
            ku += row - col;
            kl -= row - col;
        } else if (row != 0 || col != 0 || rowCount != of.rows || colCount != of.cols) {
            throw new IllegalArgumentException("a packed triangle has no blocks");
        }
        rows = rowCount;
        cols = colCount;
        return this;
    }

    /**
     * Makes this another operand's problems from some on.
     *
     * @param of the operand, of as many problems as the call or of one for all
     * @param first the first problem
     * @return this
     */
    public Operand problems(Operand of, long first) {
        set(of);
        if (present()) {
            base += pointers ? 8 * first : first * stride * type.bytes();
        }
        return this;
    }

    /**
     * Makes this band a dense matrix with the same elements, and with others where the band has none: the leading dimension is one less. Blocks of it that
     * lie inside the band are dense matrices like all others.
     *
     * @return this
     */
    public Operand skewed() {
        offset += ku * type.bytes();
        ld--;
        if (storage != Storage.DENSE) {
            storage = Storage.DENSE;
        }
        kl = 0;
        ku = 0;
        return this;
    }

    /**
     * Leaves out the highest diagonals of this band.
     *
     * @param diagonals how many
     * @return this
     */
    public Operand lowered(long diagonals) {
        offset += diagonals * type.bytes();
        ku -= diagonals;
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
     * The lowest address of one problem. Reads the pointer table, if it is there, so for devices whose memory the CPU can reach.
     *
     * @param problem index in the batch
     * @return address
     */
    public long at(long problem) {
        return (pointers && present() ? Memory.i64(base + 8 * problem) : base + problem * stride * type.bytes())
                + offset;
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
     * The address that element (0, 0) has, or would have if it is not stored.
     *
     * @param problem index in the batch
     * @return address
     */
    public long origin(long problem) {
        return at(problem) + (storage == Storage.BAND ? ku * type.bytes() : 0);
    }

    /**
     * How many elements lie between the (stored or not) first elements of columns 0 and 1.
     *
     * @param uplo the triangle that is stored, if one is packed
     * @return elements; between columns j and j + 1 it is {@code growth·j} more
     */
    public long step(Uplo uplo) {
        return switch (storage) {
            case DENSE -> ld;
            case BAND -> ld - 1;
            case PACKED -> uplo == Uplo.UPPER ? 1 : rows - 1;
        };
    }

    /**
     * By how much {@link #step} grows from column to column.
     *
     * @param uplo the triangle that is stored, if one is packed
     * @return elements, 0 unless packed
     */
    public long growth(Uplo uplo) {
        return storage != Storage.PACKED ? 0 : uplo == Uplo.UPPER ? 1 : -1;
    }

    /**
     * How far elements of a triangle may lie from the diagonal.
     *
     * @param uplo the triangle
     * @return diagonals beside the main one
     */
    public long reach(Uplo uplo) {
        return storage != Storage.BAND ? rows : uplo == Uplo.UPPER ? ku : kl;
    }

    /**
     * How many elements a kernel passes over.
     *
     * @param m rows
     * @param n columns
     * @return m·n, or what a band or a packed triangle of that shape stores
     */
    public double stored(double m, double n) {
        return switch (storage) {
            case DENSE -> m * n;
            case BAND -> n * (kl + ku + 1.0);
            case PACKED -> n * (n + 1) / 2;
        };
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
        return switch (storage) {
            case DENSE -> Math.addExact(Math.multiplyExact(cols - 1, ld), rows);
            case BAND -> Math.addExact(Math.multiplyExact(cols - 1, ld), Math.addExact(kl, ku) + 1);
            case PACKED -> packedLength();
        };
    }

    private long packedLength() {
        // One of the two factors is even.
        return rows % 2 == 0 ? Math.multiplyExact(rows / 2, rows + 1) : Math.multiplyExact(rows, (rows + 1) / 2);
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
