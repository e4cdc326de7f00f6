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

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * Moves as many matrices as a vector has lanes into lanes and back: element (i, j) of all of them becomes one vector. Columns
 * are taken a square of numbers at a time, transposed in registers; the rows taken of each column may shift from column to
 * column, as those of a triangle do.
 */
final class InterleaveCode {
    // Arguments, in the slots of the frame.

    /** Addresses of the matrices. */
    static final int TABLE = 0;
    /** Bytes from a matrix's address to the first number taken, and how many more in each next column. */
    static final int OFFSET = 1;

    static final int OFFSET_STEP = 2;
    /** Address of the first vector, and bytes to that of the next column. */
    static final int LANES = 3;

    static final int LANES_STEP = 4;
    /** Rows of the first column, and how many more each next one has. */
    static final int ROWS = 5;

    static final int ROWS_STEP = 6;
    static final int COLUMNS = 7;
    /** Where the mask vectors of AVX2 end. */
    static final int ONES = 8;
    /** How many more bytes {@link #OFFSET_STEP} has in each next column: those of packed triangles grow or shrink. */
    static final int OFFSET_GROWTH = 9;

    private static final Gp[] SAVED = {RBX, R12, R13, R14};

    private final Emitter code = new Emitter();
    private final BatchLanes lanes;
    private final boolean gather;
    private final int maskVector;

    private InterleaveCode(Shape shape, boolean gather) {
        this.lanes = new BatchLanes(code, shape);
        this.gather = gather;
        this.maskVector = shape.isa().registers - 1;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param gather into lanes, or back
     * @return code
     */
    static byte[] write(Shape shape, boolean gather) {
        InterleaveCode interleave = new InterleaveCode(shape, gather);
        interleave.write();
        return interleave.code.code();
    }

    private void write() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        code.load(RSI, Mem.at(RDI, 8 * TABLE));
        code.load(RDX, Mem.at(RDI, 8 * OFFSET));
        code.load(RCX, Mem.at(RDI, 8 * OFFSET_STEP));
        code.load(R8, Mem.at(RDI, 8 * LANES));
        code.load(R9, Mem.at(RDI, 8 * LANES_STEP));
        code.load(R10, Mem.at(RDI, 8 * ROWS));
        code.load(R11, Mem.at(RDI, 8 * ROWS_STEP));
        code.load(R14, Mem.at(RDI, 8 * COLUMNS));
        Label column = new Label();
        Label rows = new Label();
        Label rest = new Label();
        Label next = new Label();
        code.align(32);
        code.bind(column);
        code.mov(R12, RDX);
        code.mov(R13, R8);
        code.mov(RBX, R10);
        code.bind(rows);
        code.compare(RBX, lanes.count);
        code.jump(LESS, rest);
        square(false);
        code.add(R12, lanes.bytes);
        code.add(R13, lanes.count * lanes.bytes);
        code.add(RBX, -lanes.count);
        code.jump(rows);
        code.bind(rest);
        code.test(RBX, RBX);
        code.jump(ZERO, next);
        lanes.mask(RBX, RAX, Mem.at(RDI, 8 * ONES), maskVector);
        square(true);
        code.bind(next);
        code.add(RDX, RCX);
        code.load(RAX, Mem.at(RDI, 8 * OFFSET_GROWTH));
        code.add(RCX, RAX);
        code.add(R8, R9);
        code.add(R10, R11);
        code.dec(R14);
        code.jump(NOT_ZERO, column);
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    private void square(boolean masked) {
        int[] r = new int[lanes.count];
        for (int i = 0; i < r.length; i++) {
            r[i] = i;
            if (gather) {
                code.load(RAX, Mem.at(RSI, 8 * i));
                if (masked) {
                    lanes.v.loadMasked(i, Mem.at(RAX, R12, 1, 0), maskVector);
                } else {
                    lanes.v.load(i, Mem.at(RAX, R12, 1, 0));
                }
                // The next group's: the prefetcher does not follow so many streams.
                code.load(RAX, Mem.at(RSI, 8 * (i + lanes.count)));
                code.prefetchFar(Mem.at(RAX, R12, 1, 0));
            } else {
                lanes.v.load(i, Mem.at(R13, i * lanes.bytes));
            }
        }
        lanes.transpose(r, r.length);
        for (int i = 0; i < r.length; i++) {
            if (gather) {
                lanes.v.store(Mem.at(R13, i * lanes.bytes), r[i]);
            } else {
                code.load(RAX, Mem.at(RSI, 8 * i));
                if (masked) {
                    lanes.v.storeMasked(Mem.at(RAX, R12, 1, 0), r[i], maskVector);
                } else {
                    lanes.v.store(Mem.at(RAX, R12, 1, 0), r[i]);
                }
            }
        }
    }
}
