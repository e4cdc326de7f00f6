package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.CallingConvention;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Transposes the matrices of a table, one behind the other, into memory where {@link BatchProductCode} finds whole vectors: squares of
 * numbers are transposed in registers. How many columns a matrix has is known when the kernel is written. In the form for one problem there are neither table nor frame: arguments are
 * the matrix, where it goes, bytes between its columns, its rows, and where the mask vectors of AVX2 end.
 */
final class BatchTransposeCode {
    // Arguments, in the slots of the frame; steps are in bytes.

    static final int TABLE = 0;
    static final int OUT = 1;
    static final int PROBLEMS = 2;
    /** From column to column of a matrix. */
    static final int LD = 3;
    /** Rows of a matrix. */
    static final int ROWS = 4;
    /** From one transposed matrix to the next: room for rows up to a multiple of the lanes. */
    static final int OUT_STEP = 5;
    /** Where the mask vectors of AVX2 end. */
    static final int ONES = 6;

    private static final Gp[] SAVED = {RBX, R12, R13, R14};

    private final Emitter code = new Emitter();
    private final BatchLanes lanes;
    private final int columns;
    /** Bytes from column to column of the transposed matrix. */
    private final int step;

    private final int maskVector;
    private final boolean one;
    /** Where the mask vectors' end is to be found. */
    private final Mem ones;

    private BatchTransposeCode(Shape shape, int columns, boolean one) {
        this.one = one;
        this.ones = one ? CallingConvention.spill(0) : Mem.at(RDI, 8 * ONES);
        Shape narrow = narrow(shape);
        this.lanes = new BatchLanes(code, narrow);
        this.columns = columns;
        this.step = step(shape, columns);
        this.maskVector = narrow.isa().registers - 1;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param columns columns of a matrix
     * @param one whether it is for one problem
     * @return code
     */
    static byte[] write(Shape shape, int columns, boolean one) {
        BatchTransposeCode transpose = new BatchTransposeCode(shape, columns, one);
        transpose.write();
        return transpose.code.code();
    }

    /** Squares are those of AVX2 on every processor: of 16 floats most would be empty, and one of 8 doubles takes no less time than four of 4 (Zen 4). */
    static Shape narrow(Shape shape) {
        return new Shape(Isa.AVX2, shape.precision());
    }

    /** Bytes from column to column of a transposed matrix with so many rows: whole vectors. */
    static int step(Shape shape, long rows) {
        return (int) ((rows + shape.lanes() - 1) / shape.lanes()) * shape.isa().bytes;
    }

    /** Bytes of a transposed matrix of so many rows and columns, up to a multiple of the lanes. */
    static long bytes(Shape shape, long rows, long columns) {
        return (columns + shape.lanes() - 1) / shape.lanes() * shape.lanes() * step(shape, rows);
    }

    private void write() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        if (one) {
            code.store(ones, R8);
            code.mov(R13, RSI);
            code.mov(RSI, RDI);
            code.mov(R8, RDX);
            code.mov(R9, RCX);
            matrix();
        } else {
            matrices();
        }
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    private void matrices() {
        code.load(R14, Mem.at(RDI, 8 * TABLE));
        code.load(R13, Mem.at(RDI, 8 * OUT));
        code.load(RBX, Mem.at(RDI, 8 * PROBLEMS));
        code.load(R8, Mem.at(RDI, 8 * LD));
        code.load(R9, Mem.at(RDI, 8 * ROWS));
        code.load(R10, Mem.at(RDI, 8 * OUT_STEP));
        Label top = new Label();
        code.align(32);
        code.bind(top);
        code.load(RSI, Mem.at(R14, 0));
        matrix();
        code.add(R14, Long.BYTES);
        code.add(R13, R10);
        code.dec(RBX);
        code.jump(NOT_ZERO, top);
    }

    /** RSI: a matrix; R13: where it goes. */
    private void matrix() {
        for (int first = 0; first < columns; first += lanes.count) {
            code.lea(R11, Mem.at(R13, first / lanes.count * lanes.bytes));
            strip(Math.min(lanes.count, columns - first));
            for (int left = first + lanes.count < columns ? lanes.count : 0; left > 0; left -= Math.min(left, 8)) {
                code.lea(RSI, Mem.at(RSI, R8, Math.min(left, 8), 0));
            }
        }
    }

    /** As many columns as there are lanes, or fewer. RSI: the first; R11: where its numbers go. */
    private void strip(int count) {
        Label rows = new Label();
        Label rest = new Label();
        Label end = new Label();
        code.mov(RCX, RSI);
        code.mov(R12, R9);
        code.bind(rows);
        code.compare(R12, lanes.count);
        code.jump(LESS, rest);
        square(count, false);
        code.add(RCX, lanes.bytes);
        code.add(R11, lanes.count * step);
        code.add(R12, -lanes.count);
        code.jump(rows);
        code.bind(rest);
        code.test(R12, R12);
        code.jump(ZERO, end);
        lanes.mask(R12, RAX, ones, maskVector);
        square(count, true);
        code.bind(end);
    }

    /** Lanes without a column keep what they hold: nobody reads it. */
    private void square(int count, boolean masked) {
        int[] r = new int[lanes.count];
        code.mov(RDX, RCX);
        for (int i = 0; i < r.length; i++) {
            r[i] = i;
            if (i < count && masked) {
                lanes.v.loadMasked(i, Mem.at(RDX, 0), maskVector);
            } else if (i < count) {
                lanes.v.load(i, Mem.at(RDX, 0));
            }
            if (i < count - 1) {
                code.add(RDX, R8);
            }
        }
        lanes.transpose(r, r.length);
        for (int i = 0; i < r.length; i++) {
            lanes.v.store(Mem.at(R11, i * step), r[i]);
        }
    }
}
