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
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * Forward substitution, one problem a lane: B := A⁻¹·B for a lower triangle A, by blocks of four unknowns and four right-hand
 * sides that stay in registers. Both matrices have a step between rows and one between columns, of either sign, so that the same
 * code walks an upper triangle backwards, a transposed one by rows, and solves from the right.
 *
 * <p>Cholesky is the same walk: row block J of L solves for the columns of Lᵀ to its right, once its own diagonal block is
 * factored. There B is A transposed.
 *
 * <p>A problem whose diagonal has a reciprocal that is infinite or NaN comes out unusable and is reported by its bit: zero or
 * subnormal pivots, minors that are not positive, NaN.
 */
final class SubstitutionCode {
    /** What the diagonal is. */
    enum Diagonal {
        /** Ones, not stored. */
        UNIT,
        /** Stored. */
        STORED,
        /** Factored on the way. */
        CHOLESKY
    }

    // Arguments, in the slots of the frame; steps are in bytes.

    static final int A = 0;
    static final int A_ROW = 1;
    static final int A_COLUMN = 2;
    static final int B = 3;
    static final int B_ROW = 4;
    static final int B_COLUMN = 5;
    static final int ROWS = 6;
    static final int COLUMNS = 7;
    /** The number 1. */
    static final int ONE = 8;
    /** The lanes that are no use. */
    static final int BAD = 9;

    private static final int DIAGONAL_ELEMENT = 10;
    /** Vectors of the frame: 1/diagonal of the block, then 0 or NaN for lanes that are no use. */
    private static final int RECIPROCALS = 0;

    private static final int NAN = 4;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};
    private static final int BLOCK = 4;

    private final Emitter code = new Emitter();
    private final BatchLanes lanes;
    private final Vectors v;
    private final Diagonal diagonal;
    private final int widest;

    private SubstitutionCode(Shape shape, Diagonal diagonal) {
        this.lanes = new BatchLanes(code, shape);
        this.v = lanes.v;
        this.diagonal = diagonal;
        this.widest = shape.isa() == Isa.AVX512 ? 4 : 2;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param diagonal what to do with the diagonal of A
     * @return code
     */
    static byte[] write(Shape shape, Diagonal diagonal) {
        SubstitutionCode substitution = new SubstitutionCode(shape, diagonal);
        substitution.write();
        return substitution.code.code();
    }

    private static Mem slot(int index) {
        return Mem.at(RDI, 8 * index);
    }

    private static Mem vector(int index) {
        return Mem.at(RDI, BatchFrame.vector(index));
    }

    private void write() {
        for (Gp saved : SAVED) {
            code.push(saved);
        }
        code.load(R14, slot(A));
        code.store(slot(DIAGONAL_ELEMENT), R14);
        code.load(R8, slot(A_ROW));
        code.lea(R9, Mem.at(R8, R8, 2, 0));
        code.load(R10, slot(A_COLUMN));
        code.load(R11, slot(B_COLUMN));
        code.load(RBX, slot(B_ROW));
        code.load(RBP, slot(ROWS));
        code.mov(R15, 0);
        v.zero(0);
        v.store(vector(NAN), 0);
        for (int rows = BLOCK; rows > 0; rows /= 2) {
            Label top = new Label();
            Label next = new Label();
            code.bind(top);
            code.compare(RBP, rows);
            code.jump(LESS, next);
            rowBlock(rows);
            code.jump(top);
            code.bind(next);
        }
        v.load(0, vector(NAN));
        lanes.notNumbers(RAX, 0, 1);
        code.store(slot(BAD), RAX);
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    /** Some unknowns of all right-hand sides. R14: A(I, 0); R15: I; RBP: rows from I on. */
    private void rowBlock(int rows) {
        if (diagonal == Diagonal.CHOLESKY) {
            factor(rows);
            // The columns of B to the right of the block: those of A transposed, so they begin at A(I + rows, 0).
            rowsDown(R13, R14, rows);
            code.mov(R12, RBP);
            code.add(R12, -rows);
        } else {
            if (diagonal == Diagonal.STORED) {
                reciprocals(rows);
            }
            code.load(R13, slot(B));
            code.load(R12, slot(COLUMNS));
        }
        for (int columns = widest; columns > 0; columns /= 2) {
            Label top = new Label();
            Label next = new Label();
            code.bind(top);
            code.compare(R12, columns);
            code.jump(LESS, next);
            block(rows, columns);
            code.lea(R13, Mem.at(R13, R11, columns, 0));
            code.add(R12, -columns);
            code.jump(top);
            code.bind(next);
        }
        rowsDown(R14, R14, rows);
        code.add(R15, rows);
        code.add(RBP, -rows);
    }

    /** to := from + rows·(step between A's rows). */
    private void rowsDown(Gp to, Gp from, int rows) {
        code.lea(to, Mem.at(from, R8, rows, 0));
    }

    /** Element of a block: {@code index} of up to four steps, whose triple is at hand. */
    private static Mem at(Gp base, int index, Gp step, Gp triple) {
        return switch (index) {
            case 0 -> Mem.at(base, 0);
            case 3 -> Mem.at(base, triple, 1, 0);
            default -> Mem.at(base, step, index, 0);
        };
    }

    private void reciprocals(int rows) {
        int one = 0;
        int nan = 1;
        int zero = 2;
        code.load(RAX, slot(DIAGONAL_ELEMENT));
        v.broadcast(one, slot(ONE));
        v.load(nan, vector(NAN));
        v.zero(zero);
        for (int q = 0; q < rows; q++) {
            v.load(3, Mem.at(RAX, 0));
            code.add(RAX, R8);
            code.add(RAX, R10);
            v.div(3, one, 3);
            v.store(vector(RECIPROCALS + q), 3);
            v.fma(nan, zero, 3);
        }
        v.store(vector(NAN), nan);
        code.store(slot(DIAGONAL_ELEMENT), RAX);
    }

    /** Brings a diagonal block up to date and factors it. */
    private void factor(int rows) {
        int operand = 10;
        code.mov(RSI, R14);
        code.mov(RCX, R15);
        for (int s = 0; s < rows; s++) {
            for (int q = 0; q <= s; q++) {
                v.zero(triangle(s, q));
            }
        }
        Label top = new Label();
        Label done = new Label();
        code.test(RCX, RCX);
        code.jump(ZERO, done);
        code.bind(top);
        for (int s = 0; s < rows; s++) {
            v.load(operand + s, at(RSI, s, R8, R9));
        }
        for (int s = 0; s < rows; s++) {
            for (int q = 0; q <= s; q++) {
                v.fnma(triangle(s, q), operand + s, operand + q);
            }
        }
        code.add(RSI, R10);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(done);
        // RSI is at A(I, I).
        int one = 10;
        int nan = 11;
        int zero = 12;
        int reciprocal = 13;
        v.broadcast(one, slot(ONE));
        v.load(nan, vector(NAN));
        v.zero(zero);
        for (int q = 0; q < rows; q++) {
            for (int s = q; s < rows; s++) {
                v.add(triangle(s, q), triangle(s, q), at(RSI, s, R8, R9));
            }
            int root = triangle(q, q);
            v.sqrt(root, root);
            v.div(reciprocal, one, root);
            v.fma(nan, zero, reciprocal);
            v.store(vector(RECIPROCALS + q), reciprocal);
            v.store(at(RSI, q, R8, R9), root);
            for (int s = q + 1; s < rows; s++) {
                v.mul(triangle(s, q), triangle(s, q), reciprocal);
                v.store(at(RSI, s, R8, R9), triangle(s, q));
            }
            for (int s = q + 1; s < rows; s++) {
                for (int t = q + 1; t <= s; t++) {
                    v.fnma(triangle(s, t), triangle(s, q), triangle(t, q));
                }
            }
            code.add(RSI, R10);
        }
        v.store(vector(NAN), nan);
    }

    private static int triangle(int row, int column) {
        return row * (row + 1) / 2 + column;
    }

    /** Unknowns I… of the right-hand sides at R13. */
    private void block(int rows, int columns) {
        int a = rows * columns;
        int b = a + rows;
        code.mov(RSI, R14);
        code.mov(RDX, R13);
        code.lea(RAX, Mem.at(R11, R11, 2, 0));
        for (int i = 0; i < rows * columns; i++) {
            v.zero(i);
        }
        Label top = new Label();
        Label done = new Label();
        code.mov(RCX, R15);
        code.test(RCX, RCX);
        code.jump(ZERO, done);
        code.align(32);
        code.bind(top);
        for (int s = 0; s < rows; s++) {
            v.load(a + s, at(RSI, s, R8, R9));
        }
        for (int j = 0; j < columns; j++) {
            v.load(b, at(RDX, j, R11, RAX));
            for (int s = 0; s < rows; s++) {
                v.fnma(j * rows + s, a + s, b);
            }
        }
        code.add(RSI, R10);
        code.add(RDX, RBX);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(done);
        for (int q = 0; q < rows; q++) {
            for (int j = 0; j < columns; j++) {
                int x = j * rows + q;
                v.add(x, x, at(RDX, j, R11, RAX));
                if (diagonal != Diagonal.UNIT) {
                    v.mul(x, x, vector(RECIPROCALS + q));
                }
                v.store(at(RDX, j, R11, RAX), x);
            }
            for (int s = q + 1; s < rows; s++) {
                v.load(a, at(RSI, s, R8, R9));
                for (int j = 0; j < columns; j++) {
                    v.fnma(j * rows + s, a, j * rows + q);
                }
            }
            code.add(RSI, R10);
            code.add(RDX, RBX);
        }
    }
}
