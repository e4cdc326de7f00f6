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

import dev.basalt.host.assembled.batch.SubstitutionCode.Diagonal;
import dev.basalt.host.assembled.x86.Emitter;
import dev.basalt.host.assembled.x86.Gp;
import dev.basalt.host.assembled.x86.Isa;
import dev.basalt.host.assembled.x86.Label;
import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;
import dev.basalt.host.assembled.x86.Vectors;

/**
 * {@link SubstitutionCode} of complex matrices, with its arguments: an element is a vector of real parts and one of imaginary parts behind
 * it. Blocks are two unknowns high. A is conjugated by a vector of signs, and Cholesky conjugates it always: to the right of its own
 * diagonal block, row block J of conj(L) solves for the columns of Aᵀ.
 *
 * <p>A problem with a diagonal element whose square overflows, or underflows so far that its reciprocal is infinite, is reported as of no use.
 */
final class ComplexSubstitutionCode {
    // Vectors of the frame: 1/diagonal of the block in two parts, then 0 or NaN, then what turns imaginary parts of A
    // round.

    private static final int RECIPROCALS = 0;
    private static final int NAN = 4;
    /** Of all elements 0 or -0. */
    static final int SIGNS = 5;

    private static final int DIAGONAL_ELEMENT = 10;
    private static final Gp[] SAVED = {RBX, RBP, R12, R13, R14, R15};
    private static final int BLOCK = 2;

    private final Emitter code = new Emitter();
    private final BatchLanes lanes;
    private final Vectors v;
    private final Diagonal diagonal;
    private final int widest;
    private final int imaginary;

    private ComplexSubstitutionCode(Shape shape, Diagonal diagonal) {
        this.lanes = new BatchLanes(code, shape);
        this.v = lanes.v;
        this.diagonal = diagonal;
        this.widest = shape.isa() == Isa.AVX512 ? 4 : 2;
        this.imaginary = lanes.bytes;
    }

    /**
     * Writes a kernel.
     *
     * @param shape registers
     * @param diagonal what to do with the diagonal of A
     * @return code
     */
    static byte[] write(Shape shape, Diagonal diagonal) {
        ComplexSubstitutionCode substitution = new ComplexSubstitutionCode(shape, diagonal);
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
        code.load(R14, slot(SubstitutionCode.A));
        code.store(slot(DIAGONAL_ELEMENT), R14);
        code.load(R8, slot(SubstitutionCode.A_ROW));
        code.lea(R9, Mem.at(R8, R8, 2, 0));
        code.load(R10, slot(SubstitutionCode.A_COLUMN));
        code.load(R11, slot(SubstitutionCode.B_COLUMN));
        code.load(RBX, slot(SubstitutionCode.B_ROW));
        code.load(RBP, slot(SubstitutionCode.ROWS));
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
        code.store(slot(SubstitutionCode.BAD), RAX);
        for (int i = SAVED.length - 1; i >= 0; i--) {
            code.pop(SAVED[i]);
        }
        code.finish();
    }

    /** Some unknowns of all right-hand sides. R14: A(I, 0); R15: I; RBP: rows from I on. */
    private void rowBlock(int rows) {
        if (diagonal == Diagonal.CHOLESKY) {
            factor(rows);
            code.lea(R13, Mem.at(R14, R8, rows, 0));
            code.mov(R12, RBP);
            code.add(R12, -rows);
        } else {
            if (diagonal == Diagonal.STORED) {
                reciprocals(rows);
            }
            code.load(R13, slot(SubstitutionCode.B));
            code.load(R12, slot(SubstitutionCode.COLUMNS));
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
        code.lea(R14, Mem.at(R14, R8, rows, 0));
        code.add(R15, rows);
        code.add(RBP, -rows);
    }

    /** Element of a block: {@code index} of up to four steps, whose triple is at hand. */
    private static Mem at(Gp base, int index, Gp step, Gp triple, int part) {
        return switch (index) {
            case 0 -> Mem.at(base, part);
            case 3 -> Mem.at(base, triple, 1, part);
            default -> Mem.at(base, step, index, part);
        };
    }

    /** Loads element {@code s} of a column of A into two registers. */
    private void loadA(int to, int s) {
        v.load(to, at(RSI, s, R8, R9, 0));
        v.load(to + 1, at(RSI, s, R8, R9, imaginary));
        v.xor(to + 1, to + 1, vector(SIGNS));
    }

    /** (sum, sum + 1) := sum - a·b. */
    private void subtract(int sum, int a, int b) {
        v.fnma(sum, a, b);
        v.fnma(sum + 1, a, b + 1);
        v.fma(sum, a + 1, b + 1);
        v.fnma(sum + 1, a + 1, b);
    }

    private void reciprocals(int rows) {
        int square = 2;
        int inverse = 3;
        int nan = 4;
        int zero = 5;
        code.load(RSI, slot(DIAGONAL_ELEMENT));
        v.load(nan, vector(NAN));
        v.zero(zero);
        for (int q = 0; q < rows; q++) {
            loadA(0, 0);
            code.add(RSI, R8);
            code.add(RSI, R10);
            v.mul(square, 0, 0);
            v.fma(square, 1, 1);
            v.broadcast(inverse, slot(SubstitutionCode.ONE));
            v.div(inverse, inverse, square);
            v.fma(nan, zero, square);
            v.fma(nan, zero, inverse);
            v.mul(0, 0, inverse);
            v.mul(1, 1, inverse);
            v.store(vector(RECIPROCALS + 2 * q), 0);
            // The sign of the imaginary part changes: 0 - im.
            v.zero(inverse);
            v.sub(1, inverse, 1);
            v.store(vector(RECIPROCALS + 2 * q + 1), 1);
        }
        v.store(vector(NAN), nan);
        code.store(slot(DIAGONAL_ELEMENT), RSI);
    }

    /**
     * Brings a diagonal block up to date and factors it. Its elements are those of L, not conjugated: registers 0 and 1 (real, the imaginary
     * part of the diagonal is 0 whatever is stored), 2 and 3 for element (1, 0), 4 for (1, 1).
     */
    private void factor(int rows) {
        int first = 6;
        int second = 8;
        code.mov(RSI, R14);
        code.mov(RCX, R15);
        for (int i = 0; i < 5; i++) {
            v.zero(i);
        }
        Label top = new Label();
        Label done = new Label();
        code.test(RCX, RCX);
        code.jump(ZERO, done);
        code.bind(top);
        v.load(first, at(RSI, 0, R8, R9, 0));
        v.load(first + 1, at(RSI, 0, R8, R9, imaginary));
        v.fnma(0, first, first);
        v.fnma(0, first + 1, first + 1);
        if (rows > 1) {
            v.load(second, at(RSI, 1, R8, R9, 0));
            v.load(second + 1, at(RSI, 1, R8, R9, imaginary));
            // l₁·conj(l₀)
            v.fnma(2, second, first);
            v.fnma(3, second + 1, first);
            v.fnma(2, second + 1, first + 1);
            v.fma(3, second, first + 1);
            v.fnma(4, second, second);
            v.fnma(4, second + 1, second + 1);
        }
        code.add(RSI, R10);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(done);
        // RSI is at A(I, I).
        v.load(11, vector(NAN));
        v.zero(12);
        root(0, 0);
        if (rows > 1) {
            v.add(2, 2, at(RSI, 1, R8, R9, 0));
            v.add(3, 3, at(RSI, 1, R8, R9, imaginary));
            v.mul(2, 2, 13);
            v.mul(3, 3, 13);
            v.store(at(RSI, 1, R8, R9, 0), 2);
            v.store(at(RSI, 1, R8, R9, imaginary), 3);
            v.fnma(4, 2, 2);
            v.fnma(4, 3, 3);
            code.add(RSI, R10);
            root(4, 1);
            code.add(RSI, R10);
        } else {
            code.add(RSI, R10);
        }
        v.store(vector(NAN), 11);
    }

    /** The root of diagonal element q of the block; register 13 becomes its reciprocal. */
    private void root(int sum, int q) {
        v.add(sum, sum, at(RSI, q, R8, R9, 0));
        v.sqrt(sum, sum);
        v.broadcast(13, slot(SubstitutionCode.ONE));
        v.div(13, 13, sum);
        v.fma(11, 12, 13);
        v.store(vector(RECIPROCALS + 2 * q), 13);
        v.store(at(RSI, q, R8, R9, 0), sum);
        v.store(at(RSI, q, R8, R9, imaginary), 12);
    }

    /** Unknowns I… of the right-hand sides at R13. */
    private void block(int rows, int columns) {
        int a = 2 * rows * columns;
        int b = a + 2 * rows;
        code.mov(RSI, R14);
        code.mov(RDX, R13);
        code.lea(RAX, Mem.at(R11, R11, 2, 0));
        for (int i = 0; i < 2 * rows * columns; i++) {
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
            loadA(a + 2 * s, s);
        }
        for (int j = 0; j < columns; j++) {
            v.load(b, at(RDX, j, R11, RAX, 0));
            v.load(b + 1, at(RDX, j, R11, RAX, imaginary));
            for (int s = 0; s < rows; s++) {
                subtract(2 * (j * rows + s), a + 2 * s, b);
            }
        }
        code.add(RSI, R10);
        code.add(RDX, RBX);
        code.dec(RCX);
        code.jump(NOT_ZERO, top);
        code.bind(done);
        for (int q = 0; q < rows; q++) {
            for (int j = 0; j < columns; j++) {
                solve(2 * (j * rows + q), q, j, a);
            }
            for (int s = q + 1; s < rows; s++) {
                loadA(a, s);
                for (int j = 0; j < columns; j++) {
                    subtract(2 * (j * rows + s), a, 2 * (j * rows + q));
                }
            }
            code.add(RSI, R10);
            code.add(RDX, RBX);
        }
    }

    /** Unknown q of right-hand side j. */
    private void solve(int x, int q, int j, int scratch) {
        v.add(x, x, at(RDX, j, R11, RAX, 0));
        v.add(x + 1, x + 1, at(RDX, j, R11, RAX, imaginary));
        Mem re = vector(RECIPROCALS + 2 * q);
        if (diagonal == Diagonal.CHOLESKY) {
            v.mul(x, x, re);
            v.mul(x + 1, x + 1, re);
        } else if (diagonal == Diagonal.STORED) {
            v.load(scratch, vector(RECIPROCALS + 2 * q + 1));
            v.mul(scratch + 1, x, scratch);
            v.mul(scratch, x + 1, scratch);
            v.mul(x, x, re);
            v.sub(x, x, scratch);
            v.fma(scratch + 1, x + 1, re);
            v.or(x + 1, scratch + 1, scratch + 1);
        }
        v.store(at(RDX, j, R11, RAX, 0), x);
        v.store(at(RDX, j, R11, RAX, imaginary), x + 1);
    }
}
