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
 * Forward substitution, one problem a lane: B := A⁻¹·B for a lower triangle A, by blocks of unknowns and right-hand
 * sides that stay in registers. Both matrices have a step between rows and one between columns, of either sign, so that the same
 * code walks an upper triangle backwards, a transposed one by rows, and solves from the right.
 *
 * <p>Cholesky is the same walk: row block J of L solves for the columns of Lᵀ to its right, once its own diagonal block is
 * factored. There B is A transposed.
 *
 * <p>A problem whose diagonal has a reciprocal that is infinite or NaN comes out unusable and is reported by its bit: zero or
 * subnormal pivots, minors that are not positive, NaN.
 */
abstract class SubstitutionCode {
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

    /** The next element of the diagonal. */
    static final int DIAGONAL_ELEMENT = 10;
    /** Vectors of the frame: 1/diagonal of the block, then 0 or NaN for lanes that are no use. */
    static final int RECIPROCALS = 0;

    static final int NAN = 4;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};

    final Emitter code = new Emitter();
    final Vectors v;
    final Diagonal diagonal;

    private final BatchLanes lanes;
    /** Vectors of an element. */
    private final int parts;
    /** Unknowns and right-hand sides of the largest block. */
    private final int tallest;
    private final int widest;

    SubstitutionCode(Shape shape, Diagonal diagonal, int parts, int tallest) {
        this.lanes = new BatchLanes(code, shape);
        this.v = lanes.v;
        this.diagonal = diagonal;
        this.parts = parts;
        this.tallest = tallest;
        this.widest = shape.isa() == Isa.AVX512 ? 4 : 2;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param complex whether elements are pairs of numbers
     * @param diagonal what to do with the diagonal of A
     * @return code
     */
    static byte[] write(Shape shape, boolean complex, Diagonal diagonal) {
        SubstitutionCode substitution =
                complex ? new ComplexSubstitutionCode(shape, diagonal) : new RealSubstitutionCode(shape, diagonal);
        substitution.write();
        return substitution.code.code();
    }

    /** Vectors of an element of a column of A, {@code s} rows down. */
    abstract void loadA(int to, int s);

    /** Vectors of right-hand side j of a row of B. */
    abstract void loadB(int to, int j);

    /** sum := sum - a·b. */
    abstract void subtract(int sum, int a, int b);

    /** Unknown q of right-hand side j, of which {@code x} is minus what the others take off. */
    abstract void solve(int x, int q, int j, int scratch);

    /** The reciprocals of the block's diagonal elements, from {@link #DIAGONAL_ELEMENT} on. */
    abstract void reciprocals(int rows);

    /** Registers, from 0 on, that {@link #factorColumn} adds to. */
    abstract int factorRegisters(int rows);

    /** Takes the products of a column of L off a diagonal block. */
    abstract void factorColumn(int rows);

    /** Factors a diagonal block at RSI, from which all columns before it were taken off. */
    abstract void factorBlock(int rows);

    static Mem slot(int index) {
        return Mem.at(RDI, 8 * index);
    }

    static Mem vector(int index) {
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
        for (int rows = tallest; rows > 0; rows /= 2) {
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
    static Mem at(Gp base, int index, Gp step, Gp triple, int part) {
        return switch (index) {
            case 0 -> Mem.at(base, part);
            case 3 -> Mem.at(base, triple, 1, part);
            default -> Mem.at(base, step, index, part);
        };
    }

    /** Brings a diagonal block up to date and factors it. */
    private void factor(int rows) {
        code.mov(RSI, R14);
        code.mov(RCX, R15);
        for (int i = 0; i < factorRegisters(rows); i++) {
            v.zero(i);
        }
        Label top = new Label();
        Label done = new Label();
        code.test(RCX, RCX);
        code.jump(ZERO, done);
        code.bind(top);
        factorColumn(rows);
        code.add(RSI, R10);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(done);
        // RSI is at A(I, I).
        factorBlock(rows);
    }

    /** Unknowns I… of the right-hand sides at R13. */
    private void block(int rows, int columns) {
        int a = parts * rows * columns;
        int b = a + parts * rows;
        code.mov(RSI, R14);
        code.mov(RDX, R13);
        code.lea(RAX, Mem.at(R11, R11, 2, 0));
        for (int i = 0; i < parts * rows * columns; i++) {
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
            loadA(a + parts * s, s);
        }
        for (int j = 0; j < columns; j++) {
            loadB(b, j);
            for (int s = 0; s < rows; s++) {
                subtract(parts * (j * rows + s), a + parts * s, b);
            }
        }
        code.add(RSI, R10);
        code.add(RDX, RBX);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(done);
        for (int q = 0; q < rows; q++) {
            for (int j = 0; j < columns; j++) {
                solve(parts * (j * rows + q), q, j, a);
            }
            for (int s = q + 1; s < rows; s++) {
                loadA(a, s);
                for (int j = 0; j < columns; j++) {
                    subtract(parts * (j * rows + s), a, parts * (j * rows + q));
                }
            }
            code.add(RSI, R10);
            code.add(RDX, RBX);
        }
    }
}
