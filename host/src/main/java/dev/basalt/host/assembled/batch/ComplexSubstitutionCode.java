package dev.basalt.host.assembled.batch;

import static dev.basalt.host.assembled.x86.Gp.R10;
import static dev.basalt.host.assembled.x86.Gp.R11;
import static dev.basalt.host.assembled.x86.Gp.R8;
import static dev.basalt.host.assembled.x86.Gp.R9;
import static dev.basalt.host.assembled.x86.Gp.RAX;
import static dev.basalt.host.assembled.x86.Gp.RDX;
import static dev.basalt.host.assembled.x86.Gp.RSI;

import dev.basalt.host.assembled.x86.Mem;
import dev.basalt.host.assembled.x86.Shape;

/**
 * {@link SubstitutionCode} of complex matrices: an element is a vector of real parts and one of imaginary parts behind
 * it. Blocks are two unknowns high. A is conjugated by a vector of signs, and Cholesky conjugates it always: to the right of its own
 * diagonal block, row block J of conj(L) solves for the columns of Aᵀ.
 *
 * <p>A problem with a diagonal element whose square overflows, or underflows so far that its reciprocal is infinite, is reported as of no use.
 */
final class ComplexSubstitutionCode extends SubstitutionCode {
    /** Vector of the frame that turns imaginary parts of A round: of all elements 0 or -0. {@link #RECIPROCALS} have two parts. */
    static final int SIGNS = 5;

    private final int imaginary;

    ComplexSubstitutionCode(Shape shape, Diagonal diagonal) {
        super(shape, diagonal, 2, 2);
        this.imaginary = shape.isa().bytes;
    }

    @Override
    void loadA(int to, int s) {
        v.load(to, at(RSI, s, R8, R9, 0));
        v.load(to + 1, at(RSI, s, R8, R9, imaginary));
        v.xor(to + 1, to + 1, vector(SIGNS));
    }

    @Override
    void loadB(int to, int j) {
        v.load(to, at(RDX, j, R11, RAX, 0));
        v.load(to + 1, at(RDX, j, R11, RAX, imaginary));
    }

    @Override
    void subtract(int sum, int a, int b) {
        v.fnma(sum, a, b);
        v.fnma(sum + 1, a, b + 1);
        v.fma(sum, a + 1, b + 1);
        v.fnma(sum + 1, a + 1, b);
    }

    @Override
    void reciprocals(int rows) {
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
            v.broadcast(inverse, slot(ONE));
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
     * Elements of the block are those of L, not conjugated: registers 0 and 1 (real, the imaginary part of the diagonal is 0 whatever is
     * stored), 2 and 3 for element (1, 0), 4 for (1, 1).
     */
    @Override
    int factorRegisters(int rows) {
        return 5;
    }

    @Override
    void factorColumn(int rows) {
        int first = 6;
        int second = 8;
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
    }

    @Override
    void factorBlock(int rows) {
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
        v.broadcast(13, slot(ONE));
        v.div(13, 13, sum);
        v.fma(11, 12, 13);
        v.store(vector(RECIPROCALS + 2 * q), 13);
        v.store(at(RSI, q, R8, R9, 0), sum);
        v.store(at(RSI, q, R8, R9, imaginary), 12);
    }

    @Override
    void solve(int x, int q, int j, int scratch) {
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
