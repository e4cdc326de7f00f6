package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.LESS;
import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RBX;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDI;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Real;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * LU with partial pivoting, one problem a lane. Each step finds the first largest element of its column in every lane, by the
 * bits of the absolute values, exchanges rows lane by lane, since every lane has a pivot of its own, and takes the outer product
 * off the rest.
 *
 * <p>Elements of complex problems are a vector of real parts and one of imaginary parts behind it; they are compared by the sum of the
 * magnitudes of both.
 *
 * <p>A problem with a pivot whose reciprocal is infinite or NaN comes out unusable and is reported by its bit: zero or
 * subnormal pivots, NaN.
 */
final class BatchPivotCode {
    // Arguments, in the slots of the frame.

    /** Lanes of the matrix, column by column. */
    static final int MATRIX = 0;

    static final int ROWS = 1;
    static final int COLUMNS = 2;
    /** Pivots to find, at least 1. */
    static final int STEPS = 3;
    /** Addresses of the pivots. */
    static final int PIVOTS = 4;
    /** The pivot that stands for row 0. */
    static final int FIRST = 5;
    /** The number 1. */
    static final int ONE = 6;
    /** The lanes that are no use. */
    static final int BAD = 7;

    /** Bytes from column to column. */
    static final int PITCH = 8;

    private static final int LEFT = 9;
    // Vectors of the frame.
    private static final int INDEX = 0;
    private static final int NAN = 1;
    private static final int MAGNITUDE = 2;
    private static final int MINUS_ONE = 3;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};
    /** Rows of which a piece of a column stays in registers. */
    private static final int BLOCK = 8;

    private final Emitter code = new Emitter();
    private final BatchLanes lanes;
    private final Vectors v;
    private final boolean complex;
    /** Bytes of an element of all lanes. */
    private final int element;

    private BatchPivotCode(Shape shape, boolean complex) {
        this.complex = complex;
        this.element = (complex ? 2 : 1) * shape.isa().bytes;
        this.lanes = new BatchLanes(code, shape);
        this.v = lanes.v;
    }

    /**
     * Writes the kernel.
     *
     * @param shape registers
     * @param complex whether elements are complex
     * @return code
     */
    static byte[] write(Shape shape, boolean complex) {
        BatchPivotCode pivot = new BatchPivotCode(shape, complex);
        pivot.write();
        return pivot.code.code();
    }

    private static Mem slot(int index) {
        return Mem.at(RDI, 8 * index);
    }

    private static Mem vector(int index) {
        return Mem.at(RDI, BatchFrame.vector(index));
    }

    /** R14: element (k, k); R15: k; RBP: rows from k on; R8: bytes between columns. */
    private void write() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        code.load(R14, slot(MATRIX));
        code.load(RAX, slot(STEPS));
        code.store(slot(LEFT), RAX);
        code.mov(R15, 0);
        code.load(RBP, slot(ROWS));
        code.load(R8, slot(PITCH));
        v.zero(0);
        v.store(vector(NAN), 0);
        boolean f64 = v.precision == Real.F64;
        constant(MAGNITUDE, f64 ? Long.MAX_VALUE : Integer.MAX_VALUE);
        constant(MINUS_ONE, -1);
        Label top = new Label();
        code.bind(top);
        search();
        exchange();
        scale();
        update();
        code.lea(R14, Mem.at(R14, R8, 1, element));
        code.add(R15, 1);
        code.add(RBP, -1);
        code.load(RAX, slot(LEFT));
        code.dec(RAX);
        code.store(slot(LEFT), RAX);
        code.jump(NOT_ZERO, top);
        v.load(0, vector(NAN));
        lanes.notNumbers(RAX, 0, 1);
        code.store(slot(BAD), RAX);
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    private void constant(int vector, long value) {
        code.mov(RAX, value);
        lanes.spread(0, RAX);
        v.store(vector(vector), 0);
    }

    /** The row of the first largest element of column k, in every lane. */
    private void search() {
        int largest = 0;
        int value = 1;
        int magnitude = 2;
        int index = 3;
        int row = 4;
        int minusOne = 5;
        int scratch = 6;
        v.load(magnitude, vector(MAGNITUDE));
        v.load(minusOne, vector(MINUS_ONE));
        v.zero(largest);
        code.mov(RSI, R14);
        code.mov(RCX, RBP);
        Label down = new Label();
        code.bind(down);
        magnitude(value, magnitude, scratch);
        lanes.largest(largest, largest, value, scratch);
        code.add(RSI, element);
        code.dec(RCX);
        code.jump(NOT_ZERO, down);
        // From the last to the first, so that the first of equals stays.
        code.lea(RAX, Mem.at(R15, RBP, 1, -1));
        lanes.spread(row, RAX);
        code.mov(RCX, RBP);
        Label up = new Label();
        code.bind(up);
        code.add(RSI, -element);
        magnitude(value, magnitude, scratch);
        lanes.whereEqual(index, value, largest, row, scratch);
        lanes.addWhole(row, row, minusOne);
        code.dec(RCX);
        code.jump(NOT_ZERO, up);
        v.store(vector(INDEX), index);
    }

    /** What the element at RSI is compared by. */
    private void magnitude(int to, int mask, int scratch) {
        v.and(to, mask, Mem.at(RSI, 0));
        if (complex) {
            v.and(scratch, mask, Mem.at(RSI, lanes.bytes));
            v.add(to, to, scratch);
        }
    }

    /** Row k and the pivot's change places in every lane; the pivots are stored. Exchanging a row with itself costs less than asking. */
    private void exchange() {
        int size = v.precision.bytes;
        code.lea(RSI, vector(INDEX));
        code.load(RDX, slot(PIVOTS));
        code.load(R13, slot(MATRIX));
        code.mov(RCX, lanes.count);
        Label lane = new Label();
        Label column = new Label();
        code.bind(lane);
        code.load(RAX, Mem.at(RSI, 0));
        // Rows are fewer than 128; above a float's row is that of the next lane.
        code.and(RAX, 127);
        code.load(R11, slot(FIRST));
        code.add(R11, RAX);
        code.load(R12, Mem.at(RDX, 0));
        code.store(Mem.at(R12, R15, 8, 0), R11);
        code.shl(RAX, Integer.numberOfTrailingZeros(element));
        code.lea(R11, Mem.at(R13, RAX, 1, 0));
        code.mov(RAX, R15);
        code.shl(RAX, Integer.numberOfTrailingZeros(element));
        code.lea(R10, Mem.at(R13, RAX, 1, 0));
        code.load(RBX, slot(COLUMNS));
        code.bind(column);
        for (int part = 0; part < element; part += lanes.bytes) {
            v.loadOne(0, Mem.at(R10, part));
            v.loadOne(1, Mem.at(R11, part));
            v.storeOne(Mem.at(R10, part), 1);
            v.storeOne(Mem.at(R11, part), 0);
        }
        code.add(R10, R8);
        code.add(R11, R8);
        code.dec(RBX);
        code.jump(NOT_ZERO, column);
        code.add(RSI, size);
        code.add(RDX, Long.BYTES);
        code.add(R13, size);
        code.dec(RCX);
        code.jump(NOT_ZERO, lane);
    }

    /** The column below the pivot, divided by it. */
    private void scale() {
        int reciprocal = 0;
        v.load(1, Mem.at(R14, 0));
        v.broadcast(reciprocal, slot(ONE));
        if (complex) {
            complexReciprocal();
        } else {
            v.div(reciprocal, reciprocal, 1);
            v.zero(1);
            v.load(2, vector(NAN));
            v.fma(2, 1, reciprocal);
            v.store(vector(NAN), 2);
        }
        code.mov(RSI, R14);
        code.mov(RCX, RBP);
        Label top = new Label();
        Label end = new Label();
        code.bind(top);
        code.dec(RCX);
        code.jump(ZERO, end);
        code.add(RSI, element);
        if (complex) {
            complexScale();
        } else {
            v.mul(1, reciprocal, Mem.at(RSI, 0));
            v.store(Mem.at(RSI, 0), 1);
        }
        code.jump(top);
        code.bind(end);
    }

    /** Registers 0 and 5 become 1/pivot; 0 holds ones, 1 the pivot's real part. */
    private void complexReciprocal() {
        int square = 3;
        int zero = 4;
        int imaginary = 5;
        v.load(2, Mem.at(R14, lanes.bytes));
        v.mul(square, 1, 1);
        v.fma(square, 2, 2);
        v.div(0, 0, square);
        v.zero(zero);
        v.load(6, vector(NAN));
        v.fma(6, zero, square);
        v.fma(6, zero, 0);
        v.store(vector(NAN), 6);
        v.mul(imaginary, 2, 0);
        v.sub(imaginary, zero, imaginary);
        v.mul(0, 1, 0);
    }

    private void complexScale() {
        v.load(1, Mem.at(RSI, 0));
        v.load(2, Mem.at(RSI, lanes.bytes));
        v.mul(3, 1, 5);
        v.fma(3, 2, 0);
        v.mul(1, 1, 0);
        v.fnma(1, 2, 5);
        v.store(Mem.at(RSI, 0), 1);
        v.store(Mem.at(RSI, lanes.bytes), 3);
    }

    /** What is right of column k and below row k, less the product of both. */
    private void update() {
        Label end = new Label();
        code.load(R9, slot(COLUMNS));
        code.sub(R9, R15);
        code.dec(R9);
        code.jump(ZERO, end);
        code.lea(RSI, Mem.at(R14, element));
        code.mov(R10, RBP);
        code.dec(R10);
        for (int rows = complex ? BLOCK / 2 : BLOCK; rows > 0; rows /= 2) {
            Label top = new Label();
            Label next = new Label();
            code.bind(top);
            code.compare(R10, rows);
            code.jump(LESS, next);
            rowBlock(rows);
            code.add(RSI, rows * element);
            code.add(R10, -rows);
            code.jump(top);
            code.bind(next);
        }
        code.bind(end);
    }

    private void rowBlock(int rows) {
        int vectors = rows * element / lanes.bytes;
        int factor = vectors;
        int old = complex ? vectors + 2 : vectors + 1;
        for (int s = 0; s < vectors; s++) {
            v.load(s, Mem.at(RSI, s * lanes.bytes));
        }
        code.lea(RDX, Mem.at(R14, R8, 1, 0));
        code.lea(RCX, Mem.at(RSI, R8, 1, 0));
        code.mov(RBX, R9);
        Label column = new Label();
        code.align(32);
        code.bind(column);
        v.load(factor, Mem.at(RDX, 0));
        if (complex) {
            v.load(factor + 1, Mem.at(RDX, lanes.bytes));
        }
        for (int s = 0; s < rows && complex; s++) {
            complexUpdate(s, factor, old + 2 * (s % 2));
        }
        for (int s = 0; s < rows && !complex; s++) {
            Mem m = Mem.at(RCX, s * lanes.bytes);
            v.load(old + s % 4, m);
            v.fnma(old + s % 4, s, factor);
            v.store(m, old + s % 4);
        }
        code.add(RDX, R8);
        code.add(RCX, R8);
        code.dec(RBX);
        code.jump(NOT_ZERO, column);
    }

    private void complexUpdate(int s, int factor, int old) {
        Mem re = Mem.at(RCX, s * element);
        Mem im = Mem.at(RCX, s * element + lanes.bytes);
        v.load(old, re);
        v.load(old + 1, im);
        v.fnma(old, 2 * s, factor);
        v.fnma(old + 1, 2 * s, factor + 1);
        v.fma(old, 2 * s + 1, factor + 1);
        v.fnma(old + 1, 2 * s + 1, factor);
        v.store(re, old);
        v.store(im, old + 1);
    }
}
