package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Emitter.Condition.NOT_ZERO;
import static dev.basalt.host.assembled.x86.Emitter.Condition.ZERO;
import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R12;
import static dev.basalt.host.assembled.x86.Gp.R13;
import static dev.basalt.host.assembled.x86.Gp.R14;
import static dev.basalt.host.assembled.x86.Gp.R15;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RBP;
import static dev.basalt.host.assembled.x86.Gp.RCX;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Householder QR, one problem a lane, LAPACK's reflectors and factors.
 *
 * <p>A problem is reported by its bit, and comes out unusable, if there is nothing to annihilate in a column, or what there is may have lost something to underflow
 * or overflow, or is NaN. LAPACK has a reflector of its own for the first, and scales in the second case.
 */
final class BatchReflectCode extends ReflectLanes {
    // Arguments, in the slots of the frame.

    /** Lanes of the matrix, column by column. */
    static final int MATRIX = 0;

    static final int ROWS = 1;
    static final int COLUMNS = 2;
    /** Reflectors to make, at least 1. The last row of real problems has none. */
    static final int STEPS = 3;
    /** Lanes of the factors. */
    static final int TAU = 4;
    /** The number 1. */
    static final int ONE = 6;
    /** The smallest and the largest sum of squares that are taken. */
    static final int SMALL = 7;
    static final int LARGE = 8;
    /** The number -0. */
    static final int SIGN = 9;
    /** The lanes that are no use. */
    static final int BAD = 10;

    // Registers of the numbers of a reflector. A comparison leaves its result in the last.
    private static final int SUM = 0;
    private static final int RE = 1;
    private static final int IM = 2;
    private static final int BETA = 3;
    private static final int SCALE = 4;
    private static final int SCALE_IM = 5;
    private static final int T = 6;
    private static final int U = 7;
    private static final int COMPARED = 8;
    /** The mask register of comparisons with AVX-512. */
    private static final int MASK = 2;

    private final boolean wide;

    private BatchReflectCode(Shape shape, boolean complex) {
        super(shape, complex);
        this.wide = shape.isa().registers == 32;
    }

    /**
     * Writes the kernel.
     *
     * @param shape registers
     * @param complex whether elements are complex
     * @return code
     */
    static byte[] write(Shape shape, boolean complex) {
        BatchReflectCode reflect = new BatchReflectCode(shape, complex);
        reflect.write();
        return reflect.code.code();
    }

    /** R14: element (k, k); R10: columns right of it; RBP: rows below it; R15: factor k. */
    private void write() {
        enter();
        count(R14, MATRIX);
        count(RBP, ROWS);
        code.dec(RBP);
        count(R10, COLUMNS);
        code.dec(R10);
        count(R15, TAU);
        code.mov(RAX, 0);
        code.store(slot(BAD), RAX);
        Label top = new Label();
        code.bind(top);
        squares();
        numbers();
        scale();
        code.lea(R12, Mem.at(R14, R8, 1, 0));
        code.mov(R13, R10);
        columns();
        code.lea(R14, Mem.at(R14, R8, 1, element));
        code.add(R15, element);
        code.dec(RBP);
        code.dec(R10);
        again(STEPS, top);
        leave();
    }

    /** The sum of the squares below the diagonal. Even and odd rows have sums of their own. */
    private void squares() {
        Label pairs = new Label();
        Label last = new Label();
        Label end = new Label();
        int second = 1;
        v.zero(SUM);
        v.zero(second);
        code.lea(RSI, Mem.at(R14, element));
        code.mov(RCX, RBP);
        code.shr(RCX, 1);
        code.jump(ZERO, last);
        code.bind(pairs);
        square(SUM, 0);
        square(second, element);
        code.add(RSI, 2 * element);
        code.dec(RCX);
        code.jump(NOT_ZERO, pairs);
        code.bind(last);
        code.mov(RAX, RBP);
        code.and(RAX, 1);
        code.jump(ZERO, end);
        square(SUM, 0);
        code.bind(end);
        v.add(SUM, SUM, second);
    }

    private void square(int sum, int offset) {
        for (int part = 0; part < element; part += bytes) {
            v.load(2, Mem.at(RSI, offset + part));
            v.fma(sum, 2, 2);
        }
    }

    /** The factor, the new diagonal element, and what the column is multiplied by. */
    private void numbers() {
        v.load(RE, Mem.at(R14, 0));
        if (complex) {
            v.load(IM, Mem.at(R14, bytes));
            v.fma(SUM, IM, IM);
        }
        v.broadcast(T, slot(SMALL));
        bad(T, SUM);
        v.fma(SUM, RE, RE);
        v.broadcast(T, slot(LARGE));
        bad(SUM, T);
        v.sqrt(BETA, SUM);
        v.broadcast(T, slot(SIGN));
        v.andNot(T, RE, T);
        v.or(BETA, BETA, T);
        v.store(Mem.at(R14, 0), BETA);
        v.sub(T, BETA, RE);
        v.div(T, T, BETA);
        v.store(Mem.at(R15, 0), T);
        v.store(vector(FACTOR), T);
        v.sub(U, RE, BETA);
        v.broadcast(SCALE, slot(ONE));
        if (!complex) {
            v.div(SCALE, SCALE, U);
            return;
        }
        v.div(T, IM, BETA);
        v.store(vector(FACTOR + 1), T);
        v.zero(SUM);
        v.store(Mem.at(R14, bytes), SUM);
        v.sub(T, SUM, T);
        v.store(Mem.at(R15, bytes), T);
        // 1 / (alpha - beta)
        v.mul(T, U, U);
        v.fma(T, IM, IM);
        v.div(SCALE, SCALE, T);
        v.mul(SCALE_IM, IM, SCALE);
        v.sub(SCALE_IM, SUM, SCALE_IM);
        v.mul(SCALE, SCALE, U);
    }

    /** Notes the lanes where {@code a} is larger than {@code b}, or one of them NaN. */
    private void bad(int a, int b) {
        int result = wide ? MASK : COMPARED;
        v.compare(result, a, b, Vectors.Relation.NOT_AT_MOST);
        v.compared(RAX, result);
        code.load(RDX, slot(BAD));
        code.or(RDX, RAX);
        code.store(slot(BAD), RDX);
    }

    private void scale() {
        Label top = new Label();
        Label end = new Label();
        code.test(RBP, RBP);
        code.jump(ZERO, end);
        code.lea(RSI, Mem.at(R14, element));
        code.mov(RCX, RBP);
        code.bind(top);
        if (complex) {
            v.load(0, Mem.at(RSI, 0));
            v.load(1, Mem.at(RSI, bytes));
            v.mul(2, 0, SCALE);
            v.mul(3, 1, SCALE);
            v.fnma(2, 1, SCALE_IM);
            v.fma(3, 0, SCALE_IM);
            v.store(Mem.at(RSI, 0), 2);
            v.store(Mem.at(RSI, bytes), 3);
        } else {
            v.mul(0, SCALE, Mem.at(RSI, 0));
            v.store(Mem.at(RSI, 0), 0);
        }
        code.add(RSI, element);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(end);
    }
}
