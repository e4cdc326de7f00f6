package dev.basalt;

import dev.basalt.internal.workspace.MemoryCore;
import dev.basalt.portable.DirectDevice;
import dev.basalt.spi.Memory;
import dev.basalt.type.ElementType;
import java.util.List;

/**
 * A column-major matrix in device memory, or a batch of them. A view borrows; it costs nothing to make and need not be
 * closed. A view made by {@link #shape} has no memory and serves in size queries and plans.
 */
public final class MatrixView {
    final ElementType type;
    final DeviceMemory memory;
    /** What calls ask of the memory, null without memory. */
    final MemoryCore core;

    final long offset;
    final long rows;
    final long cols;
    final long ld;
    final long count;
    final long stride;
    final List<MatrixView> problems;
    /** The element type if this is one matrix in memory, with an element or more; else null. */
    final ElementType single;
    /** The element type of a few matrices in memory, with an element or more: as many as a small call takes one by one; else null. */
    final ElementType few;
    /** The same of a few matrices, but not of one, each in a place of its own. */
    final ElementType several;
    /** Where the first begins, or a table of addresses, if there are few; else 0. */
    final long first;

    MatrixView(ElementType type, DeviceMemory memory, long offset, long rows, long cols, long ld, long count,
            long stride, List<MatrixView> problems) {
        this.type = type;
        this.memory = memory;
        this.core = memory == null ? null : memory.core;
        this.offset = offset;
        this.rows = rows;
        this.cols = cols;
        this.ld = ld;
        this.count = count;
        this.stride = stride;
        this.problems = problems;
        if (ld < Math.max(1, rows)) {
            throw new BlasException(Status.INVALID_SIZE, "MatrixView",
                    "leading dimension " + ld + " is less than the " + rows + " rows");
        }
        if (memory != null) {
            long span = problems != null
                    ? Shapes.bytes("MatrixView", ElementType.I64, count)
                    : Shapes.spanBytes("MatrixView", type, rows, cols, ld, false, count, stride);
            Shapes.inside("MatrixView", memory, offset, span);
            if (problems == null) {
                Shapes.behind("MatrixView", type, offset, count, stride);
            }
        }
        boolean elements = memory != null && rows > 0 && cols > 0 && type.isFloating();
        this.single = elements && count == 1 && problems == null ? type : null;
        this.few = elements && count > 0 && count <= DirectDevice.VECTORS ? type : null;
        this.several = few != null && count > 1 && (problems != null || stride > 0) ? type : null;
        this.first = few != null ? memory.address() + offset : 0;
    }

    /**
     * A shape without memory, for size queries and plans.
     *
     * @param type element type
     * @param rows rows
     * @param cols columns
     * @return view
     */
    public static MatrixView shape(ElementType type, long rows, long cols) {
        return shape(type, rows, cols, 1);
    }

    /**
     * The shape of a batch without memory, for size queries and plans.
     *
     * @param type element type
     * @param rows rows of each matrix
     * @param cols columns of each matrix
     * @param count matrices
     * @return view
     */
    public static MatrixView shape(ElementType type, long rows, long cols, long count) {
        Shapes.notNegative("MatrixView.shape", "rows", rows);
        Shapes.notNegative("MatrixView.shape", "cols", cols);
        Shapes.notNegative("MatrixView.shape", "count", count);
        long ld = Math.max(1, rows);
        return new MatrixView(type, null, 0, rows, cols, ld, count, 0, null);
    }

    /**
     * A matrix anywhere in device memory.
     *
     * @param type element type
     * @param pointer address of element (0, 0)
     * @param rows rows
     * @param cols columns
     * @param ld leading dimension in elements, at least max(1, rows)
     * @return view
     * @throws BlasException INVALID_SIZE if ld is too small or the matrix does not fit the memory
     */
    public static MatrixView of(ElementType type, DevicePointer pointer, long rows, long cols, long ld) {
        return strided(type, pointer, rows, cols, ld, 1, 0);
    }

    /**
     * A batch of matrices at equal distances.
     *
     * @param type element type
     * @param pointer address of element (0, 0) of the first matrix
     * @param rows rows of each matrix
     * @param cols columns of each matrix
     * @param ld leading dimension in elements, at least max(1, rows)
     * @param count matrices
     * @param stride distance between matrices in elements
     * @return view
     * @throws BlasException INVALID_SIZE if ld is too small or the batch does not fit the memory
     */
    public static MatrixView strided(ElementType type, DevicePointer pointer, long rows, long cols, long ld, long count,
            long stride) {
        Shapes.notNegative("MatrixView", "rows", rows);
        Shapes.notNegative("MatrixView", "cols", cols);
        Shapes.notNegative("MatrixView", "count", count);
        long offset = pointer.address() - pointer.memory().address();
        return new MatrixView(type, pointer.memory(), offset, rows, cols, ld, count, stride, null);
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
     * Rows of each matrix.
     *
     * @return rows
     */
    public long rows() {
        return rows;
    }

    /**
     * Columns of each matrix.
     *
     * @return columns
     */
    public long cols() {
        return cols;
    }

    /**
     * Distance between columns.
     *
     * @return leading dimension in elements
     */
    public long ld() {
        return ld;
    }

    /**
     * Matrices in the batch.
     *
     * @return 1 for a single matrix
     */
    public long count() {
        return count;
    }

    /**
     * Whether this batch is an array of pointers.
     *
     * @return true if made by {@link DeviceArena#pointers(MatrixView...)}
     */
    public boolean isPointers() {
        return problems != null;
    }

    /**
     * One matrix of the batch.
     *
     * @param problem index from 0
     * @return view
     */
    public MatrixView problem(long problem) {
        Shapes.index("MatrixView.problem", "problem", problem, count);
        if (problems != null) {
            return problems.get((int) problem);
        }
        return new MatrixView(type, memory, offset + problem * stride * type.bytes(), rows, cols, ld, 1, 0, null);
    }

    /**
     * A rectangular block of every matrix.
     *
     * @param row first row
     * @param col first column
     * @param rowCount rows
     * @param colCount columns
     * @return view
     */
    public MatrixView block(long row, long col, long rowCount, long colCount) {
        single("block");
        Shapes.range("MatrixView.block rows", row, rowCount, rows);
        Shapes.range("MatrixView.block cols", col, colCount, cols);
        long at = rowCount == 0 || colCount == 0 ? offset : offset + (row + col * ld) * type.bytes();
        return new MatrixView(type, memory, at, rowCount, colCount, ld, count, stride, null);
    }

    /**
     * One column of every matrix.
     *
     * @param col index from 0
     * @return vector view with increment 1
     */
    public VectorView column(long col) {
        single("column");
        Shapes.index("MatrixView.column", "col", col, cols);
        return new VectorView(type, memory, offset + col * ld * type.bytes(), rows, 1, count, stride, null);
    }

    /**
     * One row of every matrix.
     *
     * @param row index from 0
     * @return vector view with increment ld
     */
    public VectorView row(long row) {
        single("row");
        Shapes.index("MatrixView.row", "row", row, rows);
        return new VectorView(type, memory, offset + row * type.bytes(), cols, ld, count, stride, null);
    }

    /**
     * The diagonal of every matrix.
     *
     * @return vector view with increment ld + 1
     */
    public VectorView diagonal() {
        single("diagonal");
        return new VectorView(type, memory, offset, Math.min(rows, cols), ld + 1, count, stride, null);
    }

    /**
     * A pointer to element (0, 0), for the classic names.
     *
     * @return pointer; for an array of pointers, to the table
     */
    public DevicePointer pointer() {
        return memory == null ? null : new DevicePointer(memory, offset);
    }

    /**
     * Copies the matrix (all matrices of a batch, one after the other) from a host array in column-major order without
     * gaps; returns when done.
     *
     * @param host rows·cols·count elements, the parts of complex elements side by side; {@code double[]} for F64 and C64,
     *     {@code float[]} for F32 and C32, {@code int[]} for I32, {@code long[]} for I64, {@code byte[]} for I8; {@code float[]} for F16, BF16
     *     and F8, converted (rounded to the nearest, ties to even), or {@code short[]} and {@code byte[]} of their bits
     */
    public void upload(Object host) {
        transfer(host, true);
    }

    /**
     * Copies the matrix (all matrices of a batch, one after the other) to a host array in column-major order without gaps
     * when all work on the device is done; returns when done.
     *
     * @param host as in {@link #upload}
     */
    public void download(Object host) {
        transfer(host, false);
    }

    private void transfer(Object host, boolean up) {
        String what = up ? "MatrixView.upload" : "MatrixView.download";
        try (Transfers transfers = Transfers.begin(what, up, memory, type, host, rows, cols, count)) {
            for (long b = 0; b < count; b++) {
                MatrixView v = problems != null ? problems.get((int) b) : this;
                long at = v.memory.address() + v.offset + (problems != null ? 0 : b * stride * type.bytes());
                transfers.matrix(at, rows, cols, v.ld);
            }
        }
    }

    /** The address of element (0, 0) of a problem, of which there are {@link #few}. */
    long at(long problem) {
        return problems == null ? first + problem * stride * type.bytes() : Memory.i64(first + 8 * problem);
    }

    private void single(String what) {
        if (problems != null) {
            throw new BlasException(Status.INVALID_VALUE, "MatrixView." + what,
                    "an array of pointers has no " + what + "; make one of each problem and a new table");
        }
    }

    @Override
    public String toString() {
        return type.letter() + "[" + rows + "x" + cols + "]" + (ld == Math.max(1, rows) ? "" : " ld " + ld)
                + (count == 1 ? "" : " x" + count);
    }
}
